#include "harness/executor/real.h"

#include <stdio.h>
#include <string.h>

#include "harness/status.h"

/* Dropout drops half, as VGG does: a model says no rate. */
static const float dropout_rate = 0.5f;

/* What a call needs at hand: the operation's tensors, its layer's parameters. */
struct work {
    struct real *r;
    const struct operation *o;
    const struct layer *layer;
    float *x, *x2, *y, *dy, *dx, *dx2;
    float *w, *b, *dw, *db; /* b, db: NULL if there are none */
    float *mean, *inv_std;
    int64_t in, out; /* values of the batch */
    void *workspace;
    size_t nworkspace;
    void *stream;
};

static float *tensor_at(const struct real *r, size_t operation, int32_t tensor)
{
    const struct place *p = tensor == NO_TENSOR ? NULL : program_place(r->program, operation, tensor);

    return p ? (float *)(void *)(r->pool + p->at) : NULL;
}

static int64_t volume(const struct image_shape *s)
{
    return s->batch * s->channels * s->height * s->width;
}

static void set_parameters(struct work *k)
{
    const struct real *r = k->r;
    const struct layer_parameters *p = &r->parameters.layers[k->o->layer];
    int64_t patch = k->o->patch == NO_PATCH ? 0 : k->o->patch, channels = k->layer->in.channels;

    k->w = r->weights + p->weights;
    k->dw = r->gradients + p->weights;
    k->b = k->layer->biases ? r->weights + p->biases : NULL;
    k->db = k->layer->biases ? r->gradients + p->biases : NULL;
    k->mean = r->statistics + p->statistics + 2 * patch * channels;
    k->inv_std = k->mean + channels;
}

static struct work work_of(struct real *r, size_t operation, void *stream)
{
    const struct program_operation *p = &r->program->operations[operation];
    const struct operation *o = &r->plan->graph.operations[operation];
    struct work k = { .r = r, .o = o, .stream = stream };

    k.x = tensor_at(r, operation, o->x);
    k.x2 = tensor_at(r, operation, o->x2);
    k.y = tensor_at(r, operation, o->y);
    k.dy = tensor_at(r, operation, o->dy);
    k.dx = tensor_at(r, operation, o->dx);
    k.dx2 = tensor_at(r, operation, o->dx2);
    k.workspace = p->workspace_bytes ? r->pool + p->workspace_at : NULL;
    k.nworkspace = (size_t)p->workspace_bytes;
    if (o->layer != LAYER_NO_LAYER) {
        struct image_shape in = real_in(r->plan, o), out = real_out(r->plan, o);

        k.layer = &r->plan->model->layers[o->layer];
        k.in = volume(&in);
        k.out = volume(&out);
        set_parameters(&k);
    }
    return k;
}

static int64_t per_sample(const struct work *k, int64_t n)
{
    return n / k->r->plan->batch;
}

static uint64_t drop_seed(const struct work *k)
{
    return dropout_seed(k->r->seed, k->o->layer, k->o->patch, k->r->step);
}

static int forward(const struct work *k)
{
    const struct ops_backend *b = k->r->ops;
    struct ops *h = k->r->handle;
    const struct memory_plan *plan = k->r->plan;
    struct conv_shape s = real_window(plan, k->o);
    struct image_shape in = real_in(plan, k->o), second;
    int64_t batch = plan->batch;

    switch (k->layer->kind) {
    case LAYER_CONV: return b->conv_forward(h, &s, k->x, k->w, k->b, k->y, k->workspace, k->nworkspace, k->stream);
    case LAYER_FC:
    case LAYER_CLASSIFIER:
        return b->fc_forward(h, batch, per_sample(k, k->in), per_sample(k, k->out), k->x, k->w, k->b, k->y, k->stream);
    case LAYER_MAXPOOL: return b->maxpool_forward(h, &s, k->x, k->y, k->stream);
    case LAYER_AVGPOOL: return b->avgpool_forward(h, &s, k->x, k->y, k->stream);
    case LAYER_RELU: return b->relu_forward(h, k->in, k->x, k->y, k->stream);
    case LAYER_BATCHNORM:
        return b->norm_forward(h, &in, k->x, k->b, k->b + in.channels, k->y, k->mean, k->inv_std, k->stream);
    case LAYER_DROPOUT: return b->dropout(h, k->in, dropout_rate, drop_seed(k), k->x, k->y, k->stream);
    case LAYER_SOFTMAX: return b->softmax_forward(h, batch, per_sample(k, k->in), k->x, k->y, k->stream);
    case LAYER_SIGMOID: return b->sigmoid_forward(h, k->in, k->x, k->y, k->stream);
    default: second = real_second(plan, k->o);
    }
    return b->add(h, &in, k->x, &second, k->layer->stride, k->x2, k->y, k->stream);
}

/* The error goes to both inputs as it is, but for what a shortcut leaves out; where it shares their memory it is there. */
static int backward_add(const struct work *k)
{
    struct image_shape in = real_in(k->r->plan, k->o), second = real_second(k->r->plan, k->o);
    const struct ops_backend *b = k->r->ops;
    int rc = 0;

    if (k->dx && k->dx != k->dy)
        rc = b->add_backward(k->r->handle, &in, &in, 1, k->dy, k->dx, k->stream);
    if (!rc && k->dx2 && k->dx2 != k->dy)
        rc = b->add_backward(k->r->handle, &in, &second, k->layer->stride, k->dy, k->dx2, k->stream);
    return rc;
}

static int backward_conv(const struct work *k)
{
    struct conv_shape s = real_window(k->r->plan, k->o);
    const struct ops_backend *b = k->r->ops;
    int rc =
        b->conv_backward_weights(k->r->handle, &s, k->x, k->dy, k->dw, k->db, k->workspace, k->nworkspace, k->stream);

    if (rc || !k->dx)
        return rc;
    return b->conv_backward_data(k->r->handle, &s, k->dy, k->w, k->dx, k->workspace, k->nworkspace, k->stream);
}

static int backward_fc(const struct work *k)
{
    int64_t batch = k->r->plan->batch, in = per_sample(k, k->in), out = per_sample(k, k->out);
    const struct ops_backend *b = k->r->ops;
    int rc = b->fc_backward_weights(k->r->handle, batch, in, out, k->x, k->dy, k->dw, k->db, k->stream);

    return rc || !k->dx ? rc : b->fc_backward_data(k->r->handle, batch, in, out, k->dy, k->w, k->dx, k->stream);
}

static int backward(const struct work *k)
{
    const struct ops_backend *b = k->r->ops;
    struct ops *h = k->r->handle;
    struct conv_shape s = real_window(k->r->plan, k->o);
    struct image_shape in = real_in(k->r->plan, k->o);

    switch (k->layer->kind) {
    case LAYER_CONV: return backward_conv(k);
    case LAYER_FC:
    case LAYER_CLASSIFIER: return backward_fc(k);
    case LAYER_MAXPOOL: return b->maxpool_backward(h, &s, k->x, k->dy, k->dx, k->stream);
    case LAYER_AVGPOOL: return b->avgpool_backward(h, &s, k->dy, k->dx, k->stream);
    case LAYER_RELU: return b->relu_backward(h, k->in, k->y, k->dy, k->dx, k->stream);
    case LAYER_BATCHNORM:
        return b->norm_backward(h, &in, k->x, k->dy, k->b, k->mean, k->inv_std, k->dx, k->db, k->db + in.channels,
                                k->stream);
    case LAYER_DROPOUT: return b->dropout(h, k->in, dropout_rate, drop_seed(k), k->dy, k->dx, k->stream);
    case LAYER_SOFTMAX:
        return b->softmax_backward(h, k->r->plan->batch, per_sample(k, k->in), k->y, k->r->labels, k->dx, k->r->loss,
                                   k->stream);
    case LAYER_SIGMOID: return b->sigmoid_backward(h, k->in, k->y, k->dy, k->dx, k->stream);
    default: return backward_add(k);
    }
}

/* The ReLU that follows the norm, where the tensor is what stands after it. */
static int recompute(const struct work *k)
{
    const struct ops_backend *b = k->r->ops;
    struct image_shape in = real_in(k->r->plan, k->o);
    int32_t stands_for = k->r->plan->graph.tensors[k->o->y].layer;
    int rc = b->norm_again(k->r->handle, &in, k->x, k->b, k->b + in.channels, k->mean, k->inv_std, k->y, k->stream);

    if (rc || stands_for == k->o->layer)
        return rc;
    return b->relu_forward(k->r->handle, k->in, k->y, k->y, k->stream);
}

/* A patch and the place of its corner: among the images, or in the tensor that patches are joined to. */
static int between_patch_and_whole(const struct work *k)
{
    const struct memory_plan *plan = k->r->plan;
    const struct ops_backend *b = k->r->ops;
    _Bool images = k->o->kind == OPERATION_CUT;
    int64_t layer = images ? 0 : (int64_t)plan->split.nlayers - 1;
    const struct split_part *h =
        plan->split.height.parts + layer * plan->split.height.n + k->o->patch / plan->split.columns;
    const struct split_part *w =
        plan->split.width.parts + layer * plan->split.width.n + k->o->patch % plan->split.columns;
    struct shape all = images ? plan->model->input : plan->model->layers[layer].out;
    struct image_shape whole = { plan->batch, all.channels, all.height, all.width }, part = whole;
    int64_t top = images ? h->in_start : h->out_start, left = images ? w->in_start : w->out_start;

    part.height = images ? h->in_length : h->out_length;
    part.width = images ? w->in_length : w->out_length;
    if (images)
        return b->cut(k->r->handle, &whole, &part, top, left, k->x, k->y, k->stream);
    if (k->o->kind == OPERATION_JOIN)
        return b->paste(k->r->handle, &whole, &part, top, left, k->x, k->y, k->stream);
    return b->cut(k->r->handle, &whole, &part, top, left, k->dy, k->dx, k->stream);
}

static int run(const struct work *k)
{
    switch (k->o->kind) {
    case OPERATION_LAYER: return k->o->backward ? backward(k) : forward(k);
    case OPERATION_SUM:
        return k->r->ops->accumulate(k->r->handle, k->r->plan->graph.tensors[k->o->y].bytes / 4, k->x, k->x2, k->y,
                                     k->stream);
    case OPERATION_RECOMPUTE: return recompute(k);
    default: return between_patch_and_whole(k);
    }
}

void real_operation(struct real *r, size_t operation, void *stream)
{
    struct work k;
    int rc;

    if (r->failed)
        return;
    k = work_of(r, operation, stream);
    rc = run(&k);
    if (rc) {
        r->failed = NW_EENV;
        snprintf(r->why, sizeof(r->why), "%s", r->ops->error(r->handle));
    }
}

static const struct ops_backend *find(const char *name, _Bool on_device)
{
    const char *wanted = name && *name ? name : "";

    for (size_t i = 0; ops_backends[i]; i++) {
        const struct ops_backend *b = ops_backends[i];

        if (b->on_device == on_device && (!*wanted || !strcmp(wanted, b->name)) && b->usable())
            return b;
    }
    fprintf(stderr, "executor: no backend of operations %s%scan compute %s\n", wanted, *wanted ? " " : "",
            on_device ? "on a GPU here" : "here");
    return NULL;
}

int real_open(const struct program *program, const char *ops, _Bool on_device, uint64_t seed, struct real *out)
{
    struct real r = { .plan = program->plan, .program = program, .ops = find(ops, on_device), .seed = seed };
    int rc = r.ops ? real_check(&r) : NW_EENV;

    rc = rc ? rc : parameters_make(program->plan, &r.parameters);
    if (!rc) {
        r.handle = r.ops->open(r.why, sizeof(r.why));
        if (!r.handle) {
            fprintf(stderr, "executor: operations %s: %s\n", r.ops->name, r.why);
            rc = NW_EENV;
        }
    }
    if (rc)
        real_close(&r);
    else
        *out = r;
    return rc;
}

void real_close(struct real *r)
{
    if (r->handle)
        r->ops->close(r->handle);
    parameters_free(&r->parameters);
    *r = (struct real){ 0 };
}

void real_attach(struct real *r, char *pool, float *run_of_values)
{
    const struct parameters *p = &r->parameters;

    r->pool = pool;
    r->weights = run_of_values;
    r->gradients = r->weights + p->nweights;
    r->statistics = r->gradients + p->nweights;
    r->labels = (int32_t *)(void *)(r->statistics + p->nstatistics);
    r->loss = r->statistics + p->nstatistics + p->nlabels;
}
