#include "harness/text/columns.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

#include "harness/status.h"
#include "harness/text/wrap.h"

struct columns {
    const struct column *list;
    size_t n;
    char **cells;
    size_t ncells, capacity;
    bool failed;
};

struct columns *columns_open(const struct column *list, size_t n)
{
    struct columns *c = calloc(1, sizeof(*c));

    if (c)
        *c = (struct columns){ .list = list, .n = n };
    return c;
}

void columns_put(struct columns *c, const char *format, ...)
{
    va_list arguments;
    char *text;
    int n;

    if (c->ncells == c->capacity) {
        size_t capacity = c->capacity ? 2 * c->capacity : 64;
        char **cells = realloc(c->cells, capacity * sizeof(*cells));

        c->failed |= !cells;
        if (!cells)
            return;
        c->cells = cells;
        c->capacity = capacity;
    }
    va_start(arguments, format);
    n = vasprintf(&text, format, arguments);
    va_end(arguments);
    c->failed |= n < 0;
    c->cells[c->ncells++] = n < 0 ? NULL : text;
}

/* 0: the column is empty. */
static int column_width(const struct columns *c, size_t column)
{
    int width = 0;

    for (size_t i = column; i < c->ncells; i += c->n) {
        int one = (c->cells[i] ? text_width(c->cells[i]) : 0);

        width = one > width ? one : width;
    }
    int head = text_width(c->list[column].head);
    return width && head > width ? head : width;
}

static void print_cell(const struct columns *c, size_t column, const char *text, bool first, bool last, FILE *out)
{
    int pad = column_width(c, column) - text_width(text);

    fprintf(out, "%s", first ? "" : "  ");
    if (c->list[column].left)
        fprintf(out, "%s%*s", text, last ? 0 : pad, "");
    else
        fprintf(out, "%*s%s", pad, "", text);
}

static void print_row(const struct columns *c, size_t row, FILE *out)
{
    size_t last = 0;
    bool first = true;

    for (size_t i = 0; i < c->n; i++)
        last = column_width(c, i) ? i : last;
    for (size_t i = 0; i < c->n; i++) {
        if (!column_width(c, i))
            continue;
        print_cell(c, i, row ? c->cells[(row - 1) * c->n + i] : c->list[i].head, first, i == last, out);
        first = false;
    }
    fputc('\n', out);
}

int columns_close(struct columns *c, FILE *out)
{
    int rc = !c || c->failed ? NW_ENOMEM : NW_OK;

    for (size_t row = 0; !rc && c->ncells && row <= c->ncells / c->n; row++)
        print_row(c, row, out);
    for (size_t i = 0; c && i < c->ncells; i++)
        free(c->cells[i]);
    if (c)
        free(c->cells);
    free(c);
    return rc;
}
