#include "sim/method/host_sgd_step.h"

#include <math.h>
#include <stdbool.h>

#include "sim/cost.h"

static const double fp32_bytes = 4;
static const double norm_bytes = 4;      /* read per weight */
static const double momentum_bytes = 16; /* read and write a weight and its momentum; plus 4 for each gradient summed */

/* The link's direction, the wire that both directions share if it is half duplex, and host memory if that limits. */
static int add_route(struct step *s, int direction, int wire, int memory)
{
    uint32_t channels[3];
    size_t n = 0;

    channels[n++] = (uint32_t)direction;
    if (wire >= 0)
        channels[n++] = (uint32_t)wire;
    if (memory >= 0)
        channels[n++] = (uint32_t)memory;
    return engine_route(s->e, channels, n);
}

/* Channels: host memory in each direction if it limits, then the link that 'shared_by' GPUs share. */
static void add_channels(struct step *s)
{
    const struct cpu_spec *cpu = &s->p->cpu;
    const struct link_spec *link = s->link;
    int dma_read = cpu->dma_read_Bps > 0 ? engine_channel(s->e, "memory", 0, cpu->dma_read_Bps) : -1;
    int dma_write = cpu->dma_write_Bps > 0 ? engine_channel(s->e, "memory", 1, cpu->dma_write_Bps) : -1;
    int in = -1, out = -1, wire = -1;

    for (int g = 0; g < s->ngpus; g++) {
        struct gpu *gpu = &s->gpus[g];
        int instance = g / (int)link->shared_by;
        if (g % link->shared_by == 0) {
            in = engine_channel(s->e, link->name, 2 * instance + 1, link->bandwidth_Bps * link->efficiency_to_device);
            out = engine_channel(s->e, link->name, 2 * instance, link->bandwidth_Bps * link->efficiency_to_host);
            /* Half duplex: both directions also share the one wire, which reaches what the better of them does. */
            wire =
                link->duplex == DUPLEX_HALF
                    ? engine_channel(s->e, link->name, instance,
                                     link->bandwidth_Bps * fmax(link->efficiency_to_device, link->efficiency_to_host))
                    : -1;
        }
        gpu->channel_in = in;
        gpu->channel_out = out;
        gpu->wire = wire;
        gpu->route_in = add_route(s, in, wire, dma_read);
        gpu->route_out = add_route(s, out, wire, dma_write);
    }
}

void step_machine(struct step *s, int64_t batch)
{
    s->ngpus = (int)s->p->gpu.count;
    s->cpu = engine_resource(s->e, "cpu", 0, 1); /* the pool works on one layer at a time, all cores together */
    for (int g = 0; g < s->ngpus; g++) {
        struct gpu *gpu = &s->gpus[g];
        gpu->stream = engine_resource(s->e, "gpu", g, 1);
        gpu->copy_in = engine_resource(s->e, "copy in", g, 1);
        gpu->copy_out = engine_resource(s->e, "copy out", g, 1);
        gpu->samples = batch / s->ngpus + (g < batch % s->ngpus);
        gpu->last = gpu->fed = -1;
    }
    add_channels(s);
}

/* Serial steps: a phase is what stands between two synchronizations. */
static void next_phase(struct step *s)
{
    if (s->method->schedule == SCHEDULE_OVERLAPPED)
        return;
    s->barrier = s->phase_end;
    s->phase_end = engine_sync(s->e);
    if (s->barrier >= 0)
        engine_after(s->e, s->phase_end, s->barrier);
}

static int in_phase(struct step *s, int task)
{
    if (s->barrier >= 0)
        engine_after(s->e, task, s->barrier);
    if (s->phase_end >= 0)
        engine_after(s->e, s->phase_end, task);
    return task;
}

static void after(struct step *s, int task, int earlier)
{
    if (earlier >= 0)
        engine_after(s->e, task, earlier);
}

static int label(const struct step *s, enum sgd_row row)
{
    return (int)row + SGD_ROWS * s->round;
}

/* A kernel on a GPU's stream, after what the stream did before. */
static int on_stream(struct step *s, struct gpu *gpu, int64_t ps, enum sgd_row row)
{
    int task = in_phase(s, engine_compute(s->e, gpu->stream, ps, label(s, row)));

    after(s, task, gpu->last);
    gpu->last = task;
    return task;
}

static bool packs(const struct step *s)
{
    return s->method->codec == WEIGHT_CODEC_ADT && s->method->bytes_per_weight < fp32_bytes;
}

/* Without a codec there is no format to choose, so norms are what the caller asked to have timed. */
static bool watches_norms(const struct step *s)
{
    return s->method->awp && (s->method->codec == WEIGHT_CODEC_NONE || packs(s));
}

static int64_t packed_bytes(const struct step *s, const struct layer *l)
{
    double each = packs(s) ? s->method->bytes_per_weight : fp32_bytes;

    return (int64_t)ceil((double)l->weights * each);
}

/* Bitpack reads a weight and writes what it keeps. The paper's stores (maskstore, Algorithm 4) are ordinary ones, which
 * read the lines they write first; a measured or given rate counts only what must move. */
static int64_t pack_ps(const struct step *s, const struct layer *l)
{
    double written = (double)packed_bytes(s, l), passes = s->p->cpu.codec == CODEC_RATE_MEMORY ? 2 : 1;

    return cost_cpu_codec_ps(s->p, (double)l->weights * fp32_bytes + passes * written);
}

static int64_t unpack_ps(const struct step *s, const struct layer *l)
{
    return cost_gpu_stream_ps(s->p, (double)packed_bytes(s, l) + (double)l->weights * fp32_bytes);
}

/* ready[] comes as the task that updated each layer's weights last and leaves as the one that packed them. */
static void build_pack(struct step *s, int ready[])
{
    next_phase(s);
    for (size_t i = 0; i < s->m->nlayers; i++) {
        s->out->weight_bytes += packed_bytes(s, &s->m->layers[i]);
        if (!packs(s) || !s->m->layers[i].weights)
            continue;
        int task = in_phase(s, engine_compute(s->e, s->cpu, pack_ps(s, &s->m->layers[i]), label(s, ROW_PACK)));
        after(s, task, ready[i]);
        engine_item(s->e, task, (int)i);
        ready[i] = task;
    }
}

static int copy_in(struct step *s, struct gpu *gpu, int64_t bytes)
{
    s->out->to_device_bytes += bytes;
    gpu->bytes_in += bytes;
    return in_phase(s, engine_transfer(s->e, gpu->copy_in, gpu->route_in, bytes, seconds_to_ps(s->link->latency_s),
                                       label(s, ROW_TO_DEVICE)));
}

static int copy_out(struct step *s, struct gpu *gpu, int64_t bytes)
{
    s->out->to_host_bytes += bytes;
    gpu->bytes_out += bytes;
    return in_phase(s, engine_transfer(s->e, gpu->copy_out, gpu->route_out, bytes, seconds_to_ps(s->link->latency_s),
                                       label(s, ROW_TO_HOST)));
}

/* Samples first, then each layer's weights (packed) and biases (as they are) in one copy. arrived[] is per layer and
 * GPU. */
static void build_send(struct step *s, const int packed[], int arrived[])
{
    const struct shape in = s->m->input;
    int64_t sample_bytes = (in.channels * in.height * in.width + model_ids(s->m)) * (int64_t)fp32_bytes;

    next_phase(s);
    for (int g = 0; s->method->send_samples && g < s->ngpus; g++) {
        struct gpu *gpu = &s->gpus[g];
        int copy = copy_in(s, gpu, gpu->samples * sample_bytes), both = engine_sync(s->e);
        after(s, copy, gpu->fed);
        after(s, both, gpu->last);
        after(s, both, copy);
        gpu->last = gpu->fed = both;
    }
    for (size_t i = 0; i < s->m->nlayers; i++)
        for (int g = 0; g < s->ngpus; g++) {
            const struct layer *l = &s->m->layers[i];
            int64_t bytes = packed_bytes(s, l) + l->biases * (int64_t)fp32_bytes;
            arrived[i * (size_t)s->ngpus + (size_t)g] = -1;
            if (!bytes)
                continue;
            int task = copy_in(s, &s->gpus[g], bytes);
            engine_item(s->e, task, (int)i);
            after(s, task, packed[i]);
            arrived[i * (size_t)s->ngpus + (size_t)g] = task;
        }
}

/* Unpack, when it is a layer's turn: in a serial step all of them before the first layer computes. */
static void build_unpack(struct step *s, size_t i, int g, int arrived[])
{
    const struct layer *l = &s->m->layers[i];
    int *there = &arrived[i * (size_t)s->ngpus + (size_t)g];

    if (!packs(s) || !l->weights)
        return;
    int task = on_stream(s, &s->gpus[g], unpack_ps(s, l), ROW_UNPACK);
    after(s, task, *there);
    engine_item(s->e, task, (int)i);
    *there = task;
}

static enum sgd_row row_of(const struct layer *l)
{
    return l->kind == LAYER_CONV ? ROW_CONVOLUTION : ROW_FULLY_CONNECTED;
}

static void build_forward(struct step *s, int arrived[])
{
    bool serial = s->method->schedule == SCHEDULE_SERIAL;

    if (serial) {
        next_phase(s);
        for (size_t i = 0; i < s->m->nlayers; i++)
            for (int g = 0; g < s->ngpus; g++)
                build_unpack(s, i, g, arrived);
        next_phase(s);
    }
    for (size_t i = 0; i < s->m->nlayers; i++)
        for (int g = 0; g < s->ngpus; g++) {
            const struct layer *l = &s->m->layers[i];
            if (!serial)
                build_unpack(s, i, g, arrived);
            int64_t ps = cost_layer_ps(s->p, l, work_forward(l, s->gpus[g].samples));
            int there = arrived[i * (size_t)s->ngpus + (size_t)g];
            if (l->weights || there >= 0) {
                int task = on_stream(s, &s->gpus[g], ps, row_of(l));
                after(s, task, there);
                engine_item(s->e, task, (int)i);
            }
        }
}

/* Last layer first. ready[] receives, per layer and GPU, the task after which the layer's gradient is there. */
static void build_backward(struct step *s, int ready[])
{
    for (size_t i = s->m->nlayers; i-- > 0;)
        for (int g = 0; g < s->ngpus; g++) {
            const struct layer *l = &s->m->layers[i];
            if (l->weights) {
                int64_t ps = cost_layer_ps(s->p, l, work_backward(l, s->gpus[g].samples));
                engine_item(s->e, on_stream(s, &s->gpus[g], ps, row_of(l)), (int)i);
            }
            ready[i * (size_t)s->ngpus + (size_t)g] = s->gpus[g].last;
        }
}

/* AWP watches every layer's norm once a batch, after backpropagation (Algorithm 1). */
static void build_gpu_norms(struct step *s)
{
    if (!watches_norms(s) || s->method->norms != NORMS_GPU)
        return;
    next_phase(s);
    for (size_t i = 0; i < s->m->nlayers; i++)
        for (int g = 0; g < s->ngpus; g++)
            if (s->m->layers[i].weights)
                engine_item(s->e,
                            on_stream(s, &s->gpus[g],
                                      cost_gpu_stream_ps(s->p, norm_bytes * (double)s->m->layers[i].weights),
                                      ROW_L2NORM),
                            (int)i);
}

/* The same of the weights that the CPU updated; updates[i] becomes the task that knows a layer's next format. */
static void build_cpu_norms(struct step *s, int updates[])
{
    if (!watches_norms(s) || s->method->norms != NORMS_CPU)
        return;
    next_phase(s);
    for (size_t i = s->m->nlayers; i-- > 0;) {
        int64_t weights = s->m->layers[i].weights;
        if (!weights)
            continue;
        int64_t ps = cost_cpu_stream_ps(s->p, norm_bytes * (double)weights);
        int task = in_phase(s, engine_compute(s->e, s->cpu, ps, label(s, ROW_L2NORM)));
        after(s, task, updates[i]);
        engine_item(s->e, task, (int)i);
        updates[i] = task;
    }
}

/* How many GPUs sum a gradient among themselves before each sends its part. The sums run inside a board or over links
 * of the GPUs' own; neither table has a row for them and the model does not charge them. */
static int group_size(const struct step *s)
{
    int64_t group = s->method->reduce == REDUCE_NONE   ? 1
                    : s->method->reduce == REDUCE_LINK ? s->method->gpus_per_board
                                                       : s->ngpus;
    return group < s->ngpus ? (int)group : s->ngpus;
}

static void build_return(struct step *s, const int ready[], int updates[])
{
    int group = group_size(s), copies = (s->ngpus + group - 1) / group;

    next_phase(s);
    for (size_t i = s->m->nlayers; i-- > 0;) {
        const struct layer *l = &s->m->layers[i];
        int64_t bytes = (l->weights + l->biases) * (int64_t)fp32_bytes;
        updates[i] = -1;
        if (!bytes)
            continue;
        int landed = engine_sync(s->e), summed = -1;
        for (int g = 0; g < s->ngpus; g++) {
            int first = g / group * group, members = first + group <= s->ngpus ? group : s->ngpus - first;
            int64_t part = bytes / members + (g - first < bytes % members);
            if (g == first) {
                summed = engine_sync(s->e);
                for (int k = first; k < first + members; k++)
                    after(s, summed, ready[i * (size_t)s->ngpus + (size_t)k]);
            }
            int task = copy_out(s, &s->gpus[g], part);
            engine_after(s->e, task, summed);
            engine_after(s->e, landed, task);
            engine_item(s->e, task, (int)i);
        }
        updates[i] = landed;
    }
    next_phase(s);
    for (size_t i = s->m->nlayers; i-- > 0;)
        if (updates[i] >= 0) {
            const struct layer *l = &s->m->layers[i];
            double bytes = (momentum_bytes + fp32_bytes * copies) * (double)(l->weights + l->biases);
            int task = in_phase(s, engine_compute(s->e, s->cpu, cost_cpu_stream_ps(s->p, bytes), label(s, ROW_UPDATE)));
            engine_after(s->e, task, updates[i]);
            engine_item(s->e, task, (int)i);
            updates[i] = task;
        }
}

int step_build(struct step *s, int per_layer[], int per_copy[])
{
    s->out->weight_bytes = s->out->to_device_bytes = s->out->to_host_bytes = 0;
    s->barrier = s->phase_end = -1;
    for (int g = 0; g < s->ngpus; g++)
        s->gpus[g].bytes_in = s->gpus[g].bytes_out = 0;
    build_pack(s, per_layer);
    build_send(s, per_layer, per_copy);
    build_forward(s, per_copy);
    build_backward(s, per_copy);
    build_gpu_norms(s);
    build_return(s, per_copy, per_layer);
    build_cpu_norms(s, per_layer);
    int end = engine_sync(s->e);
    for (size_t i = 0; i < s->m->nlayers; i++)
        after(s, end, per_layer[i]);
    for (int g = 0; g < s->ngpus; g++)
        after(s, end, s->gpus[g].last);
    return end;
}
