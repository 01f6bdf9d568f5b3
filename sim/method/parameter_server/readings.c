/* readings.c - what a play came to, in a window of the steady state. */
#include <stdio.h>
#include <stdlib.h>

#include "model/numbers.h"
#include "model/refuse.h"
#include "model/status.h"
#include "sim/engine/timeline.h"
#include "sim/method/parameter_server/play.h"
#include "sim/method/report.h"

struct interval {
    int64_t start_ps, end_ps;
    int row;
};

static int64_t finished_ps(const struct ps_play *s, size_t worker, size_t round)
{
    return engine_ended_ps(s->e, s->finished[round * s->nworkers + worker]);
}

/* Rounds that a worker has behind it, and the share of the one it is in. */
static double rounds_at(const struct ps_play *s, size_t worker, int64_t at_ps)
{
    int64_t before_ps = 0;

    for (size_t r = 0; r < s->rounds; r++) {
        int64_t end_ps = finished_ps(s, worker, r);
        if (end_ps > at_ps)
            return (double)r + (double)(at_ps - before_ps) / (double)(end_ps - before_ps);
        before_ps = end_ps;
    }
    return (double)s->rounds;
}

/* Workers that wait for no other drift apart: count while all of them are at work, from when the last one has warmed up
 * until the first one has done what is counted. If the fastest was done before the slowest had warmed up, count all. */
static void choose_window(const struct ps_play *s, struct ps_window *w)
{
    int64_t first_start_ps = INT64_MAX, last_start_ps = 0, first_end_ps = INT64_MAX, last_end_ps = 0;

    for (size_t i = 0; i < s->nworkers; i++) {
        int64_t start_ps = finished_ps(s, i, 0), end_ps = finished_ps(s, i, s->rounds - 2);
        first_start_ps = start_ps < first_start_ps ? start_ps : first_start_ps;
        last_start_ps = start_ps > last_start_ps ? start_ps : last_start_ps;
        first_end_ps = end_ps < first_end_ps ? end_ps : first_end_ps;
        last_end_ps = end_ps > last_end_ps ? end_ps : last_end_ps;
    }
    bool common = last_start_ps < first_end_ps;
    w->from_ps = common ? last_start_ps : first_start_ps;
    w->to_ps = common ? first_end_ps : last_end_ps;
    w->mean = 0;
    for (size_t i = 0; i < s->nworkers; i++) {
        w->rounds[i] = rounds_at(s, i, w->to_ps) - rounds_at(s, i, w->from_ps);
        w->mean += w->rounds[i] / (double)s->nworkers;
    }
}

static int64_t within(const struct ps_window *w, int64_t start_ps, int64_t end_ps)
{
    int64_t from_ps = max64(start_ps, w->from_ps), to_ps = min64(end_ps, w->to_ps);

    return to_ps > from_ps ? to_ps - from_ps : 0;
}

static int by_row(const void *a, const void *b)
{
    const struct interval *x = a, *y = b;

    if (x->row != y->row)
        return x->row - y->row;
    return (x->start_ps > y->start_ps) - (x->start_ps < y->start_ps);
}

/* Time of the window during which some task of each row ran; forward and backward are one row. */
static void add_up(const struct ps_window *w, struct interval *list, size_t n, int64_t row_ps[PS_ROWS])
{
    int64_t until_ps = 0;

    if (n)
        qsort(list, n, sizeof(*list), by_row);
    for (size_t i = 0; i < n; i++) {
        if (!i || list[i].row != list[i - 1].row)
            until_ps = w->from_ps;
        if (list[i].end_ps > until_ps) {
            row_ps[list[i].row] += within(w, list[i].start_ps > until_ps ? list[i].start_ps : until_ps, list[i].end_ps);
            until_ps = list[i].end_ps;
        }
    }
}

/* One walk over all tasks: rows, and how long each resource's slots were taken in the window. */
static int walk_tasks(const struct ps_play *s, const struct ps_window *w, int64_t row_ps[PS_ROWS], int64_t busy_ps[])
{
    size_t ntasks = (size_t)engine_ntasks(s->e), n = 0;
    struct interval *list = malloc((ntasks + 1) * sizeof(*list));

    if (!list)
        return E_NOMEM;
    for (size_t i = 0; i < ntasks; i++) {
        struct task_view v;
        engine_view(s->e, (int)i, &v);
        int64_t ps = within(w, v.start_ps, v.end_ps);
        if (!ps)
            continue;
        if (v.resource >= 0)
            busy_ps[v.resource] += ps;
        if (v.label >= 0)
            list[n++] = (struct interval){ v.start_ps, v.end_ps, v.label == PS_BACKWARD ? PS_FORWARD : v.label };
    }
    add_up(w, list, n, row_ps);
    free(list);
    return E_OK;
}

/* The time of the window that a worker spent on its layers. */
static int64_t computed_ps(const struct ps_play *s, const struct ps_window *w, size_t worker)
{
    int64_t sum_ps = 0, start_ps, end_ps;

    for (size_t step = 0; step < s->steps; step++)
        for (size_t u = 0; u < 2 * s->nunits; u++) {
            engine_task(s->e, s->computed[worker * s->steps + step] + (int)u, &start_ps, &end_ps);
            sum_ps += within(w, start_ps, end_ps);
        }
    return sum_ps;
}

static void add_times(const struct ps_play *s, const struct ps_window *w, const int64_t row_ps[], struct readings *out)
{
    static const struct {
        const char *name;
        enum ps_row row;
    } rows[] = {
        { "compute_ms", PS_FORWARD }, { "push_ms", PS_PUSH },     { "pull_ms", PS_PULL },
        { "encode_ms", PS_ENCODE },   { "decode_ms", PS_DECODE }, { "aggregate_ms", PS_SUM },
        { "update_ms", PS_UPDATE },
    };
    double steps = w->mean * (double)s->method->local_steps;
    int64_t slowest_ps = 0;

    for (size_t i = 0; i < COUNT(rows); i++)
        reading_add(out, (double)row_ps[rows[i].row] / steps / 1e9, "ms", "%s", rows[i].name);
    for (size_t i = 0; i < s->nworkers; i++) {
        int64_t ps = computed_ps(s, w, i);
        slowest_ps = ps > slowest_ps ? ps : slowest_ps;
    }
    reading_add(out, (double)(w->to_ps - w->from_ps - slowest_ps) / steps / 1e9, "ms", "exposed_ms");
}

/* Averages over the steps of one worker. */
static void add_bytes(const struct ps_play *s, struct readings *out)
{
    const struct parameter_server *m = s->method;
    double push = 0, pull = 0, values = 0, state = 0, each = (double)m->local_steps;
    double shares =
        m->shared_pull && m->mode == PS_SYNC ? (double)s->nworkers : 1; /* workers that one encoding serves */

    for (size_t t = 0; t < s->ntensors; t++) {
        push += (double)s->tensors[t].push.bytes / each;
        pull += (double)s->tensors[t].pull.bytes / each;
        values += (double)s->tensors[t].values;
        const char *layer = s->job->model->layers[s->tensors[t].layer].name;
        struct codec_spec for_push = codec_spec_of_layer(&m->push, layer),
                          for_pull = codec_spec_of_layer(&m->pull, layer);
        state += (double)codec_spec_state_bytes(&for_push, s->tensors[t].values, s->tensors[t].row) +
                 (double)codec_spec_state_bytes(&for_pull, s->tensors[t].values, s->tensors[t].row) / shares;
    }
    reading_add(out, push, "B", "push_bytes");
    reading_add(out, pull, "B", "pull_bytes");
    reading_add(out, push + pull > 0 ? 8 * values / (push + pull) : 1, "x", "wire_ratio");
    reading_add(out, state, "B", "state_bytes");
}

/* Samples of one round, of all workers. */
static double samples(const struct ps_play *s, const struct ps_window *w)
{
    double sum = 0;

    if (s->late)
        return ps_samples(s, w);
    for (size_t i = 0; i < s->nworkers; i++)
        sum += w->rounds[i] * (double)s->workers[i].samples;
    return sum / w->mean;
}

int ps_readings(const struct ps_play *s, struct readings *out, char *why, size_t nwhy)
{
    struct ps_window w = { .rounds = calloc(s->nworkers, sizeof(double)) };
    int64_t *busy_ps = calloc((size_t)engine_nresources(s->e) + 1, sizeof(*busy_ps)), row_ps[PS_ROWS] = { 0 };
    int rc = w.rounds && busy_ps ? E_OK : E_NOMEM;

    if (!rc)
        choose_window(s, &w);
    if (!rc && w.to_ps <= w.from_ps)
        rc = refuse(why, nwhy, "model: a step takes no time at all");
    rc = rc ? rc : walk_tasks(s, &w, row_ps, busy_ps);
    rc = rc ? rc
            : report_readings(out, s->e, w.from_ps, w.to_ps, w.mean * (double)s->method->local_steps, samples(s, &w));
    if (!rc) {
        add_times(s, &w, row_ps, out);
        add_bytes(s, out);
        rc = ps_utilisation(s, &w, busy_ps, out);
    }
    free(busy_ps);
    free(w.rounds);
    return rc;
}

/* Items are layers, then tensors. */
static void name_item(const void *context, size_t item, char *name, size_t size)
{
    const struct ps_play *s = context;
    const struct model *m = s->job->model;
    const struct ps_tensor *t = item < m->nlayers ? NULL : &s->tensors[item - m->nlayers];

    snprintf(name, size, "%s%s", m->layers[t ? t->layer : item].name, t ? t->part : "");
}

int ps_timeline(const struct ps_play *s, struct timeline *out)
{
    static const char *const rows[PS_ROWS] = { "forward", "backward", "push",   "pull",   "encode",
                                               "decode",  "sum",      "update", "barrier" };

    return timeline_take(out, s->e, rows, PS_ROWS, name_item, s);
}
