/* fusion.c - which gradients go together: decided from when the backward pass has them, before anything is played. */
#include <math.h>

#include "sim/cost.h"
#include "sim/method/allreduce/plan.h"

/* From the start of the backward pass until a tensor's layer is through with it. */
static int64_t ready_ps(const struct ar_plan *p, size_t tensor)
{
    int64_t sum_ps = 0;

    for (size_t i = p->job->model->nlayers; i-- > p->tensors[tensor].layer;)
        sum_ps += p->layers[i].backward_ps[SHARE_LARGER];
    return sum_ps;
}

/* The number of the cycle at whose end it is seen: what is ready at that instant belongs to it. */
static int64_t cycle_of(const struct ar_plan *p, size_t tensor)
{
    int64_t cycle_ps = seconds_to_ps(p->method->cycle_s), at_ps = ready_ps(p, tensor);

    return cycle_ps ? at_ps / cycle_ps + (at_ps % cycle_ps != 0) : 0;
}

static void cut_by_cycle(const struct ar_plan *p, bool cut[])
{
    for (size_t i = 1; i < p->ntensors; i++)
        cut[i] = cycle_of(p, i) != cycle_of(p, i - 1);
}

/* A bucket starts when it is full and the one before it is through. One more gradient puts that off; it may, unless the
 * bucket would by then have been exchanged for longer than a start takes. */
static void cut_by_merging(const struct ar_plan *p, bool cut[])
{
    double free_s = 0, full_s = 0, bytes = 0, start_s = p->method->merge_start_s;

    for (size_t i = 0; i < p->ntensors; i++) {
        double at_s = (double)ready_ps(p, i) / 1e12;
        cut[i] = i && at_s >= fmax(free_s, full_s) + start_s && bytes >= (double)p->method->merge_least_bytes;
        if (cut[i]) {
            free_s = fmax(free_s, full_s) + start_s + bytes / p->method->merge_Bps;
            bytes = 0;
        }
        full_s = at_s;
        bytes += 4 * (double)p->tensors[i].values;
    }
}

void ar_fusion_cuts(const struct ar_plan *p, bool cut[])
{
    if (p->method->cycle_s > 0)
        cut_by_cycle(p, cut);
    if (p->method->merge_Bps > 0)
        cut_by_merging(p, cut);
}

void ar_fusion_waits(struct ar_plan *p)
{
    int64_t cycle_ps = seconds_to_ps(p->method->cycle_s);

    for (size_t b = 0; cycle_ps && b < p->nbuckets; b++) {
        size_t last = p->buckets[b].end - 1;
        p->buckets[b].wait_ps = cycle_of(p, last) * cycle_ps - ready_ps(p, last);
    }
}
