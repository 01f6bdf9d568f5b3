#include "harness/run/fit/fit.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/run/fit/rows.h"
#include "harness/run/interrupt.h"
#include "harness/status.h"

enum { MAX_SCALINGS = 200, MAX_SEARCHES = 12 };

/* A time is a whole number of picoseconds, so a row of milliseconds is met to 1e-9 at best. */
static const double met_by_scaling = 2e-9;
/* A search over several points stops here; as many rows as constants must come at least this close: */
static const double met_by_search = 1e-4, close_enough = 5e-3;
/* Wide enough to see past the steps in which a schedule of many tasks answers to a constant. */
static const double search_step = 0.02;
/* Scaling is given up after so many rounds that came no closer. */
static const int patience = 4;

/* Sights are simulated one after another by as many threads as there are processors: between any two of them an
 * interrupt is seen, so that a fit ends as fast as one simulation does. */
struct round {
    struct fitting *x;
    atomic_size_t next;
    struct turn {
        char why[256];
        int rc;
    } turns[2 * FIT_MAX_ROWS];
};

static int simulate_one(struct fitting *x, struct sight *s, struct turn *t)
{
    for (size_t k = 0; k < x->nconstants; k++) {
        double *at = scenario_number(&s->point.scenario, x->constants[k]->constant);
        if (at)
            *at = x->values[k];
    }
    return measures_of(&s->point.scenario, &s->measures, t->why, sizeof(t->why));
}

static void *simulate_some(void *argument)
{
    struct round *r = argument;
    size_t i;

    while ((i = atomic_fetch_add(&r->next, 1)) < r->x->nsights)
        r->turns[i].rc = interrupted() ? NW_EINTR : simulate_one(r->x, &r->x->sights[i], &r->turns[i]);
    return NULL;
}

static double reached(const struct fitting *x, const struct row *r)
{
    const struct measures *m = &x->sights[r->sight].measures;
    double ratio = measure_value(&x->sights[r->baseline].measures, "sample_us") / measure_value(m, "sample_us");

    if (!r->gain)
        return measure_value(m, r->fit->cell.measure);
    return strcmp(r->fit->cell.measure, "speedup") ? 100 * (1 - 1 / ratio) : ratio;
}

/* How far a row is off: the logarithm of the ratio; for a gain, which may be 0 or negative, that of the times. */
static double residual(const struct row *r)
{
    if (!strcmp(r->fit->cell.measure, "gain_pct"))
        return log((100 - r->reached) / (100 - r->published));
    return log(r->reached / r->published);
}

static double worst(const struct fitting *x)
{
    double most = 0;

    for (size_t i = 0; i < x->nrows; i++) {
        double off = fabs(residual(&x->rows[i]));
        most = fmax(most, isnan(off) ? INFINITY : off);
    }
    return most;
}

/* How many rounds there will be nobody knows. */
static void tell_progress(struct fitting *x)
{
    char text[160];

    x->rounds++;
    snprintf(text, sizeof(text), "fitting %zu constant%s to %zu cells: round %zu, off by at most %.3g %%",
             x->nconstants, x->nconstants == 1 ? "" : "s", x->nrows, x->rounds, 100 * expm1(worst(x)));
    progress_note(&x->progress, text);
}

static long bound(long value, long least, long most)
{
    return value < least ? least : value > most ? most : value;
}

static void simulate_all(struct round *r)
{
    pthread_t threads[2 * FIT_MAX_ROWS];
    size_t most = (size_t)bound(sysconf(_SC_NPROCESSORS_ONLN), 1, 2 * FIT_MAX_ROWS), started = 0;

    most = most < r->x->nsights ? most : r->x->nsights;
    while (started + 1 < most && !pthread_create(&threads[started], NULL, simulate_some, r))
        started++;
    simulate_some(r);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

/* Whether these constants were tried lately; then each row has again what it reached. */
static bool recall(struct fitting *x)
{
    double past[FIT_MAX_ROWS];

    if (!past_find(&x->past, x->values, x->nconstants, past, x->nrows))
        return false;
    for (size_t i = 0; i < x->nrows; i++)
        x->rows[i].reached = past[i];
    return true;
}

static void remember(struct fitting *x)
{
    double now[FIT_MAX_ROWS];

    for (size_t i = 0; i < x->nrows; i++)
        now[i] = x->rows[i].reached;
    past_add(&x->past, x->values, x->nconstants, now, x->nrows);
}

/* Put the constants into every point and simulate all of them. NW_ESIM if one is refused, NW_EINTR. */
static int simulate(struct fitting *x)
{
    if (recall(x))
        return NW_OK;

    struct round *r = calloc(1, sizeof(*r));
    int rc = r ? NW_OK : NW_ENOMEM;

    if (rc)
        return rc;
    r->x = x;
    simulate_all(r);
    for (size_t i = 0; i < x->nsights && rc != NW_EINTR; i++) {
        const struct turn *t = &r->turns[i];
        if (!t->rc || (rc && t->rc != NW_EINTR))
            continue;
        memcpy(x->why, t->why, sizeof(x->why));
        rc = t->rc;
    }
    free(r);
    for (size_t i = 0; !rc && i < x->nrows; i++) {
        x->rows[i].reached = reached(x, &x->rows[i]);
        if (isnan(x->rows[i].reached))
            rc = fit_complain(x, "expected a measure that the method of its point reports, got",
                              x->rows[i].fit->cell.measure);
    }
    if (rc)
        return rc;
    remember(x);
    tell_progress(x);
    return NW_OK;
}

/* With the constants that the search begins with, which must play. */
static int simulate_first(struct fitting *x)
{
    int rc = simulate(x);

    if (rc == NW_ESIM || rc == NW_ENOMEM)
        fprintf(stderr, "%s: calibrate: %s\n", scenario_path(x->file), x->why);
    return rc;
}

/* A constant past what its key allows would fit the cell and mean nothing. */
static int within_range(const struct fitting *x)
{
    for (size_t k = 0; k < x->nconstants; k++)
        if (x->constants[k]->most > 0 && x->values[k] > x->constants[k]->most) {
            const struct row *r = x->rows;
            while (r->fit != x->constants[k])
                r++;
            return status_error(NW_EINPUT,
                                "%s: calibrate: %s would have to be %g to bring %s to %g; the key allows at most %g\n",
                                scenario_path(x->file), r->fit->constant, x->values[k], r->fit->cell.measure,
                                r->published, r->fit->most);
        }
    return NW_OK;
}

static int not_met(const struct fitting *x, double tolerance)
{
    for (size_t i = 0; i < x->nrows; i++)
        if (!(fabs(residual(&x->rows[i])) <= tolerance))
            fprintf(stderr, "%s: calibrate: %s does not bring %s to %g: it stays at %g\n", scenario_path(x->file),
                    x->rows[i].fit->constant ? x->rows[i].fit->constant : "nothing fitted",
                    x->rows[i].fit->cell.measure, x->rows[i].published, x->rows[i].reached);
    return NW_EINPUT;
}

static bool is_time(const char *measure)
{
    size_t n = strlen(measure);

    return n > 3 && (!strcmp(measure + n - 3, "_ms") || !strcmp(measure + n - 3, "_us"));
}

static bool times_of_one_point(const struct fitting *x)
{
    bool times = x->nsights == 1 && x->nconstants == x->nrows;

    for (size_t i = 0; times && i < x->nrows; i++)
        times = is_time(x->rows[i].fit->cell.measure);
    return times;
}

/* *met: all of them are. A time that grows with its constant, or that something else holds, comes no closer this
 * way, and the constants may go where nothing plays. */
static int scale_until_met(struct fitting *x, bool *met)
{
    double closest = INFINITY;
    int in_vain = 0, rc = simulate_first(x);

    if (rc)
        return rc;
    for (int round = 0; round < MAX_SCALINGS && in_vain < patience && !rc; round++) {
        double off = worst(x);
        *met = off <= met_by_scaling;
        if (*met)
            return NW_OK;
        in_vain += !(off < closest);
        closest = fmin(closest, off);
        for (size_t k = 0; k < x->nconstants; k++)
            x->values[k] *= x->rows[k].reached / x->rows[k].published;
        rc = simulate(x);
    }
    memcpy(x->values, x->starts, sizeof(x->values));
    return rc == NW_ESIM ? NW_OK : rc;
}

int fit_residuals(void *context, const double logs[], double r[])
{
    struct fitting *x = context;

    for (size_t k = 0; k < x->nconstants; k++)
        x->values[k] = exp(logs[k]);
    int rc = simulate(x);
    for (size_t i = 0; i < x->nrows; i++)
        r[i] = rc ? INFINITY : residual(&x->rows[i]);
    return rc == NW_ESIM ? NW_OK : rc; /* no way leads there */
}

/* What answers to nothing was not fitted, however close the rows are. */
static int all_answered(const struct fitting *x, const bool idle[])
{
    for (size_t k = 0; k < x->nconstants; k++)
        if (idle[k])
            return fit_complain(x, "none of the rows answers to", x->constants[k]->constant);
    return NW_OK;
}

static int search(struct fitting *x)
{
    bool idle[LEAST_SQUARES_MOST] = { 0 };
    const struct least_squares s = { .n = x->nconstants,
                                     .m = x->nrows,
                                     .residuals = fit_residuals,
                                     .context = x,
                                     .idle = idle,
                                     .difference = search_step,
                                     .longest_step = log(2),
                                     .enough = met_by_search,
                                     .worth_it = 0.9,
                                     .most_rounds = MAX_SEARCHES };
    double logs[LEAST_SQUARES_MOST], r[FIT_MAX_ROWS];

    for (size_t k = 0; k < x->nconstants; k++) {
        logs[k] = log(x->values[k]);
        x->values[k] = exp(logs[k]); /* the very value that the search begins with */
    }
    int rc = simulate_first(x);
    if (!rc)
        rc = least_squares_solve(&s, logs, r);
    if (!rc)
        rc = fit_residuals(x, logs, r); /* the last trial may not have been the best */
    if (!rc)
        rc = all_answered(x, idle);
    if (!rc && (x->nrows == x->nconstants ? worst(x) > close_enough : isinf(worst(x))))
        rc = not_met(x, close_enough);
    return rc ? rc : within_range(x);
}

static int fit_all(struct fitting *x, struct store *store)
{
    bool met = false;
    int rc = fit_rows(x, store);

    if (!rc && times_of_one_point(x))
        rc = scale_until_met(x, &met);
    if (rc)
        return rc;
    return met ? within_range(x) : search(x);
}

int fit_scenario(const struct scenario_file *f, struct store *store, struct fit_result out[])
{
    struct fitting *x = calloc(1, sizeof(*x));
    int rc = x ? NW_OK : NW_ENOMEM;

    if (!rc) {
        x->file = f;
        progress_begin(&x->progress, scenario_name(f), 0);
        rc = fit_all(x, store);
        progress_end(&x->progress);
    }
    for (size_t i = 0; !rc && i < x->nrows; i++) {
        const struct row *r = &x->rows[i];
        out[i] = (struct fit_result){
            .fit = r->fit,
            .value = NAN,
            .published = r->published,
            .reached = r->reached,
            .platform = x->sights[r->sight].point.scenario.platform.name,
        };
        for (size_t k = 0; k < x->nconstants; k++)
            if (x->constants[k] == r->fit)
                out[i].value = x->values[k];
    }
    for (size_t i = 0; x && i < x->nsights; i++)
        point_free(&x->sights[i].point);
    free(x);
    return rc;
}
