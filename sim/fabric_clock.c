/* Who ends next: a clock in bytes for each channel, see fabric_private.h. */
#include <assert.h>
#include <math.h>

#include "sim/fabric_private.h"
#include "sim/status.h"

/* A clock that has run this far starts again from 0 when it next gets a level, so that it keeps resolving parts of a byte
 * by which no end could move a picosecond. */
static const double clock_range_B = 1048576;

/* What a division and a clock's additions may be off, in picoseconds: so much, and so much of the clock, but never as much
 * as half of one. A flow that is done but for that is done: an exact number of picoseconds must not become one more. */
static const double slack_least_ps = 1e-3, slack_share = 1e-15, slack_most_ps = 0.4;

/* Ends later than this do not fit; 2^63 ps, a little less. */
static const double most_ps = 9e18;

double fabric_clock_B(const struct channel *c, int64_t now_ps)
{
    return c->clock_B + c->level_Bps * ((double)(now_ps - c->clock_ps) / ps_per_s);
}

static void retimed(struct fabric *f, uint32_t channel)
{
    struct channel *c = &f->channels[channel];

    if (!c->retimed)
        channel_set_add(&f->retimed, channel);
    c->retimed = 1;
}

static void clock_restart(struct channel *c)
{
    for (size_t i = 0; i < c->finishes.count; i++) {
        double left_B = heap_value(c->finishes.items[i].key) - c->clock_B;
        c->finishes.items[i].key = heap_key(fmax(left_B, 0));
    }
    c->clock_B = 0;
}

void fabric_set_level(struct fabric *f, uint32_t channel, double level_Bps, int64_t now_ps)
{
    struct channel *c = &f->channels[channel];

    assert(isfinite(level_Bps) || !c->finishes.count);
    if (c->finishes.count) {
        double now_B = fabric_clock_B(c, now_ps);
        if (level_Bps == c->level_Bps && now_B <= clock_range_B)
            return;
        c->clock_B = now_B;
        if (now_B > clock_range_B)
            clock_restart(c);
        retimed(f, channel);
    } else {
        c->clock_B = 0;
    }
    c->clock_ps = now_ps;
    c->level_Bps = level_Bps;
}

void fabric_hold(struct fabric *f, uint32_t flow, uint32_t channel, int64_t now_ps)
{
    uint32_t before = f->bottleneck[flow];
    double left_B = (double)f->flows[flow].bytes;

    if (before != NO_CHANNEL) {
        struct channel *from = &f->channels[before];
        double finish_B = heap_value(from->finishes.items[f->finish_place[flow] - 1].key);
        left_B = fmax(finish_B - fabric_clock_B(from, now_ps), 0);
        heap_drop(&from->finishes, f->finish_place, flow);
        retimed(f, before);
    }
    struct channel *to = &f->channels[channel];
    heap_put(&to->finishes, f->finish_place, flow, heap_key(fabric_clock_B(to, now_ps) + left_B));
    retimed(f, channel);
    f->bottleneck[flow] = channel;
}

/* In how many picoseconds from clock_ps the clock will show finish_B. */
static double finish_ps(const struct channel *c, double finish_B)
{
    double left_ps = (finish_B - c->clock_B) * ps_per_s / c->level_Bps;
    double slack_ps = slack_least_ps + slack_share * (finish_B * ps_per_s / c->level_Bps);

    return fmax(ceil(left_ps - fmin(slack_ps, slack_most_ps)), 0);
}

void fabric_take_ended(struct fabric *f, int64_t now_ps, void (*ended)(struct fabric *f, uint32_t flow, int64_t now_ps))
{
    while (f->ends.count && f->ends.items[0].key <= (uint64_t)now_ps) {
        uint32_t channel = f->ends.items[0].id;
        struct channel *c = &f->channels[channel];
        assert(f->ends.items[0].key == (uint64_t)now_ps);
        heap_drop(&f->ends, f->end_place, channel);
        retimed(f, channel);
        while (c->finishes.count) {
            struct heap_item first = c->finishes.items[0];
            if (finish_ps(c, heap_value(first.key)) > (double)(now_ps - c->clock_ps))
                break;
            heap_drop(&c->finishes, f->finish_place, first.id);
            ended(f, first.id, now_ps);
        }
    }
}

int fabric_retime(struct fabric *f, int64_t now_ps)
{
    int rc = SIM_OK;

    for (size_t i = 0; i < f->retimed.count; i++) {
        uint32_t id = f->retimed.ids[i];
        struct channel *c = &f->channels[id];
        c->retimed = 0;
        if (!c->finishes.count) {
            heap_drop(&f->ends, f->end_place, id);
            continue;
        }
        double ps = finish_ps(c, heap_value(c->finishes.items[0].key));
        if (ps > most_ps - (double)c->clock_ps) {
            rc = SIM_ERANGE;
            continue;
        }
        int64_t end_ps = c->clock_ps + (int64_t)ps;
        heap_put(&f->ends, f->end_place, id, (uint64_t)(end_ps > now_ps ? end_ps : now_ps));
    }
    f->retimed.count = 0;
    return rc;
}
