#include "harness/validation/cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/text/whole_file.h"

enum { MOST_BYTES = 1 << 28 };

static int load_file(struct data *t, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    int rc = whole_file_load(path, MOST_BYTES, &text, &size, stderr);

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

struct labelled {
    const char *label;
    size_t row;
};

static int by_label(const void *a, const void *b)
{
    const struct labelled *x = a, *y = b;
    int order = strcmp(x->label, y->label);

    return order ? order : (x->row > y->row) - (x->row < y->row);
}

/* Of used rows with one label the second is called "label (2)". */
static int make_distinct(struct cases *c, struct labelled *list, size_t n)
{
    size_t same = 1;

    qsort(list, n, sizeof(*list), by_label);
    for (size_t i = 1; i < n; i++) {
        same = strcmp(list[i].label, list[i - 1].label) ? 1 : same + 1;
        if (same == 1)
            continue;
        if (asprintf(&c->labels[c->nlabels], "%s (%zu)", list[i].label, same) < 0)
            return NW_ENOMEM;
        c->rows[list[i].row].label = c->labels[c->nlabels++];
    }
    return NW_OK;
}

static int read_labels(struct cases *c, struct cell_value *values)
{
    struct labelled *list = calloc(c->n + 1, sizeof(*list));
    size_t n = 0;
    int rc = cases_evaluate(c, "label", NULL, c->spec->label, values);

    c->labels = calloc(c->n + 1, sizeof(*c->labels));
    if (!c->labels || !list) {
        free(list);
        return NW_ENOMEM;
    }
    for (size_t i = 0; !rc && i < c->n; i++) {
        c->rows[i].label = values[i].text;
        if (c->rows[i].used)
            list[n++] = (struct labelled){ values[i].text, i };
    }
    rc = rc ? rc : make_distinct(c, list, n);
    free(list);
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
    return rc ? rc : cases_open_scenarios(out);
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
