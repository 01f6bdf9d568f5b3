#include "tests/sim/maxmin_reference.h"

#include <math.h>

static int crosses(const struct ref_flow *f, int channel)
{
    for (int i = 0; i < f->npath; i++)
        if (f->path[i] == channel)
            return 1;
    return 0;
}

static int moving(const struct ref_flow *f, double now_s)
{
    return f->start_s <= now_s && f->left > 0;
}

/* Raise the rate of every flow that is not yet stopped by the same amount until a channel is full; stop its flows. */
static void solve(const double *capacity_Bps, int nchannels, struct ref_flow *flows, int nflows, double now_s)
{
    int stopped[REF_MAX_FLOWS], rising = 0;

    for (int f = 0; f < nflows; f++) {
        flows[f].rate = 0;
        stopped[f] = !moving(&flows[f], now_s);
        rising += !stopped[f];
    }
    while (rising) {
        double lift = INFINITY;
        int full = -1;
        for (int c = 0; c < nchannels; c++) {
            double used = 0;
            int n = 0;
            for (int f = 0; f < nflows; f++)
                if (crosses(&flows[f], c)) {
                    used += flows[f].rate;
                    n += !stopped[f];
                }
            if (n && (capacity_Bps[c] - used) / n < lift) {
                lift = (capacity_Bps[c] - used) / n;
                full = c;
            }
        }
        for (int f = 0; f < nflows; f++)
            if (!stopped[f])
                flows[f].rate += lift;
        for (int f = 0; f < nflows; f++)
            if (!stopped[f] && crosses(&flows[f], full)) {
                stopped[f] = 1;
                rising--;
            }
    }
}

void ref_run(const double *capacity_Bps, int nchannels, struct ref_flow *flows, int nflows)
{
    double now_s = 0;

    for (int f = 0; f < nflows; f++)
        flows[f].left = flows[f].bytes;
    for (;;) {
        double step_s = INFINITY;
        solve(capacity_Bps, nchannels, flows, nflows, now_s);
        for (int f = 0; f < nflows; f++) {
            if (flows[f].rate > 0)
                step_s = fmin(step_s, flows[f].left / flows[f].rate);
            if (flows[f].start_s > now_s)
                step_s = fmin(step_s, flows[f].start_s - now_s);
        }
        if (isinf(step_s))
            return;
        now_s += step_s;
        for (int f = 0; f < nflows; f++) {
            if (!(flows[f].rate > 0))
                continue;
            flows[f].left -= flows[f].rate * step_s;
            if (flows[f].left <= 1e-9 * flows[f].bytes) {
                flows[f].left = 0;
                flows[f].end_s = now_s;
            }
        }
    }
}
