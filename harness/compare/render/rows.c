/* rows.c - the rows of a comparison, and what is said around them. */
#include <math.h>

#include "harness/compare/render/render.h"
#include "harness/tensor/tensors.h"
#include "harness/text/legible.h"
#include "kernels/codec/stream.h"

size_t render_classes(const struct comparison *c)
{
    size_t n = 0;

    for (int i = 0; i < SHAPE_CLASSES; i++)
        n += c->classes[0][i].tensors > 0;
    return n;
}

void render_each(const struct rendered *r, void (*visit)(const struct render_row *row, void *context), void *context)
{
    const struct comparison *c = r->comparison;
    size_t n = c->contenders->n, table = 0;

    for (size_t k = 0; k < n; k++)
        visit(&(struct render_row){ 0, "whole", "", "", c->order[k], &c->whole[c->order[k]] }, context);
    for (int i = 0; i < SHAPE_CLASSES && render_classes(c) > 1; i++) {
        const char *name = shape_class_name((enum shape_class)i);
        struct render_row row = { ++table, "class", name, name, 0, NULL };

        for (size_t k = 0; k < n && c->classes[0][i].tensors; k++) {
            row.contender = c->order[k];
            row.outcome = &c->classes[row.contender][i];
            visit(&row, context);
        }
    }
    for (size_t t = 0; t < c->steps->ntensors && r->tensors; t++) {
        const struct tensor *first = c->steps->list[0].list[t];
        struct render_row row = { ++table, "tensor", first->name, shape_class_name(shape_class(first)), 0, NULL };

        for (size_t k = 0; k < n; k++) {
            row.contender = c->order[k];
            row.outcome = comparison_tensor(c, row.contender, t);
            visit(&row, context);
        }
    }
}

size_t render_tensor_table(const struct rendered *r, size_t tensor)
{
    return 1 + tensor + (render_classes(r->comparison) > 1 ? SHAPE_CLASSES : 0);
}

void render_what(const struct rendered *r, FILE *out)
{
    const struct steps *s = r->comparison->steps;
    char bytes[LEGIBLE];
    size_t n = 0;

    for (size_t i = 0; i < s->ntensors; i++)
        n += s->list[0].list[i]->n;
    fprintf(out, "%zu step%s of %zu tensor%s, %zu values (%s as fp32) a step, from %s", s->n, s->n == 1 ? "" : "s",
            s->ntensors, s->ntensors == 1 ? "" : "s", n, legible_bytes(4 * (double)n, bytes, sizeof(bytes)), r->source);
}

void render_notes(const struct rendered *r, FILE *out)
{
    const struct comparison *c = r->comparison;
    const struct outcome *o = &c->whole[0];

    if (!c->contenders->n)
        return;
    if (o->nans || o->infinities)
        fprintf(out,
                "%zu of %zu values are NaN and %zu infinite: they are encoded, but not counted in what is lost, here "
                "and in later steps.\n",
                o->nans, o->values, o->infinities);
    if (o->values)
        fprintf(out, "Of the bits a value, %.3g are the %d bytes that each tensor's stream has as its header.\n",
                8 * o->header_bytes / (double)o->values, STREAM_HEADER);
}
