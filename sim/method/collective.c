#include "sim/method/collective.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/status.h"
#include "sim/collective/split.h"
#include "sim/method/method.h"
#include "sim/method/report.h"
#include "sim/network/topology.h"

struct play {
    const struct job *job;
    const struct lone_collective *c;
    struct engine *e;
    struct topology *topology;
    int *ready, *done;
    int64_t *payloads;
};

static struct end end_of(const struct play *p, int64_t rank)
{
    int64_t l = p->c->ranks_per_machine;

    return (struct end){ .machine = rank / l, .gpu = p->job->platform->gpu.count > 0 ? rank % l : END_HOST };
}

static int64_t route_of(void *context, int64_t from, int64_t to, int64_t *latency_ps)
{
    const struct play *p = context;
    struct end a = end_of(p, from), b = end_of(p, to);
    int64_t route = topology_route(p->topology, a, b, latency_ps);

    if (route >= 0 && a.machine != b.machine)
        *latency_ps += topology_message_ps(p->topology);
    return route;
}

static int64_t framed(void *context, int64_t from, int64_t to, int64_t bytes)
{
    const struct play *p = context;

    return end_of(p, from).machine == end_of(p, to).machine ? bytes : topology_message_bytes(p->topology, bytes);
}

/* Blocks of the pipeline that suit the slower of what a message crosses, between idle machines or GPUs. */
static int tree_block(struct play *p, struct collective_place *place)
{
    const struct lone_collective *c = p->c;
    const struct platform *platform = p->job->platform;
    bool away = c->ranks > c->ranks_per_machine;
    const struct link_spec *link = platform_link(platform, away ? platform->network.link : platform->gpu.link);
    int64_t latency_ps = 0, route = route_of(p, 0, away ? c->ranks_per_machine : 1, &latency_ps);
    struct hop hop = { .rate_Bps = link->bandwidth_Bps, .latency_ps = latency_ps };
    struct collective_shape shape = { .ranks = c->ranks, .ranks_per_machine = 1, .between = hop, .within = hop };

    place->block_bytes = route < 0 ? route : collective_block_bytes(&shape, c->bytes);
    return place->block_bytes < 0 ? (int)place->block_bytes : E_OK;
}

static int add_transfers(struct play *p)
{
    const struct lone_collective *c = p->c;
    struct collective_place place = { .ranks = c->ranks,
                                      .ranks_per_machine = c->ranks_per_machine,
                                      .route = route_of,
                                      .framed = framed,
                                      .buffered_bytes = (int64_t)platform_send_buffer_bytes(p->job->platform),
                                      .connections = p->job->platform->network.connections,
                                      .rings = c->rings,
                                      .payloads = p->payloads,
                                      .context = p };
    int rc = E_OK;

    if (c->operation == COLLECTIVE_ALLGATHER)
        return collective_allgather(p->e, &place, c->bytes, p->ready, p->done, 0, 0);
    place.payloads = NULL;
    if (c->operation == COLLECTIVE_REDUCE_SCATTER)
        return collective_reduce_scatter(p->e, &place, c->bytes, p->ready, p->done, 0, 0);
    if (c->algorithm == COLLECTIVE_TREE && c->ranks > 1 && c->bytes)
        rc = tree_block(p, &place);
    return rc ? rc : collective_allreduce(p->e, c->algorithm, &place, c->bytes, p->ready, p->done, 0, 0);
}

static int add_measured(struct play *p)
{
    struct collective_group g = platform_group(p->job->platform, p->c->ranks, p->c->ranks_per_machine);
    int64_t ps = measured_collective_ps(&p->job->platform->collective, p->c->operation, &g, p->c->bytes);

    if (ps < 0)
        return (int)ps;
    engine_compute(p->e, engine_resource(p->e, "collective", 0, 1), ps, 0);
    return E_OK;
}

static int prepare(struct play *p, char *why, size_t nwhy)
{
    size_t n = (size_t)p->c->ranks;

    p->e = engine_new();
    p->ready = malloc(n * sizeof(*p->ready));
    p->done = malloc(n * sizeof(*p->done));
    p->payloads = malloc(n * sizeof(*p->payloads));
    if (!p->e || !p->ready || !p->done || !p->payloads)
        return E_NOMEM;
    for (int64_t r = 0; r < p->c->ranks; r++) {
        p->ready[r] = -1;
        p->payloads[r] = split_bytes(p->c->bytes, p->c->ranks, r);
    }
    return topology_new(p->job->platform, p->e, NULL, &p->topology, why, nwhy);
}

static void release(struct play *p)
{
    topology_free(p->topology);
    engine_free(p->e);
    free(p->ready);
    free(p->done);
    free(p->payloads);
}

static double busiest(const struct engine *e, double end_s)
{
    double most = 0;

    for (int i = 0; end_s > 0 && i < engine_nchannels(e); i++) {
        struct channel_state s;
        engine_channel_state(e, i, &s);
        most = fmax(most, s.carried_B / s.capacity_Bps / end_s);
    }
    return most;
}

/* The algorithm and the protocol, by name. */
static void read_choice(const struct play *p, struct readings *out)
{
    struct collective_group g = platform_group(p->job->platform, p->c->ranks, p->c->ranks_per_machine);
    const char *name = measured_sent_as(&p->job->platform->collective, p->c->operation, &g, p->c->bytes);

    if (name && p->c->algorithm == COLLECTIVE_MEASURED)
        reading_add(out, 1, "share", "sent_as.%s", name);
}

static int read_out(const struct play *p, struct readings *out)
{
    int64_t end_ps = engine_end_ps(p->e);
    double end_s = (double)end_ps / 1e12, algbw_GBps = end_ps > 0 ? (double)p->c->bytes / end_s / 1e9 : 0;
    int rc = E_OK;

    if (end_ps > 0)
        rc = report_readings(out, p->e, 0, end_ps, 1, 1);
    else
        reading_add(out, 0, "ms", "step_ms");
    reading_add(out, (double)p->c->bytes, "B", "bytes");
    reading_add(out, end_s * 1e6, "us", "time_us");
    reading_add(out, algbw_GBps, "GB/s", "algbw_GBps");
    reading_add(out, algbw_GBps * measured_factor(p->c->operation, p->c->ranks), "GB/s", "busbw_GBps");
    reading_add(out, busiest(p->e, end_s), "share", "link_utilisation");
    read_choice(p, out);
    return rc;
}

static const char *const rows[] = { "collective" };

static void name_item(const void *context, size_t item, char *name, size_t size)
{
    (void)item;
    snprintf(name, size, "%s", collective_operation_name(((const struct lone_collective *)context)->operation));
}

int collective_play(const struct job *j, struct readings *out, struct timeline *timeline, char *why, size_t nwhy)
{
    struct play p = { .job = j, .c = &j->method->collective };
    int rc = collective_check(j, why, nwhy);

    rc = rc ? rc : prepare(&p, why, nwhy);
    if (!rc)
        rc = p.c->algorithm == COLLECTIVE_MEASURED ? add_measured(&p) : add_transfers(&p);
    rc = rc ? rc : engine_run(p.e);
    if (!rc && timeline)
        rc = timeline_take(timeline, p.e, rows, 1, name_item, p.c);
    if (!rc)
        rc = read_out(&p, out);
    release(&p);
    return rc;
}
