#include "harness/executor/real.h"

#include <stdio.h>
#include <string.h>

#include "harness/status.h"
#include "train/draw.h"
#include "train/net/call.h"

static float *tensor_at(const struct real *r, size_t operation, int32_t tensor)
{
    const struct place *p = tensor == NO_TENSOR ? NULL : program_place(r->program, operation, tensor);

    return p ? (float *)(void *)(r->pool + p->at) : NULL;
}

static void set_parameters(const struct real *r, const struct operation *o, struct call *c)
{
    const struct layer_parameters *p = &r->parameters.layers[o->layer];
    const struct layer *l = &r->plan->model->layers[o->layer];
    int64_t patch = o->patch == NO_PATCH ? 0 : o->patch;

    c->w = r->weights + p->weights;
    c->dw = r->gradients + p->weights;
    c->b = l->biases ? r->weights + p->biases : NULL;
    c->db = l->biases ? r->gradients + p->biases : NULL;
    c->mean = r->statistics + p->statistics + 2 * patch * l->in.channels;
    c->inv_std = c->mean + l->in.channels;
    c->dropout_seed = draw_seed(r->seed, (uint32_t)o->layer, (uint32_t)o->patch, (uint64_t)r->step);
}

static struct call call_of(const struct real *r, size_t operation, void *stream)
{
    const struct program_operation *p = &r->program->operations[operation];
    const struct operation *o = &r->plan->graph.operations[operation];
    struct call c = {
        .graph = &r->plan->graph,
        .split = &r->plan->split,
        .operation = o,
        .backend = r->ops,
        .handle = r->handle,
        .x = tensor_at(r, operation, o->x),
        .x2 = tensor_at(r, operation, o->x2),
        .y = tensor_at(r, operation, o->y),
        .dy = tensor_at(r, operation, o->dy),
        .dx = tensor_at(r, operation, o->dx),
        .dx2 = tensor_at(r, operation, o->dx2),
        .labels = r->labels,
        .loss = r->loss,
        .workspace = p->workspace_bytes ? r->pool + p->workspace_at : NULL,
        .nworkspace = (size_t)p->workspace_bytes,
        .stream = stream,
    };

    if (o->layer != LAYER_NO_LAYER)
        set_parameters(r, o, &c);
    return c;
}

void real_operation(struct real *r, size_t operation, void *stream)
{
    struct call c;
    int rc;

    if (r->failed)
        return;
    c = call_of(r, operation, stream);
    rc = call_run(&c);
    if (rc) {
        r->failed = NW_EENV;
        snprintf(r->why, sizeof(r->why), "%s", r->ops->error(r->handle));
    }
}

static const struct ops_backend *find(const char *name, bool on_device)
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

int real_open(const struct program *program, const char *ops, bool on_device, uint64_t seed, struct real *out)
{
    struct real r = { .plan = program->plan, .program = program, .ops = find(ops, on_device), .seed = seed };
    int rc = r.ops ? real_check(&r) : NW_EENV;

    rc = rc ? rc : parameters_make(program->plan, &r.parameters);
    if (!rc) {
        r.handle = r.ops->open(r.why, sizeof(r.why));
        if (!r.handle)
            rc = status_error(NW_EENV, "executor: operations %s: %s\n", r.ops->name, r.why);
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

void real_attach(struct real *r, char *pool, float *parameters)
{
    const struct parameters *p = &r->parameters;

    r->pool = pool;
    r->weights = parameters;
    r->gradients = r->weights + p->nweights;
    r->statistics = r->gradients + p->nweights;
    r->labels = (int32_t *)(void *)(r->statistics + p->nstatistics);
    r->loss = r->statistics + p->nstatistics + p->nlabels;
}
