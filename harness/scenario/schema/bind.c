/* bind.c - checks keys against the table, and stores values. */
#include "harness/scenario/schema/bind.h"

#include <string.h>

#include "harness/scenario/schema/value.h"
#include "harness/scenario/yaml/table.h"
#include "harness/text/suggest.h"

enum { LONGEST_NAME = 64 };

static const char *join(struct binder *b, const char *path, const char *key)
{
    return *path ? arena_printf(b->loader->arena, "%s.%s", path, key) : key;
}

/* Is it a name that can be part of a path? */
static bool is_name(const char *name)
{
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");

    return n && !name[n] && n <= LONGEST_NAME;
}

static void wrong_kind(struct binder *b, const struct field *f, const struct node *n, const char *path)
{
    char expected[128];

    field_expected(f, expected, sizeof(expected));
    if (n->kind == NODE_SCALAR)
        diag_add(b->loader->diag, n->at, path, NULL, "expected %s, got %s%s%s", expected, *n->text ? "'" : "nothing",
                 diag_quote(b->loader->diag, n->text), *n->text ? "'" : "");
    else if (n->n > f->most && f->type != FIELD_MAP && n->kind == (f->type == FIELD_LIST ? NODE_LIST : NODE_MAP))
        diag_add(b->loader->diag, n->at, path, NULL, "expected %s, got %zu", expected, n->n);
    else
        diag_add(b->loader->diag, n->at, path, NULL, "expected %s, got %s", expected,
                 n->n ? tree_kind_name(n) : "an empty one");
}

static void bind_named(struct binder *b, const struct field *f, const struct node *n, const char *path, char *out)
{
    char *items = arena_alloc(b->loader->arena, n->n * f->sub->size);
    size_t used = 0;

    for (size_t i = 0; i < n->n; i++) {
        const struct entry *e = &n->entries[i];
        const char *item_path = join(b, path, e->key);
        char *item = items + used * f->sub->size;

        if (!is_name(e->key)) {
            diag_add(b->loader->diag, e->at, path, NULL, "expected a name of letters, digits, '-' and '_', got '%s'",
                     diag_quote(b->loader->diag, e->key));
        } else if (e->value->kind != NODE_MAP) {
            diag_add(b->loader->diag, e->value->at, item_path, NULL, "expected a mapping, got %s",
                     tree_kind_name(e->value));
        } else {
            memcpy(item, &e->key, sizeof(e->key)); /* the name is the first member */
            bind_map(b, f->sub, e->value, item_path, item);
            used++;
        }
    }
    memcpy(out + f->offset, &items, sizeof(items));
    memcpy(out + f->second, &used, sizeof(used));
}

static void bind_list(struct binder *b, const struct field *f, const struct node *n, const char *path, char *out)
{
    char *items = arena_alloc(b->loader->arena, n->n * f->sub->size);

    for (size_t i = 0; i < n->n; i++) {
        const char *item_path = arena_printf(b->loader->arena, "%s[%zu]", path, i);

        if (n->items[i]->kind != NODE_MAP)
            diag_add(b->loader->diag, n->items[i]->at, item_path, NULL, "expected a mapping, got %s",
                     tree_kind_name(n->items[i]));
        else
            bind_map(b, f->sub, n->items[i], item_path, items + i * f->sub->size);
    }
    memcpy(out + f->offset, &items, sizeof(items));
    memcpy(out + f->second, &n->n, sizeof(n->n));
}

static void bind_field(struct binder *b, const struct field *f, const struct node *n, const char *path, char *out)
{
    struct value v;

    if (f->flags & FIELD_PATH)
        return; /* an image of its own: reference.c */
    if (f->flags & FIELD_TABLE && n->kind == NODE_SCALAR && *n->text) {
        n = table_load(b->loader, n, path);
        if (!n)
            return;
    }
    if (field_is_value(f)) {
        if (value_read_node(b->loader, f, n, path, &v))
            value_store(f, &v, out + f->offset);
    } else if (f->type == FIELD_MAP) {
        if (n->kind == NODE_MAP)
            bind_map(b, f->sub, n, path, out + f->offset);
        else
            wrong_kind(b, f, n, path);
    } else if (n->kind != (f->type == FIELD_LIST ? NODE_LIST : NODE_MAP) || !n->n || n->n > f->most) {
        wrong_kind(b, f, n, path);
    } else if (f->type == FIELD_LIST) {
        bind_list(b, f, n, path, out);
    } else {
        bind_named(b, f, n, path, out);
    }
}

static const struct node nothing = { .kind = NODE_MAP, .text = "" };

/* A key that the map lacks: note it as missing if it is required, else store the default. */
static void bind_absent(struct binder *b, const struct field *f, unsigned selected, const struct node *map,
                        const char *path, char *out)
{
    size_t nmissing = b->nmissing;
    struct value v;

    if (field_required(f, selected)) {
        *ARENA_PUSH(b->loader->arena, b->missing, b->nmissing) = (struct missing){ join(b, path, f->key), map->at };
    } else if (f->type == FIELD_MAP && !(f->flags & FIELD_PRIVATE)) {
        struct node empty = nothing;

        empty.at = map->at;
        bind_map(b, f->sub, &empty, join(b, path, f->key), out + f->offset);
        if (f->flags & FIELD_WHOLE)
            b->nmissing = nmissing;
    } else if (f->type == FIELD_MAP) { /* texts in it must not stay NULL */
        for (size_t i = 0; i < f->sub->nfields; i++)
            if (f->sub->fields[i].type == FIELD_STRING)
                value_store(&f->sub->fields[i], &(struct value){ .text = "" },
                            out + f->offset + f->sub->fields[i].offset);
    }
    if (field_is_value(f)) {
        v = value_default(f);
        value_store(f, &v, out + f->offset);
    }
}

void bind_waive(struct binder *b, const char *path)
{
    size_t kept = 0;

    for (size_t i = 0; i < b->nmissing; i++)
        if (strcmp(b->missing[i].path, path) != 0)
            b->missing[kept++] = b->missing[i];
    b->nmissing = kept;
}

static void offer_keys(const struct schema *s, unsigned selected, struct suggest *near)
{
    for (size_t i = 0; i < s->nfields; i++) {
        const struct field *f = &s->fields[i];

        if (f->type == FIELD_PART && field_applies(f, selected))
            offer_keys(f->sub, ~0u, near);
        else if (f->type != FIELD_PART && field_applies(f, selected))
            suggest_offer(near, f->key);
    }
}

static void unknown_key(struct binder *b, const struct schema *s, const struct entry *e, unsigned selected,
                        const char *path)
{
    const struct field *f = schema_key(s, ~0u, e->key, strlen(e->key), NULL), *selector;
    struct suggest near = { .given = e->key };
    int kind = 0;

    if (f) { /* known, but not here */
        selector = schema_field(s, s->selector);
        while (!(selected & 1u << kind))
            kind++;
        diag_add(b->loader->diag, e->at, join(b, path, e->key), NULL, "expected a key of %s '%s', got '%s'",
                 s->selector, selector->names[kind], e->key);
        return;
    }
    offer_keys(s, selected, &near);
    diag_add(b->loader->diag, e->at, join(b, path, e->key), suggest_result(&near), "expected a key of the %s, got '%s'",
             s->name, diag_quote(b->loader->diag, e->key));
    if (suggest_result(&near)) /* that it is missing is the same error */
        bind_waive(b, join(b, path, suggest_result(&near)));
}

/* The selector decides which keys there are, so it is read before them. False if it is missing or wrong. */
static bool bind_selector(struct binder *b, const struct schema *s, const struct node *map, const char *path, char *out)
{
    const struct field *f = s->selector ? schema_field(s, s->selector) : NULL;
    const struct entry *e = f ? tree_entry(map, f->key) : NULL;
    struct value v;

    if (!f)
        return true;
    if (!e)
        bind_absent(b, f, ~0u, map, path, out);
    if (!e || !value_read_node(b->loader, f, e->value, join(b, path, f->key), &v)) {
        b->unselected = true;
        return false;
    }
    value_store(f, &v, out + f->offset);
    return true;
}

/* The keys of the schema and of those parts that the selector has chosen. */
static void bind_keys(struct binder *b, const struct schema *s, unsigned selected, const struct node *map,
                      const char *path, char *out)
{
    for (size_t i = 0; i < s->nfields; i++) {
        const struct field *f = &s->fields[i];
        const struct entry *e;

        if (f->type == FIELD_PART && selected != ~0u && field_applies(f, selected))
            bind_keys(b, f->sub, ~0u, map, path, out + f->offset);
        if (f->type == FIELD_PART || f->type == FIELD_OTHER || (s->selector && !strcmp(s->selector, f->key)))
            continue;
        e = tree_entry(map, f->key);
        if (!field_there(f, out))
            continue;
        if (!field_applies(f, selected)) {
            if (f->type == FIELD_STRING)
                value_store(f, &(struct value){ .text = "" }, out + f->offset);
        } else if (e) {
            bind_field(b, f, e->value, join(b, path, f->key), out);
        } else {
            bind_absent(b, f, selected, map, path, out);
        }
    }
}

void bind_map(struct binder *b, const struct schema *s, const struct node *map, const char *path, void *out)
{
    bool known = bind_selector(b, s, map, path, out);
    unsigned selected = known ? schema_selected(s, out) : ~0u;

    bind_keys(b, s, selected, map, path, out);
    for (size_t i = 0; i < map->n; i++)
        if (!schema_key(s, selected, map->entries[i].key, strlen(map->entries[i].key), NULL))
            unknown_key(b, s, &map->entries[i], selected, path);
}

static bool given_by_override(const char *path, const char *const *given, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(given[i], path))
            return true;
    return false;
}

void bind_missing(struct binder *b, const char *const *given, size_t n)
{
    for (size_t i = 0; i < b->nmissing && !b->loader->incomplete; i++) {
        const struct missing *m = &b->missing[i];
        const char *dot = strrchr(m->path, '.');

        if (!given_by_override(m->path, given, n))
            diag_add(b->loader->diag, m->at, m->path, NULL, "expected the required key '%s', got none",
                     dot ? dot + 1 : m->path);
    }
}
