#include "harness/record/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A fact of a step. */
struct quantity {
    const char *column;
    enum column_type type;
    size_t at; /* offset in struct trace_step_fact */
};

#define AT(member) offsetof(struct trace_step_fact, member)

static const struct quantity quantities[] = {
    { "epoch", COLUMN_INTEGER, AT(epoch) },
    { "samples", COLUMN_INTEGER, AT(samples) },
    { "loss", COLUMN_REAL, AT(loss) },
    { "learning_rate", COLUMN_REAL, AT(learning_rate) },
    { "precision", COLUMN_TEXT, AT(precision) },
    { "precision_share", COLUMN_REAL, AT(precision_share) },
    { "pushed_bytes", COLUMN_INTEGER, AT(pushed_bytes) },
    { "pulled_bytes", COLUMN_INTEGER, AT(pulled_bytes) },
    { "ema", COLUMN_REAL, AT(ema) },
};

enum { QUANTITIES = sizeof(quantities) / sizeof(*quantities) };

static const char *const precisions[TRACE_PRECISIONS] = { "fp32", "mp", "bf16" };

/* As it is stored: a number that is not finite is none. */
struct value {
    bool absent;
    int64_t bits;     /* of a number */
    const char *text; /* of a text */
};

static struct value computed(const struct quantity *q, const struct trace_step_fact *step, int dropped)
{
    const char *at = (const char *)step + q->at;
    struct value v = { 0 };
    double real;

    if (q->type == COLUMN_TEXT) {
        v.text = precisions[step->precision];
    } else if (q->type == COLUMN_INTEGER) {
        memcpy(&v.bits, at, sizeof(v.bits));
    } else {
        memcpy(&real, at, sizeof(real));
        v.absent = !isfinite(real);
        v.bits = v.absent ? 0 : column_rounded(real, dropped);
    }
    return v;
}

static struct value recorded(const struct column *c, size_t row)
{
    if (c->absent && c->absent[row])
        return (struct value){ .absent = 1 };
    if (c->type == COLUMN_TEXT)
        return (struct value){ .text = c->words[c->values[row]] };
    return (struct value){ .bits = c->values[row] };
}

static bool same(const struct value *a, const struct value *b)
{
    if (a->absent || b->absent)
        return a->absent && b->absent;
    return a->text || b->text ? a->text && b->text && !strcmp(a->text, b->text) : a->bits == b->bits;
}

static void print(const struct value *v, enum column_type type, int digits, char text[40])
{
    double real;

    memcpy(&real, &v->bits, sizeof(real));
    if (v->absent)
        snprintf(text, 40, "none");
    else if (v->text)
        snprintf(text, 40, "%s", v->text);
    else if (type == COLUMN_REAL)
        snprintf(text, 40, "%.*g", digits, real);
    else
        snprintf(text, 40, "%" PRId64, v->bits);
}

/* One fact of one step; what differs is added to said[]. */
static bool compare(const struct record_rows *t, const struct quantity *q, size_t row,
                    const struct trace_step_fact *step, char *said, size_t size)
{
    const struct column *c = record_rows_column(t, q->column);
    int dropped = record_column(t->table, q->column)->dropped;
    char there[40], here[40];
    struct value a, b;

    if (!c) /* an older record */
        return 1;
    a = recorded(c, row);
    b = computed(q, step, dropped);
    if (same(&a, &b))
        return 1;
    print(&a, c->type, dropped ? 9 : 17, there);
    print(&b, q->type, dropped ? 9 : 17, here);
    size_t used = strlen(said);
    snprintf(said + used, size - used, "%s%s %s was recorded, %s now", used ? ", " : "", q->column, there, here);
    return 0;
}

bool record_compare(const struct record_file *f, size_t first, const struct trace_step_fact *steps, size_t n,
                    char *said, size_t size)
{
    const struct record_rows *t = record_file_table(f, "trace_step");

    *said = 0;
    for (size_t i = 0; i < n; i++) {
        char differs[400] = "";

        for (int q = 0; q < QUANTITIES; q++)
            compare(t, &quantities[q], first + i, &steps[i], differs, sizeof(differs));
        if (*differs) {
            snprintf(said, size, "step %zu: %s", i, differs);
            return 0;
        }
    }
    return 1;
}

/* Is the column the same in all of the first n rows, and something else in one of the others? */
static bool changes_first(const struct column *c, size_t first, size_t n, size_t all)
{
    size_t i = 1;

    while (i < all && c->values[first + i] == c->values[first])
        i++;
    return i >= n && i < all;
}

static bool bits_change_first(const struct record_file *f, int64_t point, size_t n, size_t all)
{
    const struct record_rows *t = record_file_table(f, "trace_bits");
    const struct column *of = t ? record_rows_column(t, "point_id") : NULL;
    const struct column *step = t ? record_rows_column(t, "step") : NULL;
    bool before = 0, later = 0;

    for (size_t row = 0; of && step && row < t->nrows; row++)
        if (of->values[row] == point) {
            before |= step->values[row] > 0 && step->values[row] < (int64_t)n;
            later |= step->values[row] >= (int64_t)n && step->values[row] < (int64_t)all;
        }
    return later && !before;
}

bool record_changes_later(const struct record_file *f, size_t first, size_t n, size_t all)
{
    const struct record_rows *t = record_file_table(f, "trace_step");
    const struct column *precision = record_rows_column(t, "precision"), *rate = record_rows_column(t, "learning_rate");

    return (precision && changes_first(precision, first, n, all)) || (rate && changes_first(rate, first, n, all)) ||
           bits_change_first(f, record_rows_column(t, "point_id")->values[first], n, all);
}
