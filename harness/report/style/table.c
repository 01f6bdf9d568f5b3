#include "harness/report/style/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct table *table_new(void)
{
    return calloc(1, sizeof(struct table));
}

void table_free(struct table *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->ncolumns; i++) {
        free(t->columns[i].group);
        free(t->columns[i].head);
    }
    for (size_t i = 0; i < t->ncolumns * t->nrows; i++) {
        free(t->cells[i].text);
        free(t->cells[i].kind);
        free(t->cells[i].anchor);
    }
    free(t->columns);
    free(t->cells);
    free(t->rules);
    free(t);
}

/* 'size' bytes for each of n; the old ones stay where they are if memory is short. */
static bool grow(void **array, size_t n, size_t size)
{
    void *more = realloc(*array, (n ? n : 1) * size);

    if (more)
        *array = more;
    return more != NULL;
}

void table_column(struct table *t, const char *group, const char *head, bool right)
{
    struct table_column *c;

    if (t->bad || !grow((void **)&t->columns, t->ncolumns + 1, sizeof(*t->columns))) {
        t->bad = true;
        return;
    }
    c = &t->columns[t->ncolumns++];
    *c = (struct table_column){ strdup(group), strdup(head), right };
    t->bad = !c->group || !c->head;
}

void table_row(struct table *t, bool rule)
{
    size_t cells = (t->nrows + 1) * t->ncolumns;

    if (t->bad || !grow((void **)&t->cells, cells, sizeof(*t->cells)) ||
        !grow((void **)&t->rules, t->nrows + 1, sizeof(*t->rules))) {
        t->bad = true;
        return;
    }
    for (size_t i = t->nrows * t->ncolumns; i < cells; i++)
        t->cells[i] = (struct table_cell){ .distance = -1 };
    t->rules[t->nrows++] = rule;
}

struct table_cell *table_cell(struct table *t, size_t column)
{
    return t->bad ? NULL : &t->cells[(t->nrows - 1) * t->ncolumns + column];
}

void table_text(struct table *t, struct table_cell *cell, const char *format, ...)
{
    va_list ap;

    if (!cell)
        return;
    free(cell->text);
    va_start(ap, format);
    if (vasprintf(&cell->text, format, ap) < 0) {
        cell->text = NULL;
        t->bad = true;
    }
    va_end(ap);
}

bool table_bad(const struct table *t)
{
    return !t || t->bad;
}
