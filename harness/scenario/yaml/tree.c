/* tree.c - looking up, naming, merging nodes. */
#include "harness/scenario/yaml/tree.h"

#include <stdlib.h>
#include <string.h>

const struct entry *tree_entry(const struct node *map, const char *key)
{
    for (size_t i = 0; map->kind == NODE_MAP && i < map->n; i++)
        if (!strcmp(map->entries[i].key, key))
            return &map->entries[i];
    return NULL;
}

const char *tree_kind_name(const struct node *n)
{
    static const char *const names[] = {
        [NODE_SCALAR] = "a single value", [NODE_LIST] = "a list", [NODE_MAP] = "a mapping"
    };

    return n->kind == NODE_SCALAR && !*n->text ? "nothing" : names[n->kind];
}

/* Step into the map or list; NULL if it has no such key or index. *path advances. */
static const struct node *step(const struct node *n, const char **path, struct mark *at)
{
    size_t size = strcspn(*path, ".[");
    char *end;

    if (**path == '[') {
        unsigned long index = strtoul(*path + 1, &end, 10);

        if (n->kind != NODE_LIST || index >= n->n || *end != ']')
            return NULL;
        *path = end + 1;
        *at = n->items[index]->at;
        return n->items[index];
    }
    for (size_t i = 0; n->kind == NODE_MAP && i < n->n; i++) {
        const struct entry *e = &n->entries[i];

        if (strlen(e->key) == size && !memcmp(e->key, *path, size)) {
            *path += size;
            *at = e->at;
            return e->value;
        }
    }
    return NULL;
}

bool tree_locate(const struct node *tree, const char *path, struct mark *at)
{
    const struct entry *value;

    *at = tree->at;
    while (*path) {
        path += *path == '.';
        tree = step(tree, &path, at);
        if (!tree)
            return false;
    }
    if (tree->kind == NODE_MAP && (value = tree_entry(tree, "value"))) /* a figure with its source */
        tree = value->value;
    if (tree->kind == NODE_SCALAR && *tree->text) {
        *at = tree->at;
        at->column += tree->quoted;
    }
    return true;
}

const struct node *tree_merge(struct arena *a, const struct node *under, const struct node *over, const char *without)
{
    struct node *out;

    if (under->kind != NODE_MAP || over->kind != NODE_MAP)
        return over;
    out = ARENA_NEW(a, struct node);
    *out = *over;
    out->entries = ARENA_ARRAY(a, struct entry, under->n + over->n);
    out->n = 0;
    for (size_t i = 0; i < under->n; i++)
        if (!tree_entry(over, under->entries[i].key))
            out->entries[out->n++] = under->entries[i];
    for (size_t i = 0; i < over->n; i++) {
        const struct entry *e = &over->entries[i], *below = tree_entry(under, e->key);

        if (without && !strcmp(e->key, without))
            continue;
        out->entries[out->n] = *e;
        if (below)
            out->entries[out->n].value = tree_merge(a, below->value, e->value, NULL);
        out->n++;
    }
    return out;
}
