#include "tests/sim/fabric/maxmin_reference.h"

#include <math.h>
#include <stdlib.h>

/* Who crosses which channel: the flows of channel c are crossing[first[c]] .. crossing[first[c + 1] - 1]. */
struct net {
    const double *capacity_Bps;
    int nchannels;
    struct ref_flow *flows;
    int nflows;
    int *first, *crossing;
    double *left_Bps; /* scratch of solve(): capacity less the rates of stopped flows */
    int *rising;      /* and how many flows are not stopped */
};

static int under_way(const struct ref_flow *f, double now_s)
{
    return f->start_s <= now_s && isnan(f->end_s);
}

/* All rates rise together, from 0. The channel that is full at the lowest rate stops its flows there; and so on. */
static void solve(struct net *n, double now_s)
{
    for (int c = 0; c < n->nchannels; c++) {
        n->left_Bps[c] = n->capacity_Bps[c];
        n->rising[c] = 0;
    }
    for (int i = 0; i < n->nflows; i++) {
        struct ref_flow *f = &n->flows[i];
        f->rate = 0;
        f->stopped = !under_way(f, now_s);
        for (int k = 0; !f->stopped && k < f->npath; k++)
            n->rising[f->path[k]]++;
    }
    for (;;) {
        int full = -1;
        double water = INFINITY;
        for (int c = 0; c < n->nchannels; c++)
            if (n->rising[c] && n->left_Bps[c] / n->rising[c] < water) {
                water = n->left_Bps[c] / n->rising[c];
                full = c;
            }
        if (full < 0)
            return;
        for (int x = n->first[full]; x < n->first[full + 1]; x++) {
            struct ref_flow *f = &n->flows[n->crossing[x]];
            if (f->stopped)
                continue;
            f->stopped = 1;
            f->rate = water;
            for (int k = 0; k < f->npath; k++) {
                n->left_Bps[f->path[k]] -= water;
                n->rising[f->path[k]]--;
            }
        }
    }
}

/* End what has nothing left; its successor starts, and may itself have nothing to move. */
static int end_flows(struct net *n, double now_s)
{
    int ended = 0;

    for (int i = 0; i < n->nflows; i++) {
        struct ref_flow *f = &n->flows[i];
        if (!under_way(f, now_s) || (f->npath && f->left > 1e-12 * f->bytes))
            continue;
        f->end_s = now_s;
        ended = 1;
        if (i + 1 < n->nflows && isinf(f[1].start_s))
            f[1].start_s = now_s;
    }
    return ended;
}

static void play(struct net *n, int most)
{
    double now_s = 0;

    for (int instants = 0;;) {
        instants += end_flows(n, now_s);
        if (most && instants >= most)
            return;
        solve(n, now_s);
        double step_s = INFINITY;
        for (int i = 0; i < n->nflows; i++) {
            const struct ref_flow *f = &n->flows[i];
            if (f->rate > 0)
                step_s = fmin(step_s, f->left / f->rate);
            if (f->start_s > now_s)
                step_s = fmin(step_s, f->start_s - now_s);
        }
        if (isinf(step_s))
            return;
        for (int i = 0; i < n->nflows; i++)
            n->flows[i].left -= n->flows[i].rate * step_s;
        now_s += step_s;
    }
}

static void list_crossings(struct net *n)
{
    for (int i = 0; i < n->nflows; i++)
        for (int k = 0; k < n->flows[i].npath; k++)
            n->first[n->flows[i].path[k] + 1]++;
    for (int c = 0; c < n->nchannels; c++)
        n->first[c + 1] += n->first[c];
    for (int i = 0; i < n->nflows; i++)
        for (int k = 0; k < n->flows[i].npath; k++) {
            int c = n->flows[i].path[k];
            n->crossing[n->first[c] + n->rising[c]++] = i;
        }
}

int ref_run(const double *capacity_Bps, int nchannels, struct ref_flow *flows, int nflows, int most)
{
    struct net n = { .capacity_Bps = capacity_Bps, .nchannels = nchannels, .flows = flows, .nflows = nflows };
    size_t total = 1;

    for (int i = 0; i < nflows; i++) {
        flows[i].left = flows[i].bytes;
        flows[i].end_s = NAN;
        total += (size_t)flows[i].npath;
    }
    n.first = calloc((size_t)nchannels + 1, sizeof(*n.first));
    n.crossing = calloc(total, sizeof(*n.crossing));
    n.left_Bps = calloc((size_t)nchannels + 1, sizeof(*n.left_Bps));
    n.rising = calloc((size_t)nchannels + 1, sizeof(*n.rising));
    int ok = n.first && n.crossing && n.left_Bps && n.rising;
    if (ok) {
        list_crossings(&n);
        play(&n, most);
    }
    free(n.first);
    free(n.crossing);
    free(n.left_Bps);
    free(n.rising);
    return ok;
}
