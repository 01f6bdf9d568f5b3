#include "tests/network/formula.h"

#include <math.h>

#include "harness/network/collective.h"
#include "harness/status.h"

static double stream_s(const struct formula *f, const struct trial *t)
{
    double messages = ceil((double)t->bytes / (double)t->message_bytes), rate_Bps = f->rate_Bps;
    double wire = (double)t->bytes + messages * f->framing_bytes;

    if (t->pattern == PATTERN_TWO_WAY || t->pattern == PATTERN_RING)
        rate_Bps *= f->two_way;
    if (t->pattern == PATTERN_INCAST || t->pattern == PATTERN_FAN_OUT)
        rate_Bps /= f->transport.members - 1;
    return fmax(fmax(0, wire - f->burst_bytes) / rate_Bps, messages * f->message_s) + 2 * f->alone_s;
}

static void barrier(struct formula *f, const struct trial *t, int64_t *ns)
{
    for (int i = 0; i < t->repetitions; i++) {
        f->now_ns += 20000;
        for (int r = 0; r < f->transport.ranks; r++)
            ns[i * f->transport.ranks + r] = f->now_ns + f->skew_ns[r] + f->offset_ns[r];
    }
}

static int perform(void *context, const struct trial *t, int64_t *ns, int64_t *wrong)
{
    struct formula *f = context;
    size_t n = trial_times(t, f->transport.members, f->transport.ranks);
    int64_t most = 0;

    if (f->fail_at && (int)++f->trials == f->fail_at)
        return NW_ENOMEM;
    f->trials += !f->fail_at;
    *wrong = 0;
    if (t->pattern == PATTERN_BARRIER) {
        barrier(f, t, ns);
        return NW_OK;
    }
    for (size_t i = 0; i < n; i++) {
        double s = f->alone_s + (double)t->bytes / f->rate_Bps;

        if (pattern_is_stream(t->pattern))
            s = stream_s(f, t) * (1 + (ilogb((double)t->bytes) % 2 ? f->noise : 0));
        if (pattern_is_collective(t->pattern))
            s = 4 * f->alone_s + (double)t->bytes / f->rate_Bps * collective_bus_factor(t->pattern, f->transport.ranks);
        ns[i] = llround(1e9 * s);
        most = ns[i] > most ? ns[i] : most;
        if (!pattern_is_stream(t->pattern))
            f->now_ns += (t->pattern == PATTERN_PING_PONG ? 2 : 1) * ns[i];
    }
    if (pattern_is_stream(t->pattern))
        f->now_ns += most;
    if (pattern_is_collective(t->pattern))
        *wrong = f->wrong;
    return NW_OK;
}

static int64_t now_ns(void *context)
{
    const struct formula *f = context;

    return f->now_ns;
}

struct formula formula_make(int members)
{
    return (
        struct formula){ .transport = { .ranks = members, .members = members, .perform = perform, .now_ns = now_ns },
                         .rate_Bps = 12.5e6,
                         .alone_s = 10e-6,
                         .two_way = 1 };
}

struct transport *formula_transport(struct formula *f)
{
    f->transport.context = f;
    return &f->transport;
}
