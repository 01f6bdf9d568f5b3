#include <stdlib.h>

#include "harness/network/session.h"
#include "harness/status.h"

enum { WARM_UPS = 3 };

/* What takes longer is warmed up by a single repetition. */
static const int64_t long_ns = 20000000;

/* A repetition of a ping-pong is a round trip, and its time half of one. */
static int64_t whole_ns(enum pattern p, int64_t ns)
{
    return p == PATTERN_PING_PONG ? 2 * ns : ns;
}

/* How long a repetition takes, which nothing remembers. */
static int warm_up(struct session *s, struct trial t, int64_t guess_ns, int64_t *ns)
{
    int64_t times[WARM_UPS], wrong = 0;
    int rc;

    t.repetitions = guess_ns > long_ns ? 1 : WARM_UPS;
    rc = s->by->perform(s->by->context, &t, times, &wrong);
    *ns = rc ? 0 : whole_ns(t.pattern, times[t.repetitions - 1]);
    return rc;
}

static int repetitions(const struct session *s, int64_t share_ns, int64_t each_ns)
{
    int64_t n = share_ns / (each_ns > 0 ? each_ns : 1);

    if (n > s->options->repetitions)
        n = s->options->repetitions;
    return n < LEAST_REPETITIONS ? LEAST_REPETITIONS : (int)n;
}

int session_ladder(struct session *s, enum pattern p, int peer, const int64_t *sizes, size_t n, size_t *done)
{
    int64_t ns = 0;
    int rc = NW_OK;

    *done = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        struct trial t = { .pattern = p, .peer = peer, .bytes = sizes[i] };
        int64_t left_ns = session_left_ns(s), before = i && sizes[i - 1] > 0 ? sizes[i - 1] : sizes[i];
        int64_t guess_ns = before > 0 ? (int64_t)((double)ns * (double)sizes[i] / (double)before) : ns;

        if (i && guess_ns > left_ns / (LEAST_REPETITIONS + 1))
            return NW_OK;
        session_note(s, pattern_name(p), t.bytes);
        rc = warm_up(s, t, guess_ns, &ns);
        left_ns = session_left_ns(s);
        t.repetitions = repetitions(s, left_ns / (int64_t)(n - i), ns);
        if (!rc && i && ns * LEAST_REPETITIONS > left_ns)
            return NW_OK;
        if (!rc)
            rc = series_perform(&s->out->series, s->by, &t, NULL);
        *done += !rc;
    }
    return rc;
}
