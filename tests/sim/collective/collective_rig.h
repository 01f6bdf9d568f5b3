/* collective_rig.h - shared by collective_test.c and collective_forms_test.c. */
#ifndef NARROWS_TESTS_SIM_COLLECTIVE_COLLECTIVE_RIG_H
#define NARROWS_TESTS_SIM_COLLECTIVE_COLLECTIVE_RIG_H

#include "tests/draw.h"
#include "tests/test.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "sim/collective/collective.h"
#include "sim/fabric/flow_player.h"
#include "tests/sanitized.h"

enum { MOST_RANKS = 64, BYTES = 40 };

static const char *const names[] = {
    "ring", "tree", "halving-doubling", "hierarchical", "bound", "ideal", "all-gather"
};

enum { ALLGATHER = COLLECTIVE_MEASURED, KINDS };
_Static_assert(COUNT(names) == KINDS, "a name for each");

/* What each rank has: for each byte of the vector, whose contributions are in it. */
struct carried {
    int task, from, to;
    int64_t offset, bytes;
    bool add;
};

/* A star of ranks: each has a way in and out between machines, and another within its machine. */
struct star {
    struct engine *e;
    int64_t ranks, per_machine;
    struct hop between, within;
    int out[2][MOST_RANKS], in[2][MOST_RANKS];
    int routes[MOST_RANKS][MOST_RANKS];
    int64_t buffered_bytes, connections; /* of trees; set by the test */
    int64_t rings;                       /* of rings, as well */
    struct carried *list;
    size_t n, capacity;
};

static inline bool inside(const struct star *s, int64_t a, int64_t b)
{
    return a / s->per_machine == b / s->per_machine;
}

static inline int64_t star_route(void *context, int64_t from, int64_t to, int64_t *latency_ps)
{
    struct star *s = context;
    int within = inside(s, from, to);
    uint32_t path[] = { (uint32_t)s->out[within][from], (uint32_t)s->in[within][to] };

    *latency_ps = within ? s->within.latency_ps : s->between.latency_ps;
    if (s->routes[from][to] < 0)
        s->routes[from][to] = engine_route(s->e, path, 2);
    return s->routes[from][to];
}

static inline int64_t star_framed(void *context, int64_t from, int64_t to, int64_t bytes)
{
    struct star *s = context;

    return bytes + (inside(s, from, to) ? s->within.framing_bytes : s->between.framing_bytes);
}

static inline void star_carries(void *context, int task, int64_t from, int64_t to, int64_t offset, int64_t bytes,
                                bool add)
{
    struct star *s = context;

    if (s->n == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 256;
        s->list = realloc(s->list, s->capacity * sizeof(*s->list));
    }
    s->list[s->n++] = (struct carried){ task, (int)from, (int)to, offset, bytes, add };
}

static inline void star_new(struct star *s, int64_t ranks, int64_t per_machine, struct hop between, struct hop within)
{
    memset(s, 0, sizeof(*s));
    memset(s->routes, -1, sizeof(s->routes));
    s->e = engine_new();
    s->ranks = ranks;
    s->per_machine = per_machine;
    s->between = between;
    s->within = within;
    for (int64_t r = 0; r < ranks; r++)
        for (int k = 0; k < 2; k++) {
            double rate_Bps = k ? within.rate_Bps : between.rate_Bps;
            s->out[k][r] = engine_channel(s->e, k ? "nvlink" : "eth", (int)(2 * r), rate_Bps);
            s->in[k][r] = engine_channel(s->e, k ? "nvlink" : "eth", (int)(2 * r + 1), rate_Bps);
        }
}

static inline void star_free(struct star *s)
{
    engine_free(s->e);
    free(s->list);
}

static inline struct collective_place place_of(struct star *s, int64_t block_bytes)
{
    return (struct collective_place){ .ranks = s->ranks,
                                      .ranks_per_machine = s->per_machine,
                                      .route = star_route,
                                      .framed = star_framed,
                                      .carries = star_carries,
                                      .context = s,
                                      .block_bytes = block_bytes,
                                      .buffered_bytes = s->buffered_bytes,
                                      .connections = s->connections,
                                      .rings = s->rings };
}

static inline struct collective_shape shape_of(const struct star *s, int64_t block_bytes)
{
    return (struct collective_shape){ .ranks = s->ranks,
                                      .ranks_per_machine = s->per_machine,
                                      .between = s->between,
                                      .within = s->within,
                                      .block_bytes = block_bytes };
}

static inline int add_collective(struct star *s, int kind, int64_t bytes, int64_t block_bytes, const int ready[],
                                 int done[])
{
    struct collective_place p = place_of(s, block_bytes);

    if (kind == ALLGATHER)
        return collective_allgather(s->e, &p, bytes, ready, done, 7, 3);
    return collective_allreduce(s->e, (enum collective_algorithm)kind, &p, bytes, ready, done, 7, 3);
}

static inline int64_t closed_ps(const struct star *s, int kind, int64_t bytes, int64_t block_bytes)
{
    struct collective_shape shape = shape_of(s, block_bytes);

    if (kind == ALLGATHER)
        return collective_allgather_ps(&shape, bytes);
    return collective_allreduce_ps((enum collective_algorithm)kind, &shape, bytes);
}

static const struct hop slow = { 1.25e9, 10000000, 0 }, instant = { 1e9, 0, 0 }, odd = { 7.77e8, 123457, 78 },
                        fast = { 25e9, 1700000, 0 };

/* Which byte counts: nothing, fewer than ranks, about as many, primes, and many. */
static inline int64_t byte_count(int k, int64_t n)
{
    const int64_t counts[] = { 0, 1, 2, n - 1, n, n + 1, 2 * n + 3, 97, 104729, 1000003, 16777216 };

    return k < (int)COUNT(counts) ? counts[k] : -1;
}

/* 1 to 17, 31 to 33, 64. */
static inline int64_t next_ranks(int64_t n)
{
    return n < 17 ? n + 1 : n == 17 ? 31 : n == 31 || n == 32 ? n + 1 : n == 33 ? 64 : 65;
}

#endif
