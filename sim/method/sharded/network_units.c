/* network_units.c - any model as units of one stage: layers until they have as many bytes of parameters as a bucket. */
#include "sim/method/sharded/plan.h"

#include <math.h>
#include <stdlib.h>

#include "model/status.h"
#include "sim/cost.h"
#include "sim/method/method.h"

/* The roofline of the precision that the layers are computed in, over values as narrow as it is. */
static int64_t layer_ps(const struct sharded_plan *p, const struct layer *l, bool backward)
{
    struct platform platform = *p->job->platform;
    int64_t samples = p->m->micro_batch;
    struct work w = backward ? work_backward(l, samples) : work_forward(l, samples);

    platform.gpu.peak_flops = platform_peak_flops(&platform, sharded_products(p->m));
    w.bytes *= (double)compute_precision_bytes(p->m->activations) / 4;
    return cost_layer_ps(&platform, l, w);
}

static int add_layer(const struct sharded_plan *p, struct unit *u, const struct layer *l)
{
    int64_t forward = layer_ps(p, l, false);
    double bytes = (double)compute_precision_bytes(p->m->activations) * (double)p->m->micro_batch;
    bool full = p->m->recompute == RECOMPUTE_FULL;
    int rc = act_gpu(&u->forward, ACT_FORWARD, forward);

    if (!rc && full)
        rc = act_gpu(&u->backward, ACT_RECOMPUTE, forward);
    u->values += l->weights + l->biases;
    u->kept += full ? 0 : bytes * (double)l->activations;
    u->again += full ? bytes * (double)l->activations : 0;
    u->extra = fmax(u->extra, bytes * (double)l->activations);
    return rc ? rc : act_gpu(&u->backward, ACT_BACKWARD, layer_ps(p, l, true));
}

int plan_network(struct sharded_plan *p)
{
    const struct model *model = p->job->model;
    struct chunk *c = &p->step.stages[0].chunks[0];
    int64_t width = compute_precision_bytes(p->m->gradients);
    int rc = E_OK;

    c->units = calloc(model->nlayers + 1, sizeof(*c->units));
    if (!c->units)
        return E_NOMEM;
    for (size_t i = 0; !rc && i < model->nlayers; i++) {
        struct unit *u = &c->units[c->nunits];
        rc = add_layer(p, u, &model->layers[i]);
        if (u->values * width >= p->m->bucket_bytes && i + 1 < model->nlayers)
            c->nunits++;
    }
    c->nunits++;
    for (size_t i = 0; !rc && i < c->nunits; i++)
        rc = plan_shards(p, &c->units[i]);
    p->model_flops = (double)(model->flops_forward + model->flops_backward) * (double)p->job->batch;
    return rc;
}
