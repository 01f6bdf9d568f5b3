/* fit.c - least squares of the logarithms of prediction over measurement, in the logarithms of the constants as far as
 * these have no end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/fit/least_squares.h"
#include "harness/scenario/points/vary.h"
#include "harness/status.h"
#include "harness/validation/constants.h"
#include "harness/validation/scan.h"

enum { MOST_ROUNDS = 40 };

/* Wide enough to see past the steps in which a schedule of many tasks answers to a constant; and how close a row that
 * has a constant of its own has to come; and when a constant is looked for elsewhere. */
static const double difference = 0.01, enough = 1e-5, missed = 1e-3;

struct search {
    const struct cases *cases;
    struct fits *fits;
    struct fit_group *group;
    const size_t *rows;
    size_t n, nkeys;
    double smallest[FIT_MOST_KEYS], largest[FIT_MOST_KEYS];
    double *predicted;
    size_t plays;
};

/* What is searched for: the logarithm, bent so that it comes to the end of the constant's range, a share of 1 say, at
 * infinity. A search that went beyond an end would find nothing there to turn back for. */
static double bent(double value, double largest)
{
    return isfinite(largest) ? log(value / (largest - value)) : log(value);
}

static double straight(double x, double largest)
{
    return isfinite(largest) ? largest / (1 + exp(-x)) : exp(x);
}

static void set_values(struct search *s, const double logs[])
{
    for (size_t k = 0; k < s->nkeys; k++)
        s->group->values[k] = fmax(straight(logs[k], s->largest[k]), s->smallest[k]);
}

static int residuals(void *context, const double x[], double r[])
{
    struct search *s = context;
    int rc;

    set_values(s, x);
    rc = fits_play(s->cases, s->fits, s->rows, s->n, s->predicted, NULL);
    for (size_t i = 0; !rc && i < s->n; i++) {
        double ratio = s->predicted[i] / s->cases->rows[s->rows[i]].value;
        r[i] = ratio > 0 ? log(ratio) : INFINITY;
    }
    return rc;
}

static int complain(const struct search *s, size_t which, const char *text)
{
    char path[64], says[640];

    snprintf(path, sizeof(path), "fit[%zu].rows", which);
    snprintf(says, sizeof(says), "%s%s%s%s", text, *s->group->name ? ", for '" : "", s->group->name,
             *s->group->name ? "'" : "");
    return validation_complain(s->cases->spec, path, says, stderr);
}

/* Where a constant starts: at what it is already, else at the scenario's value. */
static int begin(struct search *s, size_t which, double logs[])
{
    const struct fitted *f = &s->fits->list[which];

    for (size_t k = 0; k < s->nkeys; k++) {
        struct point p = { 0 };
        struct varied number;
        char text[160];
        int rc = case_bind(s->cases, s->rows[0], NULL, 0, &p);
        rc = rc ? rc : vary_find(&p.scenario, f->paths[k], s->cases->spec->name, stderr, &number);
        if (rc) {
            point_free(&p);
            return rc == NW_EINPUT ? complain(s, which, "a constant could not be set") : rc;
        }
        double start = isnan(s->group->values[k]) ? vary_value(&number) : s->group->values[k];
        vary_range(&number, &s->smallest[k], &s->largest[k]);
        point_free(&p);
        snprintf(text, sizeof(text), "expected a value above 0 to begin with in the scenario, got %g for %s", start,
                 f->paths[k]);
        if (!(start > 0) || !isfinite(start))
            return complain(s, which, text);
        logs[k] = bent(fmin(start, 0.999 * s->largest[k]), s->largest[k]);
    }
    return NW_OK;
}

/* The first simulations must succeed: with the reason if one does not. */
static int try_first(struct search *s, size_t which, const double logs[])
{
    char *why[1] = { NULL };
    int rc = NW_OK;

    set_values(s, logs);
    for (size_t i = 0; !rc && i < s->n; i++) {
        rc = fits_play(s->cases, s->fits, &s->rows[i], 1, &s->predicted[i], why);
        if (!rc && why[0]) {
            char text[400];
            snprintf(text, sizeof(text), "the row '%s' cannot be simulated: %s", s->cases->rows[s->rows[i]].label,
                     why[0]);
            rc = complain(s, which, text);
        }
        free(why[0]);
        why[0] = NULL;
    }
    return rc;
}

static double worst_of(const double r[], size_t n)
{
    double worst = 0;

    for (size_t i = 0; i < n; i++)
        worst = fmax(worst, fabs(expm1(r[i])));
    return worst;
}

/* From logs[], which take the solution. */
static int descend(struct search *s, double logs[], double r[])
{
    const struct least_squares squares = { .n = s->nkeys,
                                           .m = s->n,
                                           .residuals = residuals,
                                           .context = s,
                                           .difference = difference,
                                           .longest_step = log(4),
                                           .enough = enough,
                                           .worth_it = 0.9999,
                                           .most_rounds = MOST_ROUNDS };

    return least_squares_solve(&squares, logs, r);
}

/* A constant alone that a descent does not fit well is looked for in a wide range. */
static int look_further(struct search *s, double start, double logs[], double r[])
{
    const struct scan scan = { .residuals = residuals, .context = s, .m = s->n, .enough = enough };
    double x = start, before = worst_of(r, s->n), *again = calloc(s->n, sizeof(*again));
    int rc = again ? scan_constant(&scan, &x) : NW_ENOMEM;

    rc = rc ? rc : descend(s, &x, again);
    if (!rc && worst_of(again, s->n) < before) {
        logs[0] = x;
        memcpy(r, again, s->n * sizeof(*r));
    }
    free(again);
    return rc;
}

static int solve(struct search *s, size_t which, double *off)
{
    double logs[FIT_MOST_KEYS], start, *r = calloc(s->n, sizeof(*r));
    int rc = r ? begin(s, which, logs) : NW_ENOMEM;

    rc = rc ? rc : try_first(s, which, logs);
    start = rc ? 0 : logs[0];
    rc = rc ? rc : descend(s, logs, r);
    if (!rc && s->nkeys == 1 && worst_of(r, s->n) > missed)
        rc = look_further(s, start, logs, r);
    if (!rc)
        set_values(s, logs);
    *off = rc ? 0 : worst_of(r, s->n);
    free(r);
    return rc;
}

int fit_group(const struct cases *c, struct fits *f, size_t which, size_t group, const size_t rows[], size_t n,
              double *off)
{
    struct fitted *x = &f->list[which];
    struct search s = { .cases = c, .fits = f, .group = &x->groups[group], .rows = rows, .n = n, .nkeys = x->npaths };
    int rc;

    if (n < x->npaths) {
        char text[160];
        snprintf(text, sizeof(text), "expected at least as many calibrating rows as constants (%zu), got %zu",
                 x->npaths, n);
        return complain(&s, which, text);
    }
    s.predicted = calloc(n, sizeof(*s.predicted));
    x->fitting = group;
    rc = s.predicted ? solve(&s, which, off) : NW_ENOMEM;
    x->fitting = GROUP_FREE;
    free(s.predicted);
    return rc;
}

/* A row whose earlier constants nothing calibrates cannot calibrate either. A group without rows is as if there were
 * none. */
static void drop_incomplete(const struct cases *c, struct fits *f, size_t which, size_t group)
{
    struct fitted *x = &f->list[which];
    struct fit_group *g = &x->groups[group];
    struct constant constants[CONSTANTS_MOST];
    char why[256];
    size_t n, kept = 0;

    f->ready = which;
    for (size_t i = 0; i < g->nrows; i++)
        if (fits_constants(f, g->rows[i], constants, &n, why, sizeof(why)))
            g->rows[kept++] = g->rows[i];
    g->nrows = kept;
    for (size_t i = 0; !kept && i < c->n; i++)
        if (x->group_of[i] == group)
            x->group_of[i] = GROUP_MISSING;
    f->ready = which + 1;
}

int fit_all(const struct cases *c, struct fits *f, size_t which)
{
    struct fitted *x = &f->list[which];
    int rc = NW_OK;

    for (size_t g = 0; g < x->ngroups; g++)
        drop_incomplete(c, f, which, g);
    for (size_t g = 0; !rc && g < x->ngroups; g++)
        if (x->groups[g].nrows)
            rc = fit_group(c, f, which, g, x->groups[g].rows, x->groups[g].nrows, &x->groups[g].off);
    return rc;
}
