#include <stdio.h>
#include <string.h>

#include "model/refuse.h"
#include "model/status.h"
#include "sim/method/method.h"
#include "sim/method/report.h"
#include "sim/method/sharded/memory.h"

static const char *const axis_names[AXES] = { "tensor", "context", "data", "pipeline" };

/* "tensor, context, data, pipeline": each once. */
static int read_order(const char *text, enum rank_axis out[AXES], char *why, size_t nwhy)
{
    bool seen[AXES] = { false };
    int n = 0;

    for (const char *at = text; n < AXES && *at; n++) {
        size_t length = strcspn(at, ", ");
        int a = 0;
        while (a < AXES && (strlen(axis_names[a]) != length || strncmp(axis_names[a], at, length)))
            a++;
        if (a == AXES || seen[a])
            break;
        seen[a] = true;
        out[n] = (enum rank_axis)a;
        at += length;
        at += strspn(at, ", ");
    }
    if (n == AXES)
        return E_OK;
    return refuse(why, nwhy, "method.order: expected tensor, context, data and pipeline, each once, got '%s'", text);
}

static int check_divides(const char *key, int64_t n, int64_t of, const char *what, char *why, size_t nwhy)
{
    if (n > 0 && of % n == 0)
        return E_OK;
    return refuse(why, nwhy, "method.%s: expected a number that divides the %lld %s, got %lld", key, (long long)of,
                  what, (long long)n);
}

int sharded_layout(const struct job *j, struct parallel *out, char *why, size_t nwhy)
{
    const struct sharded *m = &j->method->sharded;
    int64_t per_machine = j->platform->gpu.count, gpus = per_machine * j->platform->machines;
    int64_t others = m->tensor * m->context * m->pipeline;
    struct parallel p = { .gpus_per_machine = per_machine, .expert = m->expert };
    int rc = read_order(m->order, p.order, why, nwhy);

    if (!rc && per_machine < 1)
        rc = refuse(why, nwhy, "platform.gpu: expected GPUs, the platform has none");
    if (!rc && !m->data && gpus % others)
        rc = refuse(why, nwhy,
                    "method.data: %lld GPUs cannot be divided by tensor x context x pipeline = %lld: expected a number",
                    (long long)gpus, (long long)others);
    p.degree[AXIS_TENSOR] = m->tensor;
    p.degree[AXIS_CONTEXT] = m->context;
    p.degree[AXIS_PIPELINE] = m->pipeline;
    p.degree[AXIS_DATA] = m->data ? m->data : gpus / others;
    p.shard = m->shard;
    if (!rc && parallel_ranks(&p) > gpus)
        rc = refuse(why, nwhy, "method.data: %lld ranks need as many GPUs, the platform has %lld",
                    (long long)parallel_ranks(&p), (long long)gpus);
    rc = rc || !m->shard ? rc : check_divides("shard", m->shard, parallel_replicas(&p), "replicas", why, nwhy);
    rc = rc ? rc : check_divides("expert", m->expert, parallel_replicas(&p), "replicas", why, nwhy);
    *out = p;
    return rc;
}

int64_t sharded_ranks(const struct platform *p, const struct sharded *m)
{
    int64_t gpus = p->gpu.count * p->machines, others = m->tensor * m->context * m->pipeline;
    int64_t ranks = m->data ? m->data * others : gpus / others * others;

    return ranks <= gpus ? ranks : 0;
}

static int check_experts(const struct job *j, const struct parallel *l, char *why, size_t nwhy)
{
    const struct sharded *m = &j->method->sharded;
    const struct gpt_spec *g = &j->model->gpt;
    int rc = E_OK;

    if (m->expert > 1 && !g->experts)
        return refuse(why, nwhy, "method.expert: expected 1 for a model without experts, got %lld",
                      (long long)m->expert);
    if (!g->experts)
        return E_OK;
    rc = check_divides("expert", m->expert, g->experts, "experts", why, nwhy);
    rc = rc ? rc : check_divides("tensor", m->tensor, g->expert_feed_forward, "units of an expert", why, nwhy);
    rc = rc ? rc : check_divides("tensor", m->tensor, g->shared_feed_forward, "units of the shared expert", why, nwhy);
    if (!rc && m->expert > 1 && parallel_shard(l) != parallel_replicas(l))
        rc = refuse(why, nwhy, "method.shard: expected 0, all replicas, where experts are divided among them, got %lld",
                    (long long)m->shard);
    if (!rc && m->expert > 1 && m->secondary)
        rc = refuse(why, nwhy, "method.secondary: expected false where experts are divided among replicas");
    return rc;
}

static int check_decoder(const struct job *j, const struct parallel *l, char *why, size_t nwhy)
{
    const struct sharded *m = &j->method->sharded;
    const struct gpt_spec *g = &j->model->gpt;
    int64_t t = m->tensor, parts = m->pipeline * m->chunks;
    int rc = check_divides("tensor", t, g->heads, "heads", why, nwhy);

    rc = rc ? rc : check_divides("tensor", t, g->kv_heads, "heads of keys and values", why, nwhy);
    rc = rc ? rc : check_divides("tensor", t, g->feed_forward, "units of the feed-forward network", why, nwhy);
    rc = rc ? rc : check_divides("context", m->context, g->sequence, "positions", why, nwhy);
    rc = rc ? rc
            : check_divides("context", m->context, g->kv_heads / t, "heads of keys and values of a rank", why, nwhy);
    if (!rc && m->sequence)
        rc = check_divides("tensor", t, g->sequence / m->context, "positions of a rank", why, nwhy);
    if (!rc && parts > g->layers)
        rc = refuse(why, nwhy, "method.pipeline: expected at most %lld stages x chunks, a layer each, got %lld",
                    (long long)g->layers, (long long)parts);
    if (!rc && m->dropout && g->style == GPT_LLAMA)
        rc = refuse(why, nwhy, "method.dropout: expected false for model.gpt.style llama");
    rc = rc ? rc : check_experts(j, l, why, nwhy);
    if (!rc && g->value_dim && m->attention != ATTENTION_FLASH)
        rc = refuse(why, nwhy, "method.attention: expected flash with latent attention");
    return rc;
}

static int check_network(const struct job *j, char *why, size_t nwhy)
{
    const struct sharded *m = &j->method->sharded;
    static const char text[] = "expected 1: models that are no decoder (model.gpt) are trained data-parallel only";

    if (m->expert > 1)
        return refuse(why, nwhy, "method.expert: %s, got %lld", text, (long long)m->expert);
    if (m->tensor > 1)
        return refuse(why, nwhy, "method.tensor: %s, got %lld", text, (long long)m->tensor);
    if (m->context > 1)
        return refuse(why, nwhy, "method.context: %s, got %lld", text, (long long)m->context);
    if (m->pipeline > 1)
        return refuse(why, nwhy, "method.pipeline: %s, got %lld", text, (long long)m->pipeline);
    if (m->recompute == RECOMPUTE_SELECTIVE)
        return refuse(why, nwhy,
                      "method.recompute: selective recomputation is of a decoder's attention: expected none "
                      "or full");
    return E_OK;
}

static int check_batch(const struct job *j, const struct parallel *l, char *why, size_t nwhy)
{
    const struct sharded *m = &j->method->sharded;
    int64_t each = m->micro_batch * l->degree[AXIS_DATA], n;

    if (j->batch % each)
        return refuse(why, nwhy, "batch: expected a multiple of %lld, data x micro_batch, got %lld", (long long)each,
                      (long long)j->batch);
    n = j->batch / each;
    if (m->chunks > 1 && m->schedule != PIPELINE_1F1B)
        return refuse(why, nwhy, "method.chunks: several parts of a stage need the schedule 1f1b");
    if (m->chunks > 1 && m->pipeline < 2)
        return refuse(why, nwhy, "method.chunks: several parts of a stage need several stages");
    if (m->chunks > 1 && n % m->pipeline)
        return refuse(why, nwhy,
                      "method.chunks: with several parts of a stage the %lld micro-batches must be a multiple of the "
                      "%lld stages",
                      (long long)n, (long long)m->pipeline);
    return E_OK;
}

static int check_precisions(const struct job *j, char *why, size_t nwhy)
{
    const struct sharded *m = &j->method->sharded;
    enum compute_precision products = sharded_products(m);

    if (!(platform_peak_flops(j->platform, products) > 0))
        return refuse(
            why, nwhy,
            "platform.gpu.peaks.%s: expected the peak of what 'method.precision.products' are computed in, the "
            "platform gives none",
            compute_precision_names[products]);
    if (!(platform_peak_flops(j->platform, m->activations) > 0))
        return refuse(why, nwhy,
                      "platform.gpu.peaks.%s: expected the peak of what 'method.precision.activations' is "
                      "computed in, the platform gives none",
                      compute_precision_names[m->activations]);
    return E_OK;
}

/* Flows that stand for many messages would take a bucket's tokens as if they were one. */
static int check_links(const struct job *j, char *why, size_t nwhy)
{
    for (size_t i = 0; i < j->platform->nlinks; i++)
        if (link_burst_bytes(&j->platform->links[i]) != 0)
            return refuse(why, nwhy, "platform.link.%s.burst: the method sharded plays links without bursts only",
                          j->platform->links[i].name);
    return E_OK;
}

static int check_sharding(const struct job *j, const struct parallel *l, char *why, size_t nwhy)
{
    const struct sharded *m = &j->method->sharded;
    bool gathered =
        m->codec_gradients.format != WIRE_NONE && codec_spec_aggregation(&m->codec_gradients) == AGGREGATE_GATHER;

    if (m->offload == OFFLOAD_PARAMETERS && m->level < 3)
        return refuse(why, nwhy,
                      "method.offload: parameters are fetched unit by unit: expected method.level 3, got %lld",
                      (long long)m->level);
    if (m->secondary && m->level < 3)
        return refuse(why, nwhy, "method.secondary: expected false below level 3");
    if (gathered && m->level >= 2)
        return refuse(why, nwhy,
                      "method.codecs.gradients.aggregation: from level 2 on each rank keeps its part of the sum: "
                      "expected scatter, or a codec whose payloads add up");
    if (m->reduce_each && m->level < 2)
        return refuse(why, nwhy,
                      "method.reduce_each: below level 2 gradients are added up where they are: expected "
                      "false");
    (void)l;
    return E_OK;
}

/* Codecs run on the GPUs, on flat vectors: units' parameters are one after another, whatever layers they are of. */
static int check_codec(const struct codec_spec *c, bool rows, char *why, size_t nwhy)
{
    bool by_rows = c->format == WIRE_POWERSGD || c->format == WIRE_DCT_MP;
    int rc = codec_spec_check(c, why, nwhy);

    if (rc || c->format == WIRE_NONE)
        return rc;
    if (by_rows && !rows)
        return refuse(why, nwhy,
                      "format: units are flat vectors here: expected a codec that needs no rows, got %s (the method "
                      "allreduce has it)",
                      codec_spec_name(c));
    if (c->place != CODEC_ON_GPU)
        return refuse(why, nwhy, "place: the method sharded runs codecs on GPUs: expected gpu");
    if (c->layers && *c->layers)
        return refuse(why, nwhy, "layers: units are of several layers here: expected none, got '%s'", c->layers);
    return E_OK;
}

static int check_codecs(const struct sharded *m, char *why, size_t nwhy)
{
    const struct {
        const char *key;
        const struct codec_spec *codec;
        bool rows;
    } all[] = { { "method.codecs.weights", &m->codec_weights, false },
                { "method.codecs.gradients", &m->codec_gradients, false },
                { "method.codecs.activations", &m->codec_activations, true },
                { "method.codecs.dispatch", &m->codec_dispatch, true } };
    int rc = E_OK;

    for (size_t i = 0; !rc && i < sizeof(all) / sizeof(*all); i++)
        rc = reason_prefix(check_codec(all[i].codec, all[i].rows, why, nwhy), all[i].key, why, nwhy);
    if (!rc)
        rc = reason_prefix(codec_spec_check_aggregation(&m->codec_gradients, why, nwhy), "method.codecs.gradients", why,
                           nwhy);
    return rc;
}

/* The copies of what is sharded must be on machines evenly, where steps differ within and across. */
static int check_even(const struct job *j, const struct parallel *l, char *why, size_t nwhy)
{
    const struct sharded *m = &j->method->sharded;

    if ((m->two_steps || m->secondary) && parallel_shard(l) % group_size(l, GROUP_SHARD_WITHIN, 0))
        return refuse(why, nwhy, "method.%s: expected shard groups that have equally many ranks on each machine",
                      m->two_steps ? "two_steps" : "secondary");
    return E_OK;
}

int sharded_check_keys(const struct job *j, struct parallel *l, char *why, size_t nwhy)
{
    int rc = sharded_layout(j, l, why, nwhy);

    rc = rc ? rc : check_links(j, why, nwhy);
    rc = rc ? rc : check_precisions(j, why, nwhy);
    if (!rc)
        rc = j->model->gpt.hidden ? check_decoder(j, l, why, nwhy) : check_network(j, why, nwhy);
    rc = rc ? rc : check_batch(j, l, why, nwhy);
    rc = rc ? rc : check_codecs(&j->method->sharded, why, nwhy);
    rc = rc ? rc : check_sharding(j, l, why, nwhy);
    return rc ? rc : check_even(j, l, why, nwhy);
}

int sharded_check(const struct job *j, char *why, size_t nwhy)
{
    struct topology *topology = NULL;
    struct sharded_plan plan = { 0 };
    struct plan_links links;
    int rc = topology_check(j->platform, why, nwhy);

    rc = rc ? rc : sharded_check_keys(j, &links.layout, why, nwhy);
    if (!rc) {
        struct engine *e = engine_new();
        rc = e ? topology_new(j->platform, e, NULL, &topology, why, nwhy) : E_NOMEM;
        rc = rc ? rc : plan_links_of(j->platform, topology, &links.layout, &links);
        rc = rc ? rc : plan_sizes(j, &links, PLAN_ALIKE, &plan);
        rc = rc ? rc : memory_check(&plan, &links, why, nwhy);
        plan_free(&plan);
        topology_free(topology);
        engine_free(e);
    }
    return rc;
}
