#include "harness/validation/constants.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"

static int complain(const struct cases *c, size_t which, const char *key, const char *text)
{
    char path[64];

    snprintf(path, sizeof(path), "fit[%zu].%s", which, key);
    return validation_complain(c->spec, path, text, stderr);
}

static int split_keys(const struct cases *c, size_t which, struct fitted *f)
{
    char *save = NULL;

    f->keys = strdup(f->fit->keys);
    if (!f->keys)
        return NW_ENOMEM;
    for (char *p = strtok_r(f->keys, ", ", &save); p; p = strtok_r(NULL, ", ", &save)) {
        if (f->npaths == FIT_MOST_KEYS)
            return complain(c, which, "keys", "expected at most 8 paths");
        f->paths[f->npaths++] = p;
    }
    return f->npaths ? NW_OK : complain(c, which, "keys", "expected paths, separated by commas");
}

static int read_names(const struct cases *c, size_t which, struct fitted *f)
{
    struct cell_value *values = calloc(c->n, sizeof(*values));
    char key[64];
    int rc = values ? NW_OK : NW_ENOMEM;

    for (size_t i = 0; !rc && i < c->n; i++)
        f->group_name[i] = "";
    snprintf(key, sizeof(key), "fit[%zu].per", which);
    if (!rc && f->fit->per && *f->fit->per)
        rc = cases_evaluate(c, key, NULL, f->fit->per, values);
    for (size_t i = 0; !rc && f->fit->per && *f->fit->per && i < c->n; i++)
        f->group_name[i] = values[i].kind == CELL_NULL ? NULL : values[i].text;
    free(values);
    return rc;
}

static struct fit_group *find_group(struct fitted *f, const char *name)
{
    for (size_t g = 0; g < f->ngroups; g++)
        if (!strcmp(f->groups[g].name, name))
            return &f->groups[g];
    return NULL;
}

static int add_row(struct cases *c, struct fitted *f, size_t row)
{
    struct fit_group *g = find_group(f, f->group_name[row]);

    if (!g) {
        g = &f->groups[f->ngroups];
        g->name = f->group_name[row];
        g->rows = calloc(c->n, sizeof(*g->rows));
        if (!g->rows)
            return NW_ENOMEM;
        f->ngroups++;
        for (size_t k = 0; k < FIT_MOST_KEYS; k++)
            g->values[k] = NAN;
    }
    g->rows[g->nrows++] = row;
    return NW_OK;
}

static size_t group_of_row(struct fitted *f, size_t row)
{
    const struct fit_group *g;

    if (!f->group_name[row])
        return GROUP_FREE;
    g = find_group(f, f->group_name[row]);
    return g ? (size_t)(g - f->groups) : GROUP_MISSING;
}

static int open_fit(struct cases *c, size_t which, struct fitted *f)
{
    char key[64];
    size_t count = 0;
    int rc = split_keys(c, which, f);

    f->calibrates = calloc(c->n, sizeof(*f->calibrates));
    f->group_of = calloc(c->n, sizeof(*f->group_of));
    f->group_name = calloc(c->n, sizeof(*f->group_name));
    f->groups = calloc(c->n, sizeof(*f->groups));
    if (!f->calibrates || !f->group_of || !f->group_name || !f->groups)
        return NW_ENOMEM;
    snprintf(key, sizeof(key), "fit[%zu].rows", which);
    rc = rc ? rc : cases_test(c, key, f->fit->rows, f->calibrates);
    rc = rc ? rc : read_names(c, which, f);
    for (size_t i = 0; !rc && i < c->n; i++) {
        f->calibrates[i] = f->calibrates[i] && c->rows[i].used && f->group_name[i];
        if (f->calibrates[i])
            rc = add_row(c, f, i);
        count += f->calibrates[i];
    }
    if (!rc && !count)
        rc = complain(c, which, "rows", "expected rows that calibrate, got none");
    for (size_t i = 0; !rc && i < c->n; i++)
        f->group_of[i] = group_of_row(f, i);
    return rc;
}

int fits_open(struct cases *c, bool given, struct fits *out)
{
    const struct validation *v = c->spec;
    int rc = NW_OK;

    *out = (struct fits){ .list = calloc(v->nfits + 1, sizeof(*out->list)) };
    if (!out->list)
        return NW_ENOMEM;
    for (; !rc && out->n < v->nfits; out->n++) {
        out->list[out->n].fit = &v->fits[out->n];
        rc = open_fit(c, out->n, &out->list[out->n]);
    }
    for (size_t i = 0; !rc && given && i < c->n; i++)
        c->rows[i].used &= c->rows[i].given || fits_calibrates(out, i);
    return rc;
}

void fits_free(struct fits *f)
{
    for (size_t i = 0; f->list && i < f->n; i++) {
        struct fitted *x = &f->list[i];
        for (size_t g = 0; x->groups && g < x->ngroups; g++)
            free(x->groups[g].rows);
        free(x->groups);
        free(x->group_of);
        free(x->group_name);
        free(x->calibrates);
        free(x->keys);
    }
    free(f->list);
    *f = (struct fits){ .n = 0 };
}

bool fit_is_repeated(const struct fits *f, size_t which)
{
    const struct validation_fit *a = f->list[which].fit;

    for (size_t i = which + 1; i < f->n; i++) {
        const struct validation_fit *b = f->list[i].fit;
        if (!strcmp(a->keys, b->keys) && !strcmp(a->per ? a->per : "", b->per ? b->per : "") &&
            !strcmp(a->rows, b->rows))
            return true;
    }
    return false;
}

bool fits_calibrates(const struct fits *f, size_t row)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->list[i].calibrates[row])
            return true;
    return false;
}

bool fits_constants(const struct fits *f, size_t row, struct constant out[CONSTANTS_MOST], size_t *n, char *why,
                    size_t nwhy)
{
    *n = 0;
    for (size_t i = 0; i < f->ready; i++) {
        const struct fitted *x = &f->list[i];
        if (x->group_of[row] == GROUP_MISSING) {
            snprintf(why, nwhy, "no row calibrates %s for '%s'", x->fit->keys, x->group_name[row]);
            return false;
        }
        for (size_t k = 0; x->group_of[row] != GROUP_FREE && k < x->npaths && *n < CONSTANTS_MOST; k++)
            out[(*n)++] = (struct constant){ x->paths[k], x->groups[x->group_of[row]].values[k] };
    }
    return true;
}
