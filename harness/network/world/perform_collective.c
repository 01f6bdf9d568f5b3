/* perform_collective.c - MPI's own collectives, timed one by one; the values of the last one are looked at. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "harness/host/clock.h"
#include "harness/network/collective.h"
#include "harness/network/world/perform.h"
#include "harness/status.h"

struct buffers {
    float *given, *got;
    struct collective_counts counts;
};

static void collect(enum pattern p, const struct buffers *b)
{
    int count = (int)b->counts.count;

    switch (p) {
    case PATTERN_ALLREDUCE: MPI_Allreduce(b->given, b->got, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD); return;
    case PATTERN_ALL_GATHER:
        MPI_Allgather(b->given, count, MPI_FLOAT, b->got, count, MPI_FLOAT, MPI_COMM_WORLD);
        return;
    case PATTERN_REDUCE_SCATTER:
        MPI_Reduce_scatter_block(b->given, b->got, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        return;
    case PATTERN_BROADCAST: MPI_Bcast(b->got, count, MPI_FLOAT, 0, MPI_COMM_WORLD); return;
    default: MPI_Alltoall(b->given, count, MPI_FLOAT, b->got, count, MPI_FLOAT, MPI_COMM_WORLD); return;
    }
}

/* What was there before must not pass for a result. */
static void spoil(const struct network_world *w, const struct trial *t, const struct buffers *b)
{
    memset(b->got, 0xff, (size_t)b->counts.got * sizeof(*b->got));
    if (t->pattern == PATTERN_BROADCAST && !w->rank)
        memcpy(b->got, b->given, (size_t)b->counts.got * sizeof(*b->got));
}

static void repeat(const struct network_world *w, const struct trial *t, const struct buffers *b, int64_t *own)
{
    for (int i = 0; i < t->repetitions; i++) {
        spoil(w, t, b);
        MPI_Barrier(MPI_COMM_WORLD);
        int64_t begun_ns = clock_ns();
        collect(t->pattern, b);
        own[i] = clock_ns() - begun_ns;
    }
}

int perform_collective(const struct network_world *w, const struct trial *t, int64_t *ns, int64_t *wrong)
{
    struct buffers b = { .counts = collective_counts(t->pattern, t->bytes, w->ranks) };
    int64_t *own = calloc((size_t)t->repetitions, sizeof(*own)), mine = 0;
    int rc;

    b.given = calloc((size_t)b.counts.given, sizeof(*b.given));
    b.got = calloc((size_t)b.counts.got, sizeof(*b.got));
    rc = perform_agreed(own && b.given && b.got ? own : NULL);
    if (!rc) {
        collective_fill(t->pattern, t->bytes, w->rank, w->ranks, b.given);
        repeat(w, t, &b, own);
        mine = collective_wrong(t->pattern, t->bytes, w->rank, w->ranks, b.got);
        MPI_Reduce(own, ns, t->repetitions, MPI_INT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
        MPI_Reduce(&mine, wrong, 1, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    }
    free(b.got);
    free(b.given);
    free(own);
    return rc;
}
