/* bind.h - fills a struct from a tree, by the tables. */
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

/* Fill the struct at 'out' from the map, with defaults for what is not given. Errors are added. 'path' goes
 * before the keys in messages, "" for none. */
void bind_map(struct binder *b, const struct schema *s, const struct node *map, const char *path, void *out);

/* Treat the key at 'path' as not required. */
void bind_waive(struct binder *b, const char *path);

/* Add an error for each missing key that is not among the n given paths. */
void bind_missing(struct binder *b, const char *const *given, size_t n);

#endif
