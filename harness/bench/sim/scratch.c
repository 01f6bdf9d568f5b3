/* scratch.c - the anchor of bursts: the same flows, all rates found from nothing after every end. It has what makes
 * that fast: a heap of the channels, which look up their flows, and loops over arrays. Time is a double in seconds. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "harness/bench/sim/case.h"
#include "harness/host/clock.h"
#include "harness/status.h"
#include "model/status.h"
#include "sim/fabric/heap.h"

/* Channels 2h and 2h + 1 are host h's link, leaving and arriving. */
enum { CHANNELS = 2 * STAR_HOSTS };

static const double no_rate = -1;

struct burst {
    size_t n;
    uint32_t *others[2]; /* of each flow the two channels ... */
    double *left_B, *rate_Bps;
    uint32_t *listed; /* ... and the flows of each channel, from first[] on: count[] are left */
    size_t first[CHANNELS], count[CHANNELS];

    double left_Bps[CHANNELS]; /* while rates are found: what slower flows leave, and the number of the others */
    size_t rising[CHANNELS];
    struct heap full; /* channels by the rate at which they are full, or less */
    struct heap_item items[CHANNELS];
    uint32_t place[CHANNELS];
};

static bool make(struct burst *b, const struct star_flow *flows)
{
    size_t at = 0;

    b->full = (struct heap){ .items = b->items, .capacity = CHANNELS };
    b->others[0] = calloc(b->n, sizeof(uint32_t));
    b->others[1] = calloc(b->n, sizeof(uint32_t));
    b->left_B = calloc(b->n, sizeof(double));
    b->rate_Bps = calloc(b->n, sizeof(double));
    b->listed = calloc(2 * b->n, sizeof(uint32_t));
    if (!b->others[0] || !b->others[1] || !b->left_B || !b->rate_Bps || !b->listed)
        return false;
    for (size_t i = 0; i < b->n; i++) {
        b->others[0][i] = 2 * flows[i].src;
        b->others[1][i] = 2 * flows[i].dst + 1;
        b->left_B[i] = (double)flows[i].bytes;
        b->count[2 * flows[i].src]++;
        b->count[2 * flows[i].dst + 1]++;
    }
    for (size_t c = 0; c < CHANNELS; c++) {
        b->first[c] = at;
        at += b->count[c];
        b->count[c] = 0;
    }
    for (size_t i = 0; i < b->n; i++)
        for (int side = 0; side < 2; side++) {
            uint32_t c = b->others[side][i];
            b->listed[b->first[c] + b->count[c]++] = (uint32_t)i;
        }
    return true;
}

static void release(struct burst *b)
{
    free(b->others[0]);
    free(b->others[1]);
    free(b->left_B);
    free(b->rate_Bps);
    free(b->listed);
}

/* A full channel: its flows that have no rate yet get this one, and leave their other channel. */
static void fill(struct burst *b, uint32_t channel, double level_Bps)
{
    const uint32_t *others = b->others[channel % 2 == 0], *listed = b->listed + b->first[channel];

    for (size_t i = 0; i < b->count[channel]; i++) {
        uint32_t flow = listed[i], other = others[flow];
        if (b->rate_Bps[flow] >= 0)
            continue;
        b->rate_Bps[flow] = level_Bps;
        b->left_Bps[other] -= level_Bps;
        b->rising[other]--;
    }
    b->rising[channel] = 0;
}

/* Shares only grow while the water rises, so a channel is looked at again when its turn comes. */
static void divide(struct burst *b)
{
    for (uint32_t c = 0; c < CHANNELS; c++) {
        b->left_Bps[c] = star_rate_Bps;
        b->rising[c] = b->count[c];
        if (b->count[c])
            heap_put(&b->full, b->place, c, heap_key(star_rate_Bps / (double)b->count[c]));
        for (size_t i = 0; c % 2 == 0 && i < b->count[c]; i++)
            b->rate_Bps[b->listed[b->first[c] + i]] = no_rate;
    }
    while (b->full.count) {
        struct heap_item first = b->items[0];
        double share_Bps = b->rising[first.id] ? b->left_Bps[first.id] / (double)b->rising[first.id] : INFINITY;
        if (share_Bps > heap_value(first.key) && b->rising[first.id]) {
            heap_put(&b->full, b->place, first.id, heap_key(share_Bps));
            continue;
        }
        heap_drop(&b->full, b->place, first.id);
        fill(b, first.id, heap_value(first.key));
    }
}

/* A place in the lists is filled with the last of its list. */
static void forget(struct burst *b, uint32_t channel, uint32_t flow)
{
    uint32_t *listed = b->listed + b->first[channel];
    size_t i = 0;

    while (listed[i] != flow)
        i++;
    listed[i] = listed[--b->count[channel]];
}

/* Until the next end; how many flows end then. */
static size_t step(struct burst *b, double *now_s)
{
    double step_s = INFINITY;
    size_t ended = 0;

    for (size_t c = 0; c < CHANNELS; c += 2)
        for (size_t i = 0; i < b->count[c]; i++) {
            uint32_t flow = b->listed[b->first[c] + i];
            step_s = fmin(step_s, b->left_B[flow] / b->rate_Bps[flow]);
        }
    for (size_t c = 0; c < CHANNELS; c += 2)
        for (size_t i = b->count[c]; i-- > 0;) {
            uint32_t flow = b->listed[b->first[c] + i];
            b->left_B[flow] -= b->rate_Bps[flow] * step_s;
            if (b->left_B[flow] > 1e-6) /* a byte is whole */
                continue;
            forget(b, b->others[1][flow], flow);
            forget(b, (uint32_t)c, flow);
            ended++;
        }
    *now_s += step_s;
    return ended;
}

int run_scratch(const struct sim_case *c, struct sim_result *r)
{
    struct star_flow *flows = star_flows(c->size);
    struct burst *b = calloc(1, sizeof(*b));
    int64_t began = clock_ns();
    double now_s = 2 * star_latency_s, ends_s = 0;
    bool made = false;

    if (flows && b) {
        b->n = (size_t)c->size;
        made = make(b, flows);
    }
    for (size_t left = made ? b->n : 0, ended; left; left -= ended) {
        divide(b);
        ended = step(b, &now_s);
        ends_s += (double)ended * now_s;
    }
    r->elapsed_ns = clock_ns() - began;
    r->events = c->size;
    r->end_s = now_s;
    r->mean_end_s = ends_s / (double)c->size;
    if (b)
        release(b);
    free(b);
    free(flows);
    return made ? NW_OK : NW_ENOMEM;
}
