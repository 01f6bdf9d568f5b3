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

static bool is_among(const struct fitted *f)
{
    return f->fit->among && *f->fit->among;
}

static struct fit_group *find_group(const struct fitted *f, const char *name)
{
    for (size_t g = 0; g < f->ngroups; g++)
        if (!strcmp(f->groups[g].name, name))
            return &f->groups[g];
    return NULL;
}

/* The group of the row, a new one if it has none yet; NULL: no memory. */
static struct fit_group *need_group(const struct cases *c, struct fitted *f, size_t row)
{
    struct fit_group *g = find_group(f, f->group_name[row]);

    if (g)
        return g;
    g = &f->groups[f->ngroups];
    g->name = f->group_name[row];
    g->rows = calloc(c->n, sizeof(*g->rows));
    if (!g->rows)
        return NULL;
    f->ngroups++;
    for (size_t k = 0; k < FIT_MOST_KEYS; k++)
        g->values[k] = NAN;
    return g;
}

/* Each calibrating row goes to its own group. */
static int fill_groups(const struct cases *c, struct fitted *f)
{
    for (size_t i = 0; i < c->n; i++) {
        struct fit_group *g = f->calibrates[i] ? need_group(c, f, i) : NULL;
        if (f->calibrates[i] && !g)
            return NW_ENOMEM;
        if (g)
            g->rows[g->nrows++] = i;
    }
    return NW_OK;
}

/* Each calibrating row goes to all groups but its own that have its value of 'among'. */
static int fill_others(const struct cases *c, size_t which, struct fitted *f)
{
    struct cell_value *values = calloc(c->n, sizeof(*values));
    const char **value_of = calloc(c->n + 1, sizeof(*value_of)); /* of a group */
    char key[64];
    int rc = values && value_of ? NW_OK : NW_ENOMEM;

    snprintf(key, sizeof(key), "fit[%zu].among", which);
    rc = rc ? rc : cases_evaluate(c, key, NULL, f->fit->among, values);
    for (size_t i = 0; !rc && i < c->n; i++) {
        struct fit_group *g = c->rows[i].used && f->group_name[i] ? need_group(c, f, i) : NULL;
        if (g)
            value_of[g - f->groups] = values[i].text;
        else if (c->rows[i].used && f->group_name[i])
            rc = NW_ENOMEM;
    }
    for (size_t i = 0; !rc && i < c->n; i++)
        for (size_t k = 0; f->calibrates[i] && k < f->ngroups; k++)
            if (strcmp(f->groups[k].name, f->group_name[i]) != 0 && !strcmp(value_of[k], values[i].text))
                f->groups[k].rows[f->groups[k].nrows++] = i;
    free(values);
    free(value_of);
    return rc;
}

static size_t group_of_row(const struct fitted *f, size_t row)
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
        count += f->calibrates[i];
    }
    rc = rc ? rc : is_among(f) ? fill_others(c, which, f) : fill_groups(c, f);
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
        out->list[out->n] = (struct fitted){ .fit = &v->fits[out->n], .fitting = GROUP_FREE };
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
        if (f->list[i].calibrates[row] && !is_among(&f->list[i]))
            return true;
    return false;
}

bool fits_constants(const struct fits *f, size_t row, struct constant out[CONSTANTS_MOST], size_t *n, char *why,
                    size_t nwhy)
{
    *n = 0;
    for (size_t i = 0; i < f->ready; i++) {
        const struct fitted *x = &f->list[i];
        size_t group = x->fitting != GROUP_FREE ? x->fitting : x->group_of[row];
        if (group == GROUP_MISSING) {
            snprintf(why, nwhy, "no row calibrates %s for '%s'", x->fit->keys, x->group_name[row]);
            return false;
        }
        for (size_t k = 0; group != GROUP_FREE && k < x->npaths && *n < CONSTANTS_MOST; k++)
            out[(*n)++] = (struct constant){ x->paths[k], x->groups[group].values[k] };
    }
    return true;
}
