#include "sim/method/allreduce/readings.h"

#include <math.h>
#include <stdio.h>

#include "model/numbers.h"
#include "model/status.h"
#include "sim/method/report.h"
#include "sim/method/splitcnn.h"

#define ROW_NAMES(from)                                                                                  \
    [(from) + AR_COMPUTE] = "compute", [(from) + AR_COMM] = "exchange", [(from) + AR_ENCODE] = "encode", \
              [(from) + AR_DECODE] = "decode", [(from) + AR_UPDATE] = "update", [(from) + AR_OFFLOAD] = "offload"

static const char *const row_names[2 * AR_ROWS] = { ROW_NAMES(0), ROW_NAMES(AR_ROWS) };

/* From the end of one backward pass to that of another: each pass begins when everything of the step before has been
 * taken in, so that all steps are alike from the first on. */
int64_t ar_window(const struct ar_step *g, int64_t *from_ps, int64_t *to_ps)
{
    *from_ps = engine_ended_ps(g->e, g->ends[g->warm - 1]);
    *to_ps = engine_ended_ps(g->e, g->ends[g->warm + g->measured - 1]);
    return *to_ps - *from_ps;
}

static int read_rows(const struct ar_step *g, double step_ps, struct readings *out)
{
    static const struct {
        enum ar_row row;
        const char *name;
    } rows[] = { { AR_COMPUTE, "compute_ms" }, { AR_COMM, "comm_ms" },     { AR_ENCODE, "encode_ms" },
                 { AR_DECODE, "decode_ms" },   { AR_UPDATE, "update_ms" }, { AR_OFFLOAD, "offload_ms" } };
    int rc = E_OK;

    for (size_t i = 0; !rc && i < COUNT(rows); i++) {
        int64_t ps;
        rc = engine_row_ps(g->e, rows[i].row, &ps);
        double each_ps = rc ? 0 : (double)ps / (double)g->measured;
        reading_add(out, each_ps / 1e9, "ms", "%s", rows[i].name);
        if (rows[i].row == AR_COMPUTE)
            reading_add(out, (step_ps - each_ps) / 1e9, "ms", "exposed_ms");
    }
    return rc;
}

/* All steps are alike but for what the first ones' exchange adds, so averages may be taken over the whole run. */
static double per_step(const struct ar_step *g, double of_all)
{
    return of_all / (double)(g->warm + g->measured);
}

static double carried_share(const struct ar_step *g, int channel, double step_s)
{
    struct channel_state s;

    if (channel < 0)
        return 0;
    engine_channel_state(g->e, channel, &s);
    return per_step(g, s.carried_B) / (s.capacity_Bps * step_s);
}

/* Without transfers: what the closed forms would put on the link. */
static double analytic_share(const struct ar_step *g, double step_s)
{
    const struct ar_plan *p = g->plan;
    int out = topology_nic_out(g->topology, 0);
    double bytes = 0;
    struct channel_state s;
    int64_t nics =
        p->method->algorithm == COLLECTIVE_MEASURED ? p->platform.network.nics : 1; /* a ring leaves by one */

    if (out < 0)
        return 0;
    engine_channel_state(g->e, out, &s);
    for (size_t b = 0; b < p->nbuckets; b++)
        bytes += (double)p->buckets[b].crossing_bytes;
    return bytes / (double)(nics > 1 ? nics : 1) / (double)p->local_steps / (s.capacity_Bps * step_s);
}

/* The busiest direction of any. */
static double nic_share(const struct ar_step *g, double step_s)
{
    double most = g->plan->timed ? analytic_share(g, step_s) : 0;

    for (int64_t i = 0; i < topology_nics(g->topology); i++)
        most = fmax(most, fmax(carried_share(g, topology_nic_out(g->topology, i), step_s),
                               carried_share(g, topology_nic_in(g->topology, i), step_s)));
    return most;
}

static double closed_form_s(const struct ar_plan *p)
{
    double forward_ps = 0, backward_ps = 0, bytes = 0, parts = (double)p->method->workers;
    const struct hop *hop = p->method->workers > p->method->workers_per_machine ? &p->ring.between : &p->ring.within;

    for (size_t i = 0; i < p->job->model->nlayers; i++) {
        forward_ps += (double)p->layers[i].forward_ps[SHARE_LARGER];
        backward_ps += (double)p->layers[i].backward_ps[SHARE_LARGER];
    }
    for (size_t b = 0; p->method->workers > 1 && b < p->nbuckets; b++)
        bytes += ((double)(p->buckets[b].reduce_bytes + p->buckets[b].gather_bytes + p->buckets[b].second_bytes) +
                  parts * (double)p->buckets[b].part_bytes) /
                 (double)p->local_steps;
    return splitcnn_iteration_s(forward_ps / 1e12, backward_ps / 1e12, bytes, bytes > 0 ? hop->rate_Bps : 1);
}

static double state_bytes(const struct ar_plan *p)
{
    double sum = 0;

    if (p->scatters)
        return ar_scatter_state_bytes(p);
    for (size_t i = 0; p->codes && i < p->ntensors; i++) {
        const struct gradient *t = &p->tensors[i];
        struct codec_spec c = codec_spec_of_layer(&p->method->gradients, p->job->model->layers[t->layer].name);
        sum += (double)codec_spec_state_bytes(&c, t->values, t->row);
    }
    return sum;
}

int ar_read(const struct ar_step *g, double alone_ps, struct readings *out)
{
    const struct ar_plan *p = g->plan;
    int64_t from_ps, to_ps, window_ps = ar_window(g, &from_ps, &to_ps);
    double step_ps = (double)window_ps / (double)g->measured, workers = (double)p->method->workers;
    double samples = (double)p->job->batch, sent = ar_plan_sent_bytes(p);
    int rc = report_readings(out, g->e, from_ps, to_ps, (double)g->measured, samples);

    if (!rc)
        rc = read_rows(g, step_ps, out);
    if (rc)
        return rc;
    double busy_ps = per_step(g, (double)engine_resource_busy_ps(g->e, g->crews[0].stream));
    reading_add(out, sent, "B", "sent_bytes");
    reading_add(out, sent > 0 ? ar_plan_uncoded_bytes(p) / sent : 1, "x", "wire_ratio");
    reading_add(out, nic_share(g, step_ps / 1e12), "share", "nic_utilisation");
    reading_add(out, busy_ps / step_ps, "share",
                p->method->device == COMPUTE_ON_GPU ? "gpu_utilisation" : "cpu_utilisation");
    reading_add(out, closed_form_s(p) * 1e3, "ms", "closed_form_ms");
    reading_add(out, state_bytes(p), "B", "state_bytes");
    /* Samples per second of all, over those of as many workers who are each alone. */
    reading_add(out, samples / step_ps / (workers * (double)ar_plan_samples(p, SHARE_LARGER) / alone_ps), "x",
                "scaling");
    return E_OK;
}

/* Items are layers by name, then buckets by number. */
static void name_item(const void *context, size_t item, char *name, size_t size)
{
    const struct model *m = ((const struct ar_plan *)context)->job->model;

    if (item < m->nlayers)
        snprintf(name, size, "%s", m->layers[item].name);
    else
        snprintf(name, size, "bucket %zu", item - m->nlayers + 1);
}

int ar_timeline(const struct ar_step *g, struct timeline *out)
{
    return timeline_take(out, g->e, row_names, 2 * AR_ROWS, name_item, g->plan);
}
