/* parameter_server_rounds.c - the tasks of every round: computing, pushes, updates, pulls. */
#include <math.h>
#include <stdlib.h>

#include "sim/cost.h"
#include "sim/method/parameter_server_play.h"
#include "sim/status.h"

static int after(struct ps_play *s, int task, int earlier)
{
    if (earlier >= 0)
        engine_after(s->e, task, earlier);
    return task;
}

/* Names in a timeline: layers first, then tensors. */
static int item_of(const struct ps_play *s, size_t tensor)
{
    return (int)(s->job->model->nlayers + tensor);
}

/* What takes no time is no task. */
static int takes(struct ps_play *s, int resource, int64_t ps, enum ps_row row, size_t tensor, int earlier)
{
    if (!ps)
        return earlier;
    int task = engine_compute(s->e, resource, ps, row);
    engine_item(s->e, task, item_of(s, tensor));
    return after(s, task, earlier);
}

/* Streams take turns in sending: the latency is no part of a turn. */
static int moves(struct ps_play *s, struct ps_path path, int64_t bytes, enum ps_row row, size_t tensor, int earlier)
{
    int task = engine_transfer(s->e, path.stream, path.route, bytes, path.stream < 0 ? path.latency_ps : 0, row);

    engine_item(s->e, task, item_of(s, tensor));
    after(s, task, earlier);
    return path.stream < 0 ? task : takes(s, ENGINE_NO_RESOURCE, path.latency_ps, row, tensor, task);
}

static int coder(const struct ps_worker *w, const struct codec_spec *c)
{
    return c->place == CODEC_ON_GPU ? w->compute : w->codec;
}

/* A gradient on its way, until the server has it as values. A codec on the CPU has it copied to the host's memory first; one
 * on the GPU leaves bytes that go from there to the server in one flow. */
static int push(struct ps_play *s, const struct ps_worker *w, size_t tensor, int ready)
{
    const struct ps_tensor *t = &s->tensors[tensor];
    const struct ps_server *server = &s->servers[t->server];
    int task = ready;

    if (s->push_staged)
        task = moves(s, w->to_host, 4 * t->values, PS_PUSH, tensor, task);
    task = takes(s, coder(w, &s->method->push), t->push.encode_ps, PS_ENCODE, tensor, task);
    task = takes(s, w->send, t->push.send_ps, PS_PUSH, tensor, task);
    task = moves(s, w->push[t->server], t->push.bytes, PS_PUSH, tensor, task);
    return takes(s, server->codec, t->push.decode_ps, PS_DECODE, tensor, task);
}

/* An encoded change on its way, until the worker can compute with the tensor. */
static int pull(struct ps_play *s, const struct ps_worker *w, size_t tensor, int encoded)
{
    const struct ps_tensor *t = &s->tensors[tensor];
    const struct ps_server *server = &s->servers[t->server];
    int task = takes(s, server->send, t->pull.send_ps, PS_PULL, tensor, encoded);

    task = moves(s, w->pull[t->server], t->pull.bytes, PS_PULL, tensor, task);
    task = takes(s, coder(w, &s->method->pull), t->pull.decode_ps, PS_DECODE, tensor, task);
    if (s->pull_staged)
        task = moves(s, w->to_gpu, 4 * t->values, PS_PULL, tensor, task);
    return task;
}

static int encode(struct ps_play *s, size_t tensor, int updated)
{
    const struct ps_tensor *t = &s->tensors[tensor];

    return takes(s, s->servers[t->server].codec, t->pull.encode_ps, PS_ENCODE, tensor, updated);
}

/* One unit of a worker, after what it computed before. */
static int compute(struct ps_play *s, struct ps_worker *w, int64_t ps, double factor, enum ps_row row, size_t layer)
{
    double scaled = floor((double)ps * factor + 0.5);
    int64_t lasts_ps = factor == 1 ? ps : scaled < 9e18 ? (int64_t)scaled : INT64_MAX;
    int task = lasts_ps ? engine_compute(s->e, w->compute, lasts_ps, row) : engine_sync(s->e);

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
        }
        for (size_t t = unit->first_tensor; t < unit->first_tensor + unit->ntensors; t++) {
            after(s, task, pulled[t]);
            pulled[t] = -1;
        }
    }
    w->fed = -1;
    for (size_t u = s->nunits; u-- > 0;)
        s->backward[u] = compute(s, w, s->units[u].backward_ps[w->more], factor, PS_BACKWARD, s->units[u].layer);
}

/* The last layer first, as the backward pass has it: also of what is ready at one instant. */
static void push_all(struct ps_play *s, size_t worker)
{
    for (size_t u = s->nunits; u-- > 0;) {
        const struct ps_unit *unit = &s->units[u];
        int ready = s->backward[s->method->barrier == PS_BARRIER_STEP ? 0 : u];
        for (size_t t = unit->first_tensor + unit->ntensors; t-- > unit->first_tensor;)
            s->pushed[worker * s->ntensors + t] = push(s, &s->workers[worker], t, ready);
    }
}

/* One update from the pushes of all workers, or of all but the backups. A late push is received, decoded and added all the
 * same: who is late is not known before. */
static int update_from_all(struct ps_play *s, size_t tensor)
{
    const struct ps_tensor *t = &s->tensors[tensor];
    int memory = s->servers[t->server].memory;
    int update = engine_compute(s->e, memory, t->update_ps, PS_UPDATE);

    engine_item(s->e, update, item_of(s, tensor));
    for (size_t w = 0; w < s->nworkers; w++)
        after(s, update, takes(s, memory, t->sum_ps, PS_SUM, tensor, s->pushed[w * s->ntensors + tensor]));
    engine_all_but(s->e, update, (int)s->method->backup_workers);
    return update;
}

static void pull_by_all(struct ps_play *s, size_t tensor, int update)
{
    int encoded = s->method->shared_pull ? encode(s, tensor, update) : -1;

    for (size_t w = 0; w < s->nworkers; w++)
        s->pulled[w * s->ntensors + tensor] =
            pull(s, &s->workers[w], tensor, s->method->shared_pull ? encoded : encode(s, tensor, update));
}

/* The task after which pulls may start: every tensor's update, and what the barrier takes. */
static int barrier(struct ps_play *s, int finished)
{
    int task = engine_compute(s->e, ENGINE_NO_RESOURCE, seconds_to_ps(s->method->barrier_s), PS_BARRIER);

    return after(s, task, finished);
}

static void exchange_together(struct ps_play *s, size_t round)
{
    int finished = engine_sync(s->e);
    int opened = s->method->barrier == PS_BARRIER_UPDATE ? barrier(s, finished) : -1;

    for (size_t t = s->ntensors; t-- > 0;) {
        int update = update_from_all(s, t);
        pull_by_all(s, t, opened < 0 ? update : opened);
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
    int finished = after(s, engine_sync(s->e), s->workers[worker].last);

    for (size_t t = s->ntensors; t-- > 0;) {
        size_t of = worker * s->ntensors + t;
        int memory = s->servers[s->tensors[t].server].memory;
        int update = takes(s, memory, s->tensors[t].update_ps, PS_UPDATE, t, s->pushed[of]);
        s->pulled[of] = pull(s, &s->workers[worker], t, encode(s, t, update));
        after(s, finished, update);
    }
    s->finished[round * s->nworkers + worker] = finished;
}

/* PS_BARRIER_STEP: one wait for all pulls in the place of one for each. */
static void gather(struct ps_play *s, size_t worker)
{
    if (s->method->barrier != PS_BARRIER_STEP)
        return;
    int fed = s->workers[worker].fed = engine_sync(s->e);
    for (size_t t = 0; t < s->ntensors; t++) {
        after(s, fed, s->pulled[worker * s->ntensors + t]);
        s->pulled[worker * s->ntensors + t] = -1;
    }
}

static void build_gate(struct ps_play *s, size_t round)
{
    if (s->method->mode != PS_STALE)
        return;
    s->gates[round] = engine_sync(s->e);
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

    for (size_t w = 0; w < s->nworkers; w++) {
        for (size_t k = 0; k < length; k++)
            compute_step(s, w, round * length + k, k ? -1 : gate_of(s, round));
        push_all(s, w);
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
        return SIM_ENOMEM;
    for (size_t i = 0; i < cells; i++)
        s->pulled[i] = -1;
    for (size_t round = 0; round < s->rounds; round++)
        build_round(s, round);
    return SIM_OK;
}
