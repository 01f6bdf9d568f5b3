/* placement_rig.h - shared by the tests of placements. */
#ifndef NARROWS_TESTS_MODEL_PLACEMENT_PLACEMENT_RIG_H
#define NARROWS_TESTS_MODEL_PLACEMENT_PLACEMENT_RIG_H

#include "model/placement/placement.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "tests/draw.h"
#include "tests/test.h"

enum { MOST = 4096 };

/* Without gaps and an alignment. */
#define BUFFER(lower_, upper_, bytes_, offset_)                                      \
    {                                                                                \
        .lower = (lower_), .upper = (upper_), .bytes = (bytes_), .offset = (offset_) \
    }

static inline int64_t below(uint64_t *seed, int64_t n)
{
    return (int64_t)(draw(seed) % (uint64_t)n);
}

static inline struct placement place(struct buffer *b, size_t n, struct placement_options o)
{
    struct placement p;
    size_t i, j;
    int64_t height = 0, unit = o.alignment ? o.alignment : 1;
    int rc = placement_make(b, n, &o, &p);

    if (rc)
        fail_msg("%s: answered %d", placement_name(o.method), rc);
    if (!placement_valid(b, n, o.alignment, &i, &j))
        fail_msg("%s: %zu and %zu overlap or are not aligned", placement_name(o.method), i, j);
    for (i = 0; i < n; i++)
        if (b[i].offset + (b[i].bytes + unit - 1) / unit * unit > height)
            height = b[i].offset + (b[i].bytes + unit - 1) / unit * unit;
    assert_int_equal(p.height, height);
    assert_int_equal(p.bound, placement_bound(b, n, o.alignment));
    assert_true(p.bound <= p.floor && p.floor <= p.height);
    return p;
}

static inline void draw_buffers(uint64_t *seed, struct buffer *b, size_t n, int64_t steps, int64_t longest,
                                int64_t largest)
{
    for (size_t i = 0; i < n; i++) {
        int64_t lower = below(seed, steps);
        b[i] = (struct buffer)BUFFER(lower, lower + 1 + below(seed, longest), 0, 0);
        b[i].bytes = 1 + below(seed, largest);
        b[i].offset = -77;
    }
}

static inline bool meet(const struct buffer *a, const struct buffer *b)
{
    return a->lower < b->upper && b->lower < a->upper;
}

/* A rectangle cut up at random: its height is the optimum, and the bound. */
static inline void cut(uint64_t *seed, struct buffer *b, size_t n, int64_t steps, int64_t height)
{
    b[0] = (struct buffer)BUFFER(0, steps, height, 0);
    for (size_t have = 1; have < n;) {
        struct buffer *x = &b[below(seed, (int64_t)have)];
        int64_t length = x->upper - x->lower;
        if (below(seed, 2) && length > 1) {
            b[have] = *x;
            b[have++].lower = x->upper = x->lower + 1 + below(seed, length - 1);
        } else if (x->bytes > 1) {
            b[have] = *x;
            x->bytes = 1 + below(seed, x->bytes - 1);
            b[have++].bytes -= x->bytes;
        }
    }
}

#endif
