#include "harness/validation/cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/text/whole_file.h"

enum { MOST_BYTES = 1 << 28, MOST_SETS = 64 };

/* --- rows --------------------------------------------------------------------------------------------------------- */

static int load_file(struct data *t, const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t size = 0;
    int rc = f ? whole_file_read(f, path, MOST_BYTES, &text, &size, stderr) : whole_file_failed(path, stderr);

    if (f)
        fclose(f);
    if (!rc)
        rc = data_load(t, path, text, size);
    free(text);
    return rc;
}

/* The validation's own rows come first. */
static int load_rows(struct cases *c, const char *data)
{
    const struct validation *v = c->spec;
    bool inline_rows = v->rows && *v->rows;
    int rc = data_new(&c->table);

    rc = rc ? rc : inline_rows ? data_load(c->table, v->name, v->rows, strlen(v->rows)) : load_file(c->table, v->data);
    size_t own = rc ? 0 : data_rows(c->table);
    rc = !rc && data ? load_file(c->table, data) : rc;
    if (rc)
        return rc;
    c->n = data_rows(c->table);
    c->rows = calloc(c->n, sizeof(*c->rows));
    for (size_t i = own; c->rows && i < c->n; i++)
        c->rows[i].given = true;
    return c->rows ? NW_OK : NW_ENOMEM;
}

int cases_evaluate(const struct cases *c, const char *key, const char *with, const char *expression,
                   struct cell_value out[])
{
    char why[256] = "out of memory", text[320];
    int rc = data_evaluate(c->table, with, expression, out, why, sizeof(why));

    snprintf(text, sizeof(text), "expected an SQL expression on the columns of the rows: %s", why);
    return rc ? validation_complain(c->spec, key, text, stderr) : NW_OK;
}

int cases_test(const struct cases *c, const char *key, const char *condition, bool out[])
{
    char why[256] = "out of memory", text[320];
    int rc = data_test(c->table, condition, out, why, sizeof(why));

    snprintf(text, sizeof(text), "expected a condition in SQL on the columns of the rows: %s", why);
    return rc ? validation_complain(c->spec, key, text, stderr) : NW_OK;
}

static int compute_columns(struct cases *c)
{
    int rc = NW_OK;

    for (size_t i = 0; !rc && i < c->spec->ncolumns; i++) {
        const struct validation_column *column = &c->spec->columns[i];
        char why[256] = "out of memory", text[320], key[128];
        if (!data_compute(c->table, column->name, column->value, why, sizeof(why)))
            continue;
        snprintf(key, sizeof(key), "columns.%s", column->name);
        snprintf(text, sizeof(text), "expected an SQL expression on the columns of the rows: %s", why);
        rc = validation_complain(c->spec, key, text, stderr);
    }
    return rc;
}

static int read_used(struct cases *c)
{
    bool *used = calloc(c->n, sizeof(*used));
    int rc = used ? cases_test(c, "where", c->spec->where, used) : NW_ENOMEM;

    for (size_t i = 0; !rc && i < c->n; i++)
        c->rows[i].used = used[i];
    free(used);
    return rc;
}

static int read_measured(struct cases *c, struct cell_value *values)
{
    const struct validation *v = c->spec;
    int rc = cases_evaluate(c, "measured.value", NULL, v->value, values);

    for (size_t i = 0; !rc && i < c->n; i++) {
        c->rows[i].value = values[i].number;
        c->rows[i].spread = NAN;
        if (c->rows[i].used && (values[i].kind != CELL_NUMBER || !(values[i].number > 0))) {
            char text[160];
            snprintf(text, sizeof(text), "expected a number above 0 for every row, got '%s' for row %zu",
                     values[i].text, i + 1);
            rc = validation_complain(v, "measured.value", text, stderr);
        }
    }
    if (!rc && v->spread && *v->spread)
        rc = cases_evaluate(c, "measured.spread", NULL, v->spread, values);
    for (size_t i = 0; !rc && v->spread && *v->spread && i < c->n; i++)
        if (values[i].kind == CELL_NUMBER)
            c->rows[i].spread = values[i].number;
    return rc;
}

/* How many used rows before this one have its label. */
static size_t namesakes(const struct cases *c, const struct cell_value *values, size_t row)
{
    size_t n = 0;

    for (size_t i = 0; i < row; i++)
        n += c->rows[i].used && !strcmp(values[i].text, values[row].text);
    return n;
}

static int read_labels(struct cases *c, struct cell_value *values)
{
    int rc = cases_evaluate(c, "label", NULL, c->spec->label, values);

    c->labels = calloc(c->n, sizeof(*c->labels));
    if (!c->labels)
        return NW_ENOMEM;
    for (size_t i = 0; !rc && i < c->n; i++) {
        size_t before = c->rows[i].used && c->n < 5000 ? namesakes(c, values, i) : 0;
        c->rows[i].label = values[i].text;
        if (before) {
            if (asprintf(&c->labels[c->nlabels], "%s (%zu)", values[i].text, before + 1) < 0)
                return NW_ENOMEM;
            c->rows[i].label = c->labels[c->nlabels++];
        }
    }
    return rc;
}

/* --- scenarios ---------------------------------------------------------------------------------------------------- */

static bool is_variant(const struct cases *c, size_t bind)
{
    return !strcmp(c->spec->binds[bind].key, "variant");
}

/* A model's file is looked for where the scenario is; a mere name is one of the shipped. */
static int folder_length(const struct cases *c, size_t bind, const char *text)
{
    const char *slash = strrchr(c->spec->scenario, '/');

    return !strcmp(c->spec->binds[bind].key, "model") && *text != '/' && strchr(text, '/') && slash
               ? (int)(slash + 1 - c->spec->scenario)
               : 0;
}

/* The texts that row 'row' sets, one after another, each with its NUL. */
static char *settings_of(const struct cases *c, size_t row, size_t *n)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, n);

    if (!out)
        return NULL;
    for (size_t k = 0; k < c->spec->nbinds; k++) {
        const char *value = c->bound[k][row].text;
        if (!is_variant(c, k) && c->bound[k][row].kind == CELL_TEXT)
            fprintf(out, "%s=%.*s%s%c", c->spec->binds[k].key, folder_length(c, k, value), c->spec->scenario, value,
                    '\0');
    }
    fputc('\0', out);
    fclose(out);
    return text;
}

static int open_scenario(struct cases *c, char *settings)
{
    const char *sets[MOST_SETS];
    size_t n = 0;

    for (char *at = settings; *at; at += strlen(at) + 1) {
        if (n == MOST_SETS)
            return validation_complain(c->spec, "bind", "expected at most 64 texts", stderr);
        sets[n++] = at;
    }
    return scenario_open(c->spec->scenario, sets, n, NULL, 0, stderr, &c->files[c->nfiles]);
}

static bool same_settings(const char *a, const char *b)
{
    while (*a && !strcmp(a, b)) {
        a += strlen(a) + 1;
        b += strlen(b) + 1;
    }
    return !*a && !*b;
}

/* Rows with the same texts share an opened scenario. */
static int open_of_row(struct cases *c, size_t row)
{
    size_t size, k = 0;
    char *settings = settings_of(c, row, &size);
    int rc;

    if (!settings)
        return NW_ENOMEM;
    while (k < c->nfiles && !same_settings(c->settings[k], settings))
        k++;
    c->rows[row].file = k;
    if (k < c->nfiles) {
        free(settings);
        return NW_OK;
    }
    rc = open_scenario(c, settings);
    c->settings[c->nfiles] = settings;
    c->nfiles++;
    return rc;
}

static int open_all(struct cases *c)
{
    int rc = NW_OK;

    c->files = calloc(c->n, sizeof(struct scenario_file *));
    c->settings = calloc(c->n, sizeof(char *));
    c->bound = calloc(c->spec->nbinds + 1, sizeof(struct cell_value *));
    if (!c->files || !c->settings || !c->bound)
        return NW_ENOMEM;
    for (size_t k = 0; !rc && k < c->spec->nbinds; k++) {
        char key[256];
        snprintf(key, sizeof(key), "bind.%s", c->spec->binds[k].key);
        c->bound[k] = calloc(c->n, sizeof(struct cell_value));
        rc = c->bound[k] ? cases_evaluate(c, key, NULL, c->spec->binds[k].value, c->bound[k]) : NW_ENOMEM;
        for (size_t i = 0; !rc && is_variant(c, k) && i < c->n; i++)
            c->rows[i].variant = c->bound[k][i].kind == CELL_NULL ? NULL : c->bound[k][i].text;
    }
    for (size_t i = 0; !rc && i < c->n; i++)
        if (c->rows[i].used)
            rc = open_of_row(c, i);
    return rc;
}

int cases_open(const struct validation *v, const char *data, struct cases *out)
{
    struct cell_value *values = NULL;
    int rc;

    *out = (struct cases){ .spec = v };
    rc = load_rows(out, data);
    rc = rc ? rc : compute_columns(out);
    rc = rc ? rc : read_used(out);
    if (!rc && !(values = calloc(out->n, sizeof(*values))))
        rc = NW_ENOMEM;
    rc = rc ? rc : read_measured(out, values);
    rc = rc ? rc : read_labels(out, values);
    free(values);
    return rc ? rc : open_all(out);
}

void cases_close(struct cases *c)
{
    for (size_t i = 0; i < c->nfiles; i++) {
        scenario_close(c->files[i]);
        free(c->settings[i]);
    }
    for (size_t k = 0; c->bound && k < c->spec->nbinds; k++)
        free(c->bound[k]);
    for (size_t i = 0; i < c->nlabels; i++)
        free(c->labels[i]);
    free(c->labels);
    free(c->files);
    free(c->settings);
    free(c->bound);
    free(c->rows);
    data_free(c->table);
    *c = (struct cases){ .n = 0 };
}
