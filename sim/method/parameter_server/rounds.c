/* rounds.c - the tasks of every round: computing, pushes, updates, pulls.
 * Backups    a round of a worker is a group of tasks: what it pulls before, computes and pushes. It is void if the
 *            round's updates are all made when the worker is through with the round before: it takes up the newest
 *            model. What a server does with the pushes of a tensor is a group that is void once enough of them are
 *            there. */
#include <math.h>
#include <stdlib.h>

#include "model/status.h"
#include "sim/cost.h"
#include "sim/method/parameter_server/labour.h"

static int coder(const struct ps_worker *w, const struct codec_spec *c)
{
    return c->place == CODEC_ON_GPU ? w->compute : w->codec;
}

static int *moved(int *moves, const struct ps_play *s, size_t round, size_t worker, size_t tensor)
{
    return moves ? &moves[ps_cell(s, round, worker, tensor)] : NULL;
}

/* A gradient on its way, until the server has it as values. A codec on the CPU has it copied to the host's memory
 * first; one on the GPU leaves bytes that go from there to the server in one flow. */
static int push(struct ps_play *s, size_t worker, size_t round, size_t tensor, int ready)
{
    const struct ps_worker *w = &s->workers[worker];
    const struct ps_tensor *t = &s->tensors[tensor];
    const struct ps_server *server = &s->servers[t->server];
    int32_t from = (int32_t)worker, to = server_rank(s, t->server);
    int late = s->late ? s->late[tensor] : -1;
    int task = ps_machine_sum(s, worker, tensor, ready);

    if (s->alone)
        return task;
    if (s->push_staged)
        task = moves(s, w->to_host, ps_copied_bytes(s, tensor),
                     (struct labour){ .row = PS_PUSH, .rank = from, .peer = from }, tensor, task, w->round, NULL);
    task = takes(s, (struct labour){ coder(w, &s->method->push), t->push.encode_ps, PS_ENCODE, from, to }, tensor, task,
                 w->round);
    task = takes(s, (struct labour){ w->send, t->push.send_ps, PS_PUSH, from, to }, tensor, task, w->round);
    task = moves(s, w->push[t->server], t->push.bytes, (struct labour){ .row = PS_PUSH, .rank = from, .peer = to },
                 tensor, task, w->round, moved(s->push_moves, s, round, worker, tensor));
    return takes(s, (struct labour){ server->codec, t->push.decode_ps, PS_DECODE, to, from }, tensor, task, late);
}

/* An encoded change on its way, until a worker has it. */
static int fetch(struct ps_play *s, size_t worker, size_t round, size_t tensor, int encoded)
{
    const struct ps_worker *w = &s->workers[worker];
    const struct ps_tensor *t = &s->tensors[tensor];
    const struct ps_server *server = &s->servers[t->server];
    int32_t from = server_rank(s, t->server), to = (int32_t)worker;
    int task = takes(s, (struct labour){ server->send, t->pull.send_ps, PS_PULL, from, to }, tensor, encoded, w->round);

    task = moves(s, w->pull[t->server], t->pull.bytes, (struct labour){ .row = PS_PULL, .rank = from, .peer = to },
                 tensor, task, w->round, moved(s->pull_moves, s, round, worker, tensor));
    task = takes(s, (struct labour){ coder(w, &s->method->pull), t->pull.decode_ps, PS_DECODE, to, from }, tensor, task,
                 w->round);
    if (s->pull_staged)
        task = moves(s, w->to_gpu, ps_copied_bytes(s, tensor),
                     (struct labour){ .row = PS_PULL, .rank = to, .peer = to }, tensor, task, w->round, NULL);
    return task;
}

/* Until the worker can compute with the tensor. */
static int pull(struct ps_play *s, size_t worker, size_t round, size_t tensor, int encoded)
{
    int fetched = s->alone ? encoded : fetch(s, worker, round, tensor, encoded);

    return ps_machine_share(s, worker, tensor, fetched);
}

/* At the server, for one worker or (-1) for all. */
static int encode(struct ps_play *s, size_t tensor, int32_t worker, int updated, int group)
{
    const struct ps_tensor *t = &s->tensors[tensor];
    int32_t rank = server_rank(s, t->server);

    return takes(s, (struct labour){ s->servers[t->server].codec, t->pull.encode_ps, PS_ENCODE, rank, worker }, tensor,
                 updated, group);
}

/* One unit of a worker, after what it computed before. */
static int compute(struct ps_play *s, struct ps_worker *w, int64_t ps, double factor, enum ps_row row, size_t layer)
{
    double scaled = floor((double)ps * factor + 0.5);
    int64_t lasts_ps = factor == 1 ? ps : scaled < 9e18 ? (int64_t)scaled : INT64_MAX;
    int task = lasts_ps ? engine_compute(s->e, w->compute, lasts_ps, row) : engine_sync(s->e);

    engine_place(s->e, task,
                 &(struct task_place){ .work = !lasts_ps           ? WORK_ORDER
                                               : row == PS_FORWARD ? WORK_FORWARD
                                                                   : WORK_BACKWARD,
                                       .rank = (int32_t)(w - s->workers),
                                       .peer = -1,
                                       .tensor = -1 });
    for (int i = 0; lasts_ps && s->method->computing_share < 1 && w->links[0] >= 0 && i < 2; i++)
        engine_slows(s->e, task, w->links[i], s->method->computing_share);
    in_group(s, task, w->round);
    engine_item(s->e, task, (int)layer);
    after(s, task, w->last);
    w->last = task;
    return task;
}

/* Forward and backward pass. Of an exchange before it, a unit waits for its own tensors, or for all. */
static void compute_step(struct ps_play *s, size_t worker, size_t step, int gate)
{
    struct ps_worker *w = &s->workers[worker];
    int *pulled = s->pulled + worker * s->ntensors;
    double factor = ps_jitter(s->method, worker, step);

    s->computed[worker * s->steps + step] = (int)engine_ntasks(s->e);
    for (size_t u = 0; u < s->nunits; u++) {
        const struct ps_unit *unit = &s->units[u];
        int task = compute(s, w, unit->forward_ps[w->more], factor, PS_FORWARD, unit->layer);
        if (u == 0) {
            after(s, task, gate);
            after(s, task, w->fed);
            after(s, task, w->enters);
        }
        for (size_t t = unit->first_tensor; t < unit->first_tensor + unit->ntensors; t++) {
            after(s, task, pulled[t]);
            pulled[t] = -1;
        }
    }
    w->fed = w->enters = -1;
    for (size_t u = s->nunits; u-- > 0;)
        s->backward[u] = compute(s, w, s->units[u].backward_ps[w->more], factor, PS_BACKWARD, s->units[u].layer);
}

/* The last layer first, as the backward pass has it: also of what is ready at one instant. */
static void push_all(struct ps_play *s, size_t worker, size_t round)
{
    for (size_t u = s->nunits; u-- > 0;) {
        const struct ps_unit *unit = &s->units[u];
        int ready = s->backward[s->method->barrier == PS_BARRIER_STEP ? 0 : u];
        for (size_t t = unit->first_tensor + unit->ntensors; t-- > unit->first_tensor;)
            s->pushed[worker * s->ntensors + t] = push(s, worker, round, t, ready);
    }
}

/* An update from pushes that were added up; it is a task even if it takes no time. */
static int updates(struct ps_play *s, size_t tensor)
{
    const struct ps_tensor *t = &s->tensors[tensor];
    int update = engine_compute(s->e, s->servers[t->server].memory, t->update_ps, PS_UPDATE);

    engine_item(s->e, update, item_of(s, tensor));
    engine_place(s->e, update,
                 &(struct task_place){
                     .work = WORK_UPDATE, .rank = server_rank(s, t->server), .peer = -1, .tensor = -1, .shares = 1 });
    return update;
}

static int adds(struct ps_play *s, size_t worker, size_t tensor, int group)
{
    const struct ps_tensor *t = &s->tensors[tensor];
    int32_t rank = server_rank(s, t->server);

    return takes(s, (struct labour){ s->servers[t->server].memory, t->sum_ps, PS_SUM, rank, (int32_t)worker }, tensor,
                 s->pushed[worker * s->ntensors + tensor], group);
}

/* One update from the pushes of all workers. */
static int update_from_all(struct ps_play *s, size_t tensor)
{
    int update = updates(s, tensor);

    for (size_t w = 0; w < s->nworkers; w++)
        after(s, update, adds(s, w, tensor, -1));
    return update;
}

/* From the first pushes that are there, as many as are wanted. What is not decoded or added by then is dropped. */
static int update_from_first(struct ps_play *s, size_t round, size_t tensor)
{
    int closed = order(s, server_rank(s, s->tensors[tensor].server)), update = updates(s, tensor);

    for (size_t w = 0; w < s->nworkers; w++) {
        int added = adds(s, w, tensor, s->late[tensor]);
        s->counted[ps_cell(s, round, w, tensor)] = added;
        after(s, closed, added);
    }
    engine_all_but(s->e, closed, (int)s->method->backup_workers);
    engine_void_if(s->e, closed, s->late[tensor], closed);
    s->closed[round * s->ntensors + tensor] = closed;
    return after(s, update, closed);
}

static void pull_by_all(struct ps_play *s, size_t round, size_t tensor, int update)
{
    int encoded = s->method->shared_pull ? encode(s, tensor, -1, update, -1) : -1;

    for (size_t w = 0; w < s->nworkers; w++) {
        int mine = s->method->shared_pull ? encoded : encode(s, tensor, (int32_t)w, update, -1);
        s->pulled[w * s->ntensors + tensor] = pull(s, w, round, tensor, mine);
    }
}

/* Does a worker wait with this tensor until it is through with the round? Else only until it has pushed the tensor. */
static bool at_the_end(const struct ps_play *s, size_t tensor)
{
    const struct ps_unit *first = s->units;

    while (!first->ntensors)
        first++;
    return s->method->barrier != PS_BARRIER_LAYER || tensor < first->ntensors;
}

/* A worker is through with a round when it has computed and its pushes have arrived. Then it takes up the next one, or,
 * if that one's updates are made, gives it up for one that is newer yet. */
static void take_up(struct ps_play *s, size_t worker)
{
    struct ps_worker *w = &s->workers[worker];

    w->round = w->enters = -1;
    if (s->next_finished < 0)
        return;
    w->round = engine_group(s->e);
    w->enters = after(s, order(s, (int32_t)worker), w->last);
    for (size_t t = 0; t < s->ntensors; t++)
        if (at_the_end(s, t))
            after(s, w->enters, s->pushed[worker * s->ntensors + t]);
    engine_void_if(s->e, w->enters, w->round, s->next_finished);
}

/* Nobody pulls a tensor before having pushed it: who is late may have a newer one to pull by then. */
static void pull_when_through(struct ps_play *s, size_t round, size_t tensor, int update)
{
    int encoded = s->method->shared_pull ? encode(s, tensor, -1, update, -1) : -1;
    int32_t rank = server_rank(s, s->tensors[tensor].server);

    for (size_t w = 0; w < s->nworkers; w++) {
        const struct ps_worker *worker = &s->workers[w];
        int ready = after(s, order(s, rank), s->method->shared_pull ? encoded : update);
        after(s, ready, s->pushed[w * s->ntensors + tensor]);
        if (at_the_end(s, tensor))
            after(s, ready, worker->enters);
        if (!s->method->shared_pull)
            ready = encode(s, tensor, (int32_t)w, ready, worker->round);
        s->pulled[w * s->ntensors + tensor] = pull(s, w, round, tensor, ready);
    }
}

/* The task after which pulls may start: every tensor's update, and what the barrier takes. */
static int barrier(struct ps_play *s, int finished)
{
    int task = engine_compute(s->e, ENGINE_NO_RESOURCE, seconds_to_ps(s->method->barrier_s), PS_BARRIER);

    engine_place(s->e, task,
                 &(struct task_place){ .work = WORK_CLOCK, .rank = server_rank(s, 0), .peer = -1, .tensor = -1 });
    return after(s, task, finished);
}

/* The end of a round's updates: nobody hears of it who does not wait for it. */
static int round_end(struct ps_play *s)
{
    return order(s, s->late || s->method->barrier == PS_BARRIER_UPDATE ? server_rank(s, 0) : RANK_EACH);
}

static void exchange_together(struct ps_play *s, size_t round)
{
    int finished = s->next_finished >= 0 ? s->next_finished : round_end(s);
    int opened = s->method->barrier == PS_BARRIER_UPDATE ? barrier(s, finished) : -1;

    if (s->late) {
        s->next_finished = round + 1 < s->rounds ? round_end(s) : -1;
        for (size_t w = 0; w < s->nworkers; w++)
            take_up(s, w);
    }
    for (size_t t = s->ntensors; t-- > 0;) {
        int update = s->late ? update_from_first(s, round, t) : update_from_all(s, t);
        if (s->late)
            pull_when_through(s, round, t, opened < 0 ? update : opened);
        else
            pull_by_all(s, round, t, opened < 0 ? update : opened);
        after(s, finished, update);
    }
    for (size_t w = 0; w < s->nworkers; w++) {
        if (!s->ntensors)
            after(s, finished, s->workers[w].last);
        s->finished[round * s->nworkers + w] = finished;
    }
}

/* Each push updates its tensor at once, and its worker alone pulls what came of it. */
static void exchange_alone(struct ps_play *s, size_t worker, size_t round)
{
    int32_t coordinator = s->method->mode == PS_STALE ? server_rank(s, 0) : RANK_EACH;
    int finished = after(s, order(s, coordinator), s->workers[worker].last);

    for (size_t t = s->ntensors; t-- > 0;) {
        size_t of = worker * s->ntensors + t, server = s->tensors[t].server;
        struct labour l = { s->servers[server].memory, s->tensors[t].update_ps, PS_UPDATE, server_rank(s, server),
                            (int32_t)worker };
        int update = takes(s, l, t, s->pushed[of], -1);
        s->pulled[of] = pull(s, worker, round, t, encode(s, t, (int32_t)worker, update, -1));
        after(s, finished, update);
    }
    s->finished[round * s->nworkers + worker] = finished;
}

/* PS_BARRIER_STEP, PS_BARRIER_PULLS: one wait for all pulls in the place of one for each. */
static void gather(struct ps_play *s, size_t worker)
{
    if (s->method->barrier != PS_BARRIER_STEP && s->method->barrier != PS_BARRIER_PULLS)
        return;
    int fed = s->workers[worker].fed = order(s, (int32_t)worker);
    for (size_t t = 0; t < s->ntensors; t++) {
        after(s, fed, s->pulled[worker * s->ntensors + t]);
        s->pulled[worker * s->ntensors + t] = -1;
    }
    if (s->method->updates_on_workers)
        s->workers[worker].fed = takes(s,
                                       (struct labour){ s->workers[worker].compute, s->worker_update_ps, PS_UPDATE,
                                                        (int32_t)worker, (int32_t)worker },
                                       0, fed, -1);
}

static void build_gate(struct ps_play *s, size_t round)
{
    if (s->method->mode != PS_STALE)
        return;
    s->gates[round] = order(s, server_rank(s, 0));
    for (size_t w = 0; w < s->nworkers; w++)
        after(s, s->gates[round], s->finished[round * s->nworkers + w]);
}

/* The slowest worker's round that the others may not leave too far behind. */
static int gate_of(const struct ps_play *s, size_t round)
{
    int64_t before = (int64_t)round - 1;

    if (s->method->mode != PS_STALE || before < s->method->staleness)
        return -1;
    return s->gates[before - s->method->staleness];
}

static void build_round(struct ps_play *s, size_t round)
{
    size_t length = (size_t)s->method->local_steps;

    for (size_t t = 0; s->late && t < s->ntensors; t++)
        s->late[t] = engine_group(s->e);
    for (size_t w = 0; w < s->nworkers; w++) {
        for (size_t k = 0; k < length; k++)
            compute_step(s, w, round * length + k, k ? -1 : gate_of(s, round));
        push_all(s, w, round);
    }
    if (s->method->mode == PS_SYNC)
        exchange_together(s, round);
    for (size_t w = 0; w < s->nworkers; w++) {
        if (s->method->mode != PS_SYNC)
            exchange_alone(s, w, round);
        gather(s, w);
    }
    build_gate(s, round);
}

static int make_room_for_backups(struct ps_play *s)
{
    size_t cells = s->rounds * s->nworkers * s->ntensors;

    s->late = malloc((s->ntensors + 1) * sizeof(int));
    s->closed = malloc((s->rounds * s->ntensors + 1) * sizeof(int));
    s->counted = malloc((3 * cells + 1) * sizeof(int));
    if (!s->late || !s->closed || !s->counted)
        return E_NOMEM;
    s->push_moves = s->counted + cells;
    s->pull_moves = s->push_moves + cells;
    return E_OK;
}

int ps_rounds(struct ps_play *s)
{
    size_t cells = s->nworkers * s->ntensors;

    s->rounds = (size_t)ps_counted_rounds(s->method) + 2;
    s->steps = s->rounds * (size_t)s->method->local_steps;
    s->pulled = malloc((cells + 1) * sizeof(int));
    s->pushed = malloc((cells + 1) * sizeof(int));
    s->backward = malloc((s->nunits + 1) * sizeof(int));
    s->computed = malloc(s->nworkers * s->steps * sizeof(int));
    s->finished = malloc(s->nworkers * s->rounds * sizeof(int));
    s->gates = malloc(s->rounds * sizeof(int));
    if (!s->pulled || !s->pushed || !s->backward || !s->computed || !s->finished || !s->gates)
        return E_NOMEM;
    for (size_t i = 0; i < cells; i++)
        s->pulled[i] = -1;
    s->next_finished = -1;
    if (ps_has_backups(s->method) && s->ntensors && make_room_for_backups(s))
        return E_NOMEM;
    for (size_t round = 0; round < s->rounds; round++)
        build_round(s, round);
    return E_OK;
}
