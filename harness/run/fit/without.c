/* without.c - a fit without each of its rows. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/fit/fit.h"
#include "harness/run/fit/rows.h"
#include "harness/status.h"

enum { N = LEAST_SQUARES_MOST };

/* As wide as a fit's: a schedule of many tasks answers to a constant in steps. */
static const double step_width = 0.02;

/* Logarithms of the constants, how far each row is off there, and how it answers to each constant. */
struct tangent {
    double logs[N], r[FIT_MAX_ROWS], slopes[FIT_MAX_ROWS * N];
};

static int differentiate(struct fitting *x, struct tangent *t)
{
    double moved[N], r[FIT_MAX_ROWS];
    int rc = fit_residuals(x, t->logs, t->r);

    for (size_t k = 0; k < x->nconstants && !rc; k++) {
        memcpy(moved, t->logs, sizeof(moved));
        moved[k] += step_width;
        rc = fit_residuals(x, moved, r);
        for (size_t i = 0; i < x->nrows && !rc; i++) {
            double slope = (r[i] - t->r[i]) / step_width;
            t->slopes[i * x->nconstants + k] = isfinite(slope) ? slope : 0;
        }
    }
    return rc;
}

/* Move the other constants so that the rows besides 'left' are met; constant 'held' (or none: nconstants) has moved
 * already. False where the rows do not tell all of them. */
static bool step_without(const struct fitting *x, const struct tangent *t, size_t left, size_t held, double logs[])
{
    double slopes[FIT_MAX_ROWS * N], r[FIT_MAX_ROWS], step[N], longest = 0;
    size_t n = x->nconstants - (held < x->nconstants), m = 0;
    bool answered[N] = { 0 };

    for (size_t i = 0; i < x->nrows; i++) {
        if (i == left)
            continue;
        r[m] = t->r[i];
        for (size_t k = 0, to = 0; k < x->nconstants; k++) {
            double slope = t->slopes[i * x->nconstants + k];
            if (k == held) {
                r[m] += slope * (logs[k] - t->logs[k]);
                continue;
            }
            answered[to] |= slope != 0;
            slopes[m * n + to++] = slope;
        }
        m++;
    }
    for (size_t k = 0; k < n; k++)
        if (!answered[k])
            return false;
    if (n && !least_squares_step(&(struct least_squares){ .n = n, .m = m }, slopes, r, 0, step))
        return false;
    for (size_t k = 0; k < n; k++)
        longest = fmax(longest, fabs(step[k]));
    double share = longest > log(2) ? log(2) / longest : 1;
    for (size_t k = 0, from = 0; k < x->nconstants; k++)
        logs[k] += k == held ? 0 : share * step[from++];
    return true;
}

static void leave_out(const struct fitting *x, const struct tangent *t, size_t left, double elsewhere, double values[])
{
    size_t held = x->nconstants;
    double logs[N];

    memcpy(logs, t->logs, sizeof(logs));
    for (size_t i = 0; i < x->nrows; i++)
        values[i] = NAN;
    if (x->nrows - 1 < x->nconstants) {
        for (held = 0; x->constants[held] != x->rows[left].fit;)
            held++;
        logs[held] = log(elsewhere);
    }
    if ((held < x->nconstants && !(elsewhere > 0)) || !step_without(x, t, left, held, logs))
        return;
    for (size_t k = 0; k < x->nconstants; k++)
        for (size_t i = 0; i < x->nrows; i++)
            if (x->rows[i].fit == x->constants[k])
                values[i] = x->constants[k]->most > 0 ? fmin(exp(logs[k]), x->constants[k]->most) : exp(logs[k]);
}

static int leave_out_each(struct fitting *x, struct tangent *t, struct store *store, const double elsewhere[],
                          const struct fit_result fitted[], double values[])
{
    int rc = fit_rows(x, store);

    for (size_t i = 0, k = 0; !rc && i < x->nrows; i++)
        if (x->rows[i].fit->constant && *x->rows[i].fit->constant)
            t->logs[k++] = log(fitted[i].value);
    rc = rc ? rc : differentiate(x, t);
    for (size_t i = 0; i < x->nrows && !rc; i++)
        leave_out(x, t, i, elsewhere[i], &values[i * x->nrows]);
    return rc;
}

int fit_without(const struct scenario_file *f, struct store *store, const double elsewhere[],
                const struct fit_result fitted[], double values[])
{
    struct fitting *x = calloc(1, sizeof(*x));
    struct tangent *t = calloc(1, sizeof(*t));
    int rc = x && t ? NW_OK : NW_ENOMEM;

    if (!rc) {
        x->file = f;
        progress_begin(&x->progress, scenario_name(f), 0);
        rc = leave_out_each(x, t, store, elsewhere, fitted, values);
        progress_end(&x->progress);
    }
    for (size_t i = 0; x && i < x->nsights; i++)
        point_free(&x->sights[i].point);
    free(t);
    free(x);
    return rc;
}
