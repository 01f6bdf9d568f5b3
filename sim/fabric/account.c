/* account.c - what the channels carried, and whether it is consistent. */
#include <assert.h>
#include <math.h>

#include "sim/fabric/private.h"

/* The load is constant between two counts, so this is exact: a bucket fills with what the channel does not use. */
static void refill(struct channel *c, double dt_s)
{
    double unused_Bps = c->capacity_Bps - c->load_Bps;

    if (unused_Bps > rounding * c->capacity_Bps) /* else the channel is full, but for rounding */
        c->tokens_B = fmin(c->burst_B, c->tokens_B + unused_Bps * dt_s);
}

void fabric_channel_count(struct channel *c, int64_t now_ps)
{
    int64_t dt_ps = now_ps - c->counted_ps;

    if (!dt_ps)
        return;
    c->carried_B += c->load_Bps * ((double)dt_ps / ps_per_s);
    if (c->burst_B > 0)
        refill(c, (double)dt_ps / ps_per_s);
    if (c->live)
        c->busy_ps += dt_ps;
    c->counted_ps = now_ps;
}

/* Every flow has the lowest level on its way. */
static double load_Bps(const struct fabric *f, const struct channel *c, double level_Bps)
{
    double sum_Bps = 0;

    if (!c->long_routes && c->live == c->listed) { /* one flow on each route, and no need to look at routes */
        for (size_t i = 0; i < c->listed; i++) {
            double other_Bps = f->ceiling_Bps[c->others[i]];
            sum_Bps += other_Bps < level_Bps ? other_Bps : level_Bps;
        }
        return sum_Bps;
    }
    for (size_t i = 0; i < c->listed; i++) {
        assert(f->bottleneck[c->routes[i]] < f->nchannels);
        sum_Bps += (double)f->width[c->routes[i]] * f->ceiling_Bps[f->bottleneck[c->routes[i]]];
    }
    return sum_Bps;
}

/* A channel with a level is full, and none is more than full: where every flow runs at the level of a channel on its
 * way, and none on its way has a lower one, that is what makes the division max-min fair. */
void fabric_channel_load(struct fabric *f, uint32_t channel, int64_t now_ps)
{
    struct channel *c = &f->channels[channel];
    struct level *l = &f->levels[channel];

    fabric_channel_count(c, now_ps);
    c->load_Bps = load_Bps(f, c, l->level_Bps);
    assert(c->load_Bps <= c->capacity_Bps * (1 + rounding));
    assert(isinf(l->level_Bps) || c->load_Bps >= c->capacity_Bps * (1 - rounding));
    if (isinf(l->level_Bps)) {
        l->left_Bps = c->capacity_Bps - c->load_Bps;
        l->rising = 0;
    }
}

void fabric_channel_state(struct fabric *f, uint32_t channel, int64_t now_ps, struct channel_state *out)
{
    struct channel *c = &f->channels[channel];

    fabric_channel_count(c, now_ps);
    *out = (struct channel_state){ .capacity_Bps = c->capacity_Bps,
                                   .carried_B = c->carried_B,
                                   .busy_ps = c->busy_ps,
                                   .sent_bytes = c->sent_bytes,
                                   .flows_ended = c->flows_ended,
                                   .flows = c->live };
}

void fabric_close(struct fabric *f, int64_t now_ps)
{
    for (size_t i = 0; i < f->nchannels; i++) {
        struct channel *c = &f->channels[i];
        fabric_channel_count(c, now_ps);
        if (c->live)
            continue; /* stopped in mid-flight: nothing to compare yet */
        double sent = (double)c->sent_bytes;
        /* Each end is rounded up to a picosecond, during which the flow moves capacity * 1 ps at most. */
        double slack_B = rounding * sent + (double)c->flows_ended * (c->most_Bps / ps_per_s + 1e-6);
        assert(fabs(c->carried_B - sent) <= slack_B);
        double most_Bps = c->most_Bps * (1 + rounding);
        assert(c->carried_B <= c->passed_B + most_Bps * ((double)c->busy_ps / ps_per_s) + slack_B);
        /* What a bucket is: no more than the burst ahead of the rate, from the start on. */
        assert(c->burst_B == 0 || c->carried_B <= c->burst_B + most_Bps * ((double)now_ps / ps_per_s) + slack_B);
        (void)most_Bps;
        (void)slack_B;
    }
}
