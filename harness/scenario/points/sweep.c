/* sweep.c - the values of an axis: a list as it is, a range written out, a text with commas cut up. */
#include "harness/scenario/points/sweep.h"

#include <math.h>
#include <string.h>

#include "harness/scenario/file.h"
#include "harness/scenario/points/range.h"

static struct node *new_list(struct scenario_file *f, const struct node *like)
{
    struct node *list = ARENA_NEW(&f->arena, struct node);

    list->kind = NODE_LIST;
    list->at = like->at;
    list->text = "";
    return list;
}

static void add_value(struct scenario_file *f, struct node *list, const char *text, struct mark at)
{
    struct node *item = ARENA_NEW(&f->arena, struct node);

    item->kind = NODE_SCALAR;
    item->text = text;
    item->at = at;
    *ARENA_PUSH(&f->arena, list->items, list->n) = item;
}

/* Points that are evenly spaced in the logarithm are rounded to whole numbers. */
static void whole(const struct field *field, char *text, size_t size)
{
    struct quantity_error error;
    const struct unit *unit;
    double value;

    if (!quantity_read(text, field->dimension, &value, &unit, &error) && value != floor(value))
        quantity_print(floor(value + 0.5), field->dimension, text, size);
}

static const struct node *range_values(struct scenario_file *f, const struct field *field, const struct node *n,
                                       const char *key)
{
    struct node *list = new_list(f, n);
    struct quantity_error error;
    struct range r;
    char text[96];

    if (range_read(n->text, field->dimension, MAX_VALUES, &r, &error)) {
        diag_add(&f->diag, value_written(n, key).at, key, error.suggest, "expected a range, got '%s': %s",
                 diag_quote(&f->diag, n->text), error.why);
        return NULL;
    }
    for (size_t i = 0; i < r.n; i++) {
        range_point(&r, i, text, sizeof(text));
        if (field->type == FIELD_INTEGER && r.logarithmic)
            whole(field, text, sizeof(text));
        if (!list->n || field->type != FIELD_INTEGER || strcmp(list->items[list->n - 1]->text, text) != 0)
            add_value(f, list, arena_text(&f->arena, text), value_written(n, key).at);
    }
    return list;
}

/* "a, b, c" or "[a, b, c]"; each value keeps its own place. */
static const struct node *comma_values(struct scenario_file *f, const struct node *n)
{
    struct node *list = new_list(f, n);
    const char *text = n->text, *end = text + strlen(text), *stop;

    if (end - text > 1 && *text == '[' && end[-1] == ']') {
        text++;
        end--;
    }
    for (const char *p = text; p <= end && list->n <= MAX_VALUES; p = stop + 1) {
        const char *last;
        struct mark at = value_written(n, "").at;

        stop = memchr(p, ',', (size_t)(end - p));
        last = stop = stop ? stop : end;
        while (p < last && *p == ' ')
            p++;
        while (last > p && last[-1] == ' ')
            last--;
        at.column += (unsigned)(p - n->text);
        add_value(f, list, arena_copy(&f->arena, p, (size_t)(last - p)), at);
    }
    return list;
}

static bool has_ranges(const struct field *field)
{
    return field && (field->type == FIELD_NUMBER || field->type == FIELD_INTEGER || field->type == FIELD_CODEC);
}

const struct node *sweep_values(struct scenario_file *f, const struct field *field, const struct node *n,
                                const char *key)
{
    const struct node *list = n;

    if (n->kind == NODE_SCALAR && has_ranges(field) && strstr(n->text, ".."))
        return range_values(f, field, n, key);
    if (n->kind == NODE_SCALAR && *n->text)
        list = comma_values(f, n);
    if (list->kind != NODE_LIST || !list->n || list->n > MAX_VALUES) {
        diag_add(&f->diag, n->at, key, NULL, "expected a range or a list of 1 to %d values, got %s", MAX_VALUES,
                 n->kind == NODE_MAP    ? "a mapping"
                 : list->n > MAX_VALUES ? "more"
                                        : "nothing");
        return NULL;
    }
    return list;
}
