/* point.c - binds a point. Nothing is parsed here: lists are copied, then the values that were read by open.c are
 * stored. */
#include "harness/scenario/points/point.h"

#include <stdlib.h>
#include <string.h>

#include "harness/count.h"
#include "harness/scenario/codec_asked.h"
#include "harness/scenario/codec_rates.h"
#include "harness/scenario/contents.h"
#include "harness/scenario/file.h"
#include "harness/status.h"

void *bound_base(struct bound *b, enum section section)
{
    return section == SECTION_HEAD       ? (void *)&b->head
           : section == SECTION_PLATFORM ? (void *)&b->scenario->platform
           : section == SECTION_MODEL    ? (void *)&b->scenario->model
                                         : (void *)&b->head.method.memory_planned.plan.timing;
}

static void copy_images(const struct scenario_file *f, struct arena *a, struct bound *b)
{
    struct scenario *s = b->scenario;
    const struct images *platforms = &f->images[SECTION_PLATFORM], *models = &f->images[SECTION_MODEL],
                        *timings = &f->images[SECTION_TIMING];

    s->platform = platforms->n ? *(const struct platform *)platforms->items[b->image[SECTION_PLATFORM]].base
                               : (struct platform){ 0 };
    s->model =
        models->n ? *(const struct model_spec *)models->items[b->image[SECTION_MODEL]].base : (struct model_spec){ 0 };
    if (timings->n)
        *(struct timing *)bound_base(b, SECTION_TIMING) =
            *(const struct timing *)timings->items[b->image[SECTION_TIMING]].base;
    schema_own_lists(&schema_platform, &s->platform, a);
    schema_own_lists(&schema_model, &s->model, a);
    schema_own_lists(&schema_method, &b->head.method, a);
}

/* Whole platforms, models and timings are exchanged first; once they are copied, single values change. */
static void exchange(void *ctx, const struct setting *s)
{
    struct bound *b = ctx;

    if (!s->target.field)
        b->image[s->target.section] = s->image;
}

static void change(void *ctx, const struct setting *s)
{
    struct bound *b = ctx;
    const struct target *t = &s->target;

    if (t->field)
        value_store(t->field, &s->value, place_in(&t->places[b->image[t->section]], bound_base(b, t->section)));
}

static void visit_all(const struct settings *s, setting_fn *visit, void *ctx)
{
    for (size_t i = 0; i < s->n; i++)
        visit(ctx, &s->items[i]);
}

static void visit_axes(const struct scenario_file *f, size_t combination, bool command, setting_fn *visit, void *ctx)
{
    size_t rest = combination;

    for (size_t d = f->ndims; d-- > 0;) {
        const struct dimension_of_sweep *dim = &f->dims[d];

        for (size_t i = 0; i < dim->naxes; i++)
            if (dim->axes[i].command == command)
                visit(ctx, &dim->axes[i].values[rest % dim->n]);
        rest /= dim->n;
    }
}

void settings_visit(const struct scenario_file *f, size_t combination, const struct variant *variant, setting_fn *visit,
                    void *ctx)
{
    visit_all(&f->sets, visit, ctx);
    visit_axes(f, combination, false, visit, ctx);
    if (variant)
        visit_all(&variant->settings, visit, ctx);
    visit_all(&f->command_sets, visit, ctx);
    visit_axes(f, combination, true, visit, ctx);
}

void settings_visit_varied(const struct scenario_file *f, setting_fn *visit, void *ctx)
{
    for (size_t i = 0; i < f->nvariants; i++)
        visit_all(&f->variants[i].settings, visit, ctx);
    for (size_t d = 0; d < f->ndims; d++)
        for (size_t i = 0; i < f->dims[d].naxes; i++)
            visit_all(&(struct settings){ f->dims[d].axes[i].values, f->dims[d].axes[i].n }, visit, ctx);
}

void point_bind(const struct scenario_file *f, struct arena *a, size_t index, struct scenario *out, struct bound *b)
{
    size_t variants = f->nvariants ? f->nvariants : 1;

    *b = (struct bound){ .head = f->head, .scenario = out, .combination = index / variants };
    memcpy(b->image, f->first_image, sizeof(b->image));
    if (f->nvariants)
        b->variant = &f->variants[index % variants];
    settings_visit(f, b->combination, b->variant, exchange, b);
    copy_images(f, a, b);
    settings_visit(f, b->combination, b->variant, change, b);
    out->simulated = b->head.simulated;
    out->trained = b->head.trained;
    out->batch = b->head.batch;
    out->method = b->head.method;
    out->training = b->head.training;
    contents_supply(f, out);
}

static struct point_param parameter(const struct scenario_file *f, const struct setting *s)
{
    const struct target *t = &s->target;

    if (!t->field)
        return (struct point_param){ t->path, image_name(f, t->section, s->image), NAN, "" };
    return (struct point_param){ t->path, s->value.text, value_number(t->field, &s->value),
                                 unit_base(t->field->dimension) };
}

static void fill_parameters(const struct scenario_file *f, struct arena *a, struct point *out)
{
    size_t rest = out->combination, at;

    for (size_t d = 0; d < f->ndims; d++)
        out->nparams += f->dims[d].naxes;
    out->params = ARENA_ARRAY(a, struct point_param, out->nparams);
    at = out->nparams;
    for (size_t d = f->ndims; d-- > 0;) {
        const struct dimension_of_sweep *dim = &f->dims[d];

        for (size_t i = dim->naxes; i-- > 0;)
            out->params[--at] = parameter(f, &dim->axes[i].values[rest % dim->n]);
        rest /= dim->n;
    }
}

static struct cell compare_cell(const struct scenario_file *f, struct arena *a, size_t row, struct bound *b)
{
    struct cell c = template_cell(f, a, &f->cells[row], b);

    c.place = row;
    return c;
}

static void fill_cells(const struct scenario_file *f, struct arena *a, struct bound *b, struct point *out)
{
    out->cells = ARENA_ARRAY(a, struct cell, f->ncells);
    for (size_t i = 0; i < f->ncells; i++)
        if (!*f->cells[i].variant || !strcmp(f->cells[i].variant, out->variant))
            out->cells[out->ncells++] = compare_cell(f, a, i, b);
}

static void fill(const struct scenario_file *f, size_t index, struct point_memory *m, struct point *out)
{
    struct bound b;

    point_bind(f, &m->arena, index, &out->scenario, &b);
    memcpy(m->image, b.image, sizeof(m->image));
    out->index = index;
    out->combination = b.combination;
    out->variant = b.variant ? b.variant->name : "";
    fill_parameters(f, &m->arena, out);
    fill_cells(f, &m->arena, &b, out);
    codec_asked_supply(&out->scenario.method);
    codec_rates_supply(&m->arena, out);
}

int scenario_point(const struct scenario_file *f, size_t index, struct point *out)
{
    struct point_memory *m;
    jmp_buf oom;

    if (index >= f->npoints)
        return NW_EINPUT;
    *out = (struct point){ .arena = NULL };
    if (!(m = calloc(1, sizeof(*m))))
        return NW_ENOMEM;
    out->arena = m;
    m->arena.oom = &oom;
    if (setjmp(oom)) {
        point_free(out);
        return NW_ENOMEM;
    }
    fill(f, index, m, out);
    m->arena.oom = NULL;
    return NW_OK;
}

void point_free(struct point *p)
{
    struct point_memory *m = p->arena;

    if (m) {
        arena_free(&m->arena);
        free(m);
    }
    *p = (struct point){ .arena = NULL };
}

size_t scenario_times(const struct scenario_file *f, const struct trained_time **times)
{
    *times = f->head.times;
    return f->head.trained ? f->head.ntimes : 0;
}

size_t scenario_calibrated(const struct scenario_file *f, const struct point *p, const char **paths, size_t max)
{
    const struct point_memory *m = p->arena;
    struct scenario now = p->scenario;
    const struct images *platforms = &f->images[SECTION_PLATFORM];
    const struct image *images[] = { platforms->n ? &platforms->items[m->image[SECTION_PLATFORM]] : NULL,
                                     &f->images[SECTION_HEAD].items[0] };
    size_t n = 0;

    for (size_t k = 0; k < COUNT(images); k++) {
        for (size_t i = 0; images[k] && i < images[k]->nslots; i++) {
            const struct slot *s = &images[k]->slots[i];
            const double *v = s->field->flags & FIELD_CALIBRATED ? scenario_number(&now, s->path) : NULL;

            if (!v || !isnan(*v))
                continue;
            if (n < max)
                paths[n] = s->path;
            n++;
        }
    }
    return n;
}
