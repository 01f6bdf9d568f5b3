/* files.c - a comparison as CSV and as JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/compare/render/answer.h"
#include "harness/compare/render/figures.h"
#include "harness/compare/render/render.h"
#include "harness/text/csv.h"
#include "harness/text/json.h"

struct writing {
    const struct rendered *r;
    FILE *out;
    size_t rows;
};

/* "step_ms", "speedup", "free_step_ms", "free_speedup" of a row over all tensors. */
enum { FORECASTS = 4 };
static const char *const forecast_names[FORECASTS] = { "step_ms", "speedup", "free_step_ms", "free_speedup" };

static double forecast_value(const struct forecasts *f, size_t contender, int i)
{
    double step_ms = i < 2 ? f->list[contender].step_ms : f->list[contender].free_step_ms;

    return i % 2 ? f->fp32_step_ms / step_ms : step_ms;
}

/* --- CSV --- */

static void csv_row(const struct render_row *row, void *context)
{
    struct writing *w = context;
    const struct outcome *o = row->outcome;

    csv_text(w->out, row->scope);
    fputc(',', w->out);
    csv_text(w->out, row->name);
    fprintf(w->out, ",%s,", row->class);
    csv_text(w->out, w->r->comparison->contenders->list[row->contender].name);
    fprintf(w->out, ",%zu,%zu,%zu,%zu,%zu,%.0f,%.0f", w->r->comparison->steps->n, o->tensors, o->values, o->nans,
            o->infinities, o->payload_bytes, o->header_bytes);
    for (size_t i = 0; i < nfigures; i++) {
        fputc(',', w->out);
        figure_file(figures[i].of(o), "", w->out);
    }
    for (int i = 0; i < FORECASTS && w->r->forecasts; i++) {
        fputc(',', w->out);
        figure_file(!row->table ? forecast_value(w->r->forecasts, row->contender, i) : NAN, "", w->out);
    }
    fputc('\n', w->out);
}

void render_csv(const struct rendered *r, FILE *out)
{
    struct writing w = { r, out, 0 };

    fputs("scope,name,class,codec,steps,tensors,values,nans,infinities,payload_bytes,header_bytes", out);
    for (size_t i = 0; i < nfigures; i++)
        fprintf(out, ",%s", figures[i].name);
    for (int i = 0; i < FORECASTS && r->forecasts; i++)
        fprintf(out, ",%s", forecast_names[i]);
    fputc('\n', out);
    render_each(r, csv_row, &w);
}

/* --- JSON --- */

/* What to give to --set for the same numbers in a run. */
static void json_settings(const struct writing *w, size_t contender)
{
    char sets[FORECAST_SETS][FORECAST_SET];
    size_t n = forecast_sets(w->r->comparison, w->r->forecasts, contender, sets);

    fputs(", \"settings\": [", w->out);
    for (size_t i = 0; i < n; i++) {
        fputs(i ? ", " : "", w->out);
        json_text(sets[i], w->out);
    }
    fputc(']', w->out);
}

static void json_row(const struct render_row *row, void *context)
{
    struct writing *w = context;
    const struct outcome *o = row->outcome;

    fputs(w->rows++ ? ",\n    {\"scope\": " : "\n    {\"scope\": ", w->out);
    json_text(row->scope, w->out);
    fputs(", \"name\": ", w->out);
    json_text(row->name, w->out);
    fputs(", \"class\": ", w->out);
    json_text(row->class, w->out);
    fputs(", \"codec\": ", w->out);
    json_text(w->r->comparison->contenders->list[row->contender].name, w->out);
    fprintf(w->out,
            ", \"tensors\": %zu, \"values\": %zu, \"nans\": %zu, \"infinities\": %zu, \"payload_bytes\": %.0f, "
            "\"header_bytes\": %.0f",
            o->tensors, o->values, o->nans, o->infinities, o->payload_bytes, o->header_bytes);
    for (size_t i = 0; i < nfigures; i++) {
        fprintf(w->out, ", \"%s\": ", figures[i].name);
        figure_file(figures[i].of(o), "null", w->out);
    }
    for (int i = 0; i < FORECASTS && w->r->forecasts && !row->table; i++) {
        fprintf(w->out, ", \"%s\": ", forecast_names[i]);
        figure_file(forecast_value(w->r->forecasts, row->contender, i), "null", w->out);
    }
    if (w->r->forecasts && !row->table)
        json_settings(w, row->contender);
    fputc('}', w->out);
}

/* The name of a contender, or null. */
static void json_contender(const struct comparison *c, int i, FILE *out)
{
    if (i == COMPARISON_NONE)
        fputs("null", out);
    else
        json_text(c->contenders->list[i].name, out);
}

static void json_answer(const struct rendered *r, FILE *out)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    if (f) {
        answer_print(r->comparison, r->forecasts, r->bar, f);
        fclose(f);
    }
    fputs(",\n  \"answer\": ", out);
    json_text(text ? text : "", out);
    free(text);
}

void render_json(const struct rendered *r, FILE *out)
{
    struct writing w = { r, out, 0 };

    fputs("{\n  \"source\": ", out);
    json_text(r->source, out);
    fprintf(out, ",\n  \"steps\": %zu,\n  \"cosine\": ", r->comparison->steps->n);
    figure_file(r->bar, "null", out);
    fputs(",\n  \"fewest_bits\": ", out);
    json_contender(r->comparison, comparison_best(r->comparison, r->bar, false), out);
    fputs(",\n  \"fewest_bits_after_all_steps\": ", out);
    json_contender(r->comparison, comparison_best(r->comparison, r->bar, true), out);
    if (r->forecasts) {
        fputs(",\n  \"scenario\": ", out);
        json_text(r->forecasts->name, out);
        fputs(",\n  \"fp32_step_ms\": ", out);
        figure_file(r->forecasts->fp32_step_ms, "null", out);
    }
    json_answer(r, out);
    fputs(",\n  \"rows\": [", out);
    render_each(r, json_row, &w);
    fputs("\n  ]\n}\n", out);
}
