#include "sim/method/model_parallel/readings.h"

#include <stdbool.h>
#include <stdlib.h>

#include "model/numbers.h"
#include "model/refuse.h"
#include "model/status.h"
#include "sim/method/report.h"

const char *const mp_row_names[MP_ROWS] = {
    [MP_FORWARD] = "forward", [MP_BACKWARD] = "backward", [MP_ACTIVATION] = "activation",
    [MP_PUSH] = "push",       [MP_PULL] = "pull",         [MP_SAMPLE] = "sample",
    [MP_ENCODE] = "encode",   [MP_DECODE] = "decode",     [MP_SELECT] = "select",
    [MP_UPDATE] = "update",   [MP_COPY] = "copy",
};

/* The time that is looked at, and what happened in it. */
struct measured_span {
    int64_t from_ps, to_ps;
    double iterations;            /* of all trainers and threads, fractions counted */
    size_t ended;                 /* those that ended in it, whose averages are: */
    double row_ps[MP_ROWS];       /* time of their tasks */
    double row_bytes[MP_ROWS];    /* of their crossings */
    double iteration_ps;          /* from their begins to their ends */
    double *busy_ps;              /* by resource, in the window */
    double *out_bytes, *in_bytes; /* by node, in the window */
};

/* Of the time from start to end, the share that lies in the window. */
static double share_in(const struct measured_span *w, int64_t start_ps, int64_t end_ps)
{
    int64_t from_ps = max64(start_ps, w->from_ps), to_ps = min64(end_ps, w->to_ps);

    if (start_ps >= end_ps)
        return end_ps > w->from_ps && end_ps <= w->to_ps;
    return to_ps > from_ps ? (double)(to_ps - from_ps) / (double)(end_ps - start_ps) : 0;
}

/* From one end to another of the thread that has warmed up last (of GPipe: of the step), at most mp->steps iterations
 * later and while all are at work: at both instants the threads then stand about where they stood. */
static void place_window(const struct mp_plan *p, size_t threads, struct measured_span *w)
{
    size_t warm = (MP_WARM_UP - 1) * threads, slowest = 0;
    int64_t through_ps = INT64_MAX;

    for (size_t k = 0; k < threads; k++) {
        int64_t end_ps = engine_ended_ps(p->e, p->iteration[p->niterations - threads + k].end);
        through_ps = end_ps < through_ps ? end_ps : through_ps;
        if (engine_ended_ps(p->e, p->iteration[warm + k].end) > engine_ended_ps(p->e, p->iteration[warm + slowest].end))
            slowest = k;
    }
    w->from_ps = w->to_ps = engine_ended_ps(p->e, p->iteration[warm + slowest].end);
    for (size_t i = 1; i <= (size_t)p->mp->steps; i++) {
        int64_t end_ps = engine_ended_ps(p->e, p->iteration[warm + i * threads + slowest].end);
        w->to_ps = end_ps <= through_ps ? end_ps : w->to_ps;
    }
}

static void add_iteration(const struct mp_plan *p, size_t k, struct measured_span *w)
{
    const struct mp_iteration *it = &p->iteration[k], *next = k + 1 < p->niterations ? it + 1 : NULL;
    int64_t start_ps = engine_ended_ps(p->e, it->begin), end_ps = engine_ended_ps(p->e, it->end);
    int last = next ? next->begin : (int)engine_ntasks(p->e);
    struct task_view v;

    w->iterations += share_in(w, start_ps, end_ps);
    if (end_ps <= w->from_ps || end_ps > w->to_ps)
        return;
    w->ended++;
    w->iteration_ps += (double)(end_ps - start_ps);
    for (int task = it->begin; task < last; task++) {
        engine_view(p->e, task, &v);
        if (v.label >= 0)
            w->row_ps[v.label] += (double)(v.end_ps - v.start_ps);
    }
    for (size_t c = it->first_crossing; c < (next ? next->first_crossing : p->ncrossings); c++) {
        engine_view(p->e, p->crossing[c].task, &v);
        w->row_bytes[p->crossing[c].row] += (double)v.bytes;
    }
}

static void add_load(const struct mp_plan *p, struct measured_span *w)
{
    struct task_view v;

    for (int task = 0; task < (int)engine_ntasks(p->e); task++) {
        engine_view(p->e, task, &v);
        if (v.resource >= 0)
            w->busy_ps[v.resource] += share_in(w, v.start_ps, v.end_ps) * (double)(v.end_ps - v.start_ps);
    }
    for (size_t c = 0; c < p->ncrossings; c++) {
        const struct mp_crossing *x = &p->crossing[c];
        engine_view(p->e, x->task, &v);
        double bytes = (double)v.bytes * share_in(w, v.start_ps + x->latency_ps, v.end_ps);
        w->out_bytes[x->from] += bytes;
        w->in_bytes[x->to] += bytes;
    }
}

/* Of nodes first .. end - 1, the busiest direction and the mean over both. */
struct nic_load {
    double most, mean;
};

static double capacity_of(const struct mp_plan *p, int channel)
{
    struct channel_state c;

    engine_channel_state(p->e, channel, &c);
    return c.capacity_Bps;
}

static struct nic_load nic_load(const struct mp_plan *p, const struct measured_span *w, int64_t first, int64_t end)
{
    const struct link_spec *link = platform_link(p->job->platform, p->job->platform->network.link);
    double seconds = (double)(w->to_ps - w->from_ps) / 1e12;
    struct nic_load load = { 0, 0 };

    for (int64_t n = first; n < end; n++) {
        int out = topology_nic_out(p->topology, n), in = topology_nic_in(p->topology, n);
        if (out < 0 || in < 0)
            continue;
        double sent = w->out_bytes[n] / capacity_of(p, out) / seconds;
        double received = w->in_bytes[n] / capacity_of(p, in) / seconds;
        if (link && link->duplex == DUPLEX_HALF)
            sent = received = sent + received;
        load.most = sent > load.most ? sent : load.most;
        load.most = received > load.most ? received : load.most;
        load.mean += (sent + received) / 2 / (double)(end - first);
    }
    return load;
}

/* Busy share of the devices (or memories) of nodes first .. end - 1. */
static double busy_share(const struct mp_plan *p, const struct measured_span *w, int64_t first, int64_t end,
                         bool memory, int64_t slots)
{
    double busy_ps = 0;

    for (int64_t n = first; n < end; n++)
        busy_ps += w->busy_ps[memory ? p->node[n].memory : p->node[n].device];
    return busy_ps / (double)(end - first) / (double)slots / (double)(w->to_ps - w->from_ps);
}

static void add_rows(const struct mp_plan *p, const struct measured_span *w, struct readings *out)
{
    static const enum mp_row times[] = { MP_ACTIVATION, MP_PUSH,   MP_PULL,   MP_ENCODE,
                                         MP_DECODE,     MP_SELECT, MP_UPDATE, MP_COPY };
    static const enum mp_row sizes[] = { MP_ACTIVATION, MP_PUSH, MP_PULL, MP_SAMPLE };
    double steps = (double)w->ended, iterations = p->mp->schedule == MP_GPIPE ? steps * (double)p->mp->trainers : steps;

    reading_add(out, w->iteration_ps / steps / 1e9, "ms", "iteration_ms");
    reading_add(out, (w->row_ps[MP_FORWARD] + w->row_ps[MP_BACKWARD]) / iterations / 1e9, "ms", "compute_ms");
    for (size_t i = 0; i < COUNT(times); i++)
        reading_add(out, w->row_ps[times[i]] / iterations / 1e9, "ms", "%s_ms", mp_row_names[times[i]]);
    for (size_t i = 0; i < COUNT(sizes); i++)
        reading_add(out, w->row_bytes[sizes[i]] / iterations, "B", "%s_bytes", mp_row_names[sizes[i]]);
}

static void add_utilisations(const struct mp_plan *p, const struct measured_span *w, struct readings *out)
{
    const struct cpu_spec *cpu = &p->job->platform->cpu;
    bool gpu = p->mp->device == COMPUTE_ON_GPU, gpipe = p->mp->schedule == MP_GPIPE;
    int64_t stages = p->nstage_nodes, cores = cpu->sockets * cpu->cores_per_socket;
    double busy = busy_share(p, w, 0, stages, 0, gpu || gpipe ? 1 : cores);
    struct nic_load load = nic_load(p, w, 0, stages);

    reading_add(out, load.most, "share", "nic_utilisation");
    reading_add(out, load.mean, "share", "nic_mean_utilisation");
    reading_add(out, busy, "share", gpu ? "gpu_utilisation" : "cpu_utilisation");
    if (gpipe)
        reading_add(out, 1 - busy, "share", "bubble_share");
    if (!p->mp->servers)
        return;
    reading_add(out, nic_load(p, w, stages, p->nnodes).most, "share", "server_nic_utilisation");
    reading_add(out, busy_share(p, w, stages, p->nnodes, 0, cores), "share", "server_cpu_utilisation");
    reading_add(out, busy_share(p, w, stages, p->nnodes, 1, 1), "share", "server_memory_utilisation");
}

static int read_window(const struct mp_plan *p, struct measured_span *w, struct readings *out, char *why, size_t nwhy)
{
    size_t threads = p->mp->schedule == MP_GPIPE ? 1 : (size_t)(p->mp->trainers * p->mp->threads);
    double trainers = (double)p->mp->trainers;

    place_window(p, threads, w);
    if (w->to_ps <= w->from_ps && engine_end_ps(p->e) > 0)
        return refuse(why, nwhy,
                      "method.steps: %lld are too few: the first thread has done them before the last has "
                      "warmed up",
                      (long long)p->mp->steps);
    if (w->to_ps <= w->from_ps)
        return refuse(why, nwhy, "method.profile: an iteration takes no time at all");
    for (size_t k = 0; k < p->niterations; k++)
        add_iteration(p, k, w);
    add_load(p, w);
    double steps = w->iterations / (p->mp->schedule == MP_GPIPE ? 1 : trainers);
    int rc = report_readings(out, p->e, w->from_ps, w->to_ps, steps, (double)p->job->batch * trainers);
    add_rows(p, w, out);
    add_utilisations(p, w, out);
    return rc;
}

int mp_read(const struct mp_plan *p, struct readings *out, char *why, size_t nwhy)
{
    struct measured_span w = {
        .busy_ps = calloc((size_t)engine_nresources(p->e), sizeof(double)),
        .out_bytes = calloc((size_t)p->nnodes, sizeof(double)),
        .in_bytes = calloc((size_t)p->nnodes, sizeof(double)),
    };
    int rc = w.busy_ps && w.out_bytes && w.in_bytes ? read_window(p, &w, out, why, nwhy) : E_NOMEM;

    free(w.busy_ps);
    free(w.out_bytes);
    free(w.in_bytes);
    return rc;
}
