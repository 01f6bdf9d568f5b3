#include "sim/method/flows/flows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "model/refuse.h"
#include "model/status.h"
#include "sim/fabric/flow_player.h"
#include "sim/method/flows/flows_order.h"
#include "sim/method/flows/flows_timeline.h"
#include "sim/method/method.h"
#include "sim/method/report.h"

/* Sums of bytes are 64-bit integers. */
static const double most_bytes = 9e18;

static int check_end(const struct platform *p, const struct flow_spec *f, struct end e, char *why, size_t nwhy)
{
    if (e.machine < 0 || e.machine >= p->machines)
        return refuse(why, nwhy,
                      "method.file: line %" PRId64 ": machine %" PRId64 ": the platform has machines 0..%" PRId64,
                      f->line, e.machine, p->machines - 1);
    if (e.gpu == END_HOST || (e.gpu >= 0 && e.gpu < p->gpu.count))
        return E_OK;
    if (p->gpu.count < 1)
        return refuse(why, nwhy,
                      "method.file: line %" PRId64 ": GPU %" PRId64 " of machine %" PRId64 ": the platform has no GPUs",
                      f->line, e.gpu, e.machine);
    return refuse(why, nwhy,
                  "method.file: line %" PRId64 ": GPU %" PRId64 " of machine %" PRId64
                  ": a machine of the platform has GPUs 0..%" PRId64,
                  f->line, e.gpu, e.machine, p->gpu.count - 1);
}

static int check_flow(const struct platform *p, const struct flow_spec *f, char *why, size_t nwhy)
{
    int rc = E_OK;

    if (f->bytes < 0 || f->start_ps < 0 || f->delay_ps < 0)
        return refuse(why, nwhy,
                      "method.file: line %" PRId64 ": expected bytes and a start of 0 or more, got %" PRId64
                      " B at %" PRId64 " ps",
                      f->line, f->bytes, f->delay_ps < 0 ? f->delay_ps : f->start_ps);
    rc = check_end(p, f, f->src, why, nwhy);
    return rc ? rc : check_end(p, f, f->dst, why, nwhy);
}

static int check(const struct platform *p, const struct flows *f, char *why, size_t nwhy)
{
    int rc = topology_check(p, why, nwhy);
    double bytes = 0;

    if (!rc && (!f->n || f->n > UINT32_MAX))
        return refuse(why, nwhy, "method.file: expected 1 to %" PRIu32 " flows, got %zu", UINT32_MAX, f->n);
    for (size_t i = 0; !rc && i < f->n; i++) {
        rc = check_flow(p, &f->list[i], why, nwhy);
        bytes += (double)f->list[i].bytes + p->network.message_bytes;
    }
    if (!rc && bytes > most_bytes)
        return refuse(why, nwhy, "method.file: expected at most %g bytes in all, framing included, got %g", most_bytes,
                      bytes);
    return rc ? rc : flow_order_check(f, why, nwhy);
}

int flows_check(const struct job *j, char *why, size_t nwhy)
{
    if (j->batch > 1)
        return refuse(why, nwhy, "batch: traffic is played as it is given: expected no batch, got %" PRId64, j->batch);
    return check(j->platform, &j->method->flows, why, nwhy);
}

/* A simulation: the fabric with the platform's channels, and the flows' ends. */
struct play {
    struct fabric *fabric;
    struct topology *topology;
    struct flow_player *player;
    const struct flows *flows;
    struct flow_order order;
    struct flow_times *times;
};

/* A flow that waits for nothing any more. One from one machine to another is a message: it has its framing, and takes
 * its time before the first byte leaves. */
static int post(struct play *play, uint32_t tag, int64_t ready_ps)
{
    const struct flow_spec *flow = &play->flows->list[tag];
    int64_t latency_ps, at_ps, route = topology_route(play->topology, flow->src, flow->dst, &latency_ps);
    int64_t bytes = flow->bytes;

    if (route < 0)
        return (int)route;
    if (flow->src.machine != flow->dst.machine) {
        bytes = topology_message_bytes(play->topology, bytes);
        latency_ps += topology_message_ps(play->topology);
    }
    play->times->ready_ps[tag] = ready_ps;
    if (__builtin_add_overflow(ready_ps, latency_ps, &at_ps) || __builtin_add_overflow(at_ps, flow->delay_ps, &at_ps))
        return E_RANGE;
    return flow_player_post(play->player, (uint32_t)route, bytes, at_ps, tag);
}

static int post_all(struct play *play)
{
    const struct flows *f = play->flows;
    int rc = E_OK;

    for (size_t i = 0; !rc && i < f->n; i++)
        if (!f->list[i].nafter)
            rc = post(play, (uint32_t)i, f->list[i].start_ps);
    return rc;
}

/* What waited for this flow alone sets out. */
static int note_end(void *context, uint32_t tag, int64_t at_ps)
{
    struct play *play = context;
    const struct flow_spec *list = play->flows->list;
    const struct flow_order *o = &play->order;
    int rc = E_OK;

    play->times->end_ps[tag] = at_ps;
    for (size_t k = o->first ? o->first[tag] : 0; !rc && o->first && k < o->first[tag + 1]; k++) {
        uint32_t next = o->next[k];
        if (--o->waiting[next])
            continue;
        play->times->cause[next] = tag;
        rc = post(play, next, list[next].start_ps > at_ps ? list[next].start_ps : at_ps);
    }
    return rc;
}

static double busiest(struct fabric *fabric, int64_t end_ps)
{
    double most = 0;

    for (size_t i = 0; end_ps > 0 && i < fabric_nchannels(fabric); i++) {
        struct channel_state s;
        fabric_channel_state(fabric, (uint32_t)i, end_ps, &s);
        most = fmax(most, s.carried_B / s.capacity_Bps / ((double)end_ps / 1e12));
    }
    return most;
}

/* When each has ended, and the utilisation of the busiest channel until the last has. */
static int play_all(const struct platform *p, const struct flows *f, struct flow_times *times, double *utilisation,
                    char *why, size_t nwhy)
{
    struct play play = { .fabric = fabric_new(), .flows = f, .times = times };
    int rc = play.fabric ? topology_new(p, NULL, play.fabric, &play.topology, why, nwhy) : E_NOMEM;

    if (!rc && !(play.player = flow_player_new(play.fabric)))
        rc = E_NOMEM;
    rc = rc ? rc : flow_order_new(&play.order, f);
    rc = rc ? rc : post_all(&play);
    rc = rc ? rc : flow_player_run(play.player, note_end, &play);
    if (!rc) {
        int64_t now_ps = flow_player_now_ps(play.player);
        *utilisation = busiest(play.fabric, now_ps);
        fabric_close(play.fabric, now_ps);
    }
    flow_order_free(&play.order);
    flow_player_free(play.player);
    topology_free(play.topology);
    fabric_free(play.fabric);
    return rc;
}

int flows_ends(const struct platform *p, const struct flows *f, int64_t end_ps[], char *why, size_t nwhy)
{
    struct flow_times times = { 0 };
    double utilisation;
    int rc = check(p, f, why, nwhy);

    rc = rc ? rc : flow_times_new(&times, f->n);
    rc = rc ? rc : play_all(p, f, &times, &utilisation, why, nwhy);
    for (size_t i = 0; !rc && i < f->n; i++)
        end_ps[i] = times.end_ps[i];
    flow_times_free(&times);
    return rc;
}

static void read_out(const struct flows *f, const struct flow_times *times, double utilisation, struct readings *out)
{
    const int64_t *end_ps = times->end_ps;
    int64_t last_ps = 0, longest_ps = 0, bytes = 0;
    double sum_ps = 0;

    for (size_t i = 0; i < f->n; i++) {
        int64_t took_ps = end_ps[i] - times->ready_ps[i] - f->list[i].delay_ps;
        last_ps = end_ps[i] > last_ps ? end_ps[i] : last_ps;
        longest_ps = took_ps > longest_ps ? took_ps : longest_ps;
        sum_ps += (double)took_ps;
        bytes += f->list[i].bytes;
    }
    reading_add(out, (double)last_ps / 1e9, "ms", "step_ms");
    reading_add(out, (double)f->n, "", "flows");
    reading_add(out, (double)bytes, "B", "bytes");
    reading_add(out, (double)last_ps / 1e9, "ms", "end_ms");
    reading_add(out, sum_ps / (double)f->n / 1e9, "ms", "mean_ms");
    reading_add(out, (double)longest_ps / 1e9, "ms", "longest_ms");
    reading_add(out, last_ps > 0 ? (double)bytes / ((double)last_ps / 1e12) / 1e9 : 0, "GB/s", "rate_GBps");
    reading_add(out, utilisation, "share", "link_utilisation");
}

int flows_play(const struct job *j, struct readings *out, struct timeline *timeline, char *why, size_t nwhy)
{
    const struct flows *f = &j->method->flows;
    struct flow_times times = { 0 };
    double utilisation = 0;
    int rc = flows_check(j, why, nwhy);

    rc = rc ? rc : flow_times_new(&times, f->n);
    if (!rc)
        rc = play_all(j->platform, f, &times, &utilisation, why, nwhy);
    if (!rc && timeline)
        rc = flows_timeline(timeline, j->platform, f, &times);
    if (!rc)
        read_out(f, &times, utilisation, out);
    flow_times_free(&times);
    return rc;
}
