/* play.c - one row, bound and simulated. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/point/measures.h"
#include "harness/scenario/points/vary.h"
#include "harness/status.h"
#include "harness/validation/cases.h"

static int refuse(const struct cases *c, size_t row, const char *key, const char *what)
{
    char text[320];

    snprintf(text, sizeof(text), "%s, for the row '%s'", what, c->rows[row].label);
    return validation_complain(c->spec, key, text, stderr);
}

static int change(const struct cases *c, size_t row, struct scenario *sc, const char *path, double value,
                  const char *key)
{
    struct varied number;
    double smallest, largest;
    char what[200];

    if (vary_find(sc, path, c->spec->name, stderr, &number))
        return refuse(c, row, key, "expected the path of a number of the scenario");
    vary_range(&number, &smallest, &largest);
    if (!(value >= smallest) || value > largest || (vary_whole(&number) && value != floor(value))) {
        snprintf(what, sizeof(what), "expected %s from %g to %g, got %g",
                 vary_whole(&number) ? "a whole number" : "a number", smallest, largest, value);
        return refuse(c, row, key, what);
    }
    vary_set(&number, value);
    return NW_OK;
}

int case_bind(const struct cases *c, size_t row, const struct constant *constants, size_t n, struct point *out)
{
    const struct case_row *r = &c->rows[row];
    int rc = scenario_point_variant(c->files[r->file], 0, r->variant, stderr, out);

    for (size_t k = 0; !rc && k < c->spec->nbinds; k++)
        if (c->bound[k][row].kind == CELL_NUMBER && strcmp(c->spec->binds[k].key, "variant") != 0)
            rc = change(c, row, &out->scenario, c->spec->binds[k].key, c->bound[k][row].number, "bind");
    for (size_t k = 0; !rc && k < n; k++) {
        struct varied number;
        if (isnan(constants[k].value))
            continue;
        rc = vary_find(&out->scenario, constants[k].path, c->spec->name, stderr, &number);
        if (!rc)
            vary_set(&number, constants[k].value);
    }
    return rc;
}

int case_play(const struct cases *c, size_t row, const struct constant *constants, size_t n, double *out, char *why,
              size_t nwhy)
{
    struct measures *m = malloc(sizeof(*m));
    struct point p = { 0 };
    int rc = m ? case_bind(c, row, constants, n, &p) : NW_ENOMEM;

    if (rc)
        snprintf(why, nwhy, "it could not be bound");
    rc = rc ? rc : measures_of(&p.scenario, m, why, nwhy);
    if (!rc) {
        *out = measure_value(m, c->spec->reading);
        if (isnan(*out)) {
            snprintf(why, nwhy, "the scenario has no reading '%s'", c->spec->reading);
            rc = NW_ESIM;
        }
    }
    point_free(&p);
    free(m);
    return rc;
}
