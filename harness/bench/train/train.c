/* train.c - the trainer's cases: samples/s next to PyTorch's on the same networks and samples, where a Python here has
 * it; and what codecs with traces, making samples while training, or an emulated precision add to a step. Forward,
 * backward and update of all workers are timed, on the processor; warm-up and the preparing of samples are not. Each
 * side is a process of its own, on as many processors as it has threads (side.h); turns are as case.h says. */
#include "harness/bench/cases.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/bench/train/case.h"
#include "harness/bench/train/ours.h"
#include "harness/bench/train/peer.h"
#include "harness/bench/train/side.h"
#include "harness/measure/pin.h"
#include "harness/status.h"
#include "harness/store/case.h"

/* Every tenth step is traced, so that a turn of any multiple of ten has its share of them. */
enum { TRACED = 10, USUAL_THREADS = 2, LEAST_REPS = 3 };

static const double patience_s = 60; /* a case that takes longer gets fewer repetitions */

static const struct train_way coded = { "3lc, traces",
                                        { "training.exchange.push=3lc:s=1.75", "training.exchange.pull=3lc:s=1.75",
                                          "training.trace.every=10" },
                                        0 };
static const struct train_way making = { "samples made", { NULL }, 1 };

/* What rounding the operands of multiply-adds costs, and their sums, too, where nothing but fp32 adds: the view
 * emulation_cost has it as a multiple of the fp32 step. */
static const struct train_way mixed = { "mp", { "training.precision=mp" }, 0 };
static const struct train_way bf16 = { "bf16", { "training.precision=bf16" }, 0 };

const struct train_case train_cases[] = {
    { "resnet-20", &train_resnet_20, 1, NULL },
    { "dlrm-mlps", &train_dlrm_mlps, 1, NULL },
    { "dlrm", &train_dlrm, 1, NULL },
    { "resnet-20-3lc-1", &train_resnet_20, 1, &coded },
    { "resnet-20-3lc-4", &train_resnet_20, 4, &coded },
    { "dlrm-mlps-3lc-1", &train_dlrm_mlps, 1, &coded },
    { "dlrm-mlps-3lc-4", &train_dlrm_mlps, 4, &coded },
    { "dlrm-3lc-1", &train_dlrm, 1, &coded },
    { "dlrm-3lc-4", &train_dlrm, 4, &coded },
    { "resnet-20-data", &train_resnet_20, 1, &making },
    { "dlrm-data", &train_dlrm, 1, &making },
    { "resnet-20-mp", &train_resnet_20, 1, &mixed },
    { "resnet-20-bf16", &train_resnet_20, 1, &bf16 },
    { NULL, NULL, 0, NULL },
};

struct bench {
    const struct case_options *o;
    struct peer peer;
    int64_t place;
    const struct train_case *last; /* that was printed */
};

/* --- two sides ---------------------------------------------------------------------------------------------------- */

struct pair {
    struct ours ours[2]; /* of the first side; of the second, where it is no peer */
    struct side sides[2];
};

static int failed(const struct train_case *c, const struct side *s, int rc)
{
    if (rc && *s->why)
        fprintf(stderr, "narrows bench: train: %s: %s: %s\n", c->name, *s->program ? s->program : "a side", s->why);
    return rc;
}

static int start_ours(const struct bench *b, const struct train_case *c, const struct train_way *way, int threads,
                      struct ours *o, struct side *s)
{
    char workers[48], backend[64];
    const char *sets[TRAIN_WAY_SETS + 2] = { workers };
    struct side_work work;
    size_t n = 1;
    int rc;

    snprintf(workers, sizeof(workers), "training.workers=%lld", (long long)c->workers);
    snprintf(backend, sizeof(backend), "training.backend=%s", b->o->backend ? b->o->backend : "best");
    sets[n++] = backend;
    for (size_t i = 0; way && i < TRAIN_WAY_SETS && way->sets[i]; i++)
        sets[n++] = way->sets[i];
    rc = ours_prepare(c->kind, sets, n, way && way->as_needed, threads, o);
    if (rc)
        return rc;
    work = ours_work(o);
    return failed(c, s, side_fork(&work, s));
}

/* A peer that does not start is left out. */
static void start_peer(const struct bench *b, const struct train_case *c, const struct ours *o, struct side *s)
{
    if (b->peer.python && peer_start(&b->peer, c->kind, o, s))
        fprintf(b->o->progress, "narrows bench: train: %s: timed without %s: %s\n", c->name, b->peer.program, s->why);
}

static int start(const struct bench *b, const struct train_case *c, int threads, struct pair *p)
{
    int rc = start_ours(b, c, c->way, threads, &p->ours[0], &p->sides[0]);

    if (!rc && c->way)
        rc = start_ours(b, c, NULL, threads, &p->ours[1], &p->sides[1]);
    if (!rc && !c->way)
        start_peer(b, c, &p->ours[0], &p->sides[1]);
    return rc;
}

static void close_pair(struct pair *p)
{
    for (int i = 0; i < 2; i++)
        side_close(&p->sides[i]);
    for (int i = 0; i < 2; i++)
        ours_close(&p->ours[i]);
}

/* --- turns -------------------------------------------------------------------------------------------------------- */

static int turn(const struct bench *b, const struct train_case *c, struct side *s, int64_t steps, int64_t *ns)
{
    if (b->o->stop && b->o->stop())
        return NW_EINTR;
    return s->pid ? failed(c, s, side_steps(s, steps, ns)) : NW_OK;
}

/* Steps of a turn: enough for the faster side to take its time. */
static int warm_up(const struct bench *b, const struct train_case *c, struct pair *p, int64_t *steps)
{
    double fastest = INFINITY;
    int64_t unit = c->way ? TRACED : 1;
    int rc = NW_OK;

    for (int i = 0; i < 4 && !rc; i++) { /* each twice: memory that is touched first, then usual steps */
        int64_t ns = INT64_MAX;

        rc = turn(b, c, &p->sides[i % 2], unit, &ns);
        if (i >= 2)
            fastest = fmin(fastest, (double)ns);
    }
    *steps = unit * (int64_t)fmax(1, ceil(1e9 * b->o->turn_s / fastest));
    return rc;
}

static int take_turns(const struct bench *b, struct pair *p, struct train_timed *t)
{
    struct train_series *series[] = { &t->first, &t->second };
    int reps = b->o->reps < TRAIN_MAX_REPS ? b->o->reps : TRAIN_MAX_REPS;
    int rc = warm_up(b, t->c, p, &t->steps);
    double taken_s = 0;

    while (!rc && t->reps < reps && (t->reps < LEAST_REPS || taken_s < patience_s)) {
        for (int i = 0; i < 2 && !rc; i++) {
            int which = (t->reps + i) % 2;
            int64_t *ns = &series[which]->elapsed_ns[t->reps];

            rc = turn(b, t->c, &p->sides[which], t->steps, ns);
            taken_s += 1e-9 * (double)*ns;
        }
        t->reps += !rc;
    }
    return rc;
}

static void name_sides(const struct pair *p, struct train_timed *t)
{
    const char *first = t->c->way ? t->c->way->name : p->sides[0].program;
    const char *second = t->c->way ? "plain" : p->sides[1].pid ? p->sides[1].program : "";

    snprintf(t->first.program, sizeof(t->first.program), "%s", first);
    snprintf(t->second.program, sizeof(t->second.program), "%s", second);
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static int record(struct bench *b, const struct train_timed *t, const struct train_series *s, const char *against)
{
    struct train_case_fact fact = { .name = t->c->name,
                                    .side = s->program,
                                    .against = against,
                                    .threads = t->threads,
                                    .place = b->place++,
                                    .workers = t->c->workers,
                                    .samples = t->samples,
                                    .steps = t->steps };

    return b->o->store && *s->program ? store_train_case(b->o->store, b->o->run_id, &fact, s->elapsed_ns, t->reps)
                                      : NW_OK;
}

static int report(struct bench *b, const struct train_timed *t)
{
    int rc;

    if (!b->last || !b->last->way != !t->c->way)
        train_print_head(t->c, b->peer.program, b->o->out);
    b->last = t->c;
    train_print_line(t, b->o->out);
    rc = record(b, t, &t->second, "");
    return rc ? rc : record(b, t, &t->first, t->second.program);
}

static int time_case(struct bench *b, const struct train_case *c, int threads)
{
    struct train_timed *t = calloc(1, sizeof(*t));
    struct pair p = { .sides = { { .pid = 0 } } };
    int rc = t ? start(b, c, threads, &p) : NW_ENOMEM;

    if (!rc) {
        *t = (struct train_timed){ .c = c, .threads = threads, .samples = ours_samples(&p.ours[0]) };
        name_sides(&p, t);
        rc = take_turns(b, &p, t);
    }
    close_pair(&p);
    rc = rc ? rc : report(b, t);
    free(t);
    return rc;
}

static bool wanted(const struct case_options *o, const struct train_case *c)
{
    for (size_t i = 0; i < o->ncases; i++)
        if (!strcmp(o->cases[i], c->name))
            return true;
    return !o->ncases;
}

/* Only if it is to be asked: loading PyTorch takes seconds. */
static struct peer find_peer(const struct case_options *o)
{
    struct peer p = { .python = NULL };
    bool asked = false;

    for (const struct train_case *c = train_cases; c->name; c++)
        asked |= !c->way && wanted(o, c);
    if (!asked)
        return p;
    p = peer_find(o->python);
    if (!p.python)
        fprintf(o->progress, "no Python with PyTorch (Debian: python3-torch): timed without it (%s)\n", p.why);
    return p;
}

int train_bench_run(const struct case_options *o)
{
    struct bench b = { .o = o, .peer = find_peer(o) };
    int most = o->threads ? o->threads : pin_all_threads() < USUAL_THREADS ? 1 : USUAL_THREADS, rc = NW_OK;

    for (const struct train_case *c = train_cases; c->name && !rc; c++)
        for (int threads = o->threads ? o->threads : 1; threads <= most && !rc; threads++)
            if (wanted(o, c))
                rc = time_case(&b, c, threads);
    return rc;
}

bool train_bench_has(const char *name, char *list, size_t nlist)
{
    size_t n = 0;

    for (const struct train_case *c = train_cases; c->name; c++) {
        if (!strcmp(name, c->name))
            return true;
        if (n < nlist)
            n += (size_t)snprintf(list + n, nlist - n, "%s%s", n ? " " : "", c->name);
    }
    return false;
}
