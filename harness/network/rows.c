#include "harness/network/rows.h"

#include <math.h>

#include "harness/network/collective.h"

static struct network_row row_of(const struct timed *t, const struct transport *by)
{
    const struct trial *trial = &t->trial;
    bool collective = pattern_is_collective(trial->pattern), all = collective || trial->pattern == PATTERN_BARRIER;
    struct network_row row = { .pattern = trial->pattern,
                               .ranks = all                                 ? by->ranks
                                        : pattern_is_stream(trial->pattern) ? by->members
                                                                            : 2,
                               .flows = pattern_is_stream(trial->pattern) ? (int)t->width : 1,
                               .peer = trial->peer,
                               .bytes = trial->bytes,
                               .message_bytes = trial->message_bytes,
                               .repetitions = t->repetitions,
                               .time = timed_summary(t),
                               .alpha_s = NAN,
                               .Bps = NAN,
                               .bus_Bps = NAN,
                               .slow_Bps = NAN,
                               .fast_Bps = NAN,
                               .spread = NAN,
                               .wrong = t->wrong };

    if (trial->pattern == PATTERN_ONE_WAY || trial->pattern == PATTERN_TWO_WAY)
        row.ranks = 2;
    if (trial->bytes > 0)
        row.Bps = 1e9 * (double)trial->bytes / row.time.median_ns;
    if (collective) {
        row.bus_Bps = row.Bps * collective_bus_factor(trial->pattern, by->ranks);
        row.count = collective_counts(trial->pattern, trial->bytes, by->ranks).count;
    }
    return row;
}

static void visit_stream(const struct network_result *r, const struct transport *by, const struct stream_rate *s,
                         void (*visit)(void *context, const struct network_row *row), void *context)
{
    struct network_row row = row_of(&r->series.list[s->entry], by);

    row.Bps = s->rate.Bps;
    row.slow_Bps = s->slow;
    row.fast_Bps = s->fast;
    row.spread = s->rate.spread;
    row.stable = s->rate.stable;
    visit(context, &row);
}

/* Barriers have no time that a rank could state by its own clock: see network_skew(). */
void network_rows(const struct network_result *r, const struct transport *by,
                  void (*visit)(void *context, const struct network_row *row), void *context)
{
    for (size_t i = 0; i < r->series.n; i++) {
        const struct timed *t = &r->series.list[i];
        struct network_row row = row_of(t, by);

        if (pattern_is_stream(t->trial.pattern) || t->trial.pattern == PATTERN_BARRIER)
            continue;
        if (t->trial.pattern == PATTERN_PING_PONG && r->nstreams)
            row.alpha_s =
                fit_alpha_s((struct message_time){ row.bytes, 1e-9 * row.time.median_ns }, r->streams[0].rate.Bps);
        visit(context, &row);
    }
    for (size_t i = 0; i < r->nstreams; i++)
        visit_stream(r, by, &r->streams[i], visit, context);
}
