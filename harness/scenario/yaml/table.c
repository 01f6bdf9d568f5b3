#include "harness/scenario/yaml/table.h"

#include <string.h>

#include "harness/text/csv_lines.h"

enum { MOST_COLUMNS = 16 };

struct column {
    const char *key, *unit; /* "" for none */
    struct mark at;
};

struct reading {
    struct loader *loader;
    const struct source *source;
    struct column columns[MOST_COLUMNS];
    size_t ncolumns;
};

/* A value between two commas, without blanks around it. */
struct cell {
    const char *text;
    size_t size;
    struct mark at;
};

/* Cut a line at its commas. Returns the number of cells; those past the most columns are counted, but not stored. */
static size_t cut(const struct reading *r, unsigned number, const char *line, size_t size, struct cell cells[])
{
    struct csv_piece pieces[MOST_COLUMNS];
    const char *end = line + size - (size && line[size - 1] == '\r');
    size_t n = csv_split((struct csv_piece){ line, end }, MOST_COLUMNS, pieces);

    for (size_t i = 0; i < n && i < MOST_COLUMNS; i++)
        cells[i] = (struct cell){ pieces[i].p,
                                  (size_t)(pieces[i].end - pieces[i].p),
                                  { r->source, number, (unsigned)(pieces[i].p - line) + 1 } };
    return n;
}

/* "time (us)": a key and the unit of its values. */
static struct column column_of(struct arena *a, const struct cell *c)
{
    const char *open = memchr(c->text, '(', c->size);
    size_t size = open ? (size_t)(open - c->text) : c->size, rest = c->size - size;

    while (size && c->text[size - 1] == ' ')
        size--;
    return (struct column){ arena_copy(a, c->text, size),
                            open && rest > 2 && open[rest - 1] == ')' ? arena_copy(a, open + 1, rest - 2) : "", c->at };
}

static bool read_header(struct reading *r, const struct cell cells[], size_t n, const char *key)
{
    struct diag *d = r->loader->diag;

    if (n > MOST_COLUMNS) {
        diag_add(d, cells[0].at, key, NULL, "expected at most %d columns, got %zu", MOST_COLUMNS, n);
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        r->columns[i] = column_of(r->loader->arena, &cells[i]);
        for (size_t k = 0; k < i; k++)
            if (!strcmp(r->columns[k].key, r->columns[i].key)) {
                diag_add(d, cells[i].at, key, NULL, "expected each key once, got '%s' again", r->columns[i].key);
                return false;
            }
    }
    r->ncolumns = n;
    return true;
}

static struct node *row_of(const struct reading *r, const struct cell cells[])
{
    struct arena *a = r->loader->arena;
    struct node *row = ARENA_NEW(a, struct node), *values = ARENA_ARRAY(a, struct node, r->ncolumns);

    row->kind = NODE_MAP;
    row->at = cells[0].at;
    row->n = r->ncolumns;
    row->entries = ARENA_ARRAY(a, struct entry, r->ncolumns);
    for (size_t i = 0; i < r->ncolumns; i++) {
        const struct column *c = &r->columns[i];
        const char *text = arena_copy(a, cells[i].text, cells[i].size);
        values[i].at = cells[i].at;
        values[i].text = *c->unit && *text ? arena_printf(a, "%s %s", text, c->unit) : text;
        row->entries[i] = (struct entry){ c->key, c->at, &values[i] };
    }
    return row;
}

/* Every line of the text; false after an error. */
static bool read_lines(struct reading *r, struct node *list, const char *key)
{
    const struct source *s = r->source;
    const char *end = s->text + s->size, *line = s->text + source_start(s);
    struct cell cells[MOST_COLUMNS];

    for (unsigned number = 1; line < end; number++) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        size_t size = (size_t)((stop ? stop : end) - line), n = cut(r, number, line, size, cells);
        line += size + 1;
        if ((n == 1 && !cells[0].size) || (cells[0].size && *cells[0].text == '#'))
            continue;
        if (!r->ncolumns) {
            if (!read_header(r, cells, n, key))
                return false;
        } else if (n != r->ncolumns) {
            diag_add(r->loader->diag, cells[0].at, key, NULL, "expected %zu values, as the header has, got %zu",
                     r->ncolumns, n);
            return false;
        } else {
            *ARENA_PUSH(r->loader->arena, list->items, list->n) = row_of(r, cells);
        }
    }
    return true;
}

const struct node *table_load(struct loader *l, const struct node *name, const char *key)
{
    struct reading r = { .loader = l,
                         .source = load_text(l, load_path(l, name->at.source, name->text), name->at, key) };
    struct node *list = ARENA_NEW(l->arena, struct node);
    struct mark at;
    const char *wrong = r.source ? source_check(r.source, &at) : NULL;

    if (wrong)
        diag_add(l->diag, at, key, NULL, "expected text in UTF-8, got %s", wrong);
    if (!r.source || wrong)
        return NULL;
    list->kind = NODE_LIST;
    list->at = (struct mark){ r.source, 1, 1 };
    return read_lines(&r, list, key) ? list : NULL;
}
