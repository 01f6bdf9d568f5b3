#include "sim/method/sharded/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/numbers.h"
#include "model/refuse.h"
#include "model/status.h"
#include "sim/method/method.h"

static const char *const names[MEMORY_CLASSES] = { "weights",   "gradients",    "states", "gathered", "activations",
                                                   "transient", "placeholders", "codec",  "workspace" };

const char *memory_class_name(enum memory_class c)
{
    return names[c];
}

struct sum {
    const struct sharded_plan *p;
    const struct sharded *m;
    double w, g; /* bytes of a parameter, of its gradient */
    double values, own, largest, second;
    double extra, codec;
};

static double part(double n, int64_t of)
{
    return ceil(n / (double)of);
}

/* As many units alike. */
static void add_unit(struct sum *s, const struct unit *u, double times)
{
    double values = (double)(u->values + u->experts), own = part((double)u->values, s->p->shard);

    own += part((double)u->experts, group_size(&s->p->step.layout, GROUP_EXPERT_COPY, 0));
    s->values += times * values;
    s->own += times * own;
    if (values > s->largest) {
        s->second = times > 1 ? values : s->largest;
        s->largest = values;
    } else {
        s->second = fmax(s->second, values);
    }
    s->extra = fmax(s->extra, u->extra + u->again);
    s->codec += times * (double)codec_spec_state_bytes(&s->m->codec_gradients, u->values + u->experts, 0);
    s->codec += times * (double)codec_spec_state_bytes(&s->m->codec_weights, (int64_t)own, 0);
}

static double state_bytes(const struct sharded *m, double w)
{
    return (double)sharded_moments_bytes(m) + (m->master && w < 4 ? 4 : 0);
}

/* Layers are alike, but for experts: one of each shape, and the output's. */
static double shape_values(const struct stage *stage)
{
    double layer = 0, experts = 0, head = 0;

    for (size_t c = 0; c < stage->nchunks; c++)
        for (size_t i = 0; i < stage->chunks[c].nunits; i++) {
            const struct unit *u = &stage->chunks[c].units[i];
            experts = fmax(experts, u->expert_shapes);
            if (u->kept > 0)
                layer = fmax(layer, u->shapes);
            else
                head = fmax(head, u->shapes);
        }
    return layer + experts + head;
}

/* Parameters, gradients and states. */
static void count_sharded(const struct sum *s, struct stage_memory *out)
{
    const struct sharded *m = s->m;
    double *b = out->bytes, buffers = s->largest + (m->overlap ? s->second : 0);

    b[MEMORY_WEIGHTS] = s->w * (m->level == 3 ? s->own : s->values);
    b[MEMORY_GRADIENTS] = s->g * (m->level >= 2 ? s->own + fmin(buffers, s->values) : s->values);
    b[MEMORY_STATES] = state_bytes(m, s->w) * (m->level ? s->own : s->values);
    if (m->offload != OFFLOAD_NONE) {
        out->host = b[MEMORY_STATES];
        b[MEMORY_STATES] = 0;
    }
    if (m->offload == OFFLOAD_PARAMETERS) {
        out->host += b[MEMORY_WEIGHTS];
        b[MEMORY_WEIGHTS] = 0;
    }
}

/* Parameters that are there for a while. */
static double gathered_bytes(const struct sum *s)
{
    const struct sharded *m = s->m;
    double ahead = m->reshard ? fmin((double)(1 + m->prefetch) * s->largest, s->values) : s->values;
    bool second = m->secondary && m->reshard && s->p->machines > 1;

    return m->level < 3 ? 0 : s->w * (ahead + (second ? part(s->values, s->p->within) : 0));
}

/* A tensor group gathers its layers' inputs into one buffer. */
static double gather_buffer(const struct sharded_plan *p)
{
    const struct gpt_spec *g = &p->job->model->gpt;
    int64_t tokens = p->m->micro_batch * g->sequence / p->step.layout.degree[AXIS_CONTEXT];

    if (!p->m->sequence || p->step.layout.degree[AXIS_TENSOR] < 2)
        return 0;
    return (double)(compute_precision_bytes(p->m->activations) * tokens) * (double)g->hidden;
}

/* What a micro-batch keeps in the stage's fullest chunk. */
static double add_units(struct sum *sum, const struct stage *s)
{
    double kept = 0;

    for (size_t c = 0; c < s->nchunks; c++) {
        double chunk = 0;
        for (size_t i = 0; i < s->chunks[c].nunits; i++) {
            const struct unit *u = &s->chunks[c].units[i];
            add_unit(sum, u, (double)((1 + u->more) * (1 + s->chunks[c].more)));
            chunk += (double)(1 + u->more) * u->kept;
        }
        kept = fmax(kept, chunk);
    }
    return kept;
}

struct stage_memory memory_of_stage(const struct sharded_plan *p, const struct stage *s)
{
    const struct sharded *m = p->m;
    struct sum sum = { .p = p,
                       .m = m,
                       .w = (double)compute_precision_bytes(m->weights),
                       .g = (double)compute_precision_bytes(m->gradients) };
    struct stage_memory out = { .stage = s->number };
    double *b = out.bytes, kept = add_units(&sum, s);

    count_sharded(&sum, &out);
    b[MEMORY_GATHERED] = gathered_bytes(&sum);
    b[MEMORY_ACTIVATIONS] = kept * (double)pipeline_alive(&p->step.pipeline, s->number);
    b[MEMORY_TRANSIENT] = sum.extra;
    if (m->shape_gradients)
        b[MEMORY_PLACEHOLDERS] = sum.w * shape_values(s);
    b[MEMORY_CODEC] = sum.codec;
    b[MEMORY_WORKSPACE] = m->workspace_bytes + gather_buffer(p);
    for (int c = 0; c < MEMORY_CLASSES; c++)
        out.total += b[c];
    return out;
}

struct stage_memory memory_fullest(const struct sharded_plan *p)
{
    struct stage_memory most = memory_of_stage(p, p->step.stages);

    for (size_t s = 1; s < p->step.nstages; s++) {
        struct stage_memory here = memory_of_stage(p, &p->step.stages[s]);
        if (here.total > most.total)
            most = here;
    }
    return most;
}

double memory_limit(const struct sharded_plan *p)
{
    return (double)p->job->platform->gpu.memory_bytes * p->m->usable;
}

/* The total with other settings of the same layout; infinite where they are no plan. */
static double total_with(const struct sharded_plan *p, const struct plan_links *links, const struct sharded *other)
{
    struct method method = { .kind = METHOD_SHARDED, .sharded = *other };
    struct job job = { p->job->platform, p->job->model, &method, p->job->batch };
    struct sharded_plan plan;
    double total = plan_sizes(&job, links, PLAN_ALIKE, &plan) ? INFINITY : memory_fullest(&plan).total;

    plan_free(&plan);
    return total;
}

/* From what costs least. */
static bool change(struct sharded *m, int number, char *text, size_t ntext)
{
    switch (number) {
    case 0:
        snprintf(text, ntext, "method.recompute=selective");
        return m->recompute == RECOMPUTE_NONE && (m->recompute = RECOMPUTE_SELECTIVE, true);
    case 1:
        snprintf(text, ntext, "method.level=%d", m->level < 1 ? 1 : 2);
        return m->level < 2 && (m->level = m->level < 1 ? 1 : 2, true);
    case 2: snprintf(text, ntext, "method.level=3"); return m->level < 3 && (m->level = 3, m->reshard = true, true);
    case 3:
        snprintf(text, ntext, "method.reshard=true");
        return m->level == 3 && !m->reshard && (m->reshard = true, true);
    case 4:
        snprintf(text, ntext, "method.recompute=full");
        return m->recompute != RECOMPUTE_FULL && (m->recompute = RECOMPUTE_FULL, true);
    case 5:
        snprintf(text, ntext, "method.micro_batch=%lld", (long long)(m->micro_batch / 2));
        return m->micro_batch > 1 && m->micro_batch % 2 == 0 && (m->micro_batch /= 2, true);
    case 6:
        snprintf(text, ntext, "method.level=3 with method.recompute=full");
        m->level = 3;
        m->reshard = true;
        m->recompute = RECOMPUTE_FULL;
        return true;
    case 7:
        snprintf(text, ntext, "method.offload=states");
        return m->offload == OFFLOAD_NONE && (m->offload = OFFLOAD_STATES, true);
    default: return false;
    }
}

enum { CHANGES = 8 };

static void advise(const struct sharded_plan *p, const struct plan_links *links, char *text, size_t ntext)
{
    for (int i = 0; i < CHANGES; i++) {
        struct sharded other = *p->m;
        if (change(&other, i, text, ntext) && total_with(p, links, &other) <= memory_limit(p))
            return;
    }
    snprintf(text, ntext, "more GPUs, or tensor or pipeline parallelism");
}

int memory_check(const struct sharded_plan *p, const struct plan_links *links, char *why, size_t nwhy)
{
    struct stage_memory most = memory_fullest(p);
    char list[256] = "", advice[128];
    size_t used = 0;

    if (most.total <= memory_limit(p))
        return E_OK;
    for (int c = 0; c < MEMORY_CLASSES; c++)
        if (most.bytes[c] > 0 && used < sizeof(list))
            used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s %.3g GB", used ? ", " : "", names[c],
                                     most.bytes[c] / 1e9);
    advise(p, links, advice, sizeof(advice));
    return refuse(why, nwhy,
                  "platform.gpu.memory: a GPU of stage %lld needs %.4g GB of the %.4g GB that may be filled (%s); "
                  "what fits: %s",
                  (long long)most.stage, most.total / 1e9, memory_limit(p) / 1e9, list, advice);
}
