/* measured.c - buckets exchanged as long as platform.collective says: one task for all workers, none on the links. */
#include <inttypes.h>

#include "model/refuse.h"
#include "model/status.h"
#include "sim/method/allreduce/plan.h"

static const char knows_nothing[] = "of which method.algorithm: measured knows nothing";

/* Is some of what travels all-gathered, some all-reduced? */
static int check_operations(const struct job *j, char *why, size_t nwhy)
{
    const struct allreduce *a = &j->method->allreduce;
    const struct codec_spec *c = &a->gradients;
    bool gather = c->format != WIRE_NONE && codec_spec_aggregation(c) == AGGREGATE_GATHER;
    struct collective_group g = platform_group(j->platform, a->workers, a->workers_per_machine);
    int rc = measured_check(&j->platform->collective, why, nwhy);
    if (!rc)
        rc = measured_has(&j->platform->collective, COLLECTIVE_ALLREDUCE, &g, why, nwhy);
    if (!rc && gather)
        rc = measured_has(&j->platform->collective, COLLECTIVE_ALLGATHER, &g, why, nwhy);
    return rc;
}

int ar_measured_check(const struct job *j, char *why, size_t nwhy)
{
    const struct allreduce *a = &j->method->allreduce;

    if (a->algorithm != COLLECTIVE_MEASURED)
        return E_OK;
    if (a->level == COLLECTIVE_SYMMETRIC)
        return refuse(
            why, nwhy,
            "method.level: symmetric plays the steps of an algorithm, and what is measured has none: expected "
            "flows or analytic");
    if (a->streams > 1)
        return refuse(why, nwhy, "method.streams: buckets on the way at once share links, %s: expected 1, got %" PRId64,
                      knows_nothing, a->streams);
    if (a->offload_share > 0)
        return refuse(why, nwhy, "method.offload_share: copies share links with the exchange, %s: expected 0, got %g",
                      knows_nothing, a->offload_share);
    if (a->unevenness > 0)
        return refuse(why, nwhy, "method.unevenness: workers send different amounts, %s: expected 0, got %g",
                      knows_nothing, a->unevenness);
    if (codec_spec_scatters(&a->gradients))
        return refuse(why, nwhy,
                      "method.gradients.aggregation: parts go from all workers to all, %s: expected gather, or another "
                      "algorithm",
                      knows_nothing);
    return check_operations(j, why, nwhy);
}

int ar_measured_times(const struct ar_plan *p, struct bucket *b)
{
    const struct measured *m = &p->job->platform->collective;
    struct collective_group g = platform_group(p->job->platform, p->method->workers, p->method->workers_per_machine);
    int64_t gathered, crossing, reduce_ps = 0, second_ps = 0, gather_ps = 0;

    if (__builtin_mul_overflow(g.ranks, b->gather_bytes, &gathered))
        return E_RANGE;
    if (b->reduce_bytes)
        reduce_ps = measured_collective_ps(m, COLLECTIVE_ALLREDUCE, &g, b->reduce_bytes);
    if (b->second_bytes && reduce_ps >= 0)
        second_ps = measured_collective_ps(m, COLLECTIVE_ALLREDUCE, &g, b->second_bytes);
    if (b->gather_bytes && reduce_ps >= 0 && second_ps >= 0)
        gather_ps = measured_collective_ps(m, COLLECTIVE_ALLGATHER, &g, gathered);
    if (reduce_ps < 0 || second_ps < 0 || gather_ps < 0)
        return (int)(reduce_ps < 0 ? reduce_ps : second_ps < 0 ? second_ps : gather_ps);
    /* What a ring would put on the links: at least that much crosses. */
    crossing = collective_allreduce_crossing(COLLECTIVE_RING, &p->ring, b->reduce_bytes) +
               collective_allreduce_crossing(COLLECTIVE_RING, &p->ring, b->second_bytes);
    b->crossing_bytes = crossing + collective_allgather_crossing(&p->ring, b->gather_bytes);
    return __builtin_add_overflow(reduce_ps, second_ps, &b->time_ps) ||
                   __builtin_add_overflow(b->time_ps, gather_ps, &b->time_ps)
               ? E_RANGE
               : E_OK;
}
