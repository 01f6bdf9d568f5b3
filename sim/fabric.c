#include "sim/fabric.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/status.h"
#include "sim/vec.h"

static const double ps_per_s = 1e12;

/* Rates are sums of doubles: this much relative slack separates rounding from a wrong rate. */
static const double rounding = 1e-9;

int64_t fabric_channel(struct fabric *f, double capacity_Bps)
{
    if (!(capacity_Bps > 0) || !isfinite(capacity_Bps))
        return SIM_EINVAL;
    if (!VEC_RESERVE(f->channels, f->channel_capacity, f->nchannels))
        return SIM_ENOMEM;
    f->channels[f->nchannels] = (struct channel){ .capacity_Bps = capacity_Bps };
    return (int64_t)f->nchannels++;
}

int64_t fabric_flow(struct fabric *f, const uint32_t *path, size_t npath, int64_t bytes)
{
    if (npath < 1 || npath > FABRIC_MAX_PATH || bytes < 0)
        return SIM_EINVAL;
    for (size_t i = 0; i < npath; i++)
        if (path[i] >= f->nchannels)
            return SIM_EINVAL;
    if (!VEC_RESERVE(f->flows, f->flow_capacity, f->nflows))
        return SIM_ENOMEM;
    struct flow flow = { .npath = (uint32_t)npath, .bytes = bytes, .remaining_B = (double)bytes };
    memcpy(flow.path, path, npath * sizeof(*path));
    f->flows[f->nflows] = flow;
    return (int64_t)f->nflows++;
}

/* Count what the channel carried up to now at the load it has had since. */
static void channel_count(struct channel *c, int64_t now_ps)
{
    int64_t dt_ps = now_ps - c->since_ps;

    c->carried_B += c->load_Bps * ((double)dt_ps / ps_per_s);
    if (c->nflows)
        c->busy_ps += dt_ps;
    c->since_ps = now_ps;
}

static int channel_touch(struct fabric *f, uint32_t id, int64_t now_ps)
{
    struct channel *c = &f->channels[id];

    channel_count(c, now_ps);
    if (c->dirty)
        return SIM_OK;
    if (!VEC_RESERVE(f->dirty, f->dirty_capacity, f->ndirty))
        return SIM_ENOMEM;
    c->dirty = 1;
    f->dirty[f->ndirty++] = id;
    return SIM_OK;
}

static void flow_count(struct flow *fl, int64_t now_ps)
{
    fl->remaining_B -= fl->rate_Bps * ((double)(now_ps - fl->since_ps) / ps_per_s);
    fl->since_ps = now_ps;
}

int fabric_start(struct fabric *f, uint32_t flow, int64_t now_ps)
{
    struct flow *fl = &f->flows[flow];

    assert(!fl->active);
    for (uint32_t i = 0; i < fl->npath; i++) {
        struct channel *c = &f->channels[fl->path[i]];
        int rc = channel_touch(f, fl->path[i], now_ps);
        if (rc)
            return rc;
        if (!VEC_RESERVE(c->flows, c->capacity, c->nflows))
            return SIM_ENOMEM;
        fl->slot[i] = (uint32_t)c->nflows;
        c->flows[c->nflows++] = flow;
    }
    fl->active = 1;
    fl->since_ps = now_ps;
    return SIM_OK;
}

/* Take the flow out of one channel's list; the last of the list moves into the hole. */
static void channel_drop(struct fabric *f, struct flow *fl, uint32_t i)
{
    struct channel *c = &f->channels[fl->path[i]];
    uint32_t moved = c->flows[--c->nflows];

    c->flows[fl->slot[i]] = moved;
    for (uint32_t k = 0; k < f->flows[moved].npath; k++)
        if (f->flows[moved].path[k] == fl->path[i])
            f->flows[moved].slot[k] = fl->slot[i];
}

int fabric_end(struct fabric *f, uint32_t flow, int64_t now_ps)
{
    struct flow *fl = &f->flows[flow];

    assert(fl->active && now_ps == fl->end_ps);
    flow_count(fl, now_ps);
    /* The end is rounded up to a picosecond, so the flow may have moved up to that much more, and never less. */
    double slack_B = rounding * (double)fl->bytes + 1e-6;
    assert(fl->remaining_B <= slack_B && fl->remaining_B >= -slack_B - fl->rate_Bps / ps_per_s);
    (void)slack_B;
    for (uint32_t i = 0; i < fl->npath; i++) {
        struct channel *c = &f->channels[fl->path[i]];
        int rc = channel_touch(f, fl->path[i], now_ps);
        if (rc)
            return rc;
        channel_drop(f, fl, i);
        c->sent_bytes += (uint64_t)fl->bytes;
        c->flows_ended++;
    }
    fl->active = 0;
    fl->remaining_B = 0;
    return SIM_OK;
}

static int reach(struct fabric *f, uint32_t id)
{
    if (f->channels[id].marked)
        return SIM_OK;
    if (!VEC_RESERVE(f->reached, f->reached_capacity, f->nreached))
        return SIM_ENOMEM;
    f->channels[id].marked = 1;
    f->reached[f->nreached++] = id;
    return SIM_OK;
}

/* Mark everything connected to the dirty channels: every channel of every flow of every marked channel. */
static int mark_components(struct fabric *f)
{
    int rc = SIM_OK;

    f->nreached = 0;
    for (size_t i = 0; !rc && i < f->ndirty; i++)
        rc = reach(f, f->dirty[i]);
    for (size_t i = 0; !rc && i < f->nreached; i++) {
        size_t nflows = f->channels[f->reached[i]].nflows;
        for (size_t k = 0; !rc && k < nflows; k++) {
            struct flow *fl = &f->flows[f->channels[f->reached[i]].flows[k]];
            if (fl->marked)
                continue;
            fl->marked = 1;
            fl->frozen = 0;
            for (uint32_t p = 0; !rc && p < fl->npath; p++)
                rc = reach(f, fl->path[p]);
        }
    }
    return rc;
}

static int flow_freeze(struct fabric *f, uint32_t id, double rate_Bps, int64_t now_ps)
{
    struct flow *fl = &f->flows[id];

    flow_count(fl, now_ps);
    fl->frozen = 1;
    fl->marked = 0;
    fl->rate_Bps = rate_Bps;
    for (uint32_t p = 0; p < fl->npath; p++) {
        f->channels[fl->path[p]].load_Bps += rate_Bps;
        f->channels[fl->path[p]].unfrozen--;
    }
    double left_ps = fl->remaining_B > 0 ? ceil(fl->remaining_B / rate_Bps * ps_per_s) : 0;
    if (left_ps > 9e18 - (double)now_ps)
        return SIM_ERANGE;
    int64_t end_ps = now_ps + (int64_t)left_ps;
    if (end_ps == fl->end_ps && fl->version)
        return SIM_OK;
    if (!VEC_RESERVE(f->changed, f->changed_capacity, f->nchanged))
        return SIM_ENOMEM;
    fl->end_ps = end_ps;
    fl->version++;
    f->changed[f->nchanged++] = id;
    return SIM_OK;
}

/* The share that one more unit of every unfrozen flow's rate could still grow to on this channel. */
static double fair_share(const struct channel *c)
{
    double left = c->capacity_Bps - c->load_Bps;

    return left > 0 ? left / c->unfrozen : 0;
}

/* Progressive filling over the marked channels: the tightest one freezes its flows at its fair share, until all are. */
static int fill(struct fabric *f, int64_t now_ps)
{
    for (size_t i = 0; i < f->nreached; i++) {
        struct channel *c = &f->channels[f->reached[i]];
        channel_count(c, now_ps);
        c->load_Bps = 0;
        c->unfrozen = (uint32_t)c->nflows;
    }
    for (;;) {
        struct channel *tightest = NULL;
        double least = INFINITY;
        for (size_t i = 0; i < f->nreached; i++) {
            struct channel *c = &f->channels[f->reached[i]];
            if (c->unfrozen && fair_share(c) < least) {
                least = fair_share(c);
                tightest = c;
            }
        }
        if (!tightest)
            return SIM_OK;
        for (size_t k = 0; k < tightest->nflows; k++) {
            uint32_t id = tightest->flows[k];
            int rc = f->flows[id].frozen ? SIM_OK : flow_freeze(f, id, least, now_ps);
            if (rc)
                return rc;
        }
    }
}

int fabric_settle(struct fabric *f, int64_t now_ps)
{
    f->nchanged = 0;
    if (!f->ndirty)
        return SIM_OK;
    int rc = mark_components(f);
    if (!rc)
        rc = fill(f, now_ps);
    for (size_t i = 0; i < f->nreached; i++) {
        struct channel *c = &f->channels[f->reached[i]];
        assert(c->load_Bps <= c->capacity_Bps * (1 + rounding));
        c->marked = c->dirty = 0;
    }
    f->ndirty = 0;
    return rc;
}

void fabric_close(struct fabric *f, int64_t now_ps)
{
    for (size_t i = 0; i < f->nchannels; i++) {
        struct channel *c = &f->channels[i];
        channel_count(c, now_ps);
        if (c->nflows)
            continue; /* stopped in mid-flight: nothing to compare yet */
        double sent = (double)c->sent_bytes;
        /* Each end is rounded up to a picosecond, during which the flow moves capacity * 1 ps at most. */
        double slack_B = rounding * sent + (double)c->flows_ended * (c->capacity_Bps / ps_per_s + 1e-6);
        assert(fabs(c->carried_B - sent) <= slack_B);
        assert(c->carried_B <= c->capacity_Bps * (1 + rounding) * ((double)c->busy_ps / ps_per_s) + slack_B);
        (void)slack_B;
    }
}

void fabric_clear(struct fabric *f)
{
    for (size_t i = 0; i < f->nchannels; i++)
        free(f->channels[i].flows);
    free(f->channels);
    free(f->flows);
    free(f->dirty);
    free(f->reached);
    free(f->changed);
    memset(f, 0, sizeof(*f));
}
