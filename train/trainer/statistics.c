/* statistics.c - the mean and variance of what batch norms get, as evaluation uses them: running averages of worker 0's
 * batches, as PyTorch's modules keep them. The variance is that of a sample (n - 1). Where the network works on
 * patches, each is a batch of its own, and a norm learns from one after the other, rows before columns: what a module
 * does that is called once for each patch. */
#include <math.h>
#include <stdlib.h>

#include "model/status.h"
#include "train/net/shapes.h"
#include "train/trainer/private.h"

/* Of the newest batch in the average: PyTorch's default, TensorFlow's for CIFAR in the papers' time. */
static const double newest = 0.1;
static const double epsilon = 1e-5; /* ops.h */

int statistics_open(struct trainer *t)
{
    int64_t most = t->training.nstatistics;

    for (size_t l = 0; l < t->model->nlayers; l++)
        if (t->model->layers[l].kind == LAYER_BATCHNORM)
            t->nrunning += 2 * t->model->layers[l].in.channels;
    most = t->evaluating.nstatistics > most ? t->evaluating.nstatistics : most;
    t->running = calloc((size_t)t->nrunning + 1, sizeof(*t->running));
    t->fresh = calloc((size_t)most + 1, sizeof(*t->fresh));
    if (!t->running || !t->fresh)
        return trainer_fail(t, E_NOMEM, "out of memory");
    float *at = t->running;
    for (size_t l = 0; l < t->model->nlayers; l++) {
        const struct layer *y = &t->model->layers[l];

        if (y->kind != LAYER_BATCHNORM)
            continue;
        for (int64_t c = 0; c < y->in.channels; c++)
            at[y->in.channels + c] = 1;
        at += 2 * y->in.channels;
    }
    return 0;
}

/* Positions of a norm's input in one patch. */
static int64_t positions(const struct net *n, size_t layer, int64_t patch)
{
    struct shape in = n->model->layers[layer].in;

    if (layer < n->split.nlayers)
        in = split_net_in(&n->split, n->model, layer, patch / n->split.columns, patch % n->split.columns);
    return in.height * in.width;
}

static void learn_channel(struct trainer *t, size_t layer, int64_t c, float *running)
{
    const struct net *n = &t->training;
    int64_t channels = n->model->layers[layer].in.channels, patches = net_patches(n, layer);
    const float *at = t->fresh + n->statistics_at[layer] + c;

    for (int64_t p = 0; p < patches; p++, at += 2 * channels) {
        double values = (double)(n->batch * positions(n, layer, p)), inverse = at[channels];
        double variance = (1 / (inverse * inverse) - epsilon) * (values > 1 ? values / (values - 1) : 1);

        running[c] += (float)(newest * ((double)at[0] - running[c]));
        running[channels + c] += (float)(newest * (variance - running[channels + c]));
    }
}

int statistics_fetch(struct trainer *t)
{
    struct context *context = &t->contexts[0];

    if (!t->nrunning || t->first || !t->nworkers)
        return 0;
    return context_download(context, t->fresh, context->statistics, 4 * (size_t)t->training.nstatistics)
               ? trainer_context_failed(t, context)
               : 0;
}

int statistics_learn(struct trainer *t)
{
    float *running = t->running;

    if (!t->nrunning)
        return 0;
    for (size_t l = 0; l < t->model->nlayers; l++) {
        if (t->model->layers[l].kind != LAYER_BATCHNORM)
            continue;
        for (int64_t c = 0; c < t->model->layers[l].in.channels; c++)
            learn_channel(t, l, c, running);
        running += 2 * t->model->layers[l].in.channels;
    }
    return 0;
}

int statistics_use(struct trainer *t, struct context *context)
{
    const struct net *n = &t->evaluating;
    const float *running = t->running;

    for (size_t l = 0; l < t->model->nlayers; l++) {
        int64_t channels = t->model->layers[l].in.channels;
        float *to = t->fresh + n->statistics_at[l];

        if (t->model->layers[l].kind != LAYER_BATCHNORM)
            continue;
        for (int64_t p = 0; p < net_patches(n, l); p++, to += 2 * channels)
            for (int64_t c = 0; c < channels; c++) {
                to[c] = running[c];
                to[channels + c] = (float)(1 / sqrt((double)running[channels + c] + epsilon));
            }
        running += 2 * channels;
    }
    return context_upload(context, context->statistics, t->fresh, 4 * (size_t)n->nstatistics)
               ? trainer_context_failed(t, context)
               : 0;
}
