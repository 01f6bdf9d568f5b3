/* extras.c - the set, the closed form, the baseline and the reason of every row. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/validation/extras.h"

static int read_sets(const struct cases *c, bool *test, struct extra *out)
{
    int rc = NW_OK;

    for (size_t i = 0; i < c->n; i++)
        out[i].set = SET_NONE;
    for (size_t k = c->spec->nsets; !rc && k-- > 0;) { /* the first one that takes a row wins */
        char key[64];
        snprintf(key, sizeof(key), "sets[%zu].rows", k);
        rc = cases_test(c, key, c->spec->sets[k].rows, test);
        for (size_t i = 0; !rc && i < c->n; i++)
            if (test[i])
                out[i].set = k;
    }
    return rc;
}

static int read_reasons(const struct cases *c, bool *test, struct extra *out)
{
    int rc = NW_OK;

    for (size_t i = 0; i < c->n; i++)
        out[i].reason = "";
    for (size_t k = c->spec->nreasons; !rc && k-- > 0;) {
        char key[64];
        snprintf(key, sizeof(key), "reasons[%zu].rows", k);
        rc = cases_test(c, key, c->spec->reasons[k].rows, test);
        for (size_t i = 0; !rc && i < c->n; i++)
            if (test[i])
                out[i].reason = c->spec->reasons[k].because;
    }
    return rc;
}

static int read_closed_form(const struct cases *c, struct cell_value *values, struct extra *out)
{
    const struct validation *v = c->spec;
    bool there = v->form_value && *v->form_value;
    int rc = there ? cases_evaluate(c, "closed_form.value", v->form_with, v->form_value, values) : NW_OK;

    for (size_t i = 0; !rc && i < c->n; i++)
        out[i].closed_form = there && values[i].kind == CELL_NUMBER ? values[i].number : NAN;
    return rc;
}

/* The first row of the same 'per' that is a baseline. */
static size_t baseline_of(const struct cases *c, const struct cell_value *per, const bool *baseline, size_t row)
{
    for (size_t i = 0; i < c->n; i++)
        if (baseline[i] && c->rows[i].used && !strcmp(per[i].text, per[row].text))
            return i;
    return BASELINE_NONE;
}

static int read_baselines(const struct cases *c, bool *test, struct cell_value *per, struct extra *out)
{
    const struct validation *v = c->spec;
    bool there = v->baseline && *v->baseline;
    int rc = there ? cases_test(c, "compare.baseline", v->baseline, test) : NW_OK;

    rc = !rc && there ? cases_evaluate(c, "compare.per", NULL, *v->baseline_per ? v->baseline_per : "''", per) : rc;
    for (size_t i = 0; !rc && i < c->n; i++)
        out[i].baseline = there && !test[i] && c->rows[i].used ? baseline_of(c, per, test, i) : BASELINE_NONE;
    return rc;
}

int extras_read(const struct cases *c, struct extra **out)
{
    bool *test = calloc(c->n, sizeof(*test));
    struct cell_value *values = calloc(c->n, sizeof(*values));
    int rc;

    *out = calloc(c->n, sizeof(**out));
    rc = test && values && *out ? NW_OK : NW_ENOMEM;
    rc = rc ? rc : read_sets(c, test, *out);
    rc = rc ? rc : read_reasons(c, test, *out);
    rc = rc ? rc : read_closed_form(c, values, *out);
    rc = rc ? rc : read_baselines(c, test, values, *out);
    free(test);
    free(values);
    return rc;
}
