/* memory_estimate.c - estimate the memory of this machine that a run takes.
 * Backend    an upper bound of what a CPU backend holds where the plan gives it no workspace, for the operation that
 *            needs most. oneDNN holds both tensors a second time in layouts of 16 channels, inputs in strips that
 *            overlap by the window, and for each thread a part of the output and a block of weights. The products of
 *            kernels/gemm hold one band of columns and both operands a second time. The reference holds nothing. */
#include <math.h>
#include <unistd.h>

#include "harness/executor/internal.h"
#include "train/net/shapes.h"

enum { CHANNELS = 16, SLACK = 4 << 20 };

static double padded(int64_t channels)
{
    return (double)((channels + CHANNELS - 1) / CHANNELS * CHANNELS);
}

/* A fully-connected layer reads its weights in place, a few blocks at a time. */
static double convolution_floats(const struct conv_shape *s, double threads)
{
    double in = padded(s->in_channels) * (double)s->in_height * (double)s->in_width;
    double out = padded(s->out_channels) * (double)s->out_height * (double)s->out_width;
    double taps = (double)s->in_channels * (double)s->kernel * (double)s->kernel;
    double weights = padded(s->in_channels) * padded(s->out_channels) * (double)s->kernel * (double)s->kernel;

    return ((double)s->batch + threads) * 2 * (in + out) + (1 + threads) * weights + taps * (double)s->out_width;
}

static double product_floats(double batch, const struct layer *l)
{
    return batch * (double)(l->in.channels * l->in.height * l->in.width + l->activations) + (double)l->weights;
}

double executor_backend_bytes(const struct memory_plan *plan, double threads)
{
    double most = 0;

    for (size_t i = 0; i < plan->graph.noperations; i++) {
        const struct operation *o = &plan->graph.operations[i];
        const struct layer *l = o->layer == LAYER_NO_LAYER ? NULL : &plan->model->layers[o->layer];

        if (o->kind != OPERATION_LAYER)
            continue;
        if (l->kind == LAYER_CONV) {
            struct conv_shape s = shapes_window(&plan->graph, &plan->split, o);

            most = fmax(most, convolution_floats(&s, threads));
        } else if (l->kind == LAYER_FC || l->kind == LAYER_CLASSIFIER) {
            most = fmax(most, product_floats((double)plan->batch, l));
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
    return homes + pool + executor_backend_bytes(plan, (double)sysconf(_SC_NPROCESSORS_ONLN));
}
