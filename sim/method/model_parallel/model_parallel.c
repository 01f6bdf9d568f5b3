#include <math.h>
#include <stdio.h>

#include "model/numbers.h"
#include "model/refuse.h"
#include "model/status.h"
#include "sim/figures.h"
#include "sim/method/method.h"
#include "sim/method/model_parallel/plan.h"
#include "sim/method/model_parallel/readings.h"
#include "sim/method/report.h"

static const double max_tasks = 5e7, max_bytes = 1e18;

static int check_counts(const struct model_parallel *mp, char *why, size_t nwhy)
{
    const struct count counts[] = {
        { "method.trainers", mp->trainers, 1, 1 << 20 },
        { "method.stages", mp->stages, 1, MP_MAX_STAGES },
        { "method.servers", mp->servers, 0, 1 << 20 },
        { "method.micro_batches", mp->schedule == MP_GPIPE ? mp->micro_batches : 1, 1, 1 << 20 },
        { "method.threads", mp->schedule == MP_HOGWILD ? mp->threads : 1, 1, 1 << 20 },
        { "method.steps", mp->steps, 1, 1 << 20 },
    };

    int rc = counts_within(counts, COUNT(counts), why, nwhy);

    if (rc)
        return rc;
    if (mp->ncuts && (int64_t)mp->ncuts != mp->stages - 1)
        return refuse(why, nwhy, "method.cuts: %lld stages need %lld cuts, or none, got %zu", (long long)mp->stages,
                      (long long)mp->stages - 1, mp->ncuts);
    if (mp->trainers > 1 && !mp->servers)
        return refuse(why, nwhy,
                      "method.servers: %lld trainers have nothing to exchange through: expected 1 "
                      "or more, got 0",
                      (long long)mp->trainers);
    return E_OK;
}

static int check_amounts(const struct model_parallel *mp, char *why, size_t nwhy)
{
    const struct figure amounts[] = {
        { "method.sample_in", mp->sample_in_bytes },
        { "method.sample_out", mp->sample_out_bytes },
        { "method.parameter_scale", mp->parameter_scale },
        { "method.activation_scale", mp->activation_scale },
    };
    int rc = figures_not_negative(amounts, COUNT(amounts), why, nwhy);

    for (size_t i = 0; !rc && i < 2; i++)
        if (amounts[i].value > 0 && !mp->servers)
            return refuse(why, nwhy, "%s: needs servers at its other end, and method.servers is 0", amounts[i].key);
    return rc;
}

static int check_codec(const struct model_parallel *mp, const struct codec_spec *c, const char *key, char *why,
                       size_t nwhy)
{
    char prefix[32];
    int rc = codec_spec_check(c, why, nwhy);

    snprintf(prefix, sizeof(prefix), "method.%s", key);
    if (rc)
        return reason_prefix(rc, prefix, why, nwhy);
    if (c->format != WIRE_NONE && c->place == CODEC_ON_GPU && mp->device == COMPUTE_ON_CPU)
        return refuse(why, nwhy, "%s.place: expected cpu where method.device is cpu, got gpu", prefix);
    if (c->format == WIRE_POWERSGD)
        return refuse(why, nwhy,
                      "%s.format: a stage's layers are sent as one vector, of which powersgd makes no matrix: expected "
                      "another format",
                      prefix);
    return E_OK;
}

static int check_device(const struct job *j, const struct model_parallel *mp, char *why, size_t nwhy)
{
    const struct platform *p = j->platform;
    const struct figure memory[] = { { "platform.cpu.memory_bandwidth", p->cpu.memory_Bps },
                                     { "platform.cpu.memory_efficiency", p->cpu.memory_efficiency } };
    int rc;

    if (mp->device == COMPUTE_ON_GPU && p->gpu.count < 1)
        return refuse(why, nwhy, "method.device: expected cpu, the platform's machines have no GPU");
    if (p->cpu.sockets < 1 || p->cpu.cores_per_socket < 1)
        return refuse(why, nwhy, "platform.cpu.cores_per_socket: expected 1 or more");
    rc = figures_positive(memory, COUNT(memory), why, nwhy);
    return rc ? rc
              : reason_prefix(profile_check(&mp->profile, p, j->model, mp->device, why, nwhy), "method", why, nwhy);
}

static const char *parts_key(const struct model_parallel *mp)
{
    return mp->schedule == MP_GPIPE ? "micro_batches" : "threads";
}

/* Which of the counts that multiply is to blame: the largest. */
static const char *largest_count(const struct model_parallel *mp, double parts)
{
    if (mp->trainers >= mp->steps && (double)mp->trainers >= parts)
        return "trainers";
    return (double)mp->steps >= parts ? "steps" : parts_key(mp);
}

/* Counts of bytes are 63-bit integers and tasks must fit in memory: refuse what could leave them before multiplying. */
static int check_size(const struct job *j, const struct model_parallel *mp, char *why, size_t nwhy)
{
    const struct model *m = j->model;
    double widest = 0, sparse = 0;

    for (size_t i = 0; i < m->nlayers; i++) {
        widest = fmax(widest, (double)m->layers[i].activations);
        sparse += (double)m->layers[i].sparse_values;
    }
    double parameters = 64 * (double)(m->weights + m->biases) * mp->parameter_scale;
    double samples =
        (double)j->batch * (64 * (widest * mp->activation_scale + sparse) + mp->sample_in_bytes + mp->sample_out_bytes);
    if (!(parameters + samples <= max_bytes))
        return refuse(why, nwhy, "%s: an iteration would move %.3g bytes; at most %g can be counted",
                      samples > parameters ? "batch" : "model", parameters + samples, max_bytes);
    double parts = mp->schedule == MP_GPIPE ? (double)mp->micro_batches : (double)mp->threads;
    double tasks = (double)(mp->steps + MP_WARM_UP + 1) * (double)mp->trainers *
                   (16 * parts * (double)mp->stages +
                    10 * ((double)m->nlayers + (double)mp->servers) * (mp->schedule == MP_GPIPE ? 1 : parts));
    tasks += (double)mp->trainers * (double)mp->stages * (double)mp->servers; /* connections */
    if (tasks > max_tasks)
        return refuse(why, nwhy,
                      "method.%s: %lld steps of %lld trainers with %.0f %s are about %.3g tasks; at most %g can "
                      "be played",
                      largest_count(mp, parts), (long long)mp->steps, (long long)mp->trainers, parts, parts_key(mp),
                      tasks, max_tasks);
    return E_OK;
}

static int check_all(const struct job *j, const struct model_parallel *mp, struct mp_stage stage[], char *why,
                     size_t nwhy)
{
    int64_t needed = mp->trainers * mp->stages + mp->servers;
    int rc = check_amounts(mp, why, nwhy);

    rc = rc ? rc : check_codec(mp, &mp->activations, "activations", why, nwhy);
    rc = rc ? rc : check_codec(mp, &mp->push, "push", why, nwhy);
    rc = rc ? rc : check_codec(mp, &mp->pull, "pull", why, nwhy);
    rc = rc ? rc : check_device(j, mp, why, nwhy);
    rc = rc ? rc : check_size(j, mp, why, nwhy);
    if (rc)
        return rc;
    if (mp->activations.format == WIRE_LOCAL)
        return refuse(why, nwhy,
                      "method.activations.format: every batch needs its activations, so they cannot "
                      "be sent in one step of several");
    if (needed > j->platform->machines)
        return refuse(why, nwhy, "platform.machines: %lld trainers x %lld stages + %lld servers need %lld, got %lld",
                      (long long)mp->trainers, (long long)mp->stages, (long long)mp->servers, (long long)needed,
                      (long long)j->platform->machines);
    if (j->batch < (mp->schedule == MP_GPIPE ? mp->micro_batches : 1))
        return refuse(why, nwhy, "batch: expected a sample for each of %lld micro-batches or more, got %lld",
                      (long long)mp->micro_batches, (long long)j->batch);
    rc = mp_divide(mp, j->model, stage, why, nwhy);
    return rc ? rc : topology_check(j->platform, why, nwhy);
}

int model_parallel_check(const struct job *j, char *why, size_t nwhy)
{
    const struct model_parallel *mp = &j->method->model_parallel;
    struct mp_stage stage[MP_MAX_STAGES];
    int rc = check_counts(mp, why, nwhy);

    return rc ? rc : check_all(j, mp, stage, why, nwhy);
}

/* Items are layers, then stages. */
static void name_item(const void *context, size_t item, char *name, size_t size)
{
    const struct model *m = ((const struct mp_plan *)context)->m;

    if (item < m->nlayers)
        snprintf(name, size, "%s", m->layers[item].name);
    else
        snprintf(name, size, "stage %zu", item - m->nlayers);
}

int model_parallel_play(const struct job *j, struct readings *out, struct timeline *timeline, char *why, size_t nwhy)
{
    int rc = model_parallel_check(j, why, nwhy);

    if (rc)
        return rc;
    struct mp_plan p;
    rc = mp_plan_make(&p, j, why, nwhy);
    if (!rc)
        rc = p.mp->schedule == MP_GPIPE ? mp_add_gpipe(&p) : mp_add_hogwild(&p);
    if (!rc)
        rc = engine_run(p.e);
    if (!rc)
        rc = mp_read(&p, out, why, nwhy);
    if (!rc && timeline)
        rc = timeline_take(timeline, p.e, mp_row_names, MP_ROWS, name_item, &p);
    mp_plan_free(&p);
    return rc;
}
