/* buffers.c - greedy-by-size of drawn buffers: what it costs to place many. Lifetimes begin anywhere in the span and
 * are up to a fifth, a half or all of it; equal sizes; gaps, with an alignment for each buffer. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/bench/sim/case.h"
#include "harness/host/clock.h"
#include "harness/status.h"
#include "model/placement/placement.h"
#include "model/split/splitmix64.h"
#include "model/status.h"

struct drawing {
    int64_t part; /* of the span, the longest lifetime: 1 / part */
    int64_t largest;
    bool gaps;
};

static int64_t below(uint64_t *state, int64_t n)
{
    return (int64_t)(splitmix64(state) % (uint64_t)n);
}

/* The middle third of a lifetime is a gap, in which every other buffer uses a window. */
static void add_gap(uint64_t *seed, struct buffer *b, struct buffer_gap *gap)
{
    int64_t third = (b->upper - b->lower) / 3;

    b->alignment = 512 * (1 + below(seed, 8));
    if (!third)
        return;
    *gap = (struct buffer_gap){ b->lower + third, b->upper - third, 0, 0 };
    if (below(seed, 2)) {
        gap->from = below(seed, b->bytes);
        gap->to = gap->from + 1 + below(seed, b->bytes - gap->from);
    }
    b->gaps = gap;
    b->ngaps = 1;
}

static void draw(const struct drawing *d, struct buffer *list, struct buffer_gap *gaps, int64_t n)
{
    uint64_t seed = 1;

    for (int64_t k = 0; k < n; k++) {
        list[k].lower = below(&seed, n);
        list[k].upper = list[k].lower + 1 + below(&seed, n / d->part);
        list[k].bytes = 1 + below(&seed, d->largest);
        if (d->gaps)
            add_gap(&seed, &list[k], &gaps[k]);
    }
}

static int place(const struct sim_case *c, struct sim_result *r, const struct drawing *d)
{
    const struct placement_options options = { .method = PLACEMENT_GREEDY_SIZE, .alignment = 512 };
    size_t n = (size_t)c->size, i, j;
    struct buffer *list = calloc(n, sizeof(*list));
    struct buffer_gap *gaps = calloc(n, sizeof(*gaps));
    struct placement found;
    int rc = list && gaps ? E_OK : E_NOMEM;

    if (!rc) {
        draw(d, list, gaps, c->size);
        int64_t began = clock_ns();

        rc = placement_make(list, n, &options, &found);
        r->elapsed_ns = clock_ns() - began;
        r->events = c->size;
    }
    if (!rc && !placement_valid(list, n, options.alignment, &i, &j))
        rc = E_INVAL;
    if (rc)
        fprintf(stderr, "narrows bench: sim: %zu buffers could not be placed apart\n", n);
    free(list);
    free(gaps);
    return rc ? NW_ESIM : NW_OK;
}

int run_buffers(const struct sim_case *c, struct sim_result *r)
{
    return place(c, r, &(struct drawing){ 5, 1 << 30, false });
}

int run_buffers_half(const struct sim_case *c, struct sim_result *r)
{
    return place(c, r, &(struct drawing){ 2, 1 << 30, false });
}

int run_buffers_span(const struct sim_case *c, struct sim_result *r)
{
    return place(c, r, &(struct drawing){ 1, 1 << 30, false });
}

int run_buffers_equal(const struct sim_case *c, struct sim_result *r)
{
    return place(c, r, &(struct drawing){ 1, 1, false });
}

int run_buffers_gaps(const struct sim_case *c, struct sim_result *r)
{
    return place(c, r, &(struct drawing){ 2, 1 << 30, true });
}
