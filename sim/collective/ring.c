/* ring.c - each rank passes on what it got in the step before: reduce-scatter, all-gather, and both as an allreduce. */
#include <stdlib.h>
#include <string.h>

#include "model/numbers.h"
#include "model/status.h"
#include "sim/collective/build.h"
#include "sim/collective/split.h"

static struct part part_of(const struct build *b, struct part vector, int64_t n, int64_t i)
{
    if (b->payload_at)
        return (
            struct part){ .offset = b->payload_at[i], .bytes = b->payload_at[i + 1] - b->payload_at[i], .payload = i };
    return (struct part){ .offset = vector.offset + split_offset(vector.bytes, n, i),
                          .bytes = split_bytes(vector.bytes, n, i),
                          .payload = i };
}

/* The rank at a place of the ring; after the last comes the first. */
static int64_t rank_at(const struct build *b, struct ring ring, int64_t place)
{
    int64_t rank = ring.first + (place < ring.n ? place : 0) * ring.stride;

    if (!ring.turn)
        return rank;
    int64_t l = b->place->ranks_per_machine, first = rank / l * l;
    return first + (rank - first + ring.turn) % min64(l, b->place->ranks - first);
}

int build_ring_steps(struct build *b, struct ring ring, int64_t from_step, int64_t to_step, struct part vector)
{
    int *sent = malloc((size_t)ring.n * sizeof(*sent));

    if (!sent)
        return E_NOMEM;
    for (int64_t s = from_step; s < to_step; s++) {
        for (int64_t i = 0; i < ring.n; i++) {
            int64_t from = rank_at(b, ring, i), to = rank_at(b, ring, i + 1);
            int64_t chunk = ((i - s) % ring.n + ring.n) % ring.n;
            sent[i] = build_transfer(b, from, to, part_of(b, vector, ring.n, chunk), s < ring.n - 1);
            build_after(b, sent[i], from);
            if (s == from_step && !b->place->payloads)
                build_after(b, sent[i], to); /* later the receiver is ready: its last receipt was this sender's last */
        }
        for (int64_t i = 0; i < ring.n; i++) {
            b->held[rank_at(b, ring, i)].sent = sent[i];
            b->held[rank_at(b, ring, i + 1)].got = sent[i];
        }
    }
    free(sent);
    return E_OK;
}

/* Each of several rings starts when its ranks are ready and leaves in held[] what they wait for, n for each ring. */
static int build_rings(struct build *b, int64_t bytes, struct held held[])
{
    const struct held *ready = b->held;
    int64_t n = b->place->ranks, rings = b->place->rings, l = min64(b->place->ranks_per_machine, n);
    int rc = E_OK;

    for (int64_t i = 0; !rc && i < rings; i++) {
        struct part part = { .offset = split_offset(bytes, rings, i), .bytes = split_bytes(bytes, rings, i) };
        struct build one = *b;
        one.held = memcpy(held + i * n, ready, (size_t)n * sizeof(*held));
        rc = build_ring_steps(&one, (struct ring){ .stride = 1, .n = n, .turn = i * l / rings }, 0, 2 * (n - 1), part);
    }
    return rc;
}

/* A rank has the result when it has that of all rings. */
static void join_rings(struct build *b, const struct held held[])
{
    int64_t n = b->place->ranks;

    for (int64_t r = 0; r < n; r++) {
        int all = engine_sync(b->e);
        engine_place(b->e, all,
                     &(struct task_place){ .work = WORK_ORDER, .rank = (int32_t)r, .peer = -1, .tensor = -1 });
        for (int64_t i = 0; i < b->place->rings; i++) {
            b->held[r] = held[i * n + r];
            build_after(b, all, r);
        }
        b->held[r] = (struct held){ .sent = all, .got = all };
    }
}

int build_ring(struct build *b, int64_t bytes)
{
    int64_t n = b->place->ranks;

    if (b->place->rings <= 1)
        return build_ring_steps(b, (struct ring){ .stride = 1, .n = n }, 0, 2 * (n - 1),
                                (struct part){ .bytes = bytes });
    struct held *held = calloc((size_t)(b->place->rings * n), sizeof(*held));
    int rc = held ? build_rings(b, bytes, held) : E_NOMEM;
    if (!rc)
        join_rings(b, held);
    free(held);
    return rc;
}

int build_reduce_scatter(struct build *b, int64_t bytes)
{
    int64_t n = b->place->ranks;

    return build_ring_steps(b, (struct ring){ .stride = 1, .n = n }, 0, n - 1, (struct part){ .bytes = bytes });
}

/* The vector is all payloads one after another; rank i has part i, as if a reduce-scatter had left it there a step
 * before it passes it on: in step n of a ring, which sends part i - n. */
int build_allgather(struct build *b, int64_t bytes)
{
    int64_t n = b->place->ranks, *at = calloc((size_t)n + 1, sizeof(*at));
    int rc = at ? E_OK : E_NOMEM;

    for (int64_t i = 0; !rc && i < n; i++)
        if (__builtin_add_overflow(at[i], b->place->payloads ? b->place->payloads[i] : bytes, &at[i + 1]))
            rc = E_RANGE;
    b->payload_at = at;
    if (!rc)
        rc = build_ring_steps(b, (struct ring){ .stride = 1, .n = n }, n, 2 * n - 1, (struct part){ .bytes = at[n] });
    b->payload_at = NULL;
    free(at);
    return rc;
}
