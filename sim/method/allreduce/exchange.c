/* exchange.c - the exchange of a bucket: encode, wait for a slot, send, decode; of parts, their sums once more. */
#include <limits.h>
#include <stdlib.h>

#include "model/status.h"
#include "sim/method/allreduce/tasks.h"

static int64_t place_route(void *context, int64_t from, int64_t to, int64_t *latency_ps)
{
    const struct ar_step *g = context;
    struct end a = ar_plan_end(g->plan, from), b = ar_plan_end(g->plan, to);
    int64_t route = topology_route(g->topology, a, b, latency_ps);

    if (route >= 0 && a.machine != b.machine)
        *latency_ps += topology_message_ps(g->topology);
    return route;
}

static int64_t place_framed(void *context, int64_t from, int64_t to, int64_t bytes)
{
    const struct ar_step *g = context;

    if (ar_plan_end(g->plan, from).machine == ar_plan_end(g->plan, to).machine)
        return bytes;
    return topology_message_bytes(g->topology, bytes);
}

static void take_time(struct ar_step *g, size_t b, int64_t ps, int after)
{
    int task = ar_compute(g, 0, g->link, ps, AR_COMM, ar_item(g, b));

    ar_after(g, task, after);
    for (int64_t w = 0; w < g->plan->placed; w++)
        g->done[w] = task;
}

/* All who are played merge their parts, in done[]. */
static void merge(struct ar_step *g, size_t b)
{
    for (int64_t w = 0; w < g->plan->placed; w++)
        g->done[w] = ar_merge(g, b, w);
}

static int timed(struct ar_step *g, size_t b)
{
    const struct bucket *bucket = &g->plan->buckets[b];

    take_time(g, b, bucket->time_ps, g->ready[0]);
    if (bucket->part_values) {
        merge(g, b);
        take_time(g, b, bucket->return_ps, g->done[0]);
    }
    return E_OK;
}

static int reduce(struct ar_step *g, struct collective_place *place, const int ready[], int done[], int item,
                  int64_t bytes)
{
    const struct ar_plan *p = g->plan;
    int label = ar_label(g, 0, AR_COMM);

    if (p->method->algorithm == COLLECTIVE_TREE && bytes) {
        place->block_bytes = collective_block_bytes(&p->shape, bytes);
        if (place->block_bytes < 0)
            return (int)place->block_bytes;
    }
    if (p->by_steps)
        return collective_allreduce_symmetric(g->e, p->method->algorithm, &p->shape, place, bytes, ready, done, label,
                                              item);
    return collective_allreduce(g->e, p->method->algorithm, place, bytes, ready, done, label, item);
}

static int gather(struct ar_step *g, const struct collective_place *place, const int ready[], int done[], int item,
                  int64_t bytes)
{
    int label = ar_label(g, 0, AR_COMM);

    if (g->plan->by_steps)
        return collective_allgather_symmetric(g->e, &g->plan->ring, place, bytes, ready, done, label, item);
    return collective_allgather(g->e, place, bytes, ready, done, label, item);
}

/* Parts to whom they belong, and their sums to all. */
static int scatter(struct ar_step *g, const struct collective_place *place, const int ready[], size_t b)
{
    const struct ar_plan *p = g->plan;
    int64_t bytes = p->buckets[b].part_bytes;
    int label = ar_label(g, 0, AR_COMM), item = (int)ar_item(g, b);
    int rc = p->by_steps ? collective_alltoall_symmetric(g->e, &p->ring, place, bytes, ready, g->done, label, item)
                         : collective_alltoall(g->e, place, bytes, ready, g->done, label, item);

    if (rc)
        return rc;
    merge(g, b);
    return gather(g, place, g->done, g->done, item, bytes);
}

/* What each worker sends, where they differ. */
static int uneven_payloads(const struct ar_plan *p, const struct bucket *bucket, int64_t **out)
{
    if (!(p->method->unevenness > 0))
        return E_OK;
    *out = malloc((size_t)p->placed * sizeof(**out));
    for (int64_t w = 0; *out && w < p->placed; w++)
        (*out)[w] = ar_payload_bytes(p, bucket, w);
    return *out ? E_OK : E_NOMEM;
}

/* What is all-reduced first (tensors too small for a codec whose payloads do not add), then what is when that has
 * arrived, or what is all-gathered or scattered. */
static int travel(struct ar_step *g, size_t b)
{
    const struct ar_plan *p = g->plan;
    const struct bucket *bucket = &p->buckets[b];
    struct collective_place place = { .ranks = p->placed,
                                      .ranks_per_machine = p->method->workers_per_machine,
                                      .route = place_route,
                                      .framed = place_framed,
                                      .buffered_bytes = (int64_t)platform_send_buffer_bytes(&p->platform),
                                      .connections = p->platform.network.connections,
                                      .rings = p->method->rings,
                                      .context = g };
    int64_t *payloads = NULL;
    int item = (int)ar_item(g, b), rc = E_OK;

    if (p->timed)
        return timed(g, b);
    if (p->method->algorithm == COLLECTIVE_TREE && bucket->reduce_bytes) {
        place.block_bytes = collective_block_bytes(&p->shape, bucket->reduce_bytes);
        if (place.block_bytes < 0)
            return (int)place.block_bytes;
    }
    if (bucket->reduce_bytes || !(bucket->gather_bytes || bucket->part_values))
        rc = reduce(g, &place, g->ready, g->done, item, bucket->reduce_bytes);
    if (!rc && bucket->second_bytes)
        rc = reduce(g, &place, g->done, g->done, item, bucket->second_bytes);
    if (!rc && bucket->gather_bytes)
        rc = uneven_payloads(p, bucket, &payloads);
    place.payloads = payloads;
    if (!rc && bucket->gather_bytes)
        rc = gather(g, &place, bucket->reduce_bytes ? g->done : g->ready, g->done, item, bucket->gather_bytes);
    free(payloads);
    if (!rc && bucket->part_values)
        rc = scatter(g, &place, bucket->reduce_bytes ? g->done : g->ready, b);
    return rc;
}

/* Which of the buckets that are ready goes first. */
static int priority(const struct ar_step *g, size_t b)
{
    switch (g->plan->method->order) {
    case BUCKET_SIZE: return g->plan->buckets[b].values < INT_MAX ? (int)g->plan->buckets[b].values : INT_MAX;
    case BUCKET_FORWARD: return (int)(g->plan->nbuckets - b);
    default: return (int)b;
    }
}

static int begin(struct ar_step *g, size_t b, int64_t w, int slots, int32_t rank)
{
    int64_t start_ps = g->plan->method->start_alone ? g->plan->start_ps : 0;
    int start = ar_compute(g, w, slots, start_ps, AR_COMM, ar_item(g, b));

    engine_place(g->e, start, &(struct task_place){ .work = WORK_FILL, .rank = rank, .peer = -1, .tensor = -1 });
    engine_priority(g->e, start, priority(g, b));
    return start;
}

/* What goes before the start: the end of the cycle, then the agreement of all. Answers the first task of these. */
static int before(struct ar_step *g, size_t b, int start)
{
    int64_t wait_ps = g->plan->buckets[b].wait_ps;
    int first = start;

    if (g->starts >= 0) {
        first = ar_compute(g, 0, g->starts, g->plan->start_ps, AR_COMM, ar_item(g, b));
        engine_priority(g->e, first, priority(g, b));
        ar_after(g, start, first);
    }
    if (wait_ps) {
        int cycle = ar_compute(g, 0, ENGINE_NO_RESOURCE, wait_ps, AR_COMM, ar_item(g, b));
        ar_after(g, first, cycle);
        first = cycle;
    }
    return first;
}

/* All workers exchange buckets in one order: a bucket takes a slot when all workers have it ready, and returns it when
 * the last one has the result. */
static int exchange_together(struct ar_step *g, size_t b)
{
    const struct ar_plan *p = g->plan;
    int start = begin(g, b, 0, g->slots, RANK_EACH), first = before(g, b, start), over, rc;

    for (int64_t w = 0; w < p->placed; w++)
        ar_after(g, first, ar_encode(g, b, w));
    for (int64_t w = 0; w < p->placed; w++)
        g->ready[w] = start;
    rc = travel(g, b);
    if (rc)
        return rc;
    over = ar_each(g, engine_sync(g->e));
    for (int64_t w = 0; w < p->placed; w++)
        if (!w || g->done[w] != g->done[w - 1])
            ar_after(g, over, g->done[w]);
    engine_hold(g->e, start, over);
    return E_OK;
}

/* Workers that send differently much do not wait for each other, but for what the others have sent. */
static int exchange_apart(struct ar_step *g, size_t b)
{
    const struct ar_plan *p = g->plan;
    int *starts = malloc((size_t)p->placed * sizeof(*starts)), rc = starts ? E_OK : E_NOMEM;

    for (int64_t w = 0; !rc && w < p->placed; w++) {
        starts[w] = begin(g, b, w, g->crews[w].slots, (int32_t)w);
        ar_after(g, starts[w], ar_encode(g, b, w));
        g->ready[w] = starts[w];
    }
    rc = rc ? rc : travel(g, b);
    for (int64_t w = 0; !rc && w < p->placed; w++)
        engine_hold(g->e, starts[w], g->done[w]);
    free(starts);
    return rc;
}

int ar_exchange(struct ar_step *g, size_t b)
{
    int rc = g->plan->method->unevenness > 0 ? exchange_apart(g, b) : exchange_together(g, b);

    for (int64_t w = 0; !rc && w < g->plan->placed; w++)
        g->done[w] = ar_decode(g, b, w);
    return rc;
}
