#include "harness/run/fit/refit.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/fit/memory.h"
#include "harness/status.h"

static bool has_constant(const struct fit *fit)
{
    return fit->constant && *fit->constant;
}

int fit_or_recall(const struct scenario_file *f, struct store *store, char key[POINT_KEY_LENGTH + 1],
                  struct fit_result **results, size_t *n)
{
    const struct fit *fits;

    *n = scenario_fits(f, &fits);
    *results = calloc(*n + 1, sizeof(**results));
    int rc = *results ? fit_key(f, store, key) : NW_ENOMEM;
    int recalled = rc ? rc : fit_recall(f, store, key, *results);
    if (recalled)
        return recalled < 0 ? recalled : NW_OK;
    rc = fit_scenario(f, store, *results);
    return rc ? rc : fit_remember(f, store, key, *results);
}

/* What another machine's scenario fits. */
struct other {
    struct scenario_file *file;
    struct fit_result *results;
    size_t n;
};

static int open_other(const struct scenario_file *f, struct store *store, struct other *o)
{
    const char *path = scenario_fit_elsewhere(f);
    char key[POINT_KEY_LENGTH + 1];
    int rc = *path ? scenario_open(path, NULL, 0, NULL, 0, stderr, &o->file) : NW_OK;

    return rc || !*path ? rc : fit_or_recall(o->file, store, key, &o->results, &o->n);
}

/* "efficiency.to_device": what is left of a path without the name of the link. */
static const char *last_two(const char *path)
{
    const char *dot = strrchr(path, '.');

    while (dot && dot > path && dot[-1] != '.')
        dot--;
    return dot ? dot : path;
}

/* The value of the same constant, fitted there to the same row and column by the same measure, whichever the table; NaN
 * if there is none: a rate there tells nothing of a share here. */
static double other_value(const struct other *o, const struct fit *fit)
{
    const struct cell *c = &fit->cell;

    for (size_t i = 0; i < o->n && has_constant(fit); i++) {
        const struct fit *of = o->results[i].fit;
        const struct cell *d = &of->cell;

        if (!strcmp(c->paper, d->paper) && !strcmp(c->row, d->row) && !strcmp(c->column, d->column) &&
            !strcmp(c->measure, d->measure) && has_constant(of) &&
            !strcmp(last_two(fit->constant), last_two(of->constant)))
            return o->results[i].value;
    }
    return NAN;
}

/* values[left * n + row]: recalled if all of them were made before, else made now and remembered. */
static int without_each(const struct scenario_file *f, struct store *store, const char *key, const double elsewhere[],
                        const struct fit_result fitted[], size_t n, double values[])
{
    struct fit_result *again = calloc(n + 1, sizeof(*again));
    char other_key[POINT_KEY_LENGTH + 1];
    int rc = again ? 1 : NW_ENOMEM;

    for (size_t left = 0; left < n && rc == 1; left++) {
        fit_key_without(key, left, elsewhere[left], other_key);
        rc = fit_recall(f, store, other_key, again);
        for (size_t i = 0; i < n && rc == 1; i++)
            values[left * n + i] = again[i].value;
    }
    bool recalled = rc == 1;
    rc = rc == 1 ? NW_OK : rc ? rc : fit_without(f, store, elsewhere, fitted, values);
    for (size_t left = 0; left < n && !rc && !recalled; left++) {
        fit_key_without(key, left, elsewhere[left], other_key);
        for (size_t i = 0; i < n; i++)
            again[i] = (struct fit_result){ .fit = fitted[i].fit, .value = values[left * n + i], .reached = 0 };
        rc = fit_remember(f, store, other_key, again);
    }
    free(again);
    return rc;
}

/* Nothing is added where some constant is not known. */
static int add(struct refits *r, const struct fit_result fitted[], size_t n, const double values[],
               const struct cell *left)
{
    const char *const texts[] = { left->paper, left->table, left->row, left->column };
    struct refit *at = &r->list[r->n];
    bool bad = false;

    for (size_t i = 0; i < n; i++)
        if (has_constant(fitted[i].fit) && isnan(values[i]))
            return NW_OK;
    r->n++;
    at->values = calloc(r->nconstants + 1, sizeof(*at->values));
    for (int i = 0; i < 4; i++)
        bad |= !(at->left[i] = strdup(texts[i]));
    for (size_t i = 0, k = 0; i < n && at->values; i++)
        if (has_constant(fitted[i].fit))
            at->values[k++] = values[i];
    return bad || !at->values ? NW_ENOMEM : NW_OK;
}

static int begin(struct refits *r, const struct fit_result results[], size_t n)
{
    bool bad = false;

    r->platform = strdup(n ? results[0].platform : "");
    r->constants = calloc(n + 1, sizeof(*r->constants));
    r->list = calloc(n + 1, sizeof(*r->list));
    for (size_t i = 0; i < n && r->constants; i++)
        if (has_constant(results[i].fit))
            bad |= !(r->constants[r->nconstants++] = strdup(results[i].fit->constant));
    return bad || !r->platform || !r->constants || !r->list ? NW_ENOMEM : NW_OK;
}

static int make_all(const struct scenario_file *f, struct store *store, const struct other *o, struct refits *out)
{
    struct fit_result *fitted = NULL;
    char key[POINT_KEY_LENGTH + 1];
    size_t n = 0;
    int rc = fit_or_recall(f, store, key, &fitted, &n);
    double *elsewhere = calloc(n + 1, sizeof(*elsewhere)), *values = calloc(n * n + 1, sizeof(*values));

    if (!rc && !(elsewhere && values))
        rc = NW_ENOMEM;
    for (size_t i = 0; i < n && !rc; i++)
        elsewhere[i] = other_value(o, fitted[i].fit);
    rc = rc ? rc : begin(out, fitted, n);
    rc = rc ? rc : without_each(f, store, key, elsewhere, fitted, n, values);
    for (size_t i = 0; i < n && !rc; i++)
        rc = add(out, fitted, n, &values[i * n], &fitted[i].fit->cell);
    free(values);
    free(elsewhere);
    free(fitted);
    return rc;
}

int refits_make(struct store *store, const char *file, struct refits *out)
{
    struct scenario_file *f = NULL;
    struct other o = { 0 };
    int rc = scenario_open(file, NULL, 0, NULL, 0, stderr, &f);

    *out = (struct refits){ 0 };
    rc = rc ? rc : open_other(f, store, &o);
    rc = rc ? rc : make_all(f, store, &o, out);
    free(o.results);
    scenario_close(o.file);
    scenario_close(f);
    return rc;
}

void refits_free(struct refits *r)
{
    for (size_t i = 0; i < r->nconstants; i++)
        free(r->constants[i]);
    for (size_t i = 0; i < r->n; i++) {
        for (int k = 0; k < 4; k++)
            free(r->list[i].left[k]);
        free(r->list[i].values);
    }
    free(r->constants);
    free(r->list);
    free(r->platform);
    *r = (struct refits){ 0 };
}

void refit_supply(const struct refits *r, size_t i, struct point *p)
{
    for (size_t k = 0; k < r->nconstants; k++) {
        double *at = scenario_number(&p->scenario, r->constants[k]);
        if (at)
            *at = r->list[i].values[k];
    }
}
