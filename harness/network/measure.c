#include "harness/network/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/count.h"
#include "harness/measure/statistics.h"
#include "harness/network/collective.h"
#include "harness/network/session.h"
#include "harness/status.h"

enum { GREETINGS = 20, BARRIERS = 100 };

int64_t session_left_ns(const struct session *s)
{
    int64_t left = s->end_ns - s->by->now_ns(s->by->context);

    return left > 0 ? left : 0;
}

void session_note(const struct session *s, const char *what, int64_t bytes)
{
    char text[96];

    if (!s->options->note)
        return;
    snprintf(text, sizeof(text), "%s, %lld bytes", what, (long long)bytes);
    s->options->note(s->options->context, text);
}

/* Powers of two, and where MPIs change the way they send: Open MPI behind 4 KiB in a machine and behind 64 KiB, headers
 * included, over TCP. */
static size_t usual_sizes(int64_t *sizes)
{
    size_t n = 0;

    sizes[n++] = 0;
    for (int64_t bytes = 1; bytes <= 16 << 20; bytes *= 2) {
        if (bytes == 64 << 10)
            sizes[n++] = 65280;
        sizes[n++] = bytes;
        if (bytes == 4 << 10 || bytes == 64 << 10)
            sizes[n++] = bytes + 1;
    }
    return n;
}

/* An empty message to every member: does one stand apart? */
static int greet(struct session *s)
{
    int rc = NW_OK;

    for (int peer = 2; peer < s->by->members && !rc; peer++) {
        struct trial t = { .pattern = PATTERN_PING_PONG, .peer = peer, .repetitions = GREETINGS };
        struct timed thrown = { .ns = (int64_t[GREETINGS]){ 0 } };

        rc = s->by->perform(s->by->context, &t, thrown.ns, &thrown.wrong);
        if (!rc)
            rc = series_perform(&s->out->series, s->by, &t, NULL);
    }
    return rc;
}

static int alone(struct session *s)
{
    int64_t usual[NETWORK_SIZES];
    const int64_t *sizes = s->options->nsizes ? s->options->sizes : usual;
    size_t n = s->options->nsizes ? s->options->nsizes : usual_sizes(usual), done = 0;
    struct network_result *out = s->out;
    int rc = session_ladder(s, PATTERN_PING_PONG, 1, sizes, n, &done);

    out->left_out += n - done;
    for (size_t i = 0; i < done; i++) {
        const struct timed *t = series_find(&out->series, PATTERN_PING_PONG, 1, sizes[i]);
        out->alone[out->nalone++] = (struct message_time){ sizes[i], 1e-9 * timed_summary(t).median_ns };
    }
    return rc;
}

/* The sizes that these ranks can share, each once. */
static size_t shared_sizes(const struct session *s, int64_t *sizes)
{
    static const int64_t usual[] = { 4 << 10, 64 << 10, 1 << 20, 16 << 20 };
    const int64_t *from = s->options->nsizes ? s->options->sizes : usual;
    size_t nfrom = s->options->nsizes ? s->options->nsizes : COUNT(usual), n = 0;

    for (size_t i = 0; i < nfrom; i++) {
        int64_t bytes = collective_bytes(from[i], s->by->ranks);
        if (from[i] > 0 && (!n || bytes != sizes[n - 1]))
            sizes[n++] = bytes;
    }
    return n;
}

static int collectives(struct session *s)
{
    int64_t sizes[NETWORK_SIZES], end_ns = s->end_ns;
    size_t n = shared_sizes(s, sizes), done;
    int rc = NW_OK;

    for (int p = PATTERN_ALLREDUCE; p <= PATTERN_ALL_TO_ALL && !rc; p++) {
        int64_t left_ns = session_left_ns(s);

        s->end_ns -= left_ns - left_ns / (PATTERN_ALL_TO_ALL + 1 - p);
        rc = session_ladder(s, (enum pattern)p, 0, sizes, n, &done);
        s->out->left_out += n - done;
        s->end_ns = end_ns;
    }
    return rc;
}

static int barriers(struct session *s)
{
    struct trial t = { .pattern = PATTERN_BARRIER, .repetitions = BARRIERS };

    session_note(s, pattern_name(t.pattern), 0);
    return series_perform(&s->out->series, s->by, &t, NULL);
}

/* Shares of the time allowed. */
static const struct part {
    int (*measure)(struct session *s);
    double share;
} parts[] = {
    { greet, 0.01 },           { alone, 0.15 },
    { session_streams, 0.25 }, { session_messages, 0.15 },
    { barriers, 0.01 },        { session_concurrent, 0.25 },
    { collectives, 0.18 },
};

int network_measure(const struct transport *by, const struct network_options *o, struct network_result *out)
{
    struct session s = { .by = by, .options = o, .out = out };
    double shares = 0;
    int64_t end_ns = by->now_ns(by->context) + (int64_t)(1e9 * o->seconds);
    int rc = NW_OK;

    *out = (struct network_result){ 0 };
    for (size_t i = 0; i < COUNT(parts); i++)
        shares += parts[i].share;
    for (size_t i = 0; i < COUNT(parts) && !rc; i++) {
        s.end_ns = end_ns;
        double left_ns = (double)session_left_ns(&s);
        s.end_ns = by->now_ns(by->context) + (int64_t)(left_ns * parts[i].share / shares);
        shares -= parts[i].share;
        rc = parts[i].measure(&s);
    }
    if (!rc)
        out->fit =
            fit_link(out->alone, out->nalone, out->stream, out->nstream, out->streams[0].rate.Bps, NETWORK_EAGER);
    return rc;
}

void network_result_free(struct network_result *r)
{
    series_free(&r->series);
}

const struct stream_rate *network_rate(const struct network_result *r, enum pattern p, int64_t message_bytes)
{
    const struct stream_rate *best = NULL;

    for (size_t i = 0; i < r->nstreams; i++) {
        const struct stream_rate *at = &r->streams[i];
        if (at->pattern != p || (message_bytes && at->message_bytes != message_bytes))
            continue;
        if (!best || at->rate.Bps > best->rate.Bps)
            best = at;
    }
    return best;
}

struct network_skew network_skew(const struct network_result *r, const struct clock_offset *before, int64_t before_ns,
                                 const struct clock_offset *after, int64_t after_ns)
{
    const struct timed *t = series_find(&r->series, PATTERN_BARRIER, 0, 0);
    double *skew = t ? calloc(t->repetitions, sizeof(*skew)) : NULL;
    struct network_skew out = { 0 };

    for (size_t i = 0; skew && i < t->repetitions; i++) {
        int64_t first = INT64_MAX, last = INT64_MIN;
        for (size_t k = 0; k < t->width; k++) {
            int64_t at = t->ns[i * t->width + k];
            struct clock_offset c = clock_offset_at(before[k], before_ns, after[k], after_ns, t->ns[i * t->width]);

            at -= c.offset_ns;
            first = at < first ? at : first;
            last = at > last ? at : last;
            out.error_ns = fmax(out.error_ns, (double)c.error_ns);
        }
        skew[i] = (double)(last - first);
    }
    if (skew) {
        out.median_ns = quantile(skew, t->repetitions, 0.5);
        out.most_ns = skew[t->repetitions - 1];
        out.error_ns *= t->width > 2 ? 2 : 1; /* both ends of a difference may be wrong, but not rank 0's clock */
    }
    free(skew);
    return out;
}
