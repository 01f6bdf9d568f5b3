/* memory_estimate.c - the memory that a run takes of this machine, told beforehand.
 * Beside     what a backend of operations on the CPU holds at most, by how each of them cuts its work, where the plan gives no workspace:
 *            of the operation that takes most. oneDNN holds both tensors once more in layouts of 16 channels, inputs in
 *            strips that overlap by the window, and for each thread a piece of the output and a block of weights; the
 *            products of kernels/gemm one band of columns and both operands once more; the reference nothing. */
#include <math.h>
#include <unistd.h>

#include "harness/executor/internal.h"
#include "train/net/shapes.h"

enum { CHANNELS = 16, SLACK = 4 << 20 };

static double padded(int64_t channels)
{
    return (double)((channels + CHANNELS - 1) / CHANNELS * CHANNELS);
}

/* In floats. Weights of a fully-connected layer are read where they lie, a few blocks at a time. */
static double beside_convolution(const struct conv_shape *s, double threads)
{
    double in = padded(s->in_channels) * (double)s->in_height * (double)s->in_width;
    double out = padded(s->out_channels) * (double)s->out_height * (double)s->out_width;
    double taps = (double)s->in_channels * (double)s->kernel * (double)s->kernel;
    double weights = padded(s->in_channels) * padded(s->out_channels) * (double)s->kernel * (double)s->kernel;

    return ((double)s->batch + threads) * 2 * (in + out) + (1 + threads) * weights + taps * (double)s->out_width;
}

static double beside_product(double batch, const struct layer *l)
{
    return batch * (double)(l->in.channels * l->in.height * l->in.width + l->activations) + (double)l->weights;
}

double executor_beside_bytes(const struct memory_plan *plan, double threads)
{
    double most = 0;

    for (size_t i = 0; i < plan->graph.noperations; i++) {
        const struct operation *o = &plan->graph.operations[i];
        const struct layer *l = o->layer == LAYER_NO_LAYER ? NULL : &plan->model->layers[o->layer];

        if (o->kind != OPERATION_LAYER)
            continue;
        if (l->kind == LAYER_CONV) {
            struct conv_shape s = shapes_window(&plan->graph, &plan->split, o);

            most = fmax(most, beside_convolution(&s, threads));
        } else if (l->kind == LAYER_FC || l->kind == LAYER_CLASSIFIER) {
            most = fmax(most, beside_product((double)plan->batch, l));
        }
    }
    return 4 * most + (1 + threads) * SLACK;
}

double executor_host_bytes(const struct memory_plan *plan, const struct executor_options *options)
{
    bool real = options->content == EXECUTOR_REAL;
    double parameters = real ? 2.0 * (double)plan->graph.parameter_bytes : 0;
    double pool = (double)plan->device_pool.height + parameters + (double)plan->graph.statistics_bytes;
    const struct shape *image = &plan->model->input;
    double images = 4.0 * (double)plan->batch * (double)image->channels * (double)image->height * (double)image->width;
    double homes = (double)plan->host_pool.height + images + parameters;

    if (options->on_device)
        return real ? homes : homes * WORD / GRANULE;
    if (!real)
        return (homes + pool) * WORD / GRANULE;
    return homes + pool + executor_beside_bytes(plan, (double)sysconf(_SC_NPROCESSORS_ONLN));
}
