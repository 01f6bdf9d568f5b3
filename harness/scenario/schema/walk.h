/* walk.h - visits every value of a bound struct with its path, and finds the value of a path. */
#ifndef NARROWS_HARNESS_SCENARIO_SCHEMA_WALK_H
#define NARROWS_HARNESS_SCENARIO_SCHEMA_WALK_H

#include "harness/scenario/schema/schema.h"
#include "harness/scenario/yaml/arena.h"

enum { WALK_PATH = 1024, PLACE_HOPS = 20 };

/* The way from a struct to a value in it: add hop[0], then for each further hop follow the pointer found there and add.
 * Valid for every struct with the same lists, such as a copy. */
struct place {
    size_t nhops;
    size_t hop[PLACE_HOPS];
};

void *place_in(const struct place *p, void *base);

/* Called for each value in schema order. 'at' is its address; path and place are valid during the call. */
typedef void visit_fn(void *ctx, const char *path, const struct field *f, void *at, const struct place *place);

/* Visit all values that paths reach: fields of other kinds, private ones and those without a value are skipped.
 * 'prefix' goes before every path ("platform"), "" for none. */
void schema_walk(const struct schema *s, void *base, const char *prefix, visit_fn *visit, void *ctx);

/* Copy every list that the struct at base points to, directly or through lists, into the arena, so that base shares
 * none. */
void schema_own_lists(const struct schema *s, void *base, struct arena *a);

/* The value at 'path', or NULL if none is there; its row in *f. */
void *schema_find(const struct schema *s, void *base, const char *path, const struct field **f);

#endif
