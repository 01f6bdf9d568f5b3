#include "harness/report/answer/answer.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/count.h"
#include "harness/report/query.h"
#include "harness/scenario/schema/units.h"
#include "harness/status.h"
#include "harness/store/store.h"
#include "harness/text/columns.h"
#include "harness/text/legible.h"

static const char rows_sql[] =
    "SELECT position, combination, variant, place, bound_by, is_baseline, step_ms, samples_per_s, speedup, scaling, "
    "bound_share,"
    " exposed_ms, wire_bytes, memory_bytes, memory_limit_bytes, gpus, idle_gpus FROM answer WHERE run_id = ?1"
    " ORDER BY position LIMIT ?2";

static char *text(struct query *q, int column)
{
    return strdup(query_text(q, column));
}

static bool read_row(struct query *q, struct answer_row *r)
{
    double *const numbers[] = { &r->step_ms,    &r->samples_per_s, &r->speedup,
                                &r->scaling,    &r->bound_share,   &r->exposed_ms,
                                &r->wire_bytes, &r->memory_bytes,  &r->memory_limit_bytes,
                                &r->gpus,       &r->idle_gpus };

    r->position = sqlite3_column_int64(q->st, 0);
    r->combination = sqlite3_column_int64(q->st, 1);
    r->variant = text(q, 2);
    r->place = text(q, 3);
    r->bound_by = text(q, 4);
    r->is_baseline = sqlite3_column_int(q->st, 5);
    for (size_t i = 0; i < COUNT(numbers); i++)
        *numbers[i] = query_null(q, 6 + (int)i) ? NAN : query_real(q, 6 + (int)i);
    return r->variant && r->place && r->bound_by;
}

int answer_read(struct store *s, int64_t run_id, size_t most, struct answer *out)
{
    struct query q = query_run(store_handle(s), rows_sql, run_id);
    int rc = NW_OK;

    *out = (struct answer){ .n = 0 };
    sqlite3_bind_int64(q.st, 2, (sqlite3_int64)most + 1);
    while (!rc && query_next(&q) && !(out->more = out->n == most)) {
        struct answer_row *rows = realloc(out->rows, (out->n + 1) * sizeof(*rows));

        if (rows)
            out->rows = rows;
        rc = rows && read_row(&q, &rows[out->n++]) ? NW_OK : NW_ENOMEM;
    }
    int closed = query_close(&q);
    return rc ? rc : closed;
}

void answer_free(struct answer *a)
{
    for (size_t i = 0; i < a->n; i++) {
        free(a->rows[i].variant);
        free(a->rows[i].place);
        free(a->rows[i].bound_by);
    }
    free(a->rows);
    *a = (struct answer){ .n = 0 };
}

bool answer_swept(const struct answer *a)
{
    for (size_t i = 1; i < a->n; i++)
        if (a->rows[i].combination != a->rows[0].combination)
            return true;
    return a->more;
}

static void put_number(struct columns *c, double v)
{
    char number[LEGIBLE];

    columns_put(c, "%s", isnan(v) ? "" : legible_number(v, number, sizeof(number)));
}

static void put_speed(struct columns *c, const struct answer_row *r)
{
    char factor[LEGIBLE];

    columns_put(c, "%s",
                r->is_baseline      ? "baseline"
                : isnan(r->speedup) ? ""
                                    : legible_factor(r->speedup, factor, sizeof(factor)));
}

static void put_memory(struct columns *c, const struct answer_row *r)
{
    char needed[LEGIBLE], there[LEGIBLE];

    if (isnan(r->memory_bytes))
        columns_put(c, "%s", "");
    else
        columns_put(c, "%s of %s%s", legible_bytes(r->memory_bytes, needed, sizeof(needed)),
                    legible_bytes(r->memory_limit_bytes, there, sizeof(there)),
                    r->memory_bytes > r->memory_limit_bytes ? " !" : "");
}

static void put_row(struct columns *c, const struct answer_row *r, bool swept)
{
    char place[256], wire[LEGIBLE];

    columns_put(c, "%s", quantity_short(r->place, place, sizeof(place)));
    columns_put(c, "%s", r->variant);
    put_number(c, r->step_ms);
    put_speed(c, r);
    put_number(c, r->samples_per_s);
    if (!swept)
        put_number(c, r->scaling);
    if (*r->bound_by)
        columns_put(c, "%s %.0f %%", r->bound_by, 100 * r->bound_share);
    else
        columns_put(c, "%s", "");
    if (swept)
        return;
    put_number(c, r->exposed_ms);
    columns_put(c, "%s", isnan(r->wire_bytes) ? "" : legible_bytes(r->wire_bytes, wire, sizeof(wire)));
    put_memory(c, r);
}

int answer_table(const struct answer *a, size_t most, FILE *out)
{
    static const struct column full[] = { { "point", true },    { "variant", true },       { "step (ms)", false },
                                          { "speedup", false }, { "samples/s", false },    { "scaling", false },
                                          { "bound by", true }, { "exposed (ms)", false }, { "sent a step", false },
                                          { "memory", false } };
    static const struct column compact[] = { { "point", true },    { "variant", true },    { "step (ms)", false },
                                             { "speedup", false }, { "samples/s", false }, { "bound by", true } };
    bool swept = answer_swept(a);
    struct columns *c = swept ? columns_open(compact, COUNT(compact)) : columns_open(full, COUNT(full));

    for (size_t i = 0; c && i < a->n && i < most; i++)
        put_row(c, &a->rows[i], swept);
    return columns_close(c, out);
}

static bool first_of_variant(const struct answer *a, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (!strcmp(a->rows[k].variant, a->rows[i].variant))
            return false;
    return true;
}

static void sum_up_variant(const struct answer *a, const char *variant, double target, FILE *out)
{
    double least = INFINITY, most = 0;
    size_t n = 0, pays = 0;
    char low[LEGIBLE], high[LEGIBLE];

    for (size_t i = 0; i < a->n; i++) {
        const struct answer_row *r = &a->rows[i];

        if (strcmp(r->variant, variant) != 0 || isnan(r->speedup))
            continue;
        least = fmin(least, r->speedup);
        most = fmax(most, r->speedup);
        pays += r->speedup >= target;
        n++;
    }
    if (!n)
        return;
    fprintf(out, "%s: %s", variant, legible_factor(least, low, sizeof(low)));
    if (n > 1 && strcmp(low, legible_factor(most, high, sizeof(high))) != 0)
        fprintf(out, " to %s", high);
    if (n > 1)
        fprintf(out, "; pays at least %.0f %% at %zu of %zu places", 100 * (target - 1), pays, n);
    fputc('\n', out);
}

void answer_sum_up(const struct answer *a, double target, FILE *out)
{
    for (size_t i = 0; i < a->n; i++)
        if (!a->rows[i].is_baseline && first_of_variant(a, i))
            sum_up_variant(a, a->rows[i].variant, target, out);
}
