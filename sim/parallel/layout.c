#include "sim/parallel/layout.h"

#include <stdbool.h>
#include <stdlib.h>

int64_t parallel_replicas(const struct parallel *p)
{
    return p->degree[AXIS_DATA] * p->degree[AXIS_CONTEXT];
}

int64_t parallel_shard(const struct parallel *p)
{
    return p->shard > 0 ? p->shard : parallel_replicas(p);
}

int64_t parallel_ranks(const struct parallel *p)
{
    return parallel_replicas(p) * p->degree[AXIS_TENSOR] * p->degree[AXIS_PIPELINE];
}

void parallel_place(const struct parallel *p, int64_t rank, int64_t at[AXES])
{
    for (int i = 0; i < AXES; i++) {
        enum rank_axis a = p->order[i];
        at[a] = rank % p->degree[a];
        rank /= p->degree[a];
    }
}

int64_t parallel_rank(const struct parallel *p, const int64_t at[AXES])
{
    int64_t rank = 0;

    for (int i = AXES; i-- > 0;)
        rank = rank * p->degree[p->order[i]] + at[p->order[i]];
    return rank;
}

/* The rank that differs from the one at 'at' in being replica number 'replica'. */
static int64_t of_replica(const struct parallel *p, const int64_t at[AXES], int64_t replica)
{
    int64_t there[AXES];

    for (int a = 0; a < AXES; a++)
        there[a] = at[a];
    there[AXIS_CONTEXT] = replica % p->degree[AXIS_CONTEXT];
    there[AXIS_DATA] = replica / p->degree[AXIS_CONTEXT];
    return parallel_rank(p, there);
}

/* The replicas first, first + stride, ... */
static int64_t replicas(const struct parallel *p, const int64_t at[AXES], int64_t first, int64_t stride, int64_t n,
                        int64_t out[])
{
    for (int64_t i = 0; i < n; i++)
        out[i] = of_replica(p, at, first + i * stride);
    return n;
}

static int64_t along(const struct parallel *p, const int64_t at[AXES], enum rank_axis a, int64_t out[])
{
    int64_t there[AXES];

    for (int i = 0; i < AXES; i++)
        there[i] = at[i];
    for (int64_t i = 0; i < p->degree[a]; i++) {
        there[a] = i;
        out[i] = parallel_rank(p, there);
    }
    return p->degree[a];
}

/* Keeps of a shard group, in ascending order, those on the rank's machine, or those at its position on theirs. */
static int64_t keep(const struct parallel *p, bool within, int64_t rank, int64_t n, int64_t out[])
{
    int64_t kept = 0, position = 0, machine = -1, before = 0;

    for (int64_t i = 0; i < n && out[i] != rank; i++)
        position += out[i] / p->gpus_per_machine == rank / p->gpus_per_machine;
    for (int64_t i = 0; i < n; i++) {
        int64_t here = out[i] / p->gpus_per_machine;
        before = here == machine ? before + 1 : 0;
        machine = here;
        if (within ? here == rank / p->gpus_per_machine : before == position)
            out[kept++] = out[i];
    }
    return kept;
}

static int by_rank(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Rings go from machine to machine, whatever the order of the axes. */
static int64_t ascending(int64_t n, int64_t out[])
{
    for (int64_t i = 1; i < n; i++)
        if (out[i] < out[i - 1]) {
            qsort(out, (size_t)n, sizeof(*out), by_rank);
            break;
        }
    return n;
}

int64_t group_ranks(const struct parallel *p, enum rank_group g, int64_t rank, int64_t out[])
{
    int64_t at[AXES], n = parallel_replicas(p), shard = parallel_shard(p), replica;

    parallel_place(p, rank, at);
    replica = at[AXIS_DATA] * p->degree[AXIS_CONTEXT] + at[AXIS_CONTEXT];
    switch (g) {
    case GROUP_TENSOR: return along(p, at, AXIS_TENSOR, out);
    case GROUP_CONTEXT: return along(p, at, AXIS_CONTEXT, out);
    case GROUP_STAGES: return along(p, at, AXIS_PIPELINE, out);
    case GROUP_EXPERT: return ascending(replicas(p, at, replica / p->expert * p->expert, 1, p->expert, out), out);
    case GROUP_EXPERT_COPY: return ascending(replicas(p, at, replica % p->expert, p->expert, n / p->expert, out), out);
    case GROUP_SHARD_COPY: return ascending(replicas(p, at, replica % shard, shard, n / shard, out), out);
    default: break;
    }
    n = ascending(replicas(p, at, replica / shard * shard, 1, shard, out), out);
    return g == GROUP_SHARD ? n : keep(p, g == GROUP_SHARD_WITHIN, rank, n, out);
}

/* Of 'n' replicas from the first on, how many are on the rank's machine and below 'end'. */
static int64_t on_machine(const struct parallel *p, const int64_t at[AXES], int64_t first, int64_t n, int64_t rank,
                          int64_t end)
{
    int64_t found = 0;

    for (int64_t i = 0; i < n; i++) {
        int64_t other = of_replica(p, at, first + i);
        found += other / p->gpus_per_machine == rank / p->gpus_per_machine && other < end;
    }
    return found;
}

int64_t group_size(const struct parallel *p, enum rank_group g, int64_t rank)
{
    int64_t shard = parallel_shard(p), n = 0, at[AXES], first, position;

    switch (g) {
    case GROUP_TENSOR: return p->degree[AXIS_TENSOR];
    case GROUP_CONTEXT: return p->degree[AXIS_CONTEXT];
    case GROUP_STAGES: return p->degree[AXIS_PIPELINE];
    case GROUP_EXPERT: return p->expert;
    case GROUP_EXPERT_COPY: return parallel_replicas(p) / p->expert;
    case GROUP_SHARD_COPY: return parallel_replicas(p) / shard;
    case GROUP_SHARD: return shard;
    default: break;
    }
    parallel_place(p, rank, at);
    first = (at[AXIS_DATA] * p->degree[AXIS_CONTEXT] + at[AXIS_CONTEXT]) / shard * shard;
    if (g == GROUP_SHARD_WITHIN)
        return on_machine(p, at, first, shard, rank, INT64_MAX);
    position = on_machine(p, at, first, shard, rank, rank);
    for (int64_t i = 0; i < shard; i++) {
        int64_t other = of_replica(p, at, first + i);
        n += on_machine(p, at, first, shard, other, other) == position;
    }
    return n;
}
