#include "harness/bench/session.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/bench/device.h"
#include "harness/bench/statistics.h"
#include "harness/status.h"
#include "harness/store/store.h"

/* How much slower than the anchor something may be and still get every repetition, and how many it gets if not. */
enum { MAX_WORKS = 2, SLOW = 3, SLOW_REPS = 3 };

static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double time_once(struct session *s, const struct work *w)
{
    double start, elapsed;

    if (s->device) {
        device_start();
        w->run(s, w);
        elapsed = device_stop_s();
    } else {
        start = now_s();
        w->run(s, w);
        elapsed = now_s() - start;
    }
    return elapsed > 1e-9 ? elapsed : 1e-9;
}

static void variant_text(const struct session *s, int keep, char *text, size_t size)
{
    int n = keep ? snprintf(text, size, "bytes=%d ", keep) : 0;

    snprintf(text + n, size - (size_t)n, s->device ? "device" : "threads=%d", s->threads);
}

static int remember_anchor(struct session *s, double elapsed)
{
    if ((size_t)s->anchor_reps == s->anchor_room) {
        size_t room = s->anchor_room ? 2 * s->anchor_room : 256;
        double *grown = realloc(s->anchor_s, room * sizeof(*grown));

        if (!grown)
            return NW_ENOMEM;
        s->anchor_s = grown;
        s->anchor_room = room;
    }
    s->anchor_s[s->anchor_reps++] = elapsed;
    return NW_OK;
}

static struct sample_fact sample(const struct session *s, const struct work *w, const char *variant, int64_t rep,
                                 double t)
{
    return (struct sample_fact){ .kernel = w->kernel,
                                 .impl = w->impl,
                                 .variant = variant,
                                 .values = (int64_t)s->n,
                                 .bytes_moved = (int64_t)w->nbytes,
                                 .rep = rep,
                                 .elapsed_ns = (int64_t)(1e9 * t) };
}

/* times[0] are the anchor's, times[1 + i] those of works[i]. */
static int store_times(struct session *s, const struct work *works, size_t nworks, double **times, int reps)
{
    struct sample_fact *facts = calloc((nworks + 1) * (size_t)reps, sizeof(*facts));
    char variant[64], plain[64];
    size_t n = 0;
    int rc;

    if (!facts)
        return NW_ENOMEM;
    variant_text(s, works->keep, variant, sizeof(variant));
    variant_text(s, 0, plain, sizeof(plain));
    for (int r = 0; r < reps; r++) {
        facts[n++] = sample(s, &s->anchor, plain, s->anchor_reps - reps + r, times[0][r]);
        for (size_t i = 0; i < nworks; i++) {
            facts[n] = sample(s, &works[i], variant, r, times[1 + i][r]);
            facts[n].anchor_ns = (int64_t)(1e9 * times[0][r]);
            facts[n++].anchor_bytes = (int64_t)s->anchor.nbytes;
        }
    }
    rc = store_samples(s->o->store, s->o->run_id, facts, n);
    free(facts);
    return rc;
}

void session_print_head(const struct session *s)
{
    fprintf(s->o->out, "\n%-10s %-15s %7s %4s %10s %8s %8s %6s %5s\n", "kernel", "implementation",
            s->device ? "device" : "threads", "keep", "median ms", "GB/s", "of copy", "p10", "reps");
}

static void print_line(struct session *s, const struct work *w, double *elapsed, double *ratio, int reps)
{
    double median = quantile(elapsed, (size_t)reps, 0.5);
    char threads[16] = "yes", keep[16] = "-";

    if (!s->device)
        snprintf(threads, sizeof(threads), "%d", s->threads);
    if (w->keep)
        snprintf(keep, sizeof(keep), "%d", w->keep);
    fprintf(s->o->out, "%-10s %-15s %7s %4s %10.2f %8.2f", w->kernel, w->impl, threads, keep, 1e3 * median,
            1e-9 * w->nbytes / median);
    if (ratio)
        fprintf(s->o->out, " %8.3f %6.3f", quantile(ratio, (size_t)reps, 0.5), quantile(ratio, (size_t)reps, 0.1));
    else
        fprintf(s->o->out, " %8s %6s", "1", "");
    fprintf(s->o->out, " %5d\n", reps);
    fflush(s->o->out);
}

void session_print_anchor(struct session *s)
{
    if (s->anchor_reps)
        print_line(s, &s->anchor, s->anchor_s, NULL, (int)s->anchor_reps);
}

static void print_times(struct session *s, const struct work *works, size_t nworks, double **times, double *ratio,
                        int reps)
{
    for (size_t i = 0; i < nworks; i++) {
        for (int r = 0; r < reps; r++)
            ratio[r] = works[i].nbytes / times[1 + i][r] / (s->anchor.nbytes / times[0][r]);
        print_line(s, &works[i], times[1 + i], ratio, reps);
    }
}

/* The warm-up: not stored, but it tells how long the rest would take. */
static int reps_for(struct session *s, const struct work *works, size_t nworks)
{
    double copy = time_once(s, &s->anchor), slowest = 0;

    for (size_t i = 0; i < nworks; i++) {
        double t = time_once(s, &works[i]);

        slowest = t > slowest ? t : slowest;
    }
    return slowest > SLOW * copy && s->o->reps > SLOW_REPS ? SLOW_REPS : s->o->reps;
}

static int take_times(struct session *s, const struct work *works, size_t nworks, double **times, int reps)
{
    int rc = NW_OK;

    for (int r = 0; r < reps && !rc; r++) {
        times[0][r] = time_once(s, &s->anchor);
        for (size_t i = 0; i < nworks; i++)
            times[1 + i][r] = time_once(s, &works[i]);
        rc = remember_anchor(s, times[0][r]);
        if (!rc && s->o->stop && s->o->stop())
            rc = NW_EINTR;
    }
    return rc;
}

int session_time(struct session *s, const struct work *works, size_t nworks)
{
    size_t room = (size_t)s->o->reps;
    double *all = calloc((MAX_WORKS + 2) * room, sizeof(*all));
    double *times[MAX_WORKS + 1] = { all, all + room, all + 2 * room }, *ratio = all + 3 * room;
    const char *error;
    int reps, rc;

    if (!all)
        return NW_ENOMEM;
    fprintf(s->o->progress, "timing %s %s ...\n", works->kernel, works->impl);
    reps = reps_for(s, works, nworks);
    rc = take_times(s, works, nworks, times, reps);
    if (!rc && s->device && (error = device_error())) {
        fprintf(stderr, "bench: %s %s: %s\n", works->kernel, works->impl, error);
        rc = NW_EENV;
    }
    if (!rc && s->o->store)
        rc = store_times(s, works, nworks, times, reps);
    if (!rc)
        print_times(s, works, nworks, times, ratio, reps);
    free(all);
    return rc;
}

_Bool session_wants(const struct session *s, const char *impl)
{
    const char *wanted = s->o->impl;
    size_t n = wanted ? strlen(wanted) : 0;

    return !wanted || (!strncmp(impl, wanted, n) && (!impl[n] || impl[n] == '+'));
}
