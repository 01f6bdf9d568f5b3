#include "harness/exec/execute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/exec/content/content.h"
#include "harness/exec/content/learner.h"
#include "harness/exec/rank/acts.h"
#include "harness/exec/rank/link_bytes.h"
#include "harness/exec/rank/rank.h"
#include "harness/exec/rank/wire.h"
#include "harness/host/clock.h"
#include "harness/status.h"
#include "model/status.h"
#include "sim/method/method.h"
#include "sim/method/method_codecs.h"

/* From when rank 0 names the start of a repetition until then: all have heard of it. */
enum { NOTICE_NS = 20000000 };

static const double least_s = 2e-12; /* what costs nothing is a task all the same: its bytes are encoded for real */

/* Encoding and decoding are tasks even where the scenario gives them no cost, or none yet: ranks other than 0 time no
 * codec, and take the tasks' times from it. */
static void cost_something(struct method *m)
{
    struct codec_spec *codecs[METHOD_CODECS_MAX];
    size_t n = method_codecs(m, codecs, NULL, METHOD_CODECS_MAX);

    for (size_t i = 0; i < n; i++) {
        codecs[i]->timing = CODEC_COST_GIVEN;
        if (!(codecs[i]->encode.latency_s > 0))
            codecs[i]->encode.latency_s = least_s;
        if (!(codecs[i]->decode.latency_s > 0))
            codecs[i]->decode.latency_s = least_s;
    }
}

int execute_graph(const struct scenario *sc, const struct model *model, struct task_graph *out, char *why, size_t nwhy)
{
    struct method method = sc->method;
    struct job job = { &sc->platform, model, &method, sc->batch };

    if (!sc->simulated) {
        snprintf(why, nwhy, "method: expected one to execute, got only training");
        return NW_EINPUT;
    }
    cost_something(&method);
    int rc = method_graph(&job, out, why, nwhy);
    return rc == E_NOMEM ? NW_ENOMEM : rc ? NW_EINPUT : NW_OK;
}

struct executing {
    const struct task_graph *graph;
    const struct execute_options *options;
    struct executed *out; /* NULL: this is not rank 0 */
    struct rank rank;
    struct acts acts;
    struct act_time *times;
    struct learner *learner; /* NULL: nothing is learnt here */
    int32_t *backward;       /* the layers that backward tasks begin with, in their order */
    size_t nbackward;
    int64_t *marks; /* when each ended, of the repetition */
    int64_t start_ns;
};

static int make_space(const struct task_graph *g, const struct execute_options *o, struct executed *out)
{
    size_t n = (size_t)o->repetitions;

    *out = (struct executed){ .nranks = g->nranks, .repetitions = n };
    out->step_ns = calloc(n, sizeof(*out->step_ns));
    out->ranks = calloc(n * g->nranks, sizeof(*out->ranks));
    out->hosts = calloc(g->nranks, sizeof(*out->hosts));
    if (o->timeline)
        out->tasks = calloc(g->ntasks, sizeof(*out->tasks));
    return out->step_ns && out->ranks && out->hosts && (out->tasks || !o->timeline) ? NW_OK : NW_ENOMEM;
}

/* When a task ended here, since the start; 0 for one without this rank's part. */
static int64_t ended_ns(const struct executing *x, int32_t task)
{
    int32_t act = x->acts.of_task[task];

    if (act < 0 || x->acts.list[act].kind == ACT_HEAR || x->acts.list[act].kind == ACT_SEND)
        return 0;
    return x->times[act].end_ns - x->start_ns;
}

/* The last of the ranks decides when a mark was reached. */
static double step_ns(struct executing *x)
{
    size_t n = x->graph->lanes * x->graph->nmarks;

    for (size_t i = 0; i < n; i++)
        x->marks[i] = 1000 * ended_ns(x, x->graph->marks[i]);
    wire_most(x->rank.wire, x->marks, n);
    return task_graph_step_ps(x->graph, x->marks) / 1000;
}

/* A transfer begins where it is sent and ends where it arrives; an order of all with the last of them. */
static int gather_tasks(struct executing *x)
{
    size_t n = x->graph->ntasks;
    int64_t *both = calloc(2 * n + 1, sizeof(*both));

    if (!both)
        return NW_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        int32_t act = x->acts.of_task[i];
        if (act < 0 || x->acts.list[act].kind == ACT_HEAR)
            continue;
        both[2 * i] = x->acts.list[act].kind == ACT_RECEIVE ? 0 : x->times[act].start_ns - x->start_ns;
        both[2 * i + 1] = ended_ns(x, (int32_t)i);
    }
    wire_most(x->rank.wire, both, 2 * n);
    for (size_t i = 0; x->out && i < n; i++) {
        x->out->tasks[i].start_ns = both[2 * i];
        x->out->tasks[i].end_ns = both[2 * i + 1];
    }
    free(both);
    return NW_OK;
}

static int one_repetition(struct executing *x, int number)
{
    struct link_bytes before, after;
    struct executed_rank mine = { 0 };

    if (x->options->lives)
        x->options->lives();
    content_restart(x->rank.content);
    wire_barrier(x->rank.wire);
    before = link_bytes();
    x->start_ns = clock_ns() + NOTICE_NS;
    wire_share(x->rank.wire, &x->start_ns, sizeof(x->start_ns));
    x->start_ns += x->options->moment.offset_ns;
    int rc = rank_execute(&x->rank, x->start_ns, x->times);
    if (rc)
        return rc;
    wire_barrier(x->rank.wire); /* what was sent last is on its way until everybody has everything */
    after = link_bytes();
    for (size_t i = 0; i < x->acts.n; i++)
        if (x->times[i].end_ns - x->start_ns > mine.end_ns)
            mine.end_ns = x->times[i].end_ns - x->start_ns;
    mine.sent_bytes = content_sent_bytes(x->rank.content);
    mine.link_sent_bytes = after.sent - before.sent;
    mine.link_received_bytes = after.received - before.received;
    double ns = step_ns(x);
    struct executed_rank *all = x->out && number >= 0 ? x->out->ranks + (size_t)number * x->graph->nranks : NULL;
    struct executed_rank *unused = x->out && !all ? malloc(x->graph->nranks * sizeof(*unused)) : NULL;
    wire_gather(x->rank.wire, &mine, sizeof(mine), all ? all : unused);
    free(unused);
    if (x->out && number >= 0)
        x->out->step_ns[number] = (int64_t)(ns + 0.5);
    if (x->options->timeline && number == x->options->repetitions - 1)
        return gather_tasks(x);
    return NW_OK;
}

static void name_hosts(struct executing *x)
{
    char mine[64] = "";

    gethostname(mine, sizeof(mine) - 1);
    wire_gather(x->rank.wire, mine, sizeof(mine), x->out ? x->out->hosts : NULL);
}

static int all_repetitions(struct executing *x)
{
    int rc = NW_OK;

    name_hosts(x);
    for (int i = -1; !rc && i < x->options->repetitions; i++)
        rc = one_repetition(x, i);
    if (rc)
        return rc;
    int64_t wrong = content_wrong(x->rank.content);
    wire_most(x->rank.wire, &wrong, 1);
    if (x->out) {
        x->out->wrong = wrong;
        x->out->clock_error_ns = x->options->moment.error_ns;
    }
    return NW_OK;
}

/* --- what workers learn ------------------------------------------------------------------------------------------- */

static void take_gradients(struct executing *x, size_t from, size_t to)
{
    for (size_t i = 0; i < x->graph->ntensors; i++)
        if (x->graph->tensors[i].layer >= from && x->graph->tensors[i].layer < to)
            learner_gradient(x->learner, &x->graph->tensors[i], content_gradient(x->rank.content, i));
}

/* The layers that the tasks of a step begin with, in the order of the step, each once. */
static size_t pieces(const struct executing *x, enum task_work work, int32_t *layers)
{
    size_t n = 0;

    for (size_t i = 0; i < x->acts.n; i++) {
        const struct graph_task *t = &x->graph->tasks[x->acts.list[i].task];
        bool known = x->acts.list[i].kind != ACT_WORK || t->place.work != work;
        for (size_t k = 0; k < n && !known; k++)
            known = layers[k] == t->item;
        if (!known)
            layers[n++] = t->item;
    }
    return n;
}

/* The layers of a backward task are those from its own up to that of the task before it. */
static int compute_task(void *context, int32_t task)
{
    struct executing *x = context;
    const struct graph_task *t = &x->graph->tasks[task];
    bool backward = t->place.work == WORK_BACKWARD;
    int rc = learner_piece(x->learner, backward, t->item);
    size_t to = SIZE_MAX;

    for (size_t i = 0; backward && i < x->nbackward; i++)
        if (x->backward[i] > t->item && (size_t)x->backward[i] < to)
            to = (size_t)x->backward[i];
    if (!rc && backward)
        take_gradients(x, t->item == x->backward[x->nbackward - 1] ? 0 : (size_t)t->item, to);
    return rc;
}

static int plan_pieces(struct executing *x)
{
    int32_t *forward = malloc((x->acts.n + 1) * sizeof(*forward));

    x->backward = malloc((x->acts.n + 1) * sizeof(*x->backward));
    if (!forward || !x->backward) {
        free(forward);
        return NW_ENOMEM;
    }
    size_t nforward = pieces(x, WORK_FORWARD, forward);
    x->nbackward = pieces(x, WORK_BACKWARD, x->backward);
    int rc = learner_plan(x->learner, forward, nforward, x->backward, x->nbackward);
    free(forward);
    x->rank.compute = compute_task;
    x->rank.context = x;
    return rc;
}

/* Real gradients where they matter: for codecs, and of layers that are computed. Networks that are not trained here
 * keep the whole numbers, unless they have to be computed. */
static int open_learner(struct executing *x, const struct model *model)
{
    const struct graph_rank *r = &x->graph->ranks[x->acts.rank];
    char why[256] = "";

    if (strcmp(r->role, "worker") != 0 || (!x->options->real && !content_codes(x->graph)))
        return NW_OK;
    int rc = learner_open(model, r->samples, r->number, &x->learner, why, sizeof(why));
    if (rc == NW_EINPUT && !x->options->real)
        return NW_OK;
    if (rc == NW_EINPUT)
        return status_error(rc, "narrows exec: %s\n", why);
    if (!rc && x->options->real)
        return plan_pieces(x);
    rc = rc ? rc : learner_pass(x->learner);
    if (!rc)
        take_gradients(x, 0, SIZE_MAX);
    return rc;
}

int execute(const struct task_graph *g, const struct model *model, const struct world *world,
            const struct execute_options *o, struct executed *out)
{
    struct executing x = { .graph = g, .options = o, .out = world->rank ? NULL : out };
    struct content *content = NULL;
    struct wire *wire = NULL;
    int rc = x.out ? make_space(g, o, out) : NW_OK;

    if (world->ranks < (int)g->nranks)
        return status_error(NW_EINPUT, "expected %zu ranks (workers, servers, machines), got %d\n", g->nranks,
                            world->ranks);
    rc = rc ? rc : wire_open((int)g->nranks, &wire);
    if (rc || !wire)
        return rc;
    x.marks = malloc(g->lanes * g->nmarks * sizeof(*x.marks));
    rc = acts_make(g, world->rank, &x.acts) ? NW_ENOMEM : NW_OK;
    x.times = rc ? NULL : malloc((x.acts.n + 1) * sizeof(*x.times));
    rc = rc ? rc : !x.marks || !x.times ? NW_ENOMEM : content_open(g, world->rank, &content);
    x.rank = (struct rank){ .acts = &x.acts, .content = content, .wire = wire, .limit_s = o->limit_s, .stop = o->stop };
    rc = rc ? rc : open_learner(&x, model);
    rc = rc ? rc : all_repetitions(&x);
    learner_close(x.learner);
    free(x.backward);
    content_close(content);
    acts_free(&x.acts);
    free(x.times);
    free(x.marks);
    if (!rc)
        wire_close(wire);
    return rc;
}

void executed_free(struct executed *x)
{
    free(x->step_ns);
    free(x->ranks);
    free(x->hosts);
    free(x->tasks);
    *x = (struct executed){ 0 };
}
