/* bind.h - a tree into a struct, by the tables. */
#ifndef NARROWS_HARNESS_SCENARIO_SCHEMA_BIND_H
#define NARROWS_HARNESS_SCENARIO_SCHEMA_BIND_H

#include "harness/scenario/schema/schema.h"
#include "harness/scenario/yaml/load.h"
#include "harness/scenario/yaml/tree.h"

/* A required key that its file does not give. It becomes an error only if no override gives it either. */
struct missing {
    const char *path;
    struct mark at; /* of the mapping that lacks it */
};

struct binder {
    struct loader *loader;
    struct missing *missing;
    size_t nmissing;
    bool unselected; /* a selector was missing or wrong: keys that depend on it are not known */
};

/* Fill the struct at 'out' from the map: what is not given gets its default, and every error is added. 'path' goes
 * before the keys in messages, "" for none. */
void bind_map(struct binder *b, const struct schema *s, const struct node *map, const char *path, void *out);

/* The key at 'path' need not stand there after all. */
void bind_waive(struct binder *b, const char *path);

/* Make errors of the missing keys that are not among the n paths given. */
void bind_missing(struct binder *b, const char *const *given, size_t n);

/* A name that can stand in a path: letters, digits, '-' and '_', at most 64. */
bool bind_name_ok(const char *name);

#endif
