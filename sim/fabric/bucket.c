/* bucket.c - what a token bucket lets pass at once, ahead of a channel's rate. */
#include <math.h>

#include "model/status.h"
#include "sim/fabric/private.h"

int fabric_bucket(struct fabric *f, uint32_t channel, double bytes)
{
    if (channel >= f->nchannels || !(bytes >= 0) || !isfinite(bytes) || f->channels[channel].live ||
        f->channels[channel].flows_ended)
        return E_INVAL;
    f->channels[channel].burst_B = f->channels[channel].tokens_B = bytes;
    f->buckets |= bytes > 0;
    return E_OK;
}

/* The tokens that are left in the emptiest bucket on the way; infinite if none is on it. */
static double fewest_tokens_B(struct fabric *f, const struct route *r, int64_t now_ps)
{
    double fewest_B = INFINITY;

    for (size_t i = 0; i < r->n; i++) {
        struct channel *c = &f->channels[f->hops[r->first + i]];
        fabric_channel_count(c, now_ps);
        if (c->burst_B > 0)
            fewest_B = fmin(fewest_B, c->tokens_B);
    }
    return fewest_B;
}

double fabric_pass(struct fabric *f, uint32_t route, int64_t bytes, int64_t now_ps)
{
    const struct route *r = &f->routes[route];
    double passed_B = f->buckets ? fewest_tokens_B(f, r, now_ps) : 0;

    if (isinf(passed_B) || !(passed_B > 0))
        return 0;
    passed_B = fmin(passed_B, (double)bytes);
    for (size_t i = 0; i < r->n; i++) {
        struct channel *c = &f->channels[f->hops[r->first + i]];
        c->carried_B += passed_B;
        c->passed_B += passed_B;
        if (c->burst_B > 0)
            c->tokens_B -= passed_B;
    }
    return passed_B;
}
