/* check.c - what a user can get wrong, reported with the key that is wrong. */
#include <inttypes.h>
#include <math.h>

#include "model/numbers.h"
#include "model/refuse.h"
#include "model/status.h"
#include "sim/figures.h"
#include "sim/method/allreduce/plan.h"
#include "sim/method/report.h"

enum { MOST_WORKERS = 1 << 20, MOST_STEPS = 1000000, MOST_TASKS = 1 << 24 };

static int check_counts(const struct allreduce *a, char *why, size_t nwhy)
{
    const struct count counts[] = {
        { "method.workers", a->workers, 1, MOST_WORKERS },
        { "method.workers_per_machine", a->workers_per_machine, 1, MOST_WORKERS },
        { "method.streams", a->streams, 1, 1024 },
        { "method.local_steps", a->local_steps, 1, MOST_STEPS },
        { "method.steps", a->steps, 1, MOST_STEPS },
    };
    int rc = counts_within(counts, COUNT(counts), why, nwhy);

    if (!rc && a->bucket_bytes < 0)
        rc = refuse(why, nwhy, "method.bucket: expected 0 B or more, got %" PRId64 " B", a->bucket_bytes);
    if (!rc && !(a->offload_share >= 0 && a->offload_share <= 1))
        rc = refuse(why, nwhy, "method.offload_share: expected 0 to 1, got %g", a->offload_share);
    return rc;
}

/* Are there machines for all, and GPUs? */
static int check_places(const struct job *j, char *why, size_t nwhy)
{
    const struct allreduce *a = &j->method->allreduce;
    const struct platform *p = j->platform;
    int64_t n = a->workers, l = a->workers_per_machine, machines = (n + l - 1) / l, local = min64(n, l);

    if (a->device == COMPUTE_ON_GPU && p->gpu.count < 1)
        return refuse(why, nwhy, "method.device: workers compute on GPUs, the platform has none");
    if (a->device == COMPUTE_ON_GPU && n > p->gpu.count * p->machines)
        return refuse(why, nwhy,
                      "method.workers: %" PRId64 " workers need %" PRId64 " GPUs, the platform has %" PRId64
                      " (%" PRId64 " on each of %" PRId64 " machines)",
                      n, n, p->gpu.count * p->machines, p->gpu.count, p->machines);
    if (a->device == COMPUTE_ON_GPU && local > p->gpu.count)
        return refuse(why, nwhy,
                      "method.workers_per_machine: %" PRId64 " workers on a machine need as many GPUs, it has %" PRId64,
                      local, p->gpu.count);
    if (machines > p->machines)
        return refuse(why, nwhy,
                      "method.workers: %" PRId64 " workers, %" PRId64 " on a machine, need %" PRId64
                      " machines, the platform has %" PRId64,
                      n, l, machines, p->machines);
    if (j->batch < n)
        return refuse(why, nwhy, "batch: %" PRId64 " samples are fewer than the %" PRId64 " workers", j->batch, n);
    return E_OK;
}

static int check_unevenness(const struct allreduce *a, char *why, size_t nwhy)
{
    const struct codec_spec *c = &a->gradients;
    bool dense = c->format != WIRE_SPARSIFY && c->format != WIRE_DCT && c->format != WIRE_DCT_MP;

    if (!(a->unevenness >= 0 && a->unevenness <= 1))
        return refuse(why, nwhy, "method.unevenness: expected 0 to 1, got %g", a->unevenness);
    if (a->unevenness > 0 && dense)
        return refuse(why, nwhy,
                      "method.unevenness: with method.gradients.format: %s all workers send as much: expected 0, or "
                      "sparsify, dct or dct-mp",
                      codec_spec_name(c));
    if (a->unevenness > 0 && a->order != BUCKET_BACKWARD)
        return refuse(
            why, nwhy,
            "method.order: workers that send differently much may have other buckets ready, and would wait for "
            "each other for ever: expected backward, or method.unevenness: 0");
    if (c->density * (1 + a->unevenness) > 1 && a->unevenness > 0)
        return refuse(why, nwhy,
                      "method.unevenness: the last worker would send more than all values: expected at most %g with "
                      "method.gradients.density: %g, got %g",
                      1 / c->density - 1, c->density, a->unevenness);
    return E_OK;
}

static int check_codec(const struct job *j, char *why, size_t nwhy)
{
    const struct allreduce *a = &j->method->allreduce;
    const struct codec_spec *c = &a->gradients;
    int64_t cores = j->platform->cpu.sockets * j->platform->cpu.cores_per_socket;
    int rc = codec_spec_check(c, why, nwhy);

    rc = rc ? rc : codec_spec_check_aggregation(c, why, nwhy);
    if (rc)
        return reason_prefix(rc, "method.gradients", why, nwhy);
    rc = check_unevenness(a, why, nwhy);
    if (rc || c->format == WIRE_NONE)
        return rc;
    if (c->place == CODEC_ON_GPU && j->platform->gpu.count < 1)
        return refuse(why, nwhy, "method.gradients.place: the codec is to run on GPUs, the platform has none");
    if (c->place == CODEC_ON_GPU && a->device == COMPUTE_ON_CPU)
        return refuse(why, nwhy, "method.gradients.place: the codec is to run on GPUs, the workers compute on CPUs");
    if (c->place == CODEC_ON_CPU && (c->threads < 1 || c->threads > cores))
        return refuse(why, nwhy, "method.gradients.threads: expected 1 to a machine's %" PRId64 " cores, got %" PRId64,
                      cores, c->threads);
    return E_OK;
}

static int check_algorithm(const struct allreduce *a, char *why, size_t nwhy)
{
    int64_t n = a->workers, l = a->workers_per_machine;

    if (a->algorithm == COLLECTIVE_HIERARCHICAL && n > l && n % l)
        return refuse(why, nwhy,
                      "method.algorithm: hierarchical needs machines with as many workers each, got %" PRId64
                      " workers, %" PRId64 " on a machine",
                      n, l);
    if (a->rings < 0 || a->rings > 1024)
        return refuse(why, nwhy, "method.rings: expected 1 to 1024, got %" PRId64, a->rings);
    if (a->rings > 1 && (a->algorithm != COLLECTIVE_RING || a->level != COLLECTIVE_FLOWS))
        return refuse(why, nwhy,
                      "method.rings: only the algorithm ring at level flows has several: expected 1, got %" PRId64,
                      a->rings);
    return E_OK;
}

static int check_platform(const struct job *j, char *why, size_t nwhy)
{
    const struct allreduce *a = &j->method->allreduce;
    const struct platform *p = j->platform;
    const struct link_spec *link = platform_gpu_link(p);
    const struct figure gpu[] = { { "platform.gpu.memory_bandwidth", p->gpu.memory_Bps },
                                  { "platform.gpu.efficiency.memory", p->gpu.efficiency_memory } };
    const struct figure cpu[] = { { "platform.cpu.memory_bandwidth", p->cpu.memory_Bps },
                                  { "platform.cpu.memory_efficiency", p->cpu.memory_efficiency } };
    const struct count cores = { "platform.cpu.cores_per_socket", p->cpu.sockets * p->cpu.cores_per_socket, 1,
                                 INT32_MAX };
    int rc = figures_positive(a->device == COMPUTE_ON_GPU ? gpu : cpu, 2, why, nwhy);

    if (a->device == COMPUTE_ON_GPU) {
        if (!rc && !(p->gpu.launch_latency_s >= 0 && p->gpu.launch_latency_s <= 1))
            rc = refuse(why, nwhy, "platform.gpu.launch_latency: expected 0 to 1 s, got %g s", p->gpu.launch_latency_s);
    } else if (!rc) {
        rc = counts_within(&cores, 1, why, nwhy);
    }
    if (!rc && a->offload_share > 0 && a->device == COMPUTE_ON_CPU)
        rc = refuse(why, nwhy, "method.offload_share: workers that compute on CPUs have nothing to offload");
    if (!rc && a->offload_share > 0 && !a->pinned && link)
        rc = link->efficiency_pageable > 0 && link->efficiency_pageable <= 1
                 ? E_OK
                 : refuse(why, nwhy, "platform.link.%s.efficiency.pageable: expected above 0 to 1, got %g", link->name,
                          link->efficiency_pageable);
    return rc;
}

/* Transfers of one exchange of one bucket, at most. */
static double transfers(const struct allreduce *a)
{
    double n = (double)a->workers, l = (double)a->workers_per_machine, steps;

    switch (a->algorithm) {
    case COLLECTIVE_RING: steps = 2 * n * (double)(a->rings > 1 ? a->rings : 1); break;
    case COLLECTIVE_TREE: steps = 4 * 128; break;
    case COLLECTIVE_HALVING_DOUBLING: steps = 2 * log2(n) + 2; break;
    case COLLECTIVE_HIERARCHICAL: steps = 2 * l + 2 * n / l; break;
    default: steps = 1; break;
    }
    if (a->gradients.format != WIRE_NONE && codec_spec_aggregation(&a->gradients) == AGGREGATE_GATHER)
        steps += n;
    if (codec_spec_scatters(&a->gradients))
        steps += 2 * n;
    if (a->gradients.format == WIRE_POWERSGD)
        steps *= 2;
    return a->level == COLLECTIVE_ANALYTIC ? 1 : steps * (a->level == COLLECTIVE_FLOWS ? n : 2 * l);
}

/* Bytes are counted in 63 bits and tasks in 31: refuse before anything is multiplied. */
static int check_size(const struct job *j, char *why, size_t nwhy)
{
    const struct allreduce *a = &j->method->allreduce;
    const struct model *m = j->model;
    int64_t period = a->local_steps * (a->gradients.format == WIRE_LOCAL ? a->gradients.steps : 1);
    double n = (double)a->workers, parameters = (double)m->weights + (double)m->biases;
    double steps = ((double)a->steps + (double)period) * (a->level == COLLECTIVE_FLOWS ? n : 2);
    double exchanges = ((double)a->steps + 2 * (double)period) / (double)period;
    double buckets = a->bucket_bytes ? fmin(4 * parameters / (double)a->bucket_bytes * 2 + 1, 3 * (double)m->nlayers)
                                     : 3 * (double)m->nlayers;
    double bytes = 16 * n * parameters + 8 * (double)m->activations * (double)j->batch;
    double tasks = steps * (2 * (double)m->nlayers + 4 * buckets) + exchanges * buckets * transfers(a);

    if (bytes > 1e17)
        return refuse(why, nwhy, "model: %.3g bytes would travel in a step; at most 1e17 can be counted", bytes);
    if (tasks > MOST_TASKS)
        return refuse(why, nwhy,
                      "method.level: %.3g transfers and other tasks; at most %d can be played: expected fewer "
                      "workers, larger buckets or %s",
                      tasks, MOST_TASKS, a->level == COLLECTIVE_FLOWS ? "symmetric" : "analytic");
    return E_OK;
}

int allreduce_check_keys(const struct job *j, char *why, size_t nwhy)
{
    const struct allreduce *a = &j->method->allreduce;
    int rc = check_counts(a, why, nwhy);

    rc = rc ? rc : allreduce_check_buckets(a, why, nwhy);
    rc = rc ? rc : check_places(j, why, nwhy);
    rc = rc ? rc : topology_check(j->platform, why, nwhy);
    rc = rc ? rc : check_platform(j, why, nwhy);
    rc = rc ? rc : check_codec(j, why, nwhy);
    rc = rc ? rc
            : reason_prefix(profile_check(&a->profile, j->platform, j->model, a->device, why, nwhy), "method", why,
                            nwhy);
    rc = rc ? rc : check_algorithm(a, why, nwhy);
    rc = rc ? rc : ar_measured_check(j, why, nwhy);
    rc = rc ? rc : level_check_keys(j, why, nwhy);
    return rc ? rc : check_size(j, why, nwhy);
}

/* Whether the other levels are right depends on the buckets and links. */
int allreduce_check(const struct job *j, char *why, size_t nwhy)
{
    const struct allreduce *a = &j->method->allreduce;
    struct ar_plan plan = { 0 };
    int rc = allreduce_check_keys(j, why, nwhy);

    if (!rc && a->level != COLLECTIVE_FLOWS && a->workers > 1) {
        rc = ar_plan_make(j, &plan, why, nwhy);
        ar_plan_free(&plan);
    }
    return rc;
}
