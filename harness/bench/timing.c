/* timing.c - anchor and works in turn. */
#include <stdio.h>
#include <stdlib.h>

#include "harness/bench/device.h"
#include "harness/bench/session.h"
#include "harness/host/clock.h"
#include "harness/status.h"

/* How much slower than its anchor a work may be and still get every repetition, and how many it gets if not. */
enum { SLOW = 3, SLOW_REPS = 3 };

static double time_once(const struct session *s, struct work *w)
{
    double start, elapsed;

    if (w->before)
        w->before(w);
    if (s->device) {
        device_start();
        w->run(w);
        elapsed = device_stop_s();
    } else {
        start = clock_s();
        w->run(w);
        elapsed = clock_s() - start;
    }
    return elapsed > 1e-9 ? elapsed : 1e-9;
}

/* The warm-up: not kept, but it tells how long the rest would take. */
static int reps_for(const struct session *s, const struct timing *t)
{
    double anchor = time_once(s, t->against), slowest = 0;

    for (size_t i = 0; i < t->nworks; i++) {
        double elapsed = time_once(s, &t->works[i]);

        slowest = elapsed > slowest ? elapsed : slowest;
    }
    return slowest > SLOW * anchor && s->o->reps > SLOW_REPS ? SLOW_REPS : s->o->reps;
}

static int take_times(const struct session *s, const struct timing *t)
{
    for (int r = 0; r < t->reps; r++) {
        t->times[0][r] = time_once(s, t->against);
        for (size_t i = 0; i < t->nworks; i++)
            t->times[1 + i][r] = time_once(s, &t->works[i]);
        if (s->o->stop && s->o->stop())
            return NW_EINTR;
    }
    return NW_OK;
}

static int time_works(struct session *s, struct timing *t)
{
    const char *error;
    int rc;

    t->reps = reps_for(s, t);
    rc = take_times(s, t);
    if (!rc && s->device && (error = device_error()))
        rc = status_error(NW_EENV, "bench: %s %s: %s\n", t->works->kernel, t->works->impl, error);
    if (!rc)
        rc = record_times(s, t);
    if (!rc)
        table_lines(s, t);
    return rc;
}

int session_time(struct session *s, struct work *against, struct work *works, size_t nworks)
{
    double *all = calloc((nworks + 2) * (size_t)s->o->reps, sizeof(*all)), **times = calloc(nworks + 1, sizeof(*times));
    struct timing t = { .against = against, .works = works, .nworks = nworks, .times = times };
    int rc = all && times ? NW_OK : NW_ENOMEM;

    fprintf(s->o->progress, "timing %s %s %s ...\n", works->kernel, works->impl, works->variant);
    for (size_t i = 0; !rc && i <= nworks; i++)
        times[i] = all + i * (size_t)s->o->reps;
    if (!rc) {
        t.scratch = all + (nworks + 1) * (size_t)s->o->reps;
        rc = time_works(s, &t);
    }
    free(all);
    free(times);
    return rc;
}

int session_loops(struct session *s, const struct loop *loops, size_t n, const char *impl, const char *variant,
                  void *arg)
{
    int rc = NW_OK;

    for (size_t i = 0; i < n && !rc; i++) {
        struct work w = { .kernel = loops[i].kernel,
                          .impl = impl,
                          .nbytes = loops[i].nbytes * (double)s->n,
                          .bits = loops[i].bits,
                          .before = loops[i].before,
                          .run = loops[i].run,
                          .arg = arg };

        snprintf(w.variant, sizeof(w.variant), "%s", variant);
        rc = session_time(s, &s->anchors[loops[i].anchor], &w, 1);
    }
    return rc;
}
