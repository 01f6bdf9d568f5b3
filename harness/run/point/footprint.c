#include "harness/run/point/footprint.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <xxhash.h>

#include "harness/status.h"
#include "model/status.h"
#include "model/storage/lifetime.h"
#include "model/storage/storage.h"
#include "sim/method/model_parallel/stages.h"

enum { KEPT = 64 };

const char *const footprint_readings[] = { "memory_bytes", "memory_limit_bytes", "gpus", "idle_gpus", NULL };

/* Activations by what they follow from. */
static struct {
    pthread_mutex_t mutex;
    struct {
        XXH128_hash_t key;
        double bytes; /* 0: nothing is kept here */
    } items[KEPT];
} known = { .mutex = PTHREAD_MUTEX_INITIALIZER };

int64_t footprint_workers(const struct scenario *sc)
{
    const struct method *m = &sc->method;

    switch (m->kind) {
    case METHOD_HOST_SGD: return sc->platform.gpu.count > 0 ? sc->platform.gpu.count : 1;
    case METHOD_PARAMETER_SERVER: return m->parameter_server.workers;
    case METHOD_ALLREDUCE: return m->allreduce.workers;
    case METHOD_MEMORY_PLAN: return m->memory_planned.workers;
    default: return 1;
    }
}

int64_t footprint_samples(const struct scenario *sc)
{
    int64_t workers = footprint_workers(sc);

    return sc->batch / workers + (sc->batch % workers > 0);
}

int64_t footprint_gpus(const struct scenario *sc)
{
    const struct method *m = &sc->method;
    bool gpu = sc->platform.gpu.count > 0;

    switch (m->kind) {
    case METHOD_PARAMETER_SERVER: gpu &= m->parameter_server.device == COMPUTE_ON_GPU; break;
    case METHOD_ALLREDUCE: gpu &= m->allreduce.device == COMPUTE_ON_GPU; break;
    case METHOD_MODEL_PARALLEL:
        return gpu && m->model_parallel.device == COMPUTE_ON_GPU ? m->model_parallel.trainers * m->model_parallel.stages
                                                                 : 0;
    case METHOD_FLOWS:
    case METHOD_COLLECTIVE: return 0;
    case METHOD_SHARDED: return sharded_ranks(&sc->platform, &m->sharded);
    default: break;
    }
    return gpu ? footprint_workers(sc) : 0;
}

/* One GPU's part of the network: layers first .. end - 1, of a pipeline with all micro-batches of a step. */
struct part {
    const struct model *m;
    size_t first, end;
    int64_t samples;
};

static bool whole(const struct part *p)
{
    return !p->first && p->end == p->m->nlayers;
}

/* Of a stage what stands between its forward and its backward pass. */
static double kept_bytes(const struct part *p, const struct graph *g, const struct storage_list *s)
{
    double sum = 0;

    for (size_t i = 0; i < s->n; i++) {
        int32_t layer = g->tensors[s->items[i].tensor].layer;

        if (s->items[i].generated && layer >= 0 && (size_t)layer >= p->first && (size_t)layer < p->end)
            sum += (double)s->items[i].bytes;
    }
    return sum;
}

static int most_alive(const struct graph *g, const struct storage_list *s, double *bytes)
{
    struct transfer_list none = { .n = 0 };
    struct lifetimes l = { 0 };
    int64_t *live = calloc(g->noperations + 1, sizeof(*live));
    int rc = live ? lifetimes_of(g, s, &none, &l) : E_NOMEM;

    *bytes = 0;
    if (!rc)
        lifetimes_live(&l, g->noperations, live);
    for (size_t i = 0; !rc && i < g->noperations; i++)
        *bytes = fmax(*bytes, (double)live[i]);
    lifetimes_free(&l);
    free(live);
    return rc;
}

static int plan(const struct part *p, double *bytes)
{
    struct split_spec uncut = { .rows = 1, .columns = 1 };
    struct graph_options options = { .generated = GENERATED_STORED };
    struct split_net split = { 0 };
    struct graph g = { 0 };
    struct storage_list s = { 0 };
    char why[256];
    int rc = split_net_make(&uncut, p->m, &split, why, sizeof(why));

    rc = rc ? rc : graph_build(p->m, &split, p->samples, &options, &g, why, sizeof(why));
    rc = rc ? rc : storage_assign(&g, &(struct storage_options){ .in_place = 1, .share_sums = 1 }, &s);
    if (!rc && whole(p))
        rc = most_alive(&g, &s, bytes);
    else if (!rc)
        *bytes = kept_bytes(p, &g, &s);
    storage_free(&s);
    graph_free(&g);
    split_net_free(&split);
    return rc;
}

/* NaN where they are too many to count. */
static int activations(const struct part *p, double *bytes)
{
    XXH3_state_t *state = XXH3_createState();
    XXH128_hash_t key;
    int rc = NW_OK;

    *bytes = 0;
    if (!state)
        return NW_ENOMEM;
    XXH3_128bits_reset(state);
    XXH3_128bits_update(state, p->m->layers, p->m->nlayers * sizeof(*p->m->layers));
    XXH3_128bits_update(state, &p->m->input, sizeof(p->m->input));
    XXH3_128bits_update(state, &p->first, sizeof(p->first));
    XXH3_128bits_update(state, &p->end, sizeof(p->end));
    XXH3_128bits_update(state, &p->samples, sizeof(p->samples));
    key = XXH3_128bits_digest(state);
    XXH3_freeState(state);

    size_t at = key.low64 % KEPT;
    pthread_mutex_lock(&known.mutex);
    if (XXH128_isEqual(known.items[at].key, key))
        *bytes = known.items[at].bytes;
    pthread_mutex_unlock(&known.mutex);
    if (*bytes > 0)
        return NW_OK;
    rc = plan(p, bytes);
    if (rc)
        *bytes = NAN;
    pthread_mutex_lock(&known.mutex);
    known.items[at].key = key;
    known.items[at].bytes = *bytes;
    pthread_mutex_unlock(&known.mutex);
    return rc == E_NOMEM ? NW_ENOMEM : NW_OK;
}

static double parameters(const struct model *m, size_t first, size_t end, bool tables)
{
    double sum = 0;

    for (size_t i = first; i < end; i++)
        sum += (double)m->layers[i].weights + (double)m->layers[i].biases +
               (tables ? (double)m->layers[i].table_values : 0);
    return 4 * sum;
}

/* Weights and gradients, and where they are updated there the momentum, too. */
static int replica(const struct scenario *sc, const struct model *m, const struct readings *r, double *bytes)
{
    const struct method *method = &sc->method;
    struct part all = { m, 0, m->nlayers, footprint_samples(sc) };
    double state = reading_value(r, "state_bytes"), stays = 1;
    int copies = method->kind == METHOD_ALLREDUCE ? 3 : 2;
    int rc = activations(&all, bytes);

    if (method->kind == METHOD_ALLREDUCE)
        stays = 1 - method->allreduce.offload_share;
    *bytes = *bytes * stays + copies * parameters(m, 0, m->nlayers, 1) + (isnan(state) ? 0 : state);
    return rc;
}

static int fullest_stage(const struct scenario *sc, const struct model *m, double *bytes)
{
    const struct model_parallel *mp = &sc->method.model_parallel;
    struct mp_stage *stages = calloc((size_t)mp->stages, sizeof(*stages));
    char why[256];
    int rc = stages ? NW_OK : NW_ENOMEM;

    *bytes = 0;
    if (!rc && mp_divide(mp, m, stages, why, sizeof(why)))
        *bytes = NAN;
    for (int64_t i = 0; !rc && !isnan(*bytes) && i < mp->stages; i++) {
        struct part part = { m, stages[i].first, stages[i].end, sc->batch };
        double kept;

        rc = activations(&part, &kept);
        kept += (mp->servers ? 2 : 3) * parameters(m, part.first, part.end, !mp->servers);
        *bytes = fmax(*bytes, kept);
    }
    free(stages);
    return rc;
}

int footprint_add(const struct scenario *sc, const struct model *m, struct readings *out)
{
    int64_t used = footprint_gpus(sc), there = sc->platform.machines * sc->platform.gpu.count;
    double bytes = NAN;
    int rc = NW_OK;

    if (!used)
        return NW_OK;
    if (sc->method.kind == METHOD_MEMORY_PLAN)
        bytes = reading_value(out, "device_bytes");
    else if (sc->method.kind == METHOD_SHARDED)
        bytes = reading_value(out, "memory_bytes");
    else if (sc->method.kind == METHOD_MODEL_PARALLEL)
        rc = fullest_stage(sc, m, &bytes);
    else
        rc = replica(sc, m, out, &bytes);
    if (rc)
        return rc;
    if (isfinite(bytes) && bytes > 0) {
        if (sc->method.kind != METHOD_SHARDED)
            reading_add(out, bytes, "B", "memory_bytes");
        reading_add(out, (double)sc->platform.gpu.memory_bytes, "B", "memory_limit_bytes");
    }
    reading_add(out, (double)there, "", "gpus");
    reading_add(out, (double)(there > used ? there - used : 0), "", "idle_gpus");
    return NW_OK;
}
