/* decoder_units.c - a decoder's layers as units of stages, and what one rank computes of each. */
#include "sim/method/sharded/plan.h"

#include <math.h>
#include <stdlib.h>

#include "model/status.h"
#include "sim/cost.h"
#include "sim/method/method.h"

/* What the host adds to a pass: it launches kernels meanwhile, and where that takes longer the GPU waits. Both lengths
 * count where they are near each other. */
static int64_t host_adds(int64_t gpu_ps, double host_s)
{
    double gpu = (double)gpu_ps, host = host_s * 1e12, most = fmax(gpu, host),
           ratio = most > 0 ? fmin(gpu, host) / most : 0;

    return host > 0 ? (int64_t)llround(most * sqrt(sqrt(1 + ratio * ratio * ratio * ratio)) - gpu) : 0;
}

/* A list of operations as pieces. 'core': only those. The time that all takes is added to *ps. */
static int add_pass(const struct sharded_plan *p, struct act *a, enum act_row row, const struct gpu_works *o, bool core,
                    int64_t *ps)
{
    const struct parallel *l = &p->step.layout;
    int rc = E_OK;

    for (size_t i = 0; !rc && i < o->n; i++) {
        const struct gpu_work *op = &o->list[i];
        enum wire w = op->kind == GPU_CONTEXT ? WIRE_CONTEXT : WIRE_TENSOR;
        int64_t n = l->degree[op->kind == GPU_CONTEXT ? AXIS_CONTEXT : AXIS_TENSOR];
        int64_t rounds = op->kind == GPU_ALLREDUCE ? 2 : 1;
        int64_t sent = rounds * (int64_t)ceil(op->bytes * (double)(n - 1) / (double)n);
        if (core && !op->core)
            continue;
        switch (op->kind) {
        case GPU_ALLREDUCE:
        case GPU_GATHER:
        case GPU_CONTEXT:
            rc = plan_collective(p, a, w, op->bytes, sent, rounds);
            *ps += plan_collective_ps(p, w, op->bytes, sent, rounds);
            break;
        default: {
            int64_t own = gpu_work_ps(p->job->platform, p->m->activations, op);
            rc = act_gpu(a, row, own);
            *ps += own;
        }
        }
    }
    return rc;
}

struct making {
    struct sharded_plan *p;
    struct decoder d;
    struct gpu_works forward, backward;
    double host_s; /* of a layer forward and backward */
    bool sizes;    /* values and bytes of units; else what they take and send */
};

static void start_over(struct making *k)
{
    k->forward.n = k->backward.n = 0;
}

/* Adds what is in hand to a unit: forward, then what is computed again, and backward. */
static int add_passes(struct making *k, struct unit *u, double host_s, enum recompute recompute)
{
    int64_t forward = 0, again = 0, backward = 0;
    double host_again = recompute == RECOMPUTE_FULL ? 0.4 : recompute == RECOMPUTE_SELECTIVE ? 0.1 : 0;
    int rc = add_pass(k->p, &u->forward, ACT_FORWARD, &k->forward, false, &forward);

    rc = rc ? rc : act_gpu(&u->forward, ACT_DISPATCH, host_adds(forward, 0.4 * host_s));
    if (!rc && recompute != RECOMPUTE_NONE)
        rc = add_pass(k->p, &u->backward, ACT_RECOMPUTE, &k->forward, recompute == RECOMPUTE_SELECTIVE, &again);
    rc = rc ? rc : add_pass(k->p, &u->backward, ACT_BACKWARD, &k->backward, false, &backward);
    return rc ? rc : act_gpu(&u->backward, ACT_DISPATCH, host_adds(again + backward, (0.6 + host_again) * host_s));
}

static int add_layers(struct making *k, struct unit *u, int64_t n)
{
    const struct sharded *m = k->p->m;
    double kept = decoder_layer_kept(&k->d), input = decoder_input(&k->d), core = decoder_core_kept(&k->d);
    int rc = E_OK;

    for (int64_t i = 0; !k->sizes && !rc && i < n; i++) {
        start_over(k);
        rc = decoder_layer(&k->d, &k->forward, &k->backward);
        rc = rc ? rc : add_passes(k, u, k->host_s, m->recompute);
    }
    if (!k->sizes)
        return rc;
    u->values += n * decoder_layer_values(&k->d);
    u->kept += (double)n * (m->recompute == RECOMPUTE_FULL        ? input
                            : m->recompute == RECOMPUTE_SELECTIVE ? kept - core
                                                                  : kept);
    u->again = m->recompute == RECOMPUTE_FULL ? kept - input : m->recompute == RECOMPUTE_SELECTIVE ? core : 0;
    u->extra = fmax(u->extra, decoder_layer_extra(&k->d));
    u->shapes = decoder_layer_shapes(&k->d);
    return rc;
}

static int add_words(struct making *k, struct unit *u)
{
    int rc;

    u->values = decoder_words_values(&k->d);
    if (k->sizes)
        return E_OK;
    start_over(k);
    rc = decoder_words(&k->d, &k->forward, &k->backward);
    return rc ? rc : add_passes(k, u, 0, RECOMPUTE_NONE);
}

/* GPT's output multiplies with the table of words: a stage of its own has a copy of it. */
static int add_head(struct making *k, struct unit *u, bool apart)
{
    bool tied = k->d.gpt->style == GPT_GPT;
    int rc;

    u->values = decoder_head_values(&k->d);
    if (tied && apart)
        u->values += decoder_vocabulary(&k->d) * k->d.gpt->hidden;
    u->extra = decoder_head_extra(&k->d, apart) + decoder_head_kept(&k->d);
    u->shapes = (double)decoder_vocabulary(&k->d) * (double)k->d.gpt->hidden;
    if (k->sizes)
        return E_OK;
    start_over(k);
    rc = decoder_head(&k->d, &k->forward, &k->backward);
    return rc ? rc : add_passes(k, u, 0, RECOMPUTE_NONE);
}

/* Its units: words, whole units, what is left of a unit, the head. Alike ones are listed once. */
static int make_units(struct making *k, struct chunk *c, int64_t number)
{
    struct sharded_plan *p = k->p;
    int64_t layers = plan_layers_of(p, number), each = p->m->unit_layers, units = layers / each, rest = layers % each;
    bool first = !number, last = number + 1 == p->step.pipeline.stages * p->step.pipeline.chunks;
    int64_t listed = p->form == PLAN_ALIKE && units > 1 ? 1 : units;
    size_t u = 0;
    int rc = E_OK;

    c->nunits = (size_t)(listed + (rest > 0) + first + last);
    if (!c->units)
        c->units = calloc(c->nunits + 1, sizeof(*c->units));
    if (!c->units)
        return E_NOMEM;
    if (first)
        rc = add_words(k, &c->units[u++]);
    for (int64_t i = 0; !rc && i < listed; i++) {
        c->units[u].more = units / listed - 1;
        rc = add_layers(k, &c->units[u++], each);
    }
    if (!rc && rest)
        rc = add_layers(k, &c->units[u++], rest);
    return rc || !last ? rc : add_head(k, &c->units[u++], p->step.pipeline.stages > 1);
}

static int make_chunk(struct making *k, const struct stage *stage, struct chunk *c)
{
    struct sharded_plan *p = k->p;
    int64_t tokens = k->d.samples * k->d.gpt->sequence / k->d.context;
    int64_t values = tokens * k->d.gpt->hidden / (k->d.sequence ? k->d.tensor : 1);
    int rc = make_units(k, c, c->number * p->step.pipeline.stages + stage->number);

    if (rc || k->sizes)
        return rc;
    for (size_t i = 0; !rc && i < c->nunits; i++)
        rc = plan_shards(p, &c->units[i]);
    return rc || p->step.pipeline.stages < 2 ? rc : plan_send(p, c, values, k->d.gpt->hidden);
}

static int add_tie(struct making *k)
{
    struct sharded_plan *p = k->p;
    int64_t values = decoder_vocabulary(&k->d) * k->d.gpt->hidden, stages = p->step.pipeline.stages;
    int64_t own = p->m->level ? (values + p->shard - 1) / p->shard : values;
    int64_t bytes = own * compute_precision_bytes(p->m->gradients);

    return stages < 2 || k->d.gpt->style == GPT_LLAMA ? E_OK : act_wire(&p->step.stages[0].tie, WIRE_FORWARD, bytes, 1);
}

int plan_decoder(struct sharded_plan *p, bool sizes)
{
    const struct sharded *m = p->m;
    const struct parallel *l = &p->step.layout;
    int64_t tensor = l->degree[AXIS_TENSOR];
    struct making k = { .p = p,
                        .d = { .gpt = &p->job->model->gpt,
                               .samples = m->micro_batch,
                               .tensor = tensor,
                               .context = l->degree[AXIS_CONTEXT],
                               .sequence = m->sequence && tensor > 1,
                               .attention = m->attention,
                               .dropout = m->dropout,
                               .fused_loss = m->fused_loss,
                               .precision = m->activations,
                               .loss_share = m->loss_share },
                        .host_s = m->dispatch_s + (tensor > 1 && tensor >= l->gpus_per_machine ? m->dispatch_far_s : 0),
                        .sizes = sizes };
    int rc = E_OK;

    for (size_t s = 0; !rc && s < p->step.nstages; s++)
        for (size_t c = 0; !rc && c < p->step.stages[s].nchunks; c++)
            rc = make_chunk(&k, &p->step.stages[s], &p->step.stages[s].chunks[c]);
    rc = rc || sizes ? rc : add_tie(&k);
    p->model_flops = decoder_model_flops(k.d.gpt) * (double)p->job->batch;
    gpu_works_free(&k.forward);
    gpu_works_free(&k.backward);
    return rc;
}
