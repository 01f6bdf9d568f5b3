/* placement.h - where in a pool each buffer lies: static allocation of buffers with known lifetimes (Split-CNN, ASPLOS 2019, section
 * 4.4; in the literature dynamic storage allocation, or offset assignment).
 * Lifetimes  half-open [lower, upper) in steps of any unit; buffers whose lifetimes meet must not overlap in [offset, offset + bytes).
 * Bound      the largest sum of bytes alive at one step; no placement is lower.
 * Methods    FIRST_FIT goes through the steps in time order and takes the lowest hole that a buffer fits in (the paper's). GREEDY_SIZE
 *            places the largest first, each at the lowest offset free over its lifetime. EXACT starts from the best heuristic,
 *            then searches below it down to the bound; it keeps the best placement it has seen.
 * Budget     counts nodes of the search, so that a result depends on its inputs alone. A node of many buffers costs more than one of
 *            few, so that a search is over, too, once it has looked PLACEMENT_NODE_WORK times at a buffer or a step for each node
 *            of its budget. 'stop' (NULL: never) is asked now and then, by every method, for those who would rather count seconds: true
 *            ends the placing. There is a placement even then: what has no place yet lies on top of the rest.
 * Units      bytes and steps. */
#ifndef NARROWS_SIM_MEMORY_PLACEMENT_H
#define NARROWS_SIM_MEMORY_PLACEMENT_H

#include <stddef.h>
#include <stdint.h>

struct buffer {
    int64_t lower, upper, bytes;
    int64_t offset; /* the result */
};

enum { PLACEMENT_NODE_WORK = 1000 };

enum placement_method { PLACEMENT_FIRST_FIT, PLACEMENT_GREEDY_SIZE, PLACEMENT_EXACT, PLACEMENT_METHODS };

const char *placement_name(enum placement_method m); /* "first-fit", "greedy-by-size", "exact" */

struct placement {
    int64_t height; /* highest offset + bytes */
    int64_t bound;
    int64_t floor;  /* no placement is lower, as far as was proved: at least 'bound'; height = floor is optimal */
    uint64_t nodes; /* of the search */
    _Bool stopped;  /* the budget or 'stop' ended it, and something lower may exist */
};

struct placement_options {
    enum placement_method method;
    int64_t alignment; /* offsets are multiples of it, sizes count as rounded up to it; 0 is 1 */
    int64_t capacity;  /* good enough: the search ends at a height that fits; 0: only the bound will do */
    _Bool go_on;       /* below the capacity, too, with what is left of the budget once something fits */
    uint64_t budget;   /* nodes; 0: 10 million */
    int32_t
        large; /* more buffers than these in one part of the search: a look at them serves for several choices; 0: 512 */
    _Bool (*stop)(void *context);
    void *context;
};

/* Fills every offset. E_INVAL (a lifetime that ends before it begins, negative bytes), E_RANGE (sums past 2^62),
 * E_NOMEM. */
int placement_make(struct buffer *buffers, size_t n, const struct placement_options *options, struct placement *out);

/* The first pair that overlaps in time and space, or an offset that is negative or not aligned (*b is then *a). True if there is none. */
_Bool placement_valid(const struct buffer *buffers, size_t n, int64_t alignment, size_t *a, size_t *b);

int64_t placement_bound(const struct buffer *buffers, size_t n, int64_t alignment); /* below 0: a status */

#endif
