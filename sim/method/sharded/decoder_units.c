/* decoder_units.c - a decoder's layers as units of stages, and what one rank computes of each. */
#include "sim/method/sharded/plan.h"

#include <math.h>
#include <stdlib.h>

#include "model/status.h"
#include "sim/cost.h"
#include "sim/method/method.h"

/* What the host adds to a stretch: it launches kernels meanwhile, and where that takes longer the GPU waits. Both
 * lengths count where they are near each other. */
static double host_adds(int64_t gpu_ps, double host_s)
{
    double gpu = (double)gpu_ps, host = host_s * 1e12, most = fmax(gpu, host),
           ratio = most > 0 ? fmin(gpu, host) / most : 0;

    return host > 0 ? most * sqrt(sqrt(1 + ratio * ratio * ratio * ratio)) - gpu : 0;
}

static enum wire wire_of(enum gpu_work_kind kind)
{
    return kind == GPU_CONTEXT ? WIRE_CONTEXT : kind == GPU_EXPERT ? WIRE_EXPERT : WIRE_TENSOR;
}

/* Tokens on their way to experts among n ranks, by a codec. */
static int add_coded(const struct sharded_plan *p, struct act *a, const struct gpu_work *op, int64_t n, int64_t *ps)
{
    const struct codec_spec *c = &p->m->codec_dispatch;
    int64_t bytes = codec_spec_wire_bytes(c, op->values, op->row), sent = (bytes * (n - 1) + n - 1) / n;
    int64_t encode = codec_spec_encode_ps(c, op->values), decode = codec_spec_decode_ps(c, op->values);
    int rc = act_gpu(a, ACT_ENCODE, encode);

    rc = rc ? rc : plan_collective(p, a, WIRE_EXPERT, (double)bytes, sent, 1);
    *ps += encode + plan_collective_ps(p, WIRE_EXPERT, (double)bytes, sent, 1) + decode;
    return rc ? rc : act_gpu(a, ACT_DECODE, decode);
}

/* Attention between its projections stays in the precision of activations. */
static enum compute_precision precision_of(const struct sharded *m, const struct gpu_work *op)
{
    bool multiplies = (op->kind == GPU_PRODUCT || op->kind == GPU_GROUPED) && !op->core;

    return multiplies ? sharded_products(m) : m->activations;
}

/* A list of operations as pieces. 'core': only those. The time that all takes is added to *ps. */
static int add_pass(const struct sharded_plan *p, struct act *a, enum act_row row, const struct gpu_works *o, bool core,
                    int64_t *ps)
{
    const struct parallel *l = &p->step.layout;
    int rc = E_OK;

    for (size_t i = 0; !rc && i < o->n; i++) {
        const struct gpu_work *op = &o->list[i];
        enum wire w = wire_of(op->kind);
        int64_t n = group_size(l, wire_group_of(w), 0);
        int64_t rounds = op->kind == GPU_ALLREDUCE ? 2 : 1;
        int64_t sent = rounds * (int64_t)ceil(op->bytes * (double)(n - 1) / (double)n);
        if (core && !op->core)
            continue;
        switch (op->kind) {
        case GPU_ALLREDUCE:
        case GPU_GATHER:
        case GPU_CONTEXT:
        case GPU_EXPERT:
            if (op->values && p->m->codec_dispatch.format != WIRE_NONE) {
                rc = add_coded(p, a, op, n, ps);
                break;
            }
            rc = plan_collective(p, a, w, op->bytes, sent, rounds);
            *ps += plan_collective_ps(p, w, op->bytes, sent, rounds);
            break;
        default: {
            int64_t own = gpu_work_ps(p->job->platform, precision_of(p->m, op), op);
            rc = act_gpu(a, row, own);
            *ps += own;
        }
        }
    }
    return rc;
}

/* What a GPU computes in one direction without waiting for another stage, and how long the host launches it. */
struct stretch {
    int64_t gpu_ps;
    double host_s;
};

struct making {
    struct sharded_plan *p;
    struct decoder d;
    struct gpu_works forward, backward;
    struct stretch ahead, back; /* of the chunk in hand */
    int64_t sparse;             /* its layers with experts */
    bool sends;                 /* there are several stages ... */
    bool last;                  /* ... and it is the last one's */
    bool sizes;                 /* values and bytes of units; else what they take and send */
};

static void start_over(struct making *k)
{
    k->forward.n = k->backward.n = 0;
}

/* Adds what is in hand to a unit: forward, then what is computed again, and backward. */
static int add_passes(struct making *k, struct unit *u, enum recompute recompute)
{
    int rc = add_pass(k->p, &u->forward, ACT_FORWARD, &k->forward, false, &k->ahead.gpu_ps);

    if (!rc && recompute != RECOMPUTE_NONE)
        rc =
            add_pass(k->p, &u->backward, ACT_RECOMPUTE, &k->forward, recompute == RECOMPUTE_SELECTIVE, &k->back.gpu_ps);
    return rc ? rc : add_pass(k->p, &u->backward, ACT_BACKWARD, &k->backward, false, &k->back.gpu_ps);
}

/* What experts need while they are computed stands besides what a stage has received, and will send. */
static double extra(const struct making *k)
{
    double messages = k->d.has_experts && k->sends ? (k->last ? 2 : 1) * decoder_input(&k->d) : 0;

    return decoder_layer_extra(&k->d) + messages;
}

static void size_layer(struct making *k, struct unit *u)
{
    const struct sharded *m = k->p->m;
    double kept = decoder_layer_kept(&k->d), input = decoder_input(&k->d), core = decoder_core_kept(&k->d);
    int64_t experts = decoder_expert_values(&k->d);

    u->values += decoder_layer_values(&k->d);
    *(k->d.expert > 1 ? &u->experts : &u->values) += experts; /* of one rank alone they are as the rest */
    u->kept += m->recompute == RECOMPUTE_FULL ? input : m->recompute == RECOMPUTE_SELECTIVE ? kept - core : kept;
    u->again = fmax(u->again, m->recompute == RECOMPUTE_FULL        ? kept - input
                              : m->recompute == RECOMPUTE_SELECTIVE ? core
                                                                    : 0);
    u->extra = fmax(u->extra, extra(k));
    u->shapes = fmax(u->shapes, decoder_layer_shapes(&k->d));
    u->expert_shapes = fmax(u->expert_shapes, decoder_expert_shapes(&k->d));
}

static int time_layer(struct making *k, struct unit *u)
{
    int rc;

    start_over(k);
    rc = decoder_layer(&k->d, &k->forward, &k->backward);
    k->sparse += k->d.has_experts;
    return rc ? rc : add_passes(k, u, k->p->m->recompute);
}

static int add_layers(struct making *k, struct unit *u, int64_t first, int64_t n)
{
    const struct gpt_spec *g = k->d.gpt;
    int rc = E_OK;

    for (int64_t i = first; !rc && i < first + n; i++) {
        k->d.has_experts = g->experts && i >= g->dense_layers;
        if (k->sizes)
            size_layer(k, u);
        else
            rc = time_layer(k, u);
    }
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
    return rc ? rc : add_passes(k, u, RECOMPUTE_NONE);
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
    return rc ? rc : add_passes(k, u, RECOMPUTE_NONE);
}

/* The host runs ahead of the GPU until it has to wait for another stage: a chunk's pass, or, without stages, all of a
 * micro-batch. What it adds is shared among the layers, which alone it has much to launch for: 'units' of them, as many
 * layers each as a unit has, the last one what is left. */
static int add_dispatch(struct making *k, struct unit units[], size_t nunits, int64_t layers)
{
    const struct sharded *m = k->p->m;
    int64_t each = m->unit_layers, tensor = k->d.tensor;
    double again = m->recompute == RECOMPUTE_FULL ? 0.4 : m->recompute == RECOMPUTE_SELECTIVE ? 0.1 : 0;
    double far_s = tensor > 1 && tensor >= k->p->step.layout.gpus_per_machine ? m->dispatch_far_s : 0;
    double host_s = (m->dispatch_s + far_s) * (double)layers + m->dispatch_experts_s * (double)k->sparse;
    double forward, backward;
    int rc = E_OK;

    k->ahead.host_s = 0.4 * host_s;
    k->back.host_s = (0.6 + again) * host_s;
    if (k->p->step.pipeline.stages > 1) {
        forward = host_adds(k->ahead.gpu_ps, k->ahead.host_s);
        backward = host_adds(k->back.gpu_ps, k->back.host_s);
    } else {
        double both = host_adds(k->ahead.gpu_ps + k->back.gpu_ps, k->ahead.host_s + k->back.host_s);
        forward = both * 0.4 / (1 + again);
        backward = both - forward;
    }
    for (size_t i = 0; !rc && i < nunits; i++) {
        bool rest = i + 1 == nunits && layers % each;
        double share = (double)(rest ? layers % each : each) / (double)layers;
        rc = act_gpu(&units[i].forward, ACT_DISPATCH, llround(forward * share));
        rc = rc ? rc : act_gpu(&units[i].backward, ACT_DISPATCH, llround(backward * share));
    }
    return rc;
}

/* A unit of n layers, and as many others like it. */
static int add_units_alike(struct making *k, struct unit *u, int64_t first, int64_t n, int64_t more)
{
    int64_t ahead = k->ahead.gpu_ps, back = k->back.gpu_ps, sparse = k->sparse;
    int rc = add_layers(k, u, first, n);

    u->more = more;
    k->ahead.gpu_ps += more * (k->ahead.gpu_ps - ahead);
    k->back.gpu_ps += more * (k->back.gpu_ps - back);
    k->sparse += more * (k->sparse - sparse);
    return rc;
}

/* Its units: words, whole units, what is left of a unit, the head. Alike ones are listed once: with experts, which some
 * layers may lack, none are. */
static int make_units(struct making *k, struct chunk *c, int64_t number)
{
    struct sharded_plan *p = k->p;
    int64_t layers = plan_layers_of(p, number), each = p->m->unit_layers, units = layers / each, rest = layers % each;
    bool first = !number, last = number + 1 == p->step.pipeline.stages * p->step.pipeline.chunks;
    bool once = p->form == PLAN_ALIKE && units > 1 && !k->d.gpt->experts;
    int64_t listed = once ? 1 : units, before = 0;
    size_t u = 0;
    int rc = E_OK;

    for (int64_t i = 0; i < number; i++)
        before += plan_layers_of(p, i);
    k->sends = p->step.pipeline.stages > 1;
    k->last = last;
    c->nunits = (size_t)(listed + (rest > 0) + first + last);
    if (!c->units)
        c->units = calloc(c->nunits + 1, sizeof(*c->units));
    if (!c->units)
        return E_NOMEM;
    k->ahead = k->back = (struct stretch){ 0 };
    k->sparse = 0;
    if (first)
        rc = add_words(k, &c->units[u++]);
    for (int64_t i = 0; !rc && i < listed; i++)
        rc = add_units_alike(k, &c->units[u++], before + i * each, each, units / listed - 1);
    if (!rc && rest)
        rc = add_units_alike(k, &c->units[u++], before + units * each, rest, 0);
    if (!rc && last)
        rc = add_head(k, &c->units[u], k->sends);
    if (rc || k->sizes)
        return rc;
    return add_dispatch(k, &c->units[first], (size_t)(listed + (rest > 0)), layers);
}

static int make_chunk(struct making *k, const struct stage *stage, struct chunk *c)
{
    struct sharded_plan *p = k->p;
    int64_t tokens = k->d.samples * k->d.gpt->sequence / k->d.context;
    int64_t values = tokens * k->d.gpt->hidden / k->d.tensor;
    int rc = make_units(k, c, c->number * p->step.pipeline.stages + stage->number);

    if (rc || k->sizes)
        return rc;
    for (size_t i = 0; !rc && i < c->nunits; i++)
        rc = plan_shards(p, &c->units[i]);
    return rc || !k->sends ? rc : plan_send(p, c, values, k->d.gpt->hidden, !k->d.sequence);
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
                               .expert = l->expert,
                               .imbalance = m->imbalance,
                               .route_s = m->route_s,
                               .permute_share = m->permute_share,
                               .loss_share = m->loss_share },
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
