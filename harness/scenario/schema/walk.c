/* walk.c - one recursion over the tables. */
#include "harness/scenario/schema/walk.h"

#include <stdlib.h>
#include <string.h>

struct walker {
    char path[WALK_PATH];
    struct place place;
    visit_fn *visit;
    void *ctx;
};

void *place_in(const struct place *p, void *base)
{
    char *at = (char *)base + p->hop[0];

    for (size_t i = 1; i < p->nhops; i++) {
        char *next;

        memcpy(&next, at, sizeof(next));
        at = next + p->hop[i];
    }
    return at;
}

/* Elements of the array that a FIELD_NAMED or FIELD_LIST points to. */
static char *elements(const struct field *f, void *base, size_t *n)
{
    char *items;

    memcpy(&items, (char *)base + f->offset, sizeof(items));
    memcpy(n, (char *)base + f->second, sizeof(*n));
    return items;
}

/* The name of an element of FIELD_NAMED is the first member of its struct. */
static const char *element_name(const char *element)
{
    const char *name;

    memcpy(&name, element, sizeof(name));
    return name ? name : "";
}

static bool is_walked(const struct field *f, unsigned selected, const void *base)
{
    return field_applies(f, selected) && field_there(f, base) && f->type != FIELD_OTHER && !(f->flags & FIELD_PRIVATE);
}

static void walk_map(struct walker *w, const struct schema *s, char *base, size_t offset, size_t used);

static void walk_elements(struct walker *w, const struct field *f, char *base, size_t offset, size_t used)
{
    size_t n;
    char *items = elements(f, base, &n);
    struct place *p = &w->place;
    int written;

    if (p->nhops + 1 > PLACE_HOPS)
        return;
    p->hop[p->nhops - 1] = offset + f->offset;
    p->nhops++;
    for (size_t i = 0; i < n; i++) {
        char *item = items + i * f->sub->size;

        if (f->type == FIELD_NAMED)
            written = snprintf(w->path + used, WALK_PATH - used, ".%s", element_name(item));
        else
            written = snprintf(w->path + used, WALK_PATH - used, "[%zu]", i);
        if (written > 0 && used + (size_t)written < WALK_PATH)
            walk_map(w, f->sub, item, i * f->sub->size, used + (size_t)written);
    }
    p->nhops--;
}

/* 'base' is the struct, 'offset' its offset for the last hop, 'used' the length of the path so far. */
static void walk_map(struct walker *w, const struct schema *s, char *base, size_t offset, size_t used)
{
    unsigned selected = schema_selected(s, base);

    for (size_t i = 0; i < s->nfields; i++) {
        const struct field *f = &s->fields[i];
        int n;

        if (!is_walked(f, selected, base))
            continue;
        if (f->type == FIELD_PART) {
            walk_map(w, f->sub, base + f->offset, offset + f->offset, used);
            continue;
        }
        n = snprintf(w->path + used, WALK_PATH - used, "%s%s", used ? "." : "", f->key);
        if (n < 0 || used + (size_t)n >= WALK_PATH)
            continue;
        if (f->type == FIELD_MAP) {
            walk_map(w, f->sub, base + f->offset, offset + f->offset, used + (size_t)n);
        } else if (!field_is_value(f)) {
            walk_elements(w, f, base, offset, used + (size_t)n);
        } else {
            w->place.hop[w->place.nhops - 1] = offset + f->offset;
            w->visit(w->ctx, w->path, f, base + f->offset, &w->place);
        }
    }
}

void schema_walk(const struct schema *s, void *base, const char *prefix, visit_fn *visit, void *ctx)
{
    struct walker w = { .place = { .nhops = 1 }, .visit = visit, .ctx = ctx };
    int n = snprintf(w.path, sizeof(w.path), "%s", prefix);

    if (n >= 0 && n < WALK_PATH)
        walk_map(&w, s, base, 0, (size_t)n);
}

void schema_own_lists(const struct schema *s, void *base, struct arena *a)
{
    unsigned selected = schema_selected(s, base);

    for (size_t i = 0; i < s->nfields; i++) {
        const struct field *f = &s->fields[i];
        char *items, *copy;
        size_t n;

        if (!is_walked(f, selected, base))
            continue;
        if (f->type == FIELD_MAP || f->type == FIELD_PART)
            schema_own_lists(f->sub, (char *)base + f->offset, a);
        if (f->type != FIELD_NAMED && f->type != FIELD_LIST)
            continue;
        items = elements(f, base, &n);
        copy = n ? arena_alloc(a, n * f->sub->size) : NULL;
        if (n)
            memcpy(copy, items, n * f->sub->size);
        memcpy((char *)base + f->offset, &copy, sizeof(copy));
        for (size_t k = 0; k < n; k++)
            schema_own_lists(f->sub, copy + k * f->sub->size, a);
    }
}

/* The element that "[3]" or ".name" at *path chooses; *path moves past it. */
static char *choose(const struct field *f, char *base, const char **path)
{
    size_t n, length;
    char *items = elements(f, base, &n), *end;

    if (f->type == FIELD_LIST) {
        unsigned long index = **path == '[' ? strtoul(*path + 1, &end, 10) : n;

        if (index >= n || *end != ']')
            return NULL;
        *path = end + 1;
        return items + index * f->sub->size;
    }
    if (**path != '.')
        return NULL;
    ++*path;
    length = strcspn(*path, ".");
    for (size_t i = 0; i < n; i++) {
        const char *name = element_name(items + i * f->sub->size);

        if (strlen(name) == length && !memcmp(name, *path, length)) {
            *path += length;
            return items + i * f->sub->size;
        }
    }
    return NULL;
}

void *schema_find(const struct schema *s, void *base, const char *path, const struct field **out)
{
    for (char *at = base; at;) {
        size_t n = strcspn(path, ".["), offset;
        const struct field *f = schema_key(s, schema_selected(s, at), path, n, &offset);

        if (!f || f->type == FIELD_OTHER || (f->flags & FIELD_PRIVATE) || !field_there(f, at + offset))
            return NULL;
        at += offset;
        path += n;
        if (field_is_value(f)) {
            *out = f;
            return *path ? NULL : at + f->offset;
        }
        at = f->type == FIELD_MAP ? at + f->offset : choose(f, at, &path);
        if (!at || *path++ != '.')
            return NULL;
        s = f->sub;
    }
    return NULL;
}
