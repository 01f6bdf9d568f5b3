#include "sim/method/model_parallel/plan.h"

#include <math.h>
#include <stdlib.h>

#include "model/status.h"
#include "sim/cost.h"

static const double fp32_bytes = 4;
static const double momentum_bytes = 16; /* read and write a value and its momentum; plus 4 for each gradient summed */

static int64_t scaled(int64_t values, double scale)
{
    return (int64_t)floor((double)values * scale + 0.5);
}

/* Past the clock it stays there, and is refused when it is played. */
static void add_ps(int64_t *sum, int64_t ps)
{
    if (__builtin_add_overflow(*sum, ps, sum))
        *sum = INT64_MAX;
}

/* A tensor of n values more, in rows of 'row'. With a known mask nothing is selected and no index travels. Framing
 * comes last. */
static void add_tensor(struct mp_message *m, const struct codec_spec *c, int64_t n, int64_t row, bool mask_known)
{
    if (n <= 0)
        return;
    m->bytes += mask_known ? codec_spec_wire_values_bytes(c, n, row) : codec_spec_wire_bytes(c, n, row);
    m->raw_bytes += n * (int64_t)fp32_bytes;
    int64_t transform_ps = codec_spec_transform_ps(c, n);
    add_ps(&m->encode_ps, transform_ps);
    add_ps(&m->select_ps, mask_known ? 0 : codec_spec_encode_ps(c, n) - transform_ps);
    add_ps(&m->decode_ps, codec_spec_decode_ps(c, n));
    m->on_cpu = m->on_cpu || (codec_spec_codes(c, n) && c->place == CODEC_ON_CPU);
}

static void frame(const struct mp_plan *p, struct mp_message *m)
{
    if (m->bytes > 0)
        m->bytes = topology_message_bytes(p->topology, m->bytes);
}

static struct mp_message uncoded(const struct mp_plan *p, double bytes)
{
    struct mp_message m = { .bytes = (int64_t)ceil(bytes) };

    m.raw_bytes = m.bytes;
    frame(p, &m);
    return m;
}

static void plan_cut(struct mp_plan *p, struct mp_part *part, size_t s, int64_t samples)
{
    const struct model_parallel *mp = p->mp;
    int64_t row = scaled(p->m->layers[p->stage[s].end - 1].activations, mp->activation_scale);

    if ((int64_t)s + 1 == mp->stages)
        return;
    struct codec_spec c = codec_spec_of_layer(&mp->activations, p->m->layers[p->stage[s].end - 1].name);
    add_tensor(&part->activation, &c, samples * row, row, 0);
    add_tensor(&part->gradient, &c, samples * row, row, mp->mask_known);
    frame(p, &part->activation);
    frame(p, &part->gradient);
}

/* GPipe on a CPU: all cores work on one micro-batch. */
static int64_t cores_at_once(const struct mp_plan *p)
{
    const struct cpu_spec *cpu = &p->job->platform->cpu;

    return p->mp->device == COMPUTE_ON_CPU && p->mp->schedule == MP_GPIPE ? cpu->sockets * cpu->cores_per_socket : 1;
}

static void plan_part(struct mp_plan *p, struct mp_part *part, size_t s, int64_t samples)
{
    const struct model_parallel *mp = p->mp;
    const struct platform *machine = p->job->platform;
    double rows_B = 0;

    for (size_t i = p->stage[s].first; i < p->stage[s].end; i++) {
        add_ps(&part->forward_ps, profile_forward_ps(&mp->profile, machine, p->m, i, samples, mp->device));
        add_ps(&part->backward_ps, profile_backward_ps(&mp->profile, machine, p->m, i, samples, mp->device));
        rows_B += fp32_bytes * (double)p->m->layers[i].sparse_values;
    }
    part->forward_ps /= cores_at_once(p);
    part->backward_ps /= cores_at_once(p);
    plan_cut(p, part, s, samples);
    if (mp->servers) {
        part->sample_in = uncoded(p, (double)samples * (mp->sample_in_bytes + rows_B));
        part->sample_out = uncoded(p, (double)samples * (mp->sample_out_bytes + rows_B));
    }
}

/* Part k of n values. */
static int64_t part_of(int64_t n, size_t k, size_t parts)
{
    return n / (int64_t)parts + ((int64_t)k < n % (int64_t)parts);
}

/* Weights are one tensor, biases another; a norm's are two. */
static void plan_exchange(struct mp_plan *p, size_t i, size_t k)
{
    const struct model_parallel *mp = p->mp;
    const struct layer *l = &p->m->layers[i];
    int64_t vectors = layer_is_norm(l) ? 2 : 1, pushes = mp->schedule == MP_GPIPE ? mp->trainers : 1;
    struct mp_exchange *x = &p->exchange[i * p->parts + k];
    struct codec_spec push = codec_spec_of_layer(&mp->push, l->name), pull = codec_spec_of_layer(&mp->pull, l->name);

    for (int64_t t = 0; t <= vectors; t++) {
        int64_t n = part_of(scaled(t ? l->biases / vectors : l->weights, mp->parameter_scale), k, p->parts);
        x->values += n;
        add_tensor(&x->push, &push, n, 0, 0);
        add_tensor(&x->pull, &pull, n, 0, 0);
    }
    frame(p, &x->push);
    frame(p, &x->pull);
    x->update_ps =
        cost_cpu_stream_ps(p->job->platform, (momentum_bytes + fp32_bytes * (double)pushes) * (double)x->values);
}

/* Servers beyond one for each layer are put to use by splitting every layer among as many. */
static size_t parts_of_a_layer(const struct model_parallel *mp, const struct model *m)
{
    size_t layers = 0;

    for (size_t i = 0; i < m->nlayers; i++)
        layers += m->layers[i].weights + m->layers[i].biases > 0;
    return layers && (size_t)mp->servers > layers ? (size_t)mp->servers / layers : 1;
}

/* Without servers each stage updates its own parameters, where it computes. */
static void plan_local_update(struct mp_plan *p, size_t s)
{
    double bytes = 0;

    for (size_t i = p->stage[s].first * p->parts; i < p->stage[s].end * p->parts; i++)
        bytes += (momentum_bytes + fp32_bytes) * (double)p->exchange[i].values;
    p->local_update_ps[s] = p->mp->device == COMPUTE_ON_GPU ? cost_gpu_stream_ps(p->job->platform, bytes)
                                                            : cost_cpu_stream_ps(p->job->platform, bytes);
}

/* What is still to be placed, largest first; of equals the first. */
struct placing {
    size_t exchange;
    int64_t values;
};

static int by_size(const void *a, const void *b)
{
    const struct placing *x = a, *y = b;

    if (x->values != y->values)
        return x->values < y->values ? 1 : -1;
    return (x->exchange > y->exchange) - (x->exchange < y->exchange);
}

/* Largest first onto the server with the fewest values so far. */
static int place_exchanges(struct mp_plan *p)
{
    int64_t servers = p->mp->servers;
    size_t n = p->m->nlayers * p->parts;
    struct placing *list = calloc(n, sizeof(*list));
    int64_t *held = calloc((size_t)(servers ? servers : 1), sizeof(*held));

    if (list && held && servers) {
        for (size_t i = 0; i < n; i++)
            list[i] = (struct placing){ i, p->exchange[i].values };
        qsort(list, n, sizeof(*list), by_size);
        for (size_t i = 0; i < n && list[i].values; i++) {
            int64_t least = 0;
            for (int64_t v = 1; v < servers; v++)
                least = held[v] < held[least] ? v : least;
            held[least] += list[i].values;
            p->exchange[list[i].exchange].server = least;
        }
    }
    int rc = list && held ? E_OK : E_NOMEM;
    free(list);
    free(held);
    return rc;
}

/* The threads that code: with hogwild threads on a CPU they are cores like those that compute. */
static int coding_threads(const struct mp_plan *p)
{
    const struct model_parallel *mp = p->mp;
    const struct codec_spec *specs[] = { &mp->activations, &mp->push, &mp->pull };
    int64_t most = 1;

    for (size_t i = 0; i < 3; i++)
        if (specs[i]->format != WIRE_NONE && specs[i]->place == CODEC_ON_CPU && specs[i]->threads > most)
            most = specs[i]->threads;
    return (int)most;
}

static void add_stage_node(struct mp_plan *p, int n)
{
    const struct cpu_spec *cpu = &p->job->platform->cpu;
    struct mp_node *node = &p->node[n];
    bool gpu = p->mp->device == COMPUTE_ON_GPU, pool = !gpu && p->mp->schedule == MP_HOGWILD;

    node->host = node->end = (struct end){ n, END_HOST };
    if (gpu)
        node->end.gpu = 0;
    node->device = gpu ? engine_resource(p->e, "gpu", n, 1)
                       : engine_resource(p->e, "cpu", n, pool ? (int)(cpu->sockets * cpu->cores_per_socket) : 1);
    node->cpu = pool ? node->device : engine_resource(p->e, "codec", n, coding_threads(p));
    node->memory = -1;
}

static void add_nodes(struct mp_plan *p)
{
    const struct cpu_spec *cpu = &p->job->platform->cpu;

    for (int64_t k = 0; k < p->nstage_nodes * p->mp->servers; k++)
        p->to_server[k] = p->from_server[k] = ENGINE_NO_RESOURCE;
    for (int n = 0; n < p->nnodes; n++) {
        p->node[n].neighbour[0] = p->node[n].neighbour[1] = ENGINE_NO_RESOURCE;
        p->node[n].send = topology_message_ps(p->topology) ? engine_resource(p->e, "send", n, 1) : ENGINE_NO_RESOURCE;
    }
    for (int n = 0; n < p->nstage_nodes; n++)
        add_stage_node(p, n);
    for (int n = (int)p->nstage_nodes; n < p->nnodes; n++) {
        struct mp_node *node = &p->node[n];
        node->host = node->end = (struct end){ n, END_HOST };
        node->device = node->cpu = engine_resource(p->e, "server-cpu", n, (int)(cpu->sockets * cpu->cores_per_socket));
        node->memory = engine_resource(p->e, "server-memory", n, 1);
    }
}

static void plan_messages(struct mp_plan *p)
{
    int64_t micro = p->mp->schedule == MP_GPIPE ? p->mp->micro_batches : 1, size = p->job->batch / micro;

    p->larger = p->job->batch % micro;
    p->nsizes = p->larger ? 2 : 1;
    for (size_t s = 0; s < (size_t)p->mp->stages; s++) {
        for (int64_t k = 0; k < p->nsizes; k++)
            plan_part(p, &p->part[k][s], s, size + (p->nsizes == 2 && k == 0));
    }
    for (size_t i = 0; i < p->m->nlayers; i++)
        for (size_t k = 0; k < p->parts; k++)
            plan_exchange(p, i, k);
    for (size_t s = 0; s < (size_t)p->mp->stages; s++)
        plan_local_update(p, s);
}

int mp_plan_make(struct mp_plan *p, const struct job *job, char *why, size_t nwhy)
{
    const struct model_parallel *mp = &job->method->model_parallel;

    *p = (struct mp_plan){ .job = job, .mp = mp, .m = job->model };
    p->nstage_nodes = mp->trainers * mp->stages;
    p->nnodes = p->nstage_nodes + mp->servers;
    p->e = engine_new();
    p->parts = parts_of_a_layer(mp, p->m);
    p->exchange = calloc(p->m->nlayers * p->parts, sizeof(*p->exchange));
    p->node = calloc((size_t)p->nnodes, sizeof(*p->node));
    size_t pairs = (size_t)(p->nstage_nodes * mp->servers);
    p->to_server = malloc((pairs + 1) * sizeof(int));
    p->from_server = malloc((pairs + 1) * sizeof(int));
    if (!p->e || !p->exchange || !p->node || !p->to_server || !p->from_server)
        return E_NOMEM;
    int rc = mp_divide(mp, p->m, p->stage, why, nwhy);
    rc = rc ? rc : topology_new(job->platform, p->e, NULL, &p->topology, why, nwhy);
    if (rc)
        return rc;
    plan_messages(p);
    add_nodes(p);
    return place_exchanges(p);
}

void mp_plan_free(struct mp_plan *p)
{
    engine_free(p->e);
    topology_free(p->topology);
    free(p->exchange);
    free(p->node);
    free(p->to_server);
    free(p->from_server);
    free(p->crossing);
    free(p->iteration);
}
