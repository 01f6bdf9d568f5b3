/* placement.h - where in a pool each buffer lies: static allocation of buffers with known lifetimes (Split-CNN, ASPLOS
 * 2019, section 4.4; dynamic storage allocation or offset assignment in the literature).
 * Lifetimes  half-open [lower, upper), in steps of any unit. Buffers whose lifetimes intersect must not overlap in
 *            [offset, offset + bytes).
 * Gaps       of a buffer: parts of its lifetime, in time order and without overlap, in which other buffers may use its
 *            addresses, except those of the gap's window.
 * Alignment  a buffer's offset is a multiple of its own and of that of all; its size counts as rounded up to that of
 *            all, and a window as rounded outwards.
 * Bound      the largest sum of bytes in use at one step; no placement is lower.
 * Methods    FIRST_FIT (the paper's) takes the buffers in time order and gives each the lowest hole that it fits in.
 *            GREEDY_SIZE places the largest first, each at the lowest offset that is free over its lifetime. EXACT
 *            takes the best of several such heuristics and searches for lower placements, down to the bound; it returns
 *            the best it found. Of buffers with gaps or alignments of their own it searches among up to 8192; where
 *            gaps have windows, it proves no more than the bound.
 * Budget     counts nodes of the search tree, so that a result depends on its inputs alone. A node with many buffers
 *            costs more than one with few, so the search also ends after PLACEMENT_NODE_WORK visits of a buffer or
 *            section for each node of the budget. Every method calls 'stop' (NULL: never) now and then, so that callers
 *            can limit the time: true ends the search. There is a placement even then: buffers not yet placed are
 *            stacked on top of the others.
 * Units      bytes and steps. */
#ifndef NARROWS_MODEL_PLACEMENT_PLACEMENT_H
#define NARROWS_MODEL_PLACEMENT_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In [lower, upper) only the window of the buffer's bytes [from, to) is in use: nothing if they are equal. */
struct buffer_gap {
    int64_t lower, upper, from, to;
};

struct buffer {
    int64_t lower, upper, bytes;
    int64_t offset;    /* the result */
    int64_t alignment; /* 0 is 1 */
    const struct buffer_gap *gaps;
    size_t ngaps;
};

enum { PLACEMENT_NODE_WORK = 1000 };

enum placement_method { PLACEMENT_FIRST_FIT, PLACEMENT_GREEDY_SIZE, PLACEMENT_EXACT, PLACEMENT_METHODS };

const char *placement_name(enum placement_method m); /* "first-fit", "greedy-by-size", "exact" */

struct placement {
    int64_t height; /* highest offset + bytes */
    int64_t bound;
    int64_t floor;  /* the best lower bound that was proved, at least 'bound'; height = floor is optimal */
    uint64_t nodes; /* of the search */
    bool stopped;   /* the budget or 'stop' ended it, and something lower may exist */
};

struct placement_options {
    enum placement_method method;
    int64_t alignment; /* offsets are multiples of it, sizes count as rounded up to it; 0 is 1 */
    int64_t capacity;  /* the search ends at a height that fits in it; 0: only the bound is low enough */
    bool go_on;        /* once something fits in the capacity, spend the rest of the budget on lower placements */
    uint64_t budget;   /* nodes; 0: 10 million */
    int32_t large;     /* a subproblem of more buffers makes several choices for each analysis of it; 0: 512 */
    bool (*stop)(void *context);
    void *context;
};

/* Fills every offset. E_INVAL (a lifetime that ends before it begins, negative bytes, gaps that are not as above),
 * E_RANGE (sums past 2^62, alignments included), E_NOMEM. */
int placement_make(struct buffer *buffers, size_t n, const struct placement_options *options, struct placement *out);

/* False, with the first pair that overlaps in time and space, or the first offset that is negative or not aligned (*b =
 * *a). */
bool placement_valid(const struct buffer *buffers, size_t n, int64_t alignment, size_t *a, size_t *b);

/* Whether both use an address at one time; '*at' is the first such time. */
bool placement_overlap(const struct buffer *a, const struct buffer *b, int64_t *at);

int64_t placement_bound(const struct buffer *buffers, size_t n, int64_t alignment); /* below 0: a status */

#endif
