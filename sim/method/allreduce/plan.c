#include "sim/method/allreduce/plan.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "model/status.h"
#include "sim/cost.h"

static const int64_t fp32_bytes = 4;

int64_t ar_plan_samples(const struct ar_plan *p, int share)
{
    int64_t n = p->method->workers;

    return p->job->batch / n + (share == SHARE_LARGER && p->job->batch % n);
}

/* A worker on the CPU has its share of the machine's cores, and each core its share of the samples. */
static int64_t samples_of_device(const struct ar_plan *p, int share)
{
    const struct cpu_spec *cpu = &p->job->platform->cpu;
    int64_t samples = ar_plan_samples(p, share), cores = cpu->sockets * cpu->cores_per_socket;

    if (p->method->device == COMPUTE_ON_GPU)
        return samples;
    cores = cores > p->method->workers_per_machine ? cores / p->method->workers_per_machine : 1;
    return (samples + cores - 1) / cores;
}

static int64_t update_ps(const struct ar_plan *p, int64_t values)
{
    double bytes = p->method->update_bytes * (double)values;

    if (p->method->device == COMPUTE_ON_GPU)
        return cost_gpu_stream_ps(p->job->platform, bytes);
    return cost_cpu_stream_ps(p->job->platform, bytes * (double)p->method->workers_per_machine);
}

/* The measured times, with the updates that this plan plays by itself: of all values at once, since the times decide
 * which buckets there are. */
static struct compute_profile profile_of(const struct ar_plan *p)
{
    struct compute_profile c = p->method->profile;

    c.update_s = 1e-12 * (double)update_ps(p, p->job->model->weights + p->job->model->biases);
    return c;
}

static void plan_layers(struct ar_plan *p)
{
    const struct allreduce *a = p->method;
    const struct compute_profile profile = profile_of(p);
    const struct link_spec *link = platform_gpu_link(p->job->platform);
    double pageable = link && !a->pinned ? link->efficiency_pageable : 1;

    for (size_t i = 0; i < p->job->model->nlayers; i++)
        for (int share = 0; share < SHARES; share++) {
            int64_t samples = samples_of_device(p, share);
            struct ar_layer *l = &p->layers[i];
            double bytes = a->offload_share * 4 * (double)p->job->model->layers[i].activations * (double)samples;
            l->forward_ps[share] = profile_forward_ps(&profile, p->job->platform, p->job->model, i, samples, a->device);
            l->backward_ps[share] =
                profile_backward_ps(&profile, p->job->platform, p->job->model, i, samples, a->device);
            l->offload_bytes[share] = (int64_t)ceil(bytes / pageable); /* staged copies leave the link idle meanwhile */
        }
}

static const struct codec_spec *codec_of(const struct ar_plan *p, size_t layer)
{
    return &p->codec[codec_spec_takes(&p->method->gradients, p->job->model->layers[layer].name)];
}

static void add_tensor(struct ar_plan *p, size_t layer, int64_t values, int64_t row)
{
    const struct codec_spec *c = codec_of(p, layer);
    int64_t most = p->method->partition_bytes ? p->method->partition_bytes / fp32_bytes : values;

    for (int64_t left = values; left > 0; left -= most) {
        struct gradient *t = &p->tensors[p->ntensors++];
        *t = (struct gradient){ .layer = layer, .values = left < most ? left : most };
        if (c->format == WIRE_POWERSGD && t->values == values) /* a part is no matrix */
            t->row = row;
        if (p->codes && !p->scatters) {
            t->encode_ps = codec_spec_encode_ps(c, t->values);
            t->decode_ps = codec_spec_decode_ps(c, t->values);
        }
    }
}

/* At least as many as there are tensors and parts of tensors. */
static size_t most_tensors(const struct job *j)
{
    const struct allreduce *a = &j->method->allreduce;
    int64_t most = a->partition_bytes / fp32_bytes, n = most ? (j->model->weights + j->model->biases) / most : 0;

    for (size_t i = 0; i < j->model->nlayers; i++) {
        const struct layer *l = &j->model->layers[i];
        int64_t each = l->kind == LAYER_ATTENTION && a->attention_apart ? 4 : layer_is_norm(l) ? 2 : 1;
        n += each * ((l->weights > 0) + (l->biases > 0));
    }
    return (size_t)n;
}

/* Output, values, keys, queries: shares of weights or biases, by their heads. */
static void add_attention(struct ar_plan *p, size_t layer, int64_t values, int64_t row)
{
    const struct layer *l = &p->job->model->layers[layer];
    int64_t kv = values * l->kv_heads / (2 * (l->heads + l->kv_heads)), q = (values - 2 * kv) / 2;

    add_tensor(p, layer, values - q - 2 * kv, row);
    add_tensor(p, layer, kv, row);
    add_tensor(p, layer, kv, row);
    add_tensor(p, layer, q, row);
}

static void plan_tensors(struct ar_plan *p)
{
    for (size_t i = p->job->model->nlayers; i-- > 0;) {
        const struct layer *l = &p->job->model->layers[i];
        int64_t half = layer_is_norm(l) ? l->biases / 2 : 0;
        if (l->kind == LAYER_ATTENTION && p->method->attention_apart) {
            add_attention(p, i, l->weights, layer_weight_row(l));
            add_attention(p, i, l->biases, 0);
            continue;
        }
        add_tensor(p, i, l->weights, layer_weight_row(l));
        add_tensor(p, i, l->biases - half, 0);
        add_tensor(p, i, half, 0);
    }
}

/* A codec that exchanges everything every so many steps sends all of it then. */
static int64_t wire_bytes(const struct ar_plan *p, const struct gradient *t)
{
    if (!p->codes)
        return fp32_bytes * t->values;
    struct codec_spec c = *codec_of(p, t->layer);
    c.steps = 1;
    return codec_spec_codes(&c, t->values) ? codec_spec_wire_bytes(&c, t->values, t->row) : fp32_bytes * t->values;
}

static void fill_bucket(struct ar_plan *p, struct bucket *b, size_t i)
{
    struct gradient *t = &p->tensors[i];
    const struct codec_spec *c = codec_of(p, t->layer);
    bool coded = p->codes && codec_spec_codes(c, t->values);
    bool gather = coded && codec_spec_aggregation(c) == AGGREGATE_GATHER;

    t->bucket = (size_t)(b - p->buckets);
    b->end = i + 1;
    b->values += t->values;
    b->encode_ps += t->encode_ps;
    b->decode_ps += t->decode_ps;
    if (coded && p->scatters) {
        b->part_values += t->values; /* of all parts, so far */
        return;
    }
    int64_t second = p->codes ? codec_spec_second_bytes(c, t->values, t->row) : 0;

    b->second_bytes += second;
    *(gather ? &b->gather_bytes : &b->reduce_bytes) += wire_bytes(p, t) - second;
}

/* A tensor that no longer fits begins the next bucket. */
static int plan_buckets(struct ar_plan *p)
{
    bool *cut = calloc(p->ntensors + 1, sizeof(*cut));
    int64_t most = p->method->bucket_bytes / fp32_bytes;
    struct bucket *b = NULL;

    if (!cut)
        return E_NOMEM;
    ar_fusion_cuts(p, cut);
    for (size_t i = 0; i < p->ntensors; i++) {
        if (!b || cut[i] || b->values + p->tensors[i].values > most) {
            b = &p->buckets[p->nbuckets++];
            *b = (struct bucket){ .first = i };
        }
        fill_bucket(p, b, i);
    }
    for (size_t i = 0; i < p->nbuckets; i++) {
        p->buckets[i].update_ps = update_ps(p, p->buckets[i].values);
        ar_scatter_parts(p, &p->buckets[i], p->buckets[i].part_values);
    }
    for (size_t i = p->ntensors; i-- > 0;) { /* a layer's tensors follow each other */
        struct ar_layer *l = &p->layers[p->tensors[i].layer];
        if (l->end_bucket == 0)
            l->end_bucket = p->tensors[i].bucket + 1;
        l->first_bucket = p->tensors[i].bucket;
    }
    ar_fusion_waits(p);
    free(cut);
    return E_OK;
}

/* Few enough to be sorted by insertion. */
static void sort_by_size(struct ar_plan *p)
{
    for (size_t i = 0; i < p->nbuckets; i++) {
        size_t k = i;
        for (; k > 0 && p->buckets[p->by_size[k - 1]].values > p->buckets[i].values; k--)
            p->by_size[k] = p->by_size[k - 1];
        p->by_size[k] = i;
    }
}

/* How many workers are played, and on how many machines: of machines that are all alike two are enough, and of workers
 * each alone on its machine one, if nothing else goes on on its links. */
static int plan_level(struct ar_plan *p, char *why, size_t nwhy)
{
    const struct allreduce *a = p->method;
    int64_t n = a->workers, l = a->workers_per_machine, machines = (n + l - 1) / l;
    bool pool = p->codes && p->host_ends;
    int rc;

    p->platform = *p->job->platform;
    p->placed = n;
    if (a->level != COLLECTIVE_FLOWS && p->platform.machines > 2)
        p->platform.machines = 2;
    if (n == 1)
        return E_OK;
    rc = ar_plan_hops(p, why, nwhy);
    if (a->level == COLLECTIVE_ANALYTIC)
        p->placed = 1;
    else if (a->level == COLLECTIVE_SYMMETRIC && machines > 1) {
        p->by_steps = 1;
        p->placed = l == 1 && p->apart && !(a->offload_share > 0) && !pool ? 1 : 2 * l;
    }
    return rc;
}

static int plan_times(struct ar_plan *p)
{
    for (size_t i = 0; i < p->nbuckets; i++) {
        struct bucket *b = &p->buckets[i];
        if (p->method->algorithm == COLLECTIVE_MEASURED) {
            int rc = ar_measured_times(p, b);
            if (rc)
                return rc;
            continue;
        }
        int64_t reduce_ps = collective_allreduce_ps(p->method->algorithm, &p->shape, b->reduce_bytes);
        int64_t gather_ps = collective_allgather_ps(&p->ring, b->gather_bytes);
        int64_t second_ps =
            b->second_bytes ? collective_allreduce_ps(p->method->algorithm, &p->shape, b->second_bytes) : 0;
        if (reduce_ps < 0 || gather_ps < 0 || second_ps < 0)
            return (int)(reduce_ps < 0 ? reduce_ps : gather_ps < 0 ? gather_ps : second_ps);
        if (__builtin_add_overflow(reduce_ps, gather_ps, &b->time_ps) ||
            __builtin_add_overflow(b->time_ps, second_ps, &b->time_ps))
            return E_RANGE;
        /* In a ring one worker of a machine sends to another machine, in a hierarchy all of them do. */
        b->crossing_bytes = collective_allreduce_crossing(p->method->algorithm, &p->shape, b->reduce_bytes);
        if (b->second_bytes)
            b->crossing_bytes += collective_allreduce_crossing(p->method->algorithm, &p->shape, b->second_bytes);
        if (p->method->algorithm == COLLECTIVE_HIERARCHICAL)
            b->crossing_bytes *= p->method->workers_per_machine;
        b->crossing_bytes += collective_allgather_crossing(&p->ring, b->gather_bytes);
        int rc = ar_scatter_times(p, b);
        if (rc)
            return rc;
    }
    return E_OK;
}

/* How many of them a worker encodes and decodes. */
static void plan_payloads(struct ar_plan *p)
{
    p->encodes = p->codes = 1;
    switch (codec_spec_aggregation(&p->method->gradients)) {
    case AGGREGATE_REDUCE: break;
    case AGGREGATE_GATHER: p->codes = p->method->workers; break;
    case AGGREGATE_SCATTER:
        p->scatters = true;
        p->encodes = p->method->workers;
        p->codes = p->method->workers - 1;
        break;
    }
}

int ar_plan_make(const struct job *j, struct ar_plan *p, char *why, size_t nwhy)
{
    const struct allreduce *a = &j->method->allreduce;
    const struct codec_spec *c = &a->gradients;
    bool coded = c->format != WIRE_NONE && a->workers > 1;
    size_t n = j->model->nlayers, most = most_tensors(j) + 1;

    *p = (struct ar_plan){ .job = j, .method = a, .codec = { *c, *c } };
    p->codec[false].format = WIRE_NONE;
    p->local_steps = a->local_steps * (c->format == WIRE_LOCAL ? c->steps : 1);
    p->start_ps = seconds_to_ps(a->start_s + (double)a->workers * a->start_per_worker_s);
    if (coded)
        plan_payloads(p);
    p->timed = a->level == COLLECTIVE_ANALYTIC || a->algorithm == COLLECTIVE_MEASURED;
    p->host_ends = a->device == COMPUTE_ON_CPU || (coded && c->place == CODEC_ON_CPU);
    p->layers = calloc(n + 1, sizeof(*p->layers));
    p->tensors = calloc(most, sizeof(*p->tensors));
    p->buckets = calloc(most, sizeof(*p->buckets));
    p->by_size = calloc(most, sizeof(*p->by_size));
    if (!p->layers || !p->tensors || !p->buckets || !p->by_size)
        return E_NOMEM;
    plan_layers(p);
    plan_tensors(p);
    assert(p->ntensors < most);
    int rc = plan_buckets(p);
    sort_by_size(p);
    rc = rc ? rc : plan_level(p, why, nwhy);
    if (!rc && a->level != COLLECTIVE_FLOWS && a->workers > 1)
        rc = level_check_plan(p, why, nwhy);
    if (!rc && p->timed && a->workers > 1)
        rc = plan_times(p);
    return rc;
}

void ar_plan_free(struct ar_plan *p)
{
    free(p->layers);
    free(p->tensors);
    free(p->buckets);
    free(p->by_size);
}

struct end ar_plan_end(const struct ar_plan *p, int64_t worker)
{
    int64_t l = p->method->workers_per_machine;

    return (struct end){ .machine = worker / l, .gpu = p->host_ends ? END_HOST : worker % l };
}

/* Of the busiest worker. What it sends does not depend on the hops. */
static double sent(const struct ar_plan *p, int64_t reduce_bytes, double gathered_bytes)
{
    static const struct hop any = { .rate_Bps = 1e12 };
    struct collective_shape s = { .ranks = p->method->workers, .ranks_per_machine = 1, .between = any, .within = any };
    enum collective_algorithm a = p->method->algorithm;

    if (a == COLLECTIVE_HIERARCHICAL)
        s.ranks_per_machine = p->method->workers_per_machine;
    if (a == COLLECTIVE_MEASURED)
        a = COLLECTIVE_RING; /* what nccl-tests counts */
    return (double)collective_allreduce_sent(a, &s, reduce_bytes) + gathered_bytes;
}

/* All payloads but that of the worker that it sends to; that of the first worker is the smallest. */
static double gathered(const struct ar_plan *p, const struct bucket *b)
{
    double sum = 0;

    if (!b->gather_bytes || !(p->method->unevenness > 0))
        return (double)b->gather_bytes * (double)(p->method->workers - 1);
    for (int64_t w = 1; w < p->method->workers; w++)
        sum += (double)ar_payload_bytes(p, b, w);
    return sum;
}

double ar_plan_sent_bytes(const struct ar_plan *p)
{
    double sum = 0;

    for (size_t i = 0; i < p->nbuckets; i++)
        sum += sent(p, p->buckets[i].reduce_bytes, gathered(p, &p->buckets[i])) +
               sent(p, p->buckets[i].second_bytes, 0) + ar_scatter_sent_bytes(p, &p->buckets[i]);
    return sum / (double)p->local_steps;
}

double ar_plan_uncoded_bytes(const struct ar_plan *p)
{
    double sum = 0;

    for (size_t i = 0; i < p->nbuckets; i++)
        sum += sent(p, fp32_bytes * p->buckets[i].values, 0);
    return sum;
}
