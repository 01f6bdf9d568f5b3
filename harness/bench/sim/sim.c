/* sim.c - the simulator's cases: rings as flows, over several NICs and by symmetry, random flows one after another and
 * all at once, iterations, points, answers, memory plans; how its cost grows; and the same on SimGrid where that was
 * built. Each repetition is a process of its own, so that its peak memory is its own. Where there is a peer the two
 * take turns. Answers are checked against a closed form, against each other, or against the peer. */
#include "harness/bench/cases.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/bench/sim/case.h"
#include "harness/count.h"
#include "harness/measure/statistics.h"
#include "harness/status.h"
#include "harness/store/case.h"

enum { MAX_REPS = 100, PEER_REPS = 3 };

static const int64_t long_ns = 5000000000; /* what takes longer is not repeated */
static const double exact = 1e-9;

static const char *const fused[] = { "method.level=flows", "method.bucket=25 MiB" };
static const char *const unfused[] = { "method.level=flows", "method.bucket=0 B" };
static const char *const symmetric[] = { "method.level=symmetric", "method.bucket=0 B" };
static const char *const first_fit[] = { "method.placement=first-fit" };

/* In order. Iterations are of data-parallel training over 16 ranks: every transfer of gradients fused to buckets of
 * 25 MiB, of each tensor by itself, and of one rank for all. Plans are of batch 64; first-fit shows how all but the
 * search for a placement grows. A loop of 100 flows a host amplifies the last digits of its rates, so two programs
 * end it apart: its end is not compared. The bursts are asked of the peer's exact solver, since its default one is
 * wrong there, and have an anchor that begins from nothing after every end. */
static const struct sim_case cases[] = {
    { "ring", 250, "ranks", "flow", run_ring, ring_closed_s, "ring", 1e-6, 1, 0, NULL, NULL, NULL },
    { "ring", 500, "ranks", "flow", run_ring, ring_closed_s, "ring", 1e-6, 1, 0, NULL, NULL, NULL },
    { "ring", 1000, "ranks", "flow", run_ring, ring_closed_s, "ring", 1e-6, 1, 0, NULL, NULL, NULL },
    { "ring", 2000, "ranks", "flow", run_ring, ring_closed_s, NULL, 0, 1, 0, NULL, NULL, NULL },
    { "ring-nics", 1000, "ranks", "flow", run_rails, rails_closed_s, NULL, 0, 0, 0, NULL, NULL, NULL },
    { "ring-symmetric", 1000, "ranks", "transfer", run_symmetric, ring_closed_s, NULL, 0, 0, 0, NULL, NULL, NULL },
    { "loop", 1000, "flows", "flow", run_loop, NULL, "loop", 1e-5, 1, 0, NULL, NULL, NULL },
    { "loop", 10000, "flows", "flow", run_loop, NULL, "loop", 1e-5, 1, 0, NULL, NULL, NULL },
    { "loop", 100000, "flows", "flow", run_loop, NULL, "loop", 0, 1, 0, NULL, NULL, NULL },
    { "burst", 1000, "flows", "flow", run_burst, NULL, "burst full", 1e-5, 1, 0, NULL, NULL, run_scratch },
    { "burst", 10000, "flows", "flow", run_burst, NULL, "burst full", 1e-5, 1, 0, NULL, NULL, run_scratch },
    { "burst", 50000, "flows", "flow", run_burst, NULL, NULL, 0, 1, 1, NULL, NULL, run_scratch },
    { "burst", 100000, "flows", "flow", run_burst, NULL, NULL, 0, 1, 1, NULL, NULL, run_scratch },
    { "fused", 161, "tensors", "iteration", run_iterations, NULL, NULL, 0, 0, 0, NULL, fused, NULL },
    { "unfused", 161, "tensors", "iteration", run_iterations, NULL, NULL, 0, 0, 0, NULL, unfused, NULL },
    { "unfused-symmetric", 161, "tensors", "iteration", run_iterations, NULL, NULL, 0, 0, 0, NULL, symmetric, NULL },
    { "points", 2000, "points", "point", run_points, NULL, NULL, 0, 0, 0, NULL, NULL, NULL },
    { "break-even", 1, "answer", "answer", run_break_even, NULL, NULL, 0, 0, 0, NULL, NULL, NULL },
    { "plan-first-fit", 1, "patches", "operation", run_plan, NULL, NULL, 0, 1, 0, "resnet-152", first_fit, NULL },
    { "plan-first-fit", 4, "patches", "operation", run_plan, NULL, NULL, 0, 1, 0, "resnet-152", first_fit, NULL },
    { "plan-first-fit", 16, "patches", "operation", run_plan, NULL, NULL, 0, 1, 0, "resnet-152", first_fit, NULL },
    { "plan-first-fit", 49, "patches", "operation", run_plan, NULL, NULL, 0, 1, 0, "resnet-152", first_fit, NULL },
    { "plan-vgg-19", 4, "patches", "operation", run_plan, NULL, NULL, 0, 0, 0, "vgg-19", NULL, NULL },
    { "plan-resnet-50", 1, "patches", "operation", run_plan, NULL, NULL, 0, 0, 0, "resnet-50", NULL, NULL },
    { "plan-resnet-152", 16, "patches", "operation", run_plan, NULL, NULL, 0, 0, 0, "resnet-152", NULL, NULL },
    { "place-vgg-19", 4, "patches", "buffer", run_place, NULL, NULL, 0, 0, 0, "vgg-19", first_fit, NULL },
    { "place-resnet-152", 16, "patches", "buffer", run_place, NULL, NULL, 0, 0, 0, "resnet-152", first_fit, NULL },
    { "place-drawn", 10000, "buffers", "buffer", run_buffers, NULL, NULL, 0, 0, 0, NULL, NULL, NULL },
    { "place-drawn", 50000, "buffers", "buffer", run_buffers, NULL, NULL, 0, 0, 0, NULL, NULL, NULL },
    { "place-half", 50000, "buffers", "buffer", run_buffers_half, NULL, NULL, 0, 0, 0, NULL, NULL, NULL },
    { "place-span", 50000, "buffers", "buffer", run_buffers_span, NULL, NULL, 0, 0, 0, NULL, NULL, NULL },
    { "place-equal", 50000, "buffers", "buffer", run_buffers_equal, NULL, NULL, 0, 0, 0, NULL, NULL, NULL },
    { "place-gaps", 10000, "buffers", "buffer", run_buffers_gaps, NULL, NULL, 0, 0, 0, NULL, NULL, NULL },
    { "batch-vgg-19", 4, "patches", "answer", run_largest, NULL, NULL, 0, 0, 0, "vgg-19", NULL, NULL },
    { "batch-resnet-152", 16, "patches", "answer", run_largest, NULL, NULL, 0, 0, 0, "resnet-152", NULL, NULL },
    { "play-resnet-152", 16, "patches", "operation", run_plan_played, NULL, NULL, 0, 0, 0, "resnet-152", first_fit,
      NULL },
};

/* All repetitions of one case on one program. */
struct series {
    const char *program;
    struct sim_result last;
    struct sim_sample_fact samples[MAX_REPS];
    int n;
};

struct bench {
    const struct case_options *o;
    char peer[48]; /* "" if there is none */
    int64_t place;
};

static int repeat(struct series *s, const struct sim_case *c, int (*run)(const struct sim_case *, struct sim_result *))
{
    int rc = run(c, &s->last);

    if (!rc)
        s->samples[s->n++] = (struct sim_sample_fact){ s->last.elapsed_ns > 0 ? s->last.elapsed_ns : 1,
                                                       s->last.peak_bytes, s->last.idle_bytes };
    return rc;
}

static bool enough(const struct series *s, int most)
{
    return s->n >= most || (s->n && s->samples[0].elapsed_ns > long_ns);
}

/* --- the table ---------------------------------------------------------------------------------------------------- */

static void print_head(FILE *out)
{
    fprintf(out, "\n%-17s %-14s %-14s %11s %13s %13s %9s %6s %5s  %s\n", "case", "size", "program", "median ms",
            "ns per event", "events/s", "peak MiB", "idle", "reps", "simulated");
}

static double median_ns(const struct series *s)
{
    double sorted[MAX_REPS];

    for (int i = 0; i < s->n; i++)
        sorted[i] = (double)s->samples[i].elapsed_ns;
    return quantile(sorted, (size_t)s->n, 0.5);
}

static void print_line(const struct sim_case *c, const struct series *s, FILE *out)
{
    double ns = median_ns(s), events = (double)s->last.events;
    int64_t peak = 0;
    char size[32];

    for (int i = 0; i < s->n; i++)
        peak = s->samples[i].peak_bytes > peak ? s->samples[i].peak_bytes : peak;
    snprintf(size, sizeof(size), "%lld %s", (long long)c->size, c->size_unit);
    fprintf(out, "%-17s %-14s %-14s %11.4f %13.5g %13.5g %9.1f %6.1f %5d", c->kind, size, s->program, ns / 1e6,
            ns / events, 1e9 * events / ns, (double)peak / 0x1p20, (double)s->last.idle_bytes / 0x1p20, s->n);
    if (s->last.end_s > 0)
        fprintf(out, "  %.9g ms", 1e3 * s->last.end_s);
    fputc('\n', out);
    fflush(out);
}

/* --- answers ------------------------------------------------------------------------------------------------------ */

static double apart(double a, double b)
{
    return fabs(a / b - 1);
}

static int check(const struct sim_case *c, const struct series *ours, const struct series *anchor,
                 const struct series *theirs)
{
    double expected = c->expected_s ? c->expected_s(c) : 0;
    int rc = NW_OK;

    if (expected > 0 && !(apart(ours->last.end_s, expected) <= exact))
        rc = status_error(NW_ESIM, "narrows bench: sim: %s of %lld %s ends at %.12g s, the closed form says %.12g s\n",
                          c->kind, (long long)c->size, c->size_unit, ours->last.end_s, expected);
    if (anchor->n && !(apart(ours->last.mean_end_s, anchor->last.mean_end_s) <= exact))
        rc =
            status_error(NW_ESIM, "narrows bench: sim: %lld flows end after %.12g s on average, from scratch %.12g s\n",
                         (long long)c->size, ours->last.mean_end_s, anchor->last.mean_end_s);
    if (theirs->n && c->agree > 0 && !(apart(ours->last.end_s, theirs->last.end_s) <= c->agree))
        rc = status_error(NW_ESIM, "narrows bench: sim: %s of %lld %s ends at %.12g s, with %s at %.12g s\n", c->kind,
                          (long long)c->size, c->size_unit, ours->last.end_s, theirs->program, theirs->last.end_s);
    return rc;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static int record(struct bench *b, const struct sim_case *c, const struct series *s)
{
    struct sim_case_fact fact = { .kind = c->kind,
                                  .program = s->program,
                                  .size_unit = c->size_unit,
                                  .event = c->unit,
                                  .size = c->size,
                                  .place = b->place++,
                                  .events = s->last.events,
                                  .growth = c->growth,
                                  .end_s = s->last.end_s,
                                  .expected_s = c->expected_s ? c->expected_s(c) : 0 };

    if (!s->n)
        return NW_OK;
    print_line(c, s, b->o->out);
    return b->o->store ? store_sim_case(b->o->store, b->o->run_id, &fact, s->samples, s->n) : NW_OK;
}

static int anchor_run(const struct sim_case *c, struct sim_result *r)
{
    struct sim_case anchor = *c;

    anchor.run = c->anchor;
    return child_run(&anchor, r);
}

/* Ours, the anchor and the peer take turns, each as often as it is wanted. */
static int take_turns(struct bench *b, const struct sim_case *c, struct series s[3])
{
    static int (*const run[3])(const struct sim_case *, struct sim_result *) = { child_run, anchor_run, peer_run };
    int reps = b->o->reps < MAX_REPS ? b->o->reps : MAX_REPS, few = reps < PEER_REPS ? reps : PEER_REPS;
    int most[3] = { reps, c->anchor ? few : 0, c->peer && *b->peer ? few : 0 };
    int rc = NW_OK;

    while (!rc && !(enough(&s[0], most[0]) && enough(&s[1], most[1]) && enough(&s[2], most[2]))) {
        if (b->o->stop && b->o->stop())
            return NW_EINTR;
        for (int i = 0; i < 3 && !rc; i++)
            if (!enough(&s[i], most[i]))
                rc = repeat(&s[i], c, run[i]);
    }
    return rc;
}

static int time_case(struct bench *b, const struct sim_case *c)
{
    struct series *s = calloc(3, sizeof(*s));
    int rc = NW_ENOMEM;

    if (s) {
        s[0].program = "narrows";
        s[1].program = "from scratch";
        s[2].program = b->peer;
        rc = take_turns(b, c, s);
    }
    for (int i = 0; i < 3 && !rc; i++)
        rc = record(b, c, &s[i]);
    if (!rc)
        rc = check(c, &s[0], &s[1], &s[2]);
    free(s);
    return rc;
}

/* 0: no, 1: by its kind, 2: with its size. */
static int is_named(const struct sim_case *c, const char *name)
{
    size_t n = strlen(c->kind);
    char size[32];

    snprintf(size, sizeof(size), ":%lld", (long long)c->size);
    if (strncmp(name, c->kind, n) != 0)
        return 0;
    return !name[n] ? 1 : !strcmp(name + n, size) ? 2 : 0;
}

bool sim_bench_has(const char *name, char *list, size_t nlist)
{
    size_t used = 0;

    for (size_t i = 0; i < COUNT(cases); i++) {
        if (is_named(&cases[i], name))
            return true;
        if (used < nlist && (!i || strcmp(cases[i].kind, cases[i - 1].kind) != 0))
            used += (size_t)snprintf(list + used, nlist - used, "%s%s", used ? " " : "", cases[i].kind);
    }
    return false;
}

static bool is_wanted(const struct case_options *o, const struct sim_case *c)
{
    int named = o->ncases ? 0 : 1;

    for (size_t i = 0; i < o->ncases; i++)
        named = is_named(c, o->cases[i]) > named ? is_named(c, o->cases[i]) : named;
    return named == 2 || (named == 1 && (!c->minutes || o->all));
}

int sim_bench_run(const struct case_options *o)
{
    struct bench b = { .o = o };
    int rc = NW_OK;

    if (!peer_name(b.peer, sizeof(b.peer)))
        fputs("no SimGrid was found when this was built (Debian: libsimgrid-dev): timed without it\n", o->progress);
    print_head(o->out);
    for (size_t i = 0; i < COUNT(cases) && !rc; i++)
        if (is_wanted(o, &cases[i]))
            rc = time_case(&b, &cases[i]);
    return rc;
}
