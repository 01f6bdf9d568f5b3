/* sent.c - how many bytes the busiest rank of an allreduce sends. */
#include <stdlib.h>

#include "model/status.h"
#include "sim/collective/split.h"
#include "sim/collective/steps.h"
#include "sim/collective/tree.h"

/* A rank sends every chunk twice, but for two neighbours once each: the busiest spares two of the shorter ones. */
static int64_t ring(int64_t n, int64_t bytes)
{
    int64_t least = INT64_MAX;

    for (int64_t i = n > 3 ? n - 3 : 0; i < n; i++) { /* the shorter ones come last */
        int64_t spared = split_bytes(bytes, n, i) + split_bytes(bytes, n, (i + 1) % n);
        least = spared < least ? spared : least;
    }
    return n > 1 ? 2 * bytes - least : 0;
}

static int64_t hierarchical(const struct collective_shape *s, int64_t bytes)
{
    int64_t within = s->ranks < s->ranks_per_machine ? s->ranks : s->ranks_per_machine, machines = s->ranks / within;
    int64_t most = 0;

    for (int64_t i = 0; i < within; i++) {
        int64_t shard = split_bytes(bytes, within, i), next = split_bytes(bytes, within, (i + 1) % within);
        /* Scattered all but its shard, gathered all but the next one: the one its neighbour had itself. */
        int64_t inside = within > 1 ? 2 * bytes - shard - next : 0, sum = inside + ring(machines, shard);
        most = sum > most ? sum : most;
    }
    return most;
}

/* Rank 0: what it still shares halves from step to step, and it sends the one half early and the other late. */
static int64_t halving_doubling(int64_t n, int64_t bytes)
{
    int64_t core = (int64_t)1 << (63 - __builtin_clzll((unsigned long long)n)), sum = n > core ? bytes : 0;

    for (int64_t shared = core; shared > 1; shared /= 2)
        sum += split_offset(bytes, core, shared);
    return sum;
}

/* Each tree's half once up, unless at the root, and once down to each child. */
static int64_t tree(int64_t n, int64_t bytes)
{
    struct tree t;
    int64_t most = 0;
    int rc = tree_make(&t, n);

    for (int64_t r = 0; !rc && r < n; r++) {
        int64_t sum = 0;
        for (int k = 0; k < 2; k++) {
            sum += t.edges[k * n + r].parent >= 0 ? split_bytes(bytes, 2, k) : 0;
            sum += t.into[r][k] >= 0 ? split_bytes(bytes, 2, t.into[r][k] / n) : 0;
        }
        most = sum > most ? sum : most;
    }
    if (!rc)
        tree_free(&t);
    return rc ? rc : most;
}

int64_t collective_allreduce_sent(enum collective_algorithm a, const struct collective_shape *s, int64_t bytes)
{
    struct collective_shape small = *s;
    struct steps steps;

    if (a == COLLECTIVE_TREE)
        small.block_bytes = INT64_MAX; /* however many blocks, they are as many bytes */
    int rc = steps_of(a, &small, bytes, &steps);
    if (rc)
        return rc;
    if (s->ranks == 1 || !bytes)
        return 0;
    switch (a) {
    case COLLECTIVE_RING: return ring(s->ranks, bytes);
    case COLLECTIVE_TREE: return tree(s->ranks, bytes);
    case COLLECTIVE_HALVING_DOUBLING: return halving_doubling(s->ranks, bytes);
    case COLLECTIVE_HIERARCHICAL: return hierarchical(s, bytes);
    default: return steps.list[0].bytes;
    }
}
