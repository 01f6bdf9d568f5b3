#include <math.h>
#include <stdlib.h>

#include "harness/network/session.h"
#include "harness/status.h"

enum { WARM_UPS = 3, PASSES = 4 };

/* What takes longer is warmed up by a single repetition. */
static const int64_t long_ns = 20000000;

/* A repetition of a ping-pong is a round trip, and its time half of one. */
static int64_t whole_ns(enum pattern p, int64_t ns)
{
    return p == PATTERN_PING_PONG ? 2 * ns : ns;
}

/* How long a repetition takes at least; the first ones, which make connections, are not remembered. */
static int warm_up(struct session *s, struct trial t, int64_t guess_ns, int64_t *ns)
{
    int64_t times[WARM_UPS], wrong = 0;
    int rc;

    t.repetitions = guess_ns > long_ns ? 1 : WARM_UPS;
    rc = s->by->perform(s->by->context, &t, times, &wrong);
    *ns = INT64_MAX;
    for (int i = 0; i < t.repetitions && !rc; i++)
        if (whole_ns(t.pattern, times[i]) < *ns)
            *ns = whole_ns(t.pattern, times[i]);
    return rc;
}

static int repetitions(const struct session *s, int64_t share_ns, int64_t each_ns)
{
    int64_t n = share_ns / (each_ns > 0 ? each_ns : 1);

    if (n > s->options->repetitions)
        n = s->options->repetitions;
    return n < LEAST_REPETITIONS ? LEAST_REPETITIONS : (int)n;
}

/* From what the size before took: in proportion to the bytes, or less if the link's rate is known, of which a
 * collective may need several times as long. */
static int64_t guess_ns(const struct session *s, int64_t before, int64_t bytes, int64_t ns)
{
    double each_ns = (double)ns / (double)(before > 0 ? before : 1);

    if (s->out->nstreams)
        each_ns = fmin(each_ns, PASSES * 1e9 / s->out->streams[0].rate.Bps);
    return ns + (int64_t)((double)(bytes - before) * each_ns);
}

int session_ladder(struct session *s, enum pattern p, int peer, const int64_t *sizes, size_t n, size_t *done)
{
    bool asked = s->options->nsizes > 0; /* for these very sizes */
    int64_t ns = 0;
    int rc = NW_OK;

    *done = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        struct trial t = { .pattern = p, .peer = peer, .bytes = sizes[i] };
        int64_t left_ns = session_left_ns(s), guess = i ? guess_ns(s, sizes[i - 1], sizes[i], ns) : 0;

        if (i && !asked && guess > left_ns / (LEAST_REPETITIONS + 1))
            return NW_OK;
        session_note(s, pattern_name(p), t.bytes);
        rc = warm_up(s, t, guess, &ns);
        left_ns = session_left_ns(s);
        t.repetitions = repetitions(s, left_ns / (int64_t)(n - i + 1), ns);
        if (!rc && i && !asked && ns * LEAST_REPETITIONS > left_ns)
            return NW_OK;
        if (!rc)
            rc = series_perform(&s->out->series, s->by, &t, NULL);
        *done += !rc;
    }
    return rc;
}
