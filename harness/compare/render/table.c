/* table.c - a comparison on a screen. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/compare/render/answer.h"
#include "harness/compare/render/figures.h"
#include "harness/compare/render/render.h"
#include "harness/count.h"
#include "harness/status.h"
#include "harness/tensor/tensors.h"
#include "harness/text/columns.h"
#include "harness/text/legible.h"

enum { MOST_COLUMNS = 32 };

static void put_number(struct columns *t, double value)
{
    char text[FIGURE_TEXT];

    columns_put(t, "%s", figure_text(value, text));
}

static void put_factor(struct columns *t, double fp32_ms, double step_ms)
{
    char text[LEGIBLE];

    columns_put(t, "%s", isnan(step_ms) ? "refused" : legible_factor(fp32_ms / step_ms, text, sizeof(text)));
}

static void put_forecast(struct columns *t, const struct forecasts *f, size_t i)
{
    const struct forecast *one = &f->list[i];

    put_number(t, one->step_ms);
    put_factor(t, f->fp32_step_ms, one->step_ms);
    put_number(t, one->free_step_ms);
    put_factor(t, f->fp32_step_ms, one->free_step_ms);
}

/* One table of the rows'. */
struct table {
    const struct rendered *r;
    size_t number;
    struct columns *columns;
};

static void put_row(const struct render_row *row, void *context)
{
    struct table *t = context;

    if (row->table != t->number)
        return;
    columns_put(t->columns, "%s", t->r->comparison->contenders->list[row->contender].name);
    for (size_t i = 0; i < nfigures; i++)
        if (figure_shown(&figures[i], t->r->comparison->steps->n))
            put_number(t->columns, figures[i].of(row->outcome));
    if (t->r->forecasts && !row->table)
        put_forecast(t->columns, t->r->forecasts, row->contender);
}

static int print_table(const struct rendered *r, size_t number, FILE *out)
{
    static const struct column steps[] = {
        { "step (ms)", false }, { "gain", false }, { "free (ms)", false }, { "gain", false }
    };
    struct column list[MOST_COLUMNS] = { { "codec", true } };
    struct table t = { r, number, NULL };
    size_t n = 1;

    for (size_t i = 0; i < nfigures; i++)
        if (figure_shown(&figures[i], r->comparison->steps->n))
            list[n++] = (struct column){ figures[i].head, false };
    for (size_t i = 0; i < COUNT(steps) && r->forecasts && !number; i++)
        list[n++] = steps[i];
    t.columns = columns_open(list, n);
    if (!t.columns)
        return NW_ENOMEM;
    render_each(r, put_row, &t);
    return columns_close(t.columns, out);
}

/* Bits and cosine of each class that has tensors, side by side. */
static int print_classes(const struct rendered *r, FILE *out)
{
    const struct comparison *c = r->comparison;
    struct column list[1 + 2 * SHAPE_CLASSES] = { { "codec", true } };
    size_t n = 1;
    struct columns *t;

    for (int i = 0; i < SHAPE_CLASSES; i++)
        if (c->classes[0][i].tensors) {
            list[n++] = (struct column){ shape_class_name((enum shape_class)i), false };
            list[n++] = (struct column){ "cosine", false };
        }
    t = columns_open(list, n);
    if (!t)
        return NW_ENOMEM;
    for (size_t k = 0; k < c->contenders->n; k++) {
        columns_put(t, "%s", c->contenders->list[c->order[k]].name);
        for (int i = 0; i < SHAPE_CLASSES; i++) {
            const struct outcome *o = &c->classes[c->order[k]][i];

            if (!c->classes[0][i].tensors)
                continue;
            put_number(t, outcome_bits(o));
            put_number(t, fidelity_cosine(&o->each));
        }
    }
    fputs("\nBits a value and cosine by class of tensor:", out);
    for (int i = 0; i < SHAPE_CLASSES; i++)
        if (c->classes[0][i].tensors)
            fprintf(out, " %zu of %s", c->classes[0][i].tensors, shape_class_name((enum shape_class)i));
    fputs("\n\n", out);
    return columns_close(t, out);
}

static int print_tensors(const struct rendered *r, FILE *out)
{
    const struct step *first = &r->comparison->steps->list[0];
    int rc = NW_OK;

    for (size_t i = 0; i < r->comparison->steps->ntensors && !rc; i++) {
        const struct tensor *t = first->list[i];

        fprintf(out, "\n%s:", t->name);
        for (size_t d = 0; d < t->ndims; d++)
            fprintf(out, "%s%zu", d ? "x" : " ", t->dims[d]);
        fprintf(out, ", %zu values\n\n", t->n);
        rc = print_table(r, render_tensor_table(r, i), out);
    }
    return rc;
}

/* Why some of the forecasts are missing: each reason once. */
static void print_refusals(const struct rendered *r, FILE *out)
{
    const struct forecasts *f = r->forecasts;

    for (size_t i = 0; f && i < r->comparison->contenders->n; i++) {
        size_t k = 0;

        while (k < i && strcmp(f->list[k].why, f->list[i].why) != 0)
            k++;
        if (k == i && *f->list[i].why)
            fprintf(out, "Refused for %s: %s\n", r->comparison->contenders->list[i].name, f->list[i].why);
    }
}

static void print_typed(const struct rendered *r, FILE *out)
{
    const struct forecasts *f = r->forecasts;
    int best = f ? answer_fastest(r->comparison, f, r->bar, false) : COMPARISON_NONE;
    char sets[FORECAST_SETS][FORECAST_SET];
    size_t n;

    if (best == COMPARISON_NONE)
        return;
    n = forecast_sets(r->comparison, f, (size_t)best, sets);
    fputs("The same typed in:", out);
    for (size_t i = 0; i < n; i++)
        fprintf(out, " --set '%s'", sets[i]);
    fputc('\n', out);
}

int render_text(const struct rendered *r, FILE *out)
{
    int rc;

    render_what(r, out);
    fputs("\n\n", out);
    rc = print_table(r, 0, out);
    if (!rc && render_classes(r->comparison) > 1)
        rc = print_classes(r, out);
    if (!rc && r->tensors)
        rc = print_tensors(r, out);
    if (rc)
        return rc;
    fputc('\n', out);
    answer_print(r->comparison, r->forecasts, r->bar, out);
    print_typed(r, out);
    print_refusals(r, out);
    render_notes(r, out);
    return NW_OK;
}
