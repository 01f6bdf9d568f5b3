#include "harness/network/rate.h"

#include <math.h>

enum { NEAR = 4 };

/* Of what the doubling before stream i added; of a first stream itself. Negative or infinite where noise is larger than
 * the difference. */
static double added_Bps(const struct rate_search *s, size_t i)
{
    int64_t bytes = s->bytes[i] - (i ? s->bytes[i - 1] : 0), ns = s->ns[i] - (i ? s->ns[i - 1] : 0);

    return ns > 0 ? 1e9 * (double)bytes / (double)ns : INFINITY;
}

static double spread(const struct rate_search *s)
{
    double last, before;

    if (s->n < 3)
        return INFINITY;
    last = added_Bps(s, s->n - 1);
    before = added_Bps(s, s->n - 2);
    return isfinite(last) && isfinite(before) ? fabs(last / before - 1) : INFINITY;
}

/* Of the longest stream as a whole. */
static double whole_Bps(const struct rate_search *s)
{
    return 1e9 * (double)s->bytes[s->n - 1] / (double)s->ns[s->n - 1];
}

/* Of what the last two doublings added. */
static double late_Bps(const struct rate_search *s)
{
    return 1e9 * (double)(s->bytes[s->n - 1] - s->bytes[s->n - 3]) / (double)(s->ns[s->n - 1] - s->ns[s->n - 3]);
}

/* The longest stream as a whole has to be near, too: so large a latency or burst would still show, and equal
 * differences of noisy times are then no accident. */
static bool settled(const struct rate_search *s)
{
    if (!s->n || s->ns[s->n - 1] < s->least_ns || spread(s) > s->tolerance)
        return false;
    return fabs(late_Bps(s) / whole_Bps(s) - 1) <= NEAR * s->tolerance;
}

/* The size, of the last three, that was tried least; of those tried as often the largest. */
static size_t least_tried(const struct rate_search *s)
{
    size_t best = s->n - 1;

    for (size_t i = s->n - 1; i + 3 > s->n && i < s->n; i--)
        if (s->trials[i] < s->trials[best])
            best = i;
    return best;
}

int64_t rate_next(const struct rate_search *s)
{
    int64_t left_ns = s->most_ns - s->spent_ns;
    size_t again;

    if (!s->n)
        return s->first_bytes;
    if (settled(s))
        return 0;
    if (2 * s->ns[s->n - 1] <= left_ns && s->n < RATE_SIZES && s->bytes[s->n - 1] <= INT64_MAX / 2)
        return 2 * s->bytes[s->n - 1];
    again = least_tried(s);
    return s->n > 2 && s->ns[again] <= left_ns ? s->bytes[again] : 0;
}

void rate_add(struct rate_search *s, int64_t bytes, int64_t ns)
{
    size_t i = 0;

    ns = ns > 0 ? ns : 1;
    s->spent_ns += ns;
    while (i < s->n && s->bytes[i] != bytes)
        i++;
    if (i == s->n) {
        s->bytes[i] = bytes;
        s->ns[i] = ns;
        s->n++;
    }
    s->ns[i] = ns < s->ns[i] ? ns : s->ns[i];
    s->trials[i]++;
}

struct rate rate_of(const struct rate_search *s)
{
    struct rate r = { .spread = spread(s), .stable = settled(s) };

    if (!s->n)
        return r;
    r.bytes = s->bytes[s->n - 1];
    r.ns = s->ns[s->n - 1];
    /* differences of noisy times are worth less than the longest time by itself */
    r.Bps = r.stable ? late_Bps(s) : whole_Bps(s);
    return r;
}
