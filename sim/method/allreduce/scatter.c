/* scatter.c - buckets whose payloads are cut in a part for each worker: what a part is, how long parts travel. */
#include "model/status.h"
#include "sim/method/allreduce/plan.h"

/* A tensor is coded or not as a whole: of its parts none is too small. */
static struct codec_spec codec_of_parts(const struct ar_plan *p)
{
    struct codec_spec c = p->codec[true];

    c.min_values = 0;
    return c;
}

void ar_scatter_parts(const struct ar_plan *p, struct bucket *b, int64_t values)
{
    const struct codec_spec c = codec_of_parts(p);
    int64_t n = p->method->workers;

    if (!values)
        return;
    b->part_values = values / n + (values % n != 0);
    b->part_bytes = codec_spec_wire_bytes(&c, b->part_values, 0);
    b->encode_ps = codec_spec_encode_ps(&c, b->part_values);
    b->decode_ps = codec_spec_decode_ps(&c, b->part_values);
}

double ar_scatter_sent_bytes(const struct ar_plan *p, const struct bucket *b)
{
    return 2 * (double)(p->method->workers - 1) * (double)b->part_bytes;
}

/* What is kept for each part that is sent, and for the sum. */
double ar_scatter_state_bytes(const struct ar_plan *p)
{
    const struct codec_spec c = codec_of_parts(p);
    double sum = 0;

    for (size_t i = 0; i < p->nbuckets; i++)
        sum += (double)(p->method->workers + 1) * (double)codec_spec_state_bytes(&c, p->buckets[i].part_values, 0);
    return sum;
}

int ar_scatter_times(const struct ar_plan *p, struct bucket *b)
{
    int64_t there_ps;

    if (!b->part_values)
        return E_OK;
    there_ps = collective_alltoall_ps(&p->ring, b->part_bytes);
    b->return_ps = collective_allgather_ps(&p->ring, b->part_bytes);
    if (there_ps < 0 || b->return_ps < 0)
        return (int)(there_ps < 0 ? there_ps : b->return_ps);
    b->crossing_bytes +=
        collective_alltoall_crossing(&p->ring, b->part_bytes) + collective_allgather_crossing(&p->ring, b->part_bytes);
    return __builtin_add_overflow(b->time_ps, there_ps, &b->time_ps) ? E_RANGE : E_OK;
}
