/* check_buckets.c - how buckets are made and started, and what the forward pass waits for. */
#include <math.h>

#include "model/numbers.h"
#include "model/refuse.h"
#include "model/status.h"
#include "sim/method/allreduce/plan.h"

static int check_numbers(const struct allreduce *a, char *why, size_t nwhy)
{
    const struct {
        const char *key;
        double s;
    } times[] = { { "cycle_time", a->cycle_s },
                  { "merge_start", a->merge_start_s },
                  { "start_time", a->start_s },
                  { "start_time_per_worker", a->start_per_worker_s },
                  { "barrier_time", a->barrier_s } };

    for (size_t i = 0; i < COUNT(times); i++)
        if (!(times[i].s >= 0 && times[i].s <= 3600))
            return refuse(why, nwhy, "method.%s: expected 0 to 3600 s, got %g", times[i].key, times[i].s);
    if (!(a->merge_Bps >= 0 && isfinite(a->merge_Bps)))
        return refuse(why, nwhy, "method.merge_bandwidth: expected 0 or more, got %g", a->merge_Bps);
    if (!(a->computing_share > 0 && a->computing_share <= 1))
        return refuse(why, nwhy, "method.computing_share: expected more than 0, at most 1, got %g", a->computing_share);
    if (!(a->update_bytes >= 0 && a->update_bytes <= 1e6))
        return refuse(why, nwhy, "method.update_bytes: expected 0 to 1e6, got %g", a->update_bytes);
    if (a->partition_bytes < 0 || (a->partition_bytes > 0 && a->partition_bytes < 4))
        return refuse(why, nwhy, "method.partition: expected 4 B or more, or 0 B for whole tensors, got %lld",
                      (long long)a->partition_bytes);
    return E_OK;
}

static int check_fusion(const struct allreduce *a, char *why, size_t nwhy)
{
    const char *fusion = a->cycle_s > 0 ? "cycle_time" : "merge_bandwidth";

    if (a->cycle_s > 0 && a->merge_Bps > 0)
        return refuse(why, nwhy,
                      "method.merge_bandwidth: method.cycle_time decides which tensors go together: expected 0, or "
                      "method.cycle_time: 0 s");
    if (a->merge_start_s > 0 && !(a->merge_Bps > 0))
        return refuse(why, nwhy, "method.merge_bandwidth: method.merge_start needs the rate of an exchange with it");
    if (a->merge_least_bytes && !(a->merge_Bps > 0))
        return refuse(why, nwhy, "method.merge_least: only with method.merge_bandwidth does a bucket wait for more");
    if ((a->cycle_s > 0 || a->merge_Bps > 0) && !a->overlap)
        return refuse(why, nwhy, "method.%s: without method.overlap all gradients are ready at once: expected 0",
                      fusion);
    return E_OK;
}

int allreduce_check_buckets(const struct allreduce *a, char *why, size_t nwhy)
{
    int rc = check_numbers(a, why, nwhy);

    rc = rc ? rc : check_fusion(a, why, nwhy);
    if (rc)
        return rc;
    if (a->computing_share < 1 && a->level != COLLECTIVE_FLOWS)
        return refuse(why, nwhy,
                      "method.computing_share: rates that change need every transfer: expected method.level: flows, "
                      "or 1");
    if (a->partition_bytes && a->gradients.format != WIRE_NONE)
        return refuse(why, nwhy, "method.partition: codecs take whole tensors: expected 0 B, or no method.gradients");
    if (a->barrier_s > 0 && a->barrier != ALLREDUCE_BARRIER_STEP)
        return refuse(why, nwhy, "method.barrier_time: only with method.barrier: step is there an end of all updates");
    if (a->unevenness > 0 && (a->cycle_s > 0 || a->start_s > 0 || a->start_per_worker_s > 0))
        return refuse(why, nwhy,
                      "method.unevenness: workers that do not wait for each other agree on no start: expected 0, or no "
                      "method.cycle_time, start_time and start_time_per_worker");
    return E_OK;
}
