/* ring.c - each rank passes on what it got in the step before: reduce-scatter, all-gather, and both as an allreduce. */
#include <stdlib.h>

#include "model/status.h"
#include "sim/collective/build.h"
#include "sim/collective/split.h"

static struct part part_of(const struct build *b, struct part vector, int64_t n, int64_t i)
{
    if (b->payload_at)
        return (struct part){ b->payload_at[i], b->payload_at[i + 1] - b->payload_at[i], i };
    return (struct part){ vector.offset + split_offset(vector.bytes, n, i), split_bytes(vector.bytes, n, i), i };
}

int build_ring_steps(struct build *b, struct ring ring, int64_t from_step, int64_t to_step, struct part vector)
{
    int *sent = malloc((size_t)ring.n * sizeof(*sent));

    if (!sent)
        return E_NOMEM;
    for (int64_t s = from_step; s < to_step; s++) {
        for (int64_t i = 0; i < ring.n; i++) {
            int64_t from = ring.first + i * ring.stride, to = ring.first + (i + 1) % ring.n * ring.stride;
            int64_t chunk = ((i - s) % ring.n + ring.n) % ring.n;
            sent[i] = build_transfer(b, from, to, part_of(b, vector, ring.n, chunk), s < ring.n - 1);
            build_after(b, sent[i], from);
            if (s == from_step && !b->place->payloads)
                build_after(b, sent[i], to); /* later the receiver is ready: its last receipt was this sender's last */
        }
        for (int64_t i = 0; i < ring.n; i++) {
            b->held[ring.first + i * ring.stride].sent = sent[i];
            b->held[ring.first + (i + 1) % ring.n * ring.stride].got = sent[i];
        }
    }
    free(sent);
    return E_OK;
}

int build_ring(struct build *b, int64_t bytes)
{
    int64_t n = b->place->ranks;

    return build_ring_steps(b, (struct ring){ .stride = 1, .n = n }, 0, 2 * (n - 1), (struct part){ .bytes = bytes });
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
