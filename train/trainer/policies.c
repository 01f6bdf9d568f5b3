/* policies.c - decisions between steps: AWP's bytes for each layer's weights, dynamic precision's arithmetic. */
#include <math.h>
#include <stdlib.h>

#include "kernels/l2norm/l2norm.h"
#include "model/status.h"
#include "train/trainer/private.h"

static bool has_awp(const struct trainer *t)
{
    return t->options.awp.interval > 0;
}

/* AWP's layers are the tensors of weights; its units these, or residual blocks. */
static int open_awp(struct trainer *t)
{
    size_t n = t->map.ntensors, layers = 0, units = 0;
    int last = -1;

    t->units = calloc(n + 1, sizeof(*t->units));
    t->unit_of = calloc(n + 1, sizeof(*t->unit_of));
    t->tensor_of = calloc(n + 1, sizeof(*t->tensor_of));
    t->norms = calloc(n + 1, sizeof(*t->norms));
    t->norm_work = calloc(l2norm_work((size_t)t->map.ndense), sizeof(*t->norm_work));
    if (!t->units || !t->unit_of || !t->tensor_of || !t->norms || !t->norm_work)
        return trainer_fail(t, E_NOMEM, "out of memory");
    for (size_t i = 0; i < n; i++) {
        int block = t->options.awp_by_block ? t->model->layers[t->map.tensors[i].layer].block : -1;

        if (!exchange_compresses(&t->exchange, EXCHANGE_PULL, i))
            continue;
        if (!layers || block < 0 || block != last)
            units++;
        last = block;
        t->unit_of[layers] = units - 1;
        t->tensor_of[layers++] = i;
    }
    if (awp_init(&t->awp, &t->options.awp, t->units, units, t->unit_of, layers))
        return trainer_fail(t, E_INVAL, "awp: a setting is out of its range");
    return 0;
}

static void set_bytes_per_weight(struct trainer *t)
{
    if (t->options.bytes_per_weight)
        for (size_t i = 0; i < t->map.ntensors; i++)
            t->exchange.bytes_per_weight[i] =
                exchange_compresses(&t->exchange, EXCHANGE_PULL, i) ? t->options.bytes_per_weight : 0;
    for (size_t i = 0; has_awp(t) && i < t->awp.nlayers; i++)
        t->exchange.bytes_per_weight[t->tensor_of[i]] = awp_bytes(awp_bits(&t->awp, i));
}

int policies_open(struct trainer *t)
{
    int rc = has_awp(t) ? open_awp(t) : 0;

    if (!rc && t->options.precision == TRAINER_DYNAMIC &&
        dynamic_precision_init(&t->so_far.dynamic, &t->options.dynamic))
        rc = trainer_fail(t, E_INVAL, "dynamic: a setting is out of its range");
    if (!rc)
        set_bytes_per_weight(t);
    return rc;
}

void policies_close(struct trainer *t)
{
    free(t->units);
    free(t->unit_of);
    free(t->tensor_of);
    free(t->norms);
    free(t->norm_work);
}

enum fma_mode policies_mode(const struct trainer *t)
{
    switch (t->options.precision) {
    case TRAINER_MP: return FMA_MP;
    case TRAINER_BF16: return FMA_BF16;
    case TRAINER_DYNAMIC: return t->so_far.dynamic.mode == PRECISION_BF16 ? FMA_BF16 : FMA_MP;
    default: return FMA_FP32;
    }
}

double policies_ema(const struct trainer *t)
{
    return t->options.precision == TRAINER_DYNAMIC ? t->so_far.dynamic.ema : NAN;
}

/* Of the server's weights after this step, or of what the step was computed with: the weights that were sent before
 * it, without the bits that were not. */
static void watch_norms(struct trainer *t)
{
    const struct l2norm_impl *im = l2norm_impls;
    const float *weights = t->options.awp_of_sent ? t->copies.host_model : t->copies.server;

    while (im->impl.where != IMPL_HOST || !im->impl.usable())
        im++; /* the reference is there and usable */
    for (size_t i = 0; i < t->awp.nlayers; i++) {
        const struct parameter_tensor *tensor = &t->map.tensors[t->tensor_of[i]];

        im->run(&im->impl, &t->norms[i], weights + tensor->at, (size_t)tensor->n, t->norm_work);
    }
    awp_batch(&t->awp, t->norms);
}

void policies_step(struct trainer *t, double loss)
{
    if (has_awp(t) && peers_serve(t))
        watch_norms(t);
    if (t->options.precision == TRAINER_DYNAMIC)
        dynamic_precision_batch(&t->so_far.dynamic, loss);
    if (peers_serve(t))
        set_bytes_per_weight(t);
}
