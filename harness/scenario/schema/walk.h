/* walk.h - every value in a bound struct with its path, and the way back from a path to its value. */
#ifndef NARROWS_HARNESS_SCENARIO_SCHEMA_WALK_H
#define NARROWS_HARNESS_SCENARIO_SCHEMA_WALK_H

#include "harness/scenario/schema/schema.h"
#include "harness/scenario/yaml/arena.h"

enum { WALK_PATH = 1024, PLACE_HOPS = 20 };

/* Where a value lies, seen from a struct: add hop[0], then for each further hop follow the pointer found there and add.
 * It holds for every struct with the same lists, so for a copy too. */
struct place {
    size_t nhops;
    size_t hop[PLACE_HOPS];
};

void *place_in(const struct place *p, void *base);

/* Called for each value in schema order. 'at' is its address; path and place hold during the call. */
typedef void visit_fn(void *ctx, const char *path, const struct field *f, void *at, const struct place *place);

/* Visit all that paths reach: fields that the layer's kind does not have, and private and unstored ones, are skipped.
 * 'prefix' goes before every path ("platform"), "" for none. */
void schema_walk(const struct schema *s, void *base, const char *prefix, visit_fn *visit, void *ctx);

/* Copy every list that the struct at base points to, and theirs, into the arena: base is then nobody else's. */
void schema_own_lists(const struct schema *s, void *base, struct arena *a);

/* The value at 'path', or NULL if none is there; its row in *f. */
void *schema_find(const struct schema *s, void *base, const char *path, const struct field **f);

#endif
