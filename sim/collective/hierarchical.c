/* hierarchical.c - a reduce-scatter in each machine, each shard's allreduce across machines, an all-gather in each
 * machine. */
#include "model/status.h"
#include "sim/collective/build.h"
#include "sim/collective/split.h"

static int within(struct build *b, int64_t machines, int64_t l, int64_t from_step, int64_t to_step, int64_t bytes)
{
    int rc = E_OK;

    for (int64_t m = 0; !rc && m < machines; m++)
        rc = build_ring_steps(b, (struct ring){ .first = m * l, .stride = 1, .n = l }, from_step, to_step,
                              (struct part){ .bytes = bytes });
    return rc;
}

int build_hierarchical(struct build *b, int64_t bytes)
{
    int64_t n = b->place->ranks, l = n < b->place->ranks_per_machine ? n : b->place->ranks_per_machine;

    if (n % l)
        return E_INVAL;
    int64_t machines = n / l;
    int rc = within(b, machines, l, 0, l - 1, bytes);
    /* The reduce-scatter leaves shard i + 1 with rank i. */
    for (int64_t i = 0; !rc && i < l; i++) {
        int64_t shard = (i + 1) % l;
        struct part part = { .offset = split_offset(bytes, l, shard), .bytes = split_bytes(bytes, l, shard) };
        if (machines > 1)
            rc = build_ring_steps(b, (struct ring){ .first = i, .stride = l, .n = machines }, 0, 2 * (machines - 1),
                                  part);
    }
    return rc ? rc : within(b, machines, l, l - 1, 2 * (l - 1), bytes);
}
