#include "harness/run/fit.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/least_squares.h"
#include "harness/run/measures.h"
#include "harness/status.h"

enum { MAX_ROWS = 64, MAX_SCALINGS = 200, MAX_SEARCHES = 12 };

/* A time is a whole number of picoseconds, so a row of milliseconds is met to 1e-9 at best. */
static const double met_by_scaling = 2e-9;
/* A search over several points stops here; as many rows as constants must come at least this close: */
static const double met_by_search = 1e-4, close_enough = 5e-3;
/* Wide enough to see past the steps in which a schedule of many tasks answers to a constant. */
static const double search_step = 0.02;

/* A point that some row looks at, bound once. */
struct sight {
    struct point point;
    struct measures measures;
};

struct row {
    const struct fit *fit;
    size_t sight, baseline; /* into sights; baseline only for gains */
    _Bool gain;             /* gain_pct or speedup: against the baseline */
    double published, reached;
};

struct fitting {
    const struct scenario_file *file;
    struct sight sights[2 * MAX_ROWS];
    size_t nsights;
    struct row rows[MAX_ROWS];
    size_t nrows;
    const struct fit *constants[LEAST_SQUARES_MOST];
    double values[LEAST_SQUARES_MOST];
    size_t nconstants;
};

static int complain(const struct fitting *x, const char *what, const char *about)
{
    fprintf(stderr, "%s: calibrate: %s '%s'\n", scenario_path(x->file), what, about);
    return NW_EINPUT;
}

/* The place of point 'index' among the sights, bound if it is new; negative status. */
static int look_at(struct fitting *x, size_t index)
{
    for (size_t i = 0; i < x->nsights; i++)
        if (x->sights[i].point.index == index)
            return (int)i;
    int rc = scenario_point(x->file, index, &x->sights[x->nsights].point);
    return rc ? rc : (int)x->nsights++;
}

static _Bool same_cell(const struct cell *a, const struct cell *b)
{
    return !strcmp(a->paper, b->paper) && !strcmp(a->table, b->table) && !strcmp(a->row, b->row) &&
           !strcmp(a->column, b->column) && !strcmp(a->measure, b->measure);
}

/* The point that speaks to the cell; without one, the fitted variant's first. *index untouched if there is neither. */
static int find_point(const struct fitting *x, const struct cell *cell, size_t *index, _Bool *found)
{
    const char *variant = scenario_fit_variant(x->file);

    *found = 0;
    for (size_t i = 0; i < scenario_npoints(x->file); i++) {
        struct point p;
        int rc = scenario_point(x->file, i, &p);
        if (rc)
            return rc;
        _Bool speaks = 0;
        for (size_t k = 0; k < p.ncells && !speaks; k++)
            speaks = same_cell(&p.cells[k], cell);
        _Bool first = !*found && !strcmp(p.variant, variant);
        point_free(&p);
        if (speaks || first) {
            *index = i;
            *found = 1;
        }
        if (speaks)
            return NW_OK;
    }
    return NW_OK;
}

/* The baseline beside a point: the same combination of the axes. */
static int find_baseline(struct fitting *x, size_t combination)
{
    const char *baseline = scenario_baseline(x->file);

    for (size_t i = 0; i < scenario_npoints(x->file); i++) {
        struct point p;
        int rc = scenario_point(x->file, i, &p);
        if (rc)
            return rc;
        _Bool is = p.combination == combination && !strcmp(p.variant, baseline);
        point_free(&p);
        if (is)
            return look_at(x, i);
    }
    return complain(x, "a gain needs a baseline among the variants, got", baseline);
}

static int aim(struct fitting *x, struct store *store, struct row *r)
{
    const struct cell *c = &r->fit->cell;
    _Bool found;
    size_t index;

    if (!measure_known(c->measure))
        return complain(x, "expected the name of a measure, got", c->measure);
    int rc = store_paper_value(store, c->paper, c->table, c->row, c->column, &r->published, NULL);
    if (rc < 0)
        return rc;
    if (!rc) {
        fprintf(stderr, "%s: calibrate: no published value for %s table %s, row '%s', column '%s'\n",
                scenario_path(x->file), c->paper, c->table, c->row, c->column);
        return NW_EINPUT;
    }
    rc = find_point(x, c, &index, &found);
    if (!rc && !found)
        return complain(x, "expected a variant of this scenario, got", scenario_fit_variant(x->file));
    int sight = rc ? rc : look_at(x, index);
    if (sight < 0)
        return sight;
    r->sight = (size_t)sight;
    r->gain = !strcmp(c->measure, "gain_pct") || !strcmp(c->measure, "speedup");
    int baseline = r->gain ? find_baseline(x, x->sights[sight].point.combination) : sight;
    if (baseline < 0)
        return baseline;
    r->baseline = (size_t)baseline;
    return NW_OK;
}

/* Constants not given begin where their key says. */
static int collect(struct fitting *x)
{
    for (size_t i = 0; i < x->nrows; i++) {
        const struct fit *fit = x->rows[i].fit;
        if (!fit->constant || !*fit->constant)
            continue;
        if (x->nconstants == LEAST_SQUARES_MOST)
            return complain(x, "too many constants: no place for", fit->constant);
        double *at = scenario_number(&x->sights[x->rows[i].sight].point.scenario, fit->constant);
        if (!at)
            return complain(x, "expected the path of a number of this scenario, got", fit->constant);
        x->values[x->nconstants] = isnan(*at) ? fit->start : *at;
        x->constants[x->nconstants++] = fit;
    }
    return NW_OK;
}

/* One sight's turn, on any thread. */
struct turn {
    struct fitting *x;
    size_t sight;
    char why[256];
    int rc;
};

static void *simulate_one(void *argument)
{
    struct turn *t = argument;
    struct sight *s = &t->x->sights[t->sight];

    for (size_t k = 0; k < t->x->nconstants; k++) {
        double *at = scenario_number(&s->point.scenario, t->x->constants[k]->constant);
        if (at)
            *at = t->x->values[k];
    }
    t->rc = measures_of(&s->point.scenario, &s->measures, t->why, sizeof(t->why));
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

/* Put the constants into every point and simulate all of them, each on a thread of its own. */
static int simulate(struct fitting *x)
{
    struct turn turns[2 * MAX_ROWS];
    pthread_t threads[2 * MAX_ROWS];
    _Bool started[2 * MAX_ROWS];
    int rc = NW_OK;

    for (size_t i = 0; i < x->nsights; i++) {
        turns[i] = (struct turn){ .x = x, .sight = i };
        started[i] = i + 1 < x->nsights && !pthread_create(&threads[i], NULL, simulate_one, &turns[i]);
        if (!started[i])
            simulate_one(&turns[i]);
    }
    for (size_t i = 0; i < x->nsights; i++) {
        if (started[i])
            pthread_join(threads[i], NULL);
        if (turns[i].rc && !rc) {
            fprintf(stderr, "%s: calibrate: %s\n", scenario_path(x->file), turns[i].why);
            rc = turns[i].rc;
        }
    }
    for (size_t i = 0; !rc && i < x->nrows; i++)
        x->rows[i].reached = reached(x, &x->rows[i]);
    return rc;
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

    for (size_t i = 0; i < x->nrows; i++)
        most = fmax(most, fabs(x->rows[i].reached / x->rows[i].published - 1));
    return most;
}

/* A constant past what its key allows would fit the cell and mean nothing. */
static int within_range(const struct fitting *x)
{
    for (size_t k = 0; k < x->nconstants; k++)
        if (x->constants[k]->most > 0 && x->values[k] > x->constants[k]->most) {
            const struct row *r = x->rows;
            while (r->fit != x->constants[k])
                r++;
            fprintf(stderr, "%s: calibrate: %s would have to be %g to bring %s to %g; the key allows at most %g\n",
                    scenario_path(x->file), r->fit->constant, x->values[k], r->fit->cell.measure, r->published,
                    r->fit->most);
            return NW_EINPUT;
        }
    return NW_OK;
}

static int not_met(const struct fitting *x, double tolerance)
{
    for (size_t i = 0; i < x->nrows; i++)
        if (!(fabs(x->rows[i].reached / x->rows[i].published - 1) <= tolerance))
            fprintf(stderr, "%s: calibrate: %s does not bring %s to %g: it stays at %g\n", scenario_path(x->file),
                    x->rows[i].fit->constant, x->rows[i].fit->cell.measure, x->rows[i].published, x->rows[i].reached);
    return NW_EINPUT;
}

static int scale_until_met(struct fitting *x)
{
    for (int round = 0; round < MAX_SCALINGS; round++) {
        int rc = simulate(x);
        if (rc)
            return rc;
        if (worst(x) <= met_by_scaling)
            return within_range(x);
        for (size_t k = 0; k < x->nconstants; k++)
            x->values[k] *= x->rows[k].reached / x->rows[k].published;
    }
    return not_met(x, met_by_scaling);
}

static int residuals(void *context, const double logs[], double r[])
{
    struct fitting *x = context;

    for (size_t k = 0; k < x->nconstants; k++)
        x->values[k] = exp(logs[k]);
    int rc = simulate(x);
    for (size_t i = 0; !rc && i < x->nrows; i++)
        r[i] = residual(&x->rows[i]);
    return rc;
}

static int search(struct fitting *x)
{
    const struct least_squares s = { .n = x->nconstants,
                                     .m = x->nrows,
                                     .residuals = residuals,
                                     .context = x,
                                     .difference = search_step,
                                     .longest_step = log(2),
                                     .enough = met_by_search,
                                     .worth_it = 0.9,
                                     .most_rounds = MAX_SEARCHES };
    double logs[LEAST_SQUARES_MOST], r[MAX_ROWS];

    for (size_t k = 0; k < x->nconstants; k++)
        logs[k] = log(x->values[k]);
    int rc = least_squares_solve(&s, logs, r);
    if (!rc)
        rc = residuals(x, logs, r); /* the last trial may not have been the best */
    if (!rc && x->nrows == x->nconstants && worst(x) > close_enough)
        return not_met(x, close_enough);
    return rc ? rc : within_range(x);
}

static int fit_all(struct fitting *x, struct store *store)
{
    const struct fit *fits;
    int rc = NW_OK;

    x->nrows = scenario_fits(x->file, &fits);
    if (!x->nrows || x->nrows > MAX_ROWS) {
        fprintf(stderr, "%s: calibrate: expected 1 to %d rows to fit, got %zu\n", scenario_path(x->file), MAX_ROWS,
                x->nrows);
        return NW_EINPUT;
    }
    for (size_t i = 0; !rc && i < x->nrows; i++) {
        x->rows[i].fit = &fits[i];
        rc = aim(x, store, &x->rows[i]);
    }
    if (!rc)
        rc = collect(x);
    if (rc)
        return rc;
    _Bool times_of_one_point = x->nsights == 1 && x->nconstants == x->nrows;
    return times_of_one_point ? scale_until_met(x) : search(x);
}

int fit_scenario(const struct scenario_file *f, struct store *store, struct fit_result out[])
{
    struct fitting *x = calloc(1, sizeof(*x));
    int rc = x ? NW_OK : NW_ENOMEM;

    if (!rc) {
        x->file = f;
        rc = fit_all(x, store);
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
