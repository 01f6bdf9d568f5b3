#include "sim/plan/tasks.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "model/status.h"
#include "sim/cost.h"

static const double ps_per_s = 1e12;

/* One direction of the GPU's link, perhaps the wire that both share, and the device's memory. */
static int add_way(struct play *p, const char *kind, enum copy_way way, int wire, int memory)
{
    uint32_t channels[3];
    size_t n = 0;
    int passed[3] = { engine_channel(p->e, kind, 0, memory_plan_copy_Bps(p->platform, way)), wire, memory };

    for (size_t i = 0; i < 3; i++)
        if (passed[i] >= 0)
            channels[n++] = (uint32_t)passed[i];
    return engine_route(p->e, channels, n);
}

static int add_link(struct play *p, int memory)
{
    const struct link_spec *l = platform_gpu_link(p->platform);
    int wire = -1;

    p->copies[0] = p->copies[1] = p->ways[0] = p->ways[1] = -1;
    if (!p->plan->transfers.n)
        return E_OK;
    if (!l)
        return E_INVAL;
    if (l->duplex == DUPLEX_HALF)
        wire = engine_channel(p->e, "wire", 0, l->bandwidth_Bps * fmax(l->efficiency_to_host, l->efficiency_to_device));
    p->copies[0] = engine_resource(p->e, "to-host", 0, (int)p->options->streams);
    p->copies[1] = engine_resource(p->e, "to-device", 0, (int)p->options->streams);
    p->ways[0] = add_way(p, "to-host", COPY_TO_HOST, wire, memory);
    p->ways[1] = add_way(p, "to-device", COPY_TO_DEVICE, wire, memory);
    p->latency_ps = seconds_to_ps(l->latency_s);
    return E_OK;
}

static int add_machine(struct play *p)
{
    int memory = -1;

    p->gpu = engine_resource(p->e, "gpu", 0, 1);
    p->host = p->options->pin_s > 0 ? engine_resource(p->e, "host", 0, 1) : -1;
    p->stream = -1;
    if (p->options->contention) {
        uint32_t channel;
        p->memory_Bps = timing_memory_Bps(&p->plan->options.timing, p->platform) * p->platform->compute_scale;
        memory = engine_channel(p->e, "memory", 0, p->memory_Bps);
        channel = (uint32_t)memory;
        p->stream = engine_route(p->e, &channel, 1);
    }
    return add_link(p, memory);
}

/* A flow over the memory that, alone, takes the planned time: what its bytes do not take is latency, such as a launch.
 * Where the plan's time is less than its bytes need (it was measured, say), as many bytes as that time holds. */
static int add_stream(struct play *p, size_t i)
{
    double planned_ps = (double)p->plan->operation_ps[i], bytes = floor(p->plan->graph.operations[i].bytes);
    double most = floor(planned_ps / ps_per_s * p->memory_Bps);
    int64_t sent = (int64_t)fmax(fmin(bytes, most), 0);
    int64_t latency_ps = (int64_t)(planned_ps - ceil((double)sent * ps_per_s / p->memory_Bps - 1e-3));

    return engine_transfer(p->e, p->gpu, p->stream, sent, latency_ps > 0 ? latency_ps : 0, PLAY_STREAM);
}

static void add_operation(struct play *p, size_t i)
{
    bool streams = !p->plan->graph.operations[i].compute_bound;

    if (streams && p->stream >= 0)
        p->operation[i] = add_stream(p, i);
    else
        p->operation[i] = engine_compute(p->e, p->gpu, p->plan->operation_ps[i], streams ? PLAY_STREAM : PLAY_COMPUTE);
    if (p->operation[i] >= 0)
        engine_item(p->e, p->operation[i], (int)i);
}

static int add_copy(struct play *p, int way, const struct transfer *t)
{
    const struct storage *s = &p->plan->storages.items[t->storage];
    int task = engine_transfer(p->e, p->copies[way], p->ways[way], s->bytes, p->latency_ps,
                               way ? PLAY_TO_DEVICE : PLAY_TO_HOST);

    if (task >= 0)
        engine_item(p->e, task, s->first);
    return task;
}

/* All tasks come first, so that dependencies can be added in the order that breaks ties. */
static void add_tasks(struct play *p)
{
    size_t n = p->plan->graph.noperations;

    for (size_t i = 0; i <= n; i++) {
        p->turn[i] = engine_sync(p->e);
        p->ready[i] = engine_sync(p->e);
        if (i < n)
            add_operation(p, i);
    }
    for (size_t k = 0; k < p->plan->transfers.n; k++) {
        p->to_host[k] = add_copy(p, 0, &p->plan->transfers.items[k]);
        p->to_device[k] = add_copy(p, 1, &p->plan->transfers.items[k]);
    }
}

static void after(struct play *p, int task, int earlier)
{
    if (task >= 0 && earlier >= 0)
        engine_after(p->e, task, earlier);
}

static void order_operations(struct play *p)
{
    size_t n = p->plan->graph.noperations;

    for (size_t i = 0; i <= n; i++) {
        if (i)
            after(p, p->turn[i], p->operation[i - 1]);
        after(p, p->ready[i], p->turn[i]);
        if (i < n)
            after(p, p->operation[i], p->ready[i]);
    }
}

/* The host pins a copy's home as its operation's turn comes, one after the other, and launches nothing meanwhile. */
static void pin(struct play *p, const struct transfer *t)
{
    int task = engine_compute(p->e, p->host, seconds_to_ps(p->options->pin_s), PLAY_PIN);

    if (task >= 0)
        engine_item(p->e, task, p->plan->storages.items[t->storage].first);
    after(p, task, p->turn[t->start]);
    after(p, p->ready[t->start], task);
}

static void order_to_host(struct play *p)
{
    const struct transfer_list *list = &p->plan->transfers;

    for (size_t k = 0; k < list->n; k++) {
        const struct transfer *t = &list->items[k];
        if (p->host >= 0)
            pin(p, t);
        after(p, p->to_host[k], p->ready[t->start]);
        after(p, p->turn[t->free_after + 1], p->to_host[k]);
    }
}

struct needed {
    int32_t need;
    size_t transfer;
};

static int by_need(const void *a, const void *b)
{
    const struct needed *x = a, *y = b;

    if (x->need != y->need)
        return (x->need > y->need) - (x->need < y->need);
    return (x->transfer > y->transfer) - (x->transfer < y->transfer);
}

/* Those that begin at one turn are made in the order of their need. */
static int order_to_device(struct play *p)
{
    const struct transfer_list *list = &p->plan->transfers;
    struct needed *order = malloc((list->n + 1) * sizeof(*order));

    if (!order)
        return E_NOMEM;
    for (size_t k = 0; k < list->n; k++)
        order[k] = (struct needed){ list->items[k].need, k };
    if (list->n)
        qsort(order, list->n, sizeof(*order), by_need);
    for (size_t i = 0; i < list->n; i++) {
        size_t k = order[i].transfer;
        after(p, p->to_device[k], p->turn[list->items[k].back]);
        after(p, p->to_device[k], p->to_host[k]);
        after(p, p->ready[list->items[k].need], p->to_device[k]);
    }
    free(order);
    return E_OK;
}

int play_add(struct play *p)
{
    size_t n = p->plan->graph.noperations, ntransfers = p->plan->transfers.n;
    int rc;

    p->e = engine_new();
    p->turn = malloc((3 * (n + 1) + 2 * (ntransfers + 1)) * sizeof(int));
    if (!p->e || !p->turn)
        return E_NOMEM;
    p->ready = p->turn + n + 1;
    p->operation = p->ready + n + 1;
    p->to_host = p->operation + n + 1;
    p->to_device = p->to_host + ntransfers + 1;
    rc = add_machine(p);
    if (rc)
        return rc;
    add_tasks(p);
    order_operations(p);
    order_to_host(p);
    return order_to_device(p);
}

void play_free(struct play *p)
{
    engine_free(p->e);
    free(p->turn);
}
