#include "harness/lab/calibration/calibrate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "harness/lab/calibration/rounds.h"
#include "harness/lab/calibration/transfer.h"
#include "harness/lab/state.h"
#include "harness/status.h"

enum { TRIES = 3, PAUSE_ns = 200000000 };

/* What one processor moves without being what limits it. */
static const double AT_ONCE_Bps = 400e6;

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* 100 bursts or what 60 packets take, 0.3 to 1 s; before them three bursts and TCP's start. The next try takes twice as
 * long, since a processor that was busy elsewhere may have been what was measured. */
static struct transfer_time time_of(const struct lab_plan *p, const struct round *r, int tries)
{
    struct transfer_time t = { 0.1, 0.3 };

    for (int i = 0; i < r->n; i++) {
        const struct lab_rate *up = &p->links[r->pairs[i].from].up;
        double Bps = r->expected_Bps[i], burst_s = (double)up->burst_bytes / Bps;
        t.before_s = fmax(t.before_s, 3 * burst_s);
        t.measured_s = fmax(t.measured_s, fmax(least(100 * burst_s, 1), 60 * 1514 / Bps));
    }
    t.before_s += 50 * lab_plan_latency(p); /* TCP's window grows once in a round trip of several links */
    t.measured_s *= 1 << tries;
    return t;
}

/* What 20 ms of the rate are, and some packets; half of the shortest queue at most, of which each of those that share
 * an uplink has a part. What links of a latency hold comes on top: four of them there, and four back. */
static int64_t inflight(const struct lab_plan *p, const struct round *r, int i)
{
    const struct pair *pair = &r->pairs[i];
    double queue = least((double)p->links[pair->from].up.queue_bytes, (double)p->links[pair->to].down.queue_bytes);

    if (p->per_switch)
        queue = least(queue, least((double)p->uplinks[pair->from / p->per_switch].up.queue_bytes,
                                   (double)p->uplinks[pair->to / p->per_switch].down.queue_bytes) /
                                 r->n);
    double held = 8 * lab_plan_latency(p) * r->expected_Bps[i];
    return (int64_t)(fmax(least(0.02 * r->expected_Bps[i] + 65536, queue / 2), 16384) + held);
}

/* Bps[0] of those that are measured together is the rate of all of them. */
static int run_part(const struct lab_state *s, const struct round *r, int first, int n, int tries, double *Bps,
                    bool (*stopped)(void))
{
    struct transfer list[TRANSFERS_MAX];
    double sum_Bps = 0;

    for (int i = 0; i < n; i++)
        list[i] = (struct transfer){ .from = r->pairs[first + i].from,
                                     .to = r->pairs[first + i].to,
                                     .inflight_bytes = inflight(&s->plan, r, first + i) };
    int rc = transfer_all(s, list, n, time_of(&s->plan, r, tries), &sum_Bps, stopped);
    for (int i = 0; i < n; i++)
        Bps[first + i] = r->together ? sum_Bps : list[i].Bps;
    return rc;
}

/* All pairs of a round, as many at once as the processors can serve; those of an uplink always. */
static int run_round(const struct lab_state *s, const struct round *r, int tries, double *Bps, bool (*stopped)(void))
{
    int rc = NW_OK;

    for (int first = 0, n; first < r->n && !rc; first += n) {
        double sum = r->expected_Bps[first];
        for (n = 1; first + n < r->n && (r->together || sum + r->expected_Bps[first + n] <= AT_ONCE_Bps); n++)
            sum += r->expected_Bps[first + n];
        rc = run_part(s, r, first, n, tries, Bps, stopped);
    }
    return rc;
}

static bool is_off(const struct lab_measure *m)
{
    return !(fabs(m->measured_Bps / m->expected_Bps - 1) <= CALIBRATE_TOLERANCE);
}

static int refuse(const struct lab_measure *m)
{
    return status_error(
        NW_EIO,
        "narrows lab: calibration: %s carries %.6g Mbit/s of payload, expected %.6g within %g %% (%+.2f %%, "
        "%d times measured): use rates that this machine can serve, or wait until it is less busy\n",
        m->what, m->measured_Bps * 8e-6, m->expected_Bps * 8e-6, CALIBRATE_TOLERANCE * 100,
        (m->measured_Bps / m->expected_Bps - 1) * 100, m->tries);
}

/* Again by itself, until it is right or has been tried enough. */
static int settle(const struct lab_state *s, const struct round *alone, struct lab_measure *m, bool (*stopped)(void))
{
    double Bps[TRANSFERS_MAX];
    int rc = NW_OK;

    while (!rc && is_off(m) && m->tries < TRIES) {
        nanosleep(&(struct timespec){ .tv_nsec = PAUSE_ns }, NULL); /* what kept the processors busy may be over */
        rc = run_round(s, alone, m->tries, Bps, stopped);
        m->measured_Bps = rc ? 0 : Bps[0];
        m->tries++;
    }
    return rc ? rc : is_off(m) ? refuse(m) : NW_OK;
}

static void describe(const struct lab_state *s, const struct round *r, int i, struct lab_measure *m)
{
    int below = s->plan.per_switch;

    if (r->together)
        snprintf(m->what, sizeof(m->what), "switch %d -> %d", r->pairs[i].from / below, r->pairs[i].to / below);
    else
        snprintf(m->what, sizeof(m->what), "machine %d -> %d", r->pairs[i].from, r->pairs[i].to);
    m->expected_Bps = r->together ? r->together_Bps : r->expected_Bps[i];
    m->tries = 1;
}

/* A measure for each pair, or one for all of them together. */
static int measure_round(struct lab_state *s, const struct round *r, bool (*stopped)(void))
{
    double Bps[TRANSFERS_MAX];
    int rc = run_round(s, r, 0, Bps, stopped), n = r->together ? 1 : r->n;

    for (int i = 0; i < n && !rc && s->nmeasures < LAB_MEASURES; i++) {
        struct lab_measure *m = &s->measures[s->nmeasures++];
        struct round alone = *r;
        describe(s, r, i, m);
        m->measured_Bps = Bps[i];
        if (!r->together)
            round_alone(r, i, &alone);
        rc = settle(s, &alone, m, stopped);
    }
    return rc;
}

int calibrate_lab(struct lab_state *s, bool (*stopped)(void))
{
    struct round *r = malloc(sizeof(*r));
    int rc = r ? NW_OK : NW_ENOMEM;

    s->nmeasures = 0;
    for (int k = 0; !rc && round_of(&s->plan, k, r); k++)
        if (r->n)
            rc = measure_round(s, r, stopped);
    s->calibrated = !rc;
    free(r);
    return rc;
}
