#include <math.h>

#include "harness/count.h"
#include "harness/network/session.h"
#include "harness/status.h"

enum { WINDOW_BYTES = 8 << 20, FEWEST = 4, MOST_WINDOW = 64, FIRST_MESSAGES = 16, FIRST_BYTES = 64 << 10 };

/* A rate is one of at least half a second, where there is time for that, and stays within half a percent. */
static const double usual_least_ns = 5e8, usual_tolerance = 0.005, message_tolerance = 0.02;

static int window(int64_t message_bytes)
{
    int64_t n = WINDOW_BYTES / message_bytes;

    return n < FEWEST ? FEWEST : n > MOST_WINDOW ? MOST_WINDOW : (int)n;
}

/* Small enough that a slow link has time for several doublings. */
static int64_t first_bytes(int64_t message_bytes)
{
    int64_t few = FIRST_MESSAGES * message_bytes;

    return few < FIRST_BYTES ? few : FIRST_BYTES;
}

static int64_t slowest(const struct timed *t, size_t repetition)
{
    int64_t most = 0;

    for (size_t i = 0; i < t->width; i++)
        if (t->ns[repetition * t->width + i] > most)
            most = t->ns[repetition * t->width + i];
    return most;
}

static struct stream_rate summed_up(const struct series *all, const struct trial *t, const struct rate_search *search)
{
    struct stream_rate r = {
        .pattern = t->pattern, .message_bytes = t->message_bytes, .rate = rate_of(search), .slow = INFINITY
    };

    while (!series_is(&all->list[r.entry], t, r.rate.bytes))
        r.entry++;
    for (size_t i = 0; i < all->list[r.entry].width; i++) {
        double Bps = 1e9 * (double)r.rate.bytes / timed_flow_ns(&all->list[r.entry], i);
        r.slow = fmin(r.slow, Bps);
        r.fast = fmax(r.fast, Bps);
    }
    return r;
}

/* The rate of a pattern, found in share_ns. */
static int find_rate(struct session *s, enum pattern p, int64_t message_bytes, int64_t share_ns, double tolerance,
                     struct stream_rate *out)
{
    struct trial t = {
        .pattern = p, .peer = 1, .repetitions = 1, .window = window(message_bytes), .message_bytes = message_bytes
    };
    struct rate_search search = { .first_bytes = first_bytes(message_bytes),
                                  .least_ns = (int64_t)fmin(usual_least_ns, (double)share_ns / 4),
                                  .most_ns = share_ns,
                                  .tolerance = tolerance };
    int rc = NW_OK;

    session_note(s, pattern_name(p), message_bytes);
    while (!rc && (t.bytes = rate_next(&search)) > 0) {
        const struct timed *timed;

        rc = series_perform(&s->out->series, s->by, &t, &timed);
        if (!rc)
            rate_add(&search, t.bytes, slowest(timed, timed->repetitions - 1));
    }
    if (!rc)
        *out = summed_up(&s->out->series, &t, &search);
    return rc;
}

static int add_rate(struct session *s, enum pattern p, int64_t message_bytes, int64_t share_ns)
{
    struct network_result *out = s->out;
    int rc = find_rate(s, p, message_bytes, share_ns, usual_tolerance, &out->streams[out->nstreams]);

    out->nstreams += !rc;
    return rc;
}

int session_streams(struct session *s)
{
    const struct {
        enum pattern pattern;
        int64_t message_bytes;
    } parts[] = {
        { PATTERN_ONE_WAY, s->options->message_bytes },
        { PATTERN_TWO_WAY, s->options->message_bytes },
        { PATTERN_TWO_WAY, NETWORK_EAGER },
    };
    int rc = NW_OK;

    for (size_t i = 0; i < COUNT(parts) && !rc; i++)
        rc = add_rate(s, parts[i].pattern, parts[i].message_bytes, session_left_ns(s) / (int64_t)(COUNT(parts) - i));
    return rc;
}

int session_concurrent(struct session *s)
{
    static const enum pattern parts[] = { PATTERN_RING, PATTERN_INCAST, PATTERN_FAN_OUT };
    int rc = NW_OK;

    /* of two members these would be one way and both ways again */
    for (size_t i = 0; i < COUNT(parts) && !rc && s->by->members > 2; i++)
        rc = add_rate(s, parts[i], s->options->message_bytes, session_left_ns(s) / (int64_t)(COUNT(parts) - i));
    return rc;
}

int session_messages(struct session *s)
{
    static const int64_t sizes[] = { 1, 256, 1 << 10, 4 << 10, 16 << 10, 65280, 65537, 256 << 10 };
    struct network_result *out = s->out;
    int rc = NW_OK;

    for (size_t i = 0; i < COUNT(sizes) && !rc; i++) {
        struct stream_rate found;
        int64_t share_ns = session_left_ns(s) / (int64_t)(COUNT(sizes) - i);

        rc = find_rate(s, PATTERN_ONE_WAY, sizes[i], share_ns, message_tolerance, &found);
        if (!rc)
            out->stream[out->nstream++] = (struct message_time){ sizes[i], (double)sizes[i] / found.rate.Bps };
    }
    return rc;
}
