#include "harness/network/collective.h"

enum { VALUES = 97, FLOAT_BYTES = 4 };

int64_t collective_bytes(int64_t bytes, int ranks)
{
    int64_t unit = (int64_t)FLOAT_BYTES * ranks;

    return bytes < unit ? unit : bytes / unit * unit;
}

struct collective_counts collective_counts(enum pattern p, int64_t bytes, int ranks)
{
    int64_t all = bytes / FLOAT_BYTES, part = all / ranks;

    switch (p) {
    case PATTERN_ALL_GATHER: return (struct collective_counts){ part, part, all };
    case PATTERN_REDUCE_SCATTER: return (struct collective_counts){ part, all, part };
    case PATTERN_ALL_TO_ALL: return (struct collective_counts){ part, all, all };
    default: return (struct collective_counts){ all, all, all };
    }
}

double collective_bus_factor(enum pattern p, int ranks)
{
    switch (p) {
    case PATTERN_ALLREDUCE: return 2.0 * (ranks - 1) / ranks;
    case PATTERN_ALL_GATHER:
    case PATTERN_REDUCE_SCATTER:
    case PATTERN_ALL_TO_ALL: return 1.0 * (ranks - 1) / ranks;
    default: return 1;
    }
}

/* Element i of what a rank gives. */
static float value(int64_t i, int64_t rank)
{
    return (float)((7 * i + 13 * rank) % VALUES);
}

static float sum(int64_t i, int ranks)
{
    float all = 0;

    for (int r = 0; r < ranks; r++)
        all += value(i, r);
    return all;
}

/* Element i of what 'rank' should get. */
static float expected(enum pattern p, int64_t i, int64_t part, int rank, int ranks)
{
    switch (p) {
    case PATTERN_ALLREDUCE: return sum(i, ranks);
    case PATTERN_REDUCE_SCATTER: return sum(rank * part + i, ranks);
    case PATTERN_ALL_GATHER: return value(i % part, i / part);
    case PATTERN_ALL_TO_ALL: return value(rank * part + i % part, i / part);
    default: return value(i, 0);
    }
}

void collective_fill(enum pattern p, int64_t bytes, int rank, int ranks, float *given)
{
    int64_t n = collective_counts(p, bytes, ranks).given;

    for (int64_t i = 0; i < n; i++)
        given[i] = value(i, rank);
}

int64_t collective_wrong(enum pattern p, int64_t bytes, int rank, int ranks, const float *got)
{
    int64_t part = bytes / FLOAT_BYTES / ranks, n = collective_counts(p, bytes, ranks).got, wrong = 0;

    for (int64_t i = 0; i < n; i++)
        wrong += got[i] != expected(p, i, part, rank, ranks);
    return wrong;
}
