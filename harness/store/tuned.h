/* tuned.h - blocks of searches for the best layout (results_schema/facts/41_tuned.sql).
 * Errors     as in store.h. */
#ifndef NARROWS_HARNESS_STORE_TUNED_H
#define NARROWS_HARNESS_STORE_TUNED_H

#include <stddef.h>
#include <stdint.h>

struct store;

enum { TUNED_MOST = 100 };

struct tuned_layout {
    size_t layout;
    double step_ps;
};

struct tuned_block {
    size_t layouts, refused, unfit, slower;
    struct tuned_layout best[TUNED_MOST]; /* the best first */
    size_t nbest;
};

/* All of it in one transaction. A block that is stored already stays as it is. */
int store_tuned(struct store *s, const char *search, size_t block, const struct tuned_block *b);

/* 1 and the block, 0 if it is not stored, or negative. */
int store_tuned_find(struct store *s, const char *search, size_t block, struct tuned_block *out);

#endif
