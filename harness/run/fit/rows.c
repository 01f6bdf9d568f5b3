#include "harness/run/fit/rows.h"

#include <stdbool.h>
#include <string.h>

#include "harness/status.h"

int fit_complain(const struct fitting *x, const char *what, const char *about)
{
    return status_error(NW_EINPUT, "%s: calibrate: %s '%s'\n", scenario_path(x->file), what, about);
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

static bool same_cell(const struct cell *a, const struct cell *b)
{
    return !strcmp(a->paper, b->paper) && !strcmp(a->table, b->table) && !strcmp(a->row, b->row) &&
           !strcmp(a->column, b->column) && !strcmp(a->measure, b->measure);
}

/* The point that covers the cell; without one, the fitted variant's first. *index untouched if there is neither. */
static int find_point(const struct fitting *x, const struct cell *cell, size_t *index, bool *found)
{
    const char *variant = scenario_fit_variant(x->file);

    *found = false;
    for (size_t i = 0; i < scenario_npoints(x->file); i++) {
        struct point p;
        int rc = scenario_point(x->file, i, &p);
        if (rc)
            return rc;
        bool speaks = false;
        for (size_t k = 0; k < p.ncells && !speaks; k++)
            speaks = same_cell(&p.cells[k], cell);
        bool first = !*found && !strcmp(p.variant, variant);
        point_free(&p);
        if (speaks || first) {
            *index = i;
            *found = true;
        }
        if (speaks)
            return NW_OK;
    }
    return NW_OK;
}

/* The baseline of a point: the same combination of the axes. */
static int find_baseline(struct fitting *x, size_t combination)
{
    const char *baseline = scenario_baseline(x->file);

    for (size_t i = 0; i < scenario_npoints(x->file); i++) {
        struct point p;
        int rc = scenario_point(x->file, i, &p);
        if (rc)
            return rc;
        bool is = p.combination == combination && !strcmp(p.variant, baseline);
        point_free(&p);
        if (is)
            return look_at(x, i);
    }
    return fit_complain(x, "a gain needs a baseline among the variants, got", baseline);
}

/* Measures are met in ratio, so there must be one: of a gain that of the times. */
static int check_published(const struct fitting *x, const struct row *r)
{
    bool percent = !strcmp(r->fit->cell.measure, "gain_pct");

    if (percent ? r->published < 100 : r->published > 0)
        return NW_OK;
    return status_error(NW_EINPUT, "%s: calibrate: %s cannot be fitted to %g: expected a number %s\n",
                        scenario_path(x->file), r->fit->cell.measure, r->published, percent ? "below 100" : "above 0");
}

static int aim(struct fitting *x, struct store *store, struct row *r)
{
    const struct cell *c = &r->fit->cell;
    bool found;
    size_t index;

    if (!measure_known(c->measure))
        return fit_complain(x, "expected the name of a measure, got", c->measure);
    r->gain = !strcmp(c->measure, "gain_pct") || !strcmp(c->measure, "speedup");
    if (measure_derived(c->measure) && !r->gain)
        return fit_complain(x, "of what is counted from a baseline only gain_pct and speedup can be fitted to, got",
                            c->measure);
    int rc = store_paper_value(store, c->paper, c->table, c->row, c->column, &r->published, NULL);
    if (rc < 0)
        return rc;
    if (!rc)
        return status_error(NW_EINPUT, "%s: calibrate: no published value for %s table %s, row '%s', column '%s'\n",
                            scenario_path(x->file), c->paper, c->table, c->row, c->column);
    rc = check_published(x, r);
    if (rc)
        return rc;
    rc = find_point(x, c, &index, &found);
    if (!rc && !found)
        return fit_complain(x, "expected a variant of this scenario, got", scenario_fit_variant(x->file));
    int sight = rc ? rc : look_at(x, index);
    if (sight < 0)
        return sight;
    r->sight = (size_t)sight;
    int baseline = r->gain ? find_baseline(x, x->sights[sight].point.combination) : sight;
    if (baseline < 0)
        return baseline;
    r->baseline = (size_t)baseline;
    return NW_OK;
}

static bool fitted_already(const struct fitting *x, const char *constant)
{
    for (size_t k = 0; k < x->nconstants; k++)
        if (!strcmp(x->constants[k]->constant, constant))
            return true;
    return false;
}

/* Constants not given, or given as 0, which no ratio leaves, begin where their key says. */
static int collect(struct fitting *x)
{
    for (size_t i = 0; i < x->nrows; i++) {
        const struct fit *fit = x->rows[i].fit;
        if (!fit->constant || !*fit->constant) {
            if (!x->nconstants)
                return fit_complain(x, "expected a constant in the first row, got none besides the measure",
                                    fit->cell.measure);
            continue;
        }
        if (x->nconstants == LEAST_SQUARES_MOST)
            return fit_complain(x, "too many constants: no place for", fit->constant);
        if (fitted_already(x, fit->constant))
            return fit_complain(x, "expected each constant once (a further row needs none), got twice", fit->constant);
        double *at = scenario_number(&x->sights[x->rows[i].sight].point.scenario, fit->constant);
        if (!at)
            return fit_complain(x, "expected the path of a number of this scenario, got", fit->constant);
        x->starts[x->nconstants] = x->values[x->nconstants] = *at > 0 ? *at : fit->start;
        x->constants[x->nconstants++] = fit;
    }
    return NW_OK;
}

int fit_rows(struct fitting *x, struct store *store)
{
    const struct fit *fits;
    int rc = NW_OK;

    x->nrows = scenario_fits(x->file, &fits);
    if (!x->nrows || x->nrows > FIT_MAX_ROWS)
        return status_error(NW_EINPUT, "%s: calibrate: expected 1 to %d rows to fit, got %zu\n", scenario_path(x->file),
                            FIT_MAX_ROWS, x->nrows);
    for (size_t i = 0; !rc && i < x->nrows; i++) {
        x->rows[i].fit = &fits[i];
        rc = aim(x, store, &x->rows[i]);
    }
    return rc ? rc : collect(x);
}
