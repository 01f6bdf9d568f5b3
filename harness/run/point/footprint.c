#include "harness/run/point/footprint.h"

#include <math.h>
#include <stdlib.h>

#include "harness/run/point/alive.h"
#include "harness/status.h"
#include "model/numbers.h"
#include "sim/method/model_parallel/stages.h"

const char *const footprint_readings[] = { "memory_bytes", "memory.", "memory_limit_bytes", "gpus", "idle_gpus", NULL };

static const char *const names[] = {
    "weights", "gradients", "states", "statistics", "activations", "codec", "workspace"
};

_Static_assert(sizeof(names) / sizeof(*names) == FOOTPRINT_CLASSES, "a name for every class");

const char *footprint_class_name(enum footprint_class c)
{
    return names[c];
}

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

bool footprint_counts(const struct scenario *sc)
{
    return footprint_gpus(sc) && sc->method.kind != METHOD_MEMORY_PLAN && sc->method.kind != METHOD_SHARDED;
}

static double parameters(const struct model *m, size_t first, size_t end, bool tables)
{
    double sum = 0;

    for (size_t i = first; i < end; i++)
        sum += (double)m->layers[i].weights + (double)m->layers[i].biases +
               (tables ? (double)m->layers[i].table_values : 0);
    return 4 * sum;
}

/* A GPU with so many bytes of parameters; 'updates': it has their momentum, too. */
static struct footprint sum_up(double parameter_bytes, bool updates, double kept_share, const struct alive *a)
{
    struct footprint f = { .layer = a->layer, .backward = a->backward };

    f.bytes[FOOTPRINT_WEIGHTS] = f.bytes[FOOTPRINT_GRADIENTS] = parameter_bytes;
    f.bytes[FOOTPRINT_STATES] = updates ? parameter_bytes : 0;
    f.bytes[FOOTPRINT_STATISTICS] = a->statistics;
    f.bytes[FOOTPRINT_ACTIVATIONS] = kept_share * a->activations;
    f.bytes[FOOTPRINT_WORKSPACE] = a->workspace;
    for (int c = 0; c < FOOTPRINT_CLASSES; c++)
        f.total += f.bytes[c];
    return f;
}

static bool updates(const struct method *m)
{
    return m->kind == METHOD_ALLREDUCE ||
           (m->kind == METHOD_PARAMETER_SERVER && m->parameter_server.updates_on_workers);
}

static int replica(const struct scenario *sc, const struct model *m, struct footprint *out)
{
    const struct method *method = &sc->method;
    int64_t samples = footprint_samples(sc);
    struct part all = { m, 0, m->nlayers, samples, samples };
    double kept_share = method->kind == METHOD_ALLREDUCE ? 1 - method->allreduce.offload_share : 1;
    struct alive alive;
    int rc = alive_of(&all, &alive);

    if (!rc)
        *out = sum_up(parameters(m, 0, m->nlayers, 1), updates(method), kept_share, &alive);
    return rc;
}

static int fullest_stage(const struct scenario *sc, const struct model *m, struct footprint *out)
{
    const struct model_parallel *mp = &sc->method.model_parallel;
    struct mp_stage *stages = calloc((size_t)mp->stages, sizeof(*stages));
    int64_t micro = mp->schedule == MP_GPIPE ? max64(mp->micro_batches, 1) : 1;
    char why[256];
    int rc = stages ? NW_OK : NW_ENOMEM;

    if (!rc && mp_divide(mp, m, stages, why, sizeof(why)))
        out->total = NAN;
    for (int64_t i = 0; !rc && !isnan(out->total) && i < mp->stages; i++) {
        struct part part = { m, stages[i].first, stages[i].end, sc->batch,
                             sc->batch / micro + (sc->batch % micro > 0) };
        struct alive alive;
        struct footprint f;

        rc = alive_of(&part, &alive);
        if (rc)
            break;
        f = sum_up(parameters(m, part.first, part.end, !mp->servers), !mp->servers, 1, &alive);
        if (f.total > out->total || isnan(f.total))
            *out = f;
    }
    free(stages);
    return rc;
}

int footprint_of(const struct scenario *sc, const struct model *m, struct footprint *out)
{
    *out = (struct footprint){ .layer = -1 };
    if (!footprint_counts(sc))
        return NW_OK;
    return sc->method.kind == METHOD_MODEL_PARALLEL ? fullest_stage(sc, m, out) : replica(sc, m, out);
}

static int add_classes(const struct scenario *sc, const struct model *m, struct readings *out)
{
    double codec = reading_value(out, "state_bytes");
    struct footprint f;
    int rc = footprint_of(sc, m, &f);

    if (rc || !isfinite(f.total))
        return rc;
    f.bytes[FOOTPRINT_CODEC] = isnan(codec) ? 0 : codec;
    reading_add(out, f.total + f.bytes[FOOTPRINT_CODEC], "B", "memory_bytes");
    for (int c = 0; c < FOOTPRINT_CLASSES; c++)
        if (f.bytes[c] > 0)
            reading_add(out, f.bytes[c], "B", "memory.%s", names[c]);
    return NW_OK;
}

int footprint_add(const struct scenario *sc, const struct model *m, struct readings *out)
{
    int64_t used = footprint_gpus(sc), there = sc->platform.machines * sc->platform.gpu.count;
    int rc = NW_OK;

    if (!used)
        return NW_OK;
    if (sc->method.kind == METHOD_MEMORY_PLAN)
        reading_add(out, reading_value(out, "device_bytes"), "B", "memory_bytes");
    else if (footprint_counts(sc))
        rc = add_classes(sc, m, out);
    if (rc)
        return rc;
    if (reading_value(out, "memory_bytes") > 0)
        reading_add(out, (double)sc->platform.gpu.memory_bytes, "B", "memory_limit_bytes");
    reading_add(out, (double)there, "", "gpus");
    reading_add(out, (double)(there > used ? there - used : 0), "", "idle_gpus");
    return NW_OK;
}
