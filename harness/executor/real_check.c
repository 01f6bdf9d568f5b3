/* real_check.c - refuse what REAL cannot run, before anything runs. */
#include <stdarg.h>
#include <stdio.h>

#include "harness/executor/program/overlap.h"
#include "harness/executor/real.h"
#include "harness/status.h"

/* The alignment that the libraries of a GPU need. */
enum { DEVICE_MULTIPLE = 256 };

struct checking {
    const struct real *r;
    size_t operation;
    const struct operation *o;
};

static __attribute__((format(printf, 2, 3))) int refuse(const struct checking *c, const char *format, ...)
{
    char name[96];
    va_list args;

    graph_operation_name(&c->r->plan->graph, &c->r->plan->split, (int32_t)c->operation, name, sizeof(name));
    fprintf(stderr, "executor: %s cannot be computed: ", name);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    return NW_EINPUT;
}

static int check_end(const struct real *r)
{
    const struct model *m = r->plan->model;
    size_t softmaxes = 0;

    for (size_t l = 0; l < m->nlayers; l++)
        softmaxes += m->layers[l].kind == LAYER_SOFTMAX;
    if (softmaxes == 1 && m->layers[m->nlayers - 1].kind == LAYER_SOFTMAX && r->plan->split.nlayers < m->nlayers)
        return NW_OK;
    return status_error(NW_EINPUT, "executor: %s cannot be trained: expected one softmax, after all other layers\n",
                        m->name);
}

/* Are the tensors there that the layer's arithmetic cannot do without? */
static bool complete(const struct operation *o, const struct layer *l)
{
    enum layer_kind kind = l->kind;
    bool needs_x = kind == LAYER_CONV || kind == LAYER_FC || kind == LAYER_CLASSIFIER || kind == LAYER_BATCHNORM ||
                   kind == LAYER_MAXPOOL;
    bool needs_y = kind == LAYER_RELU || kind == LAYER_SIGMOID || kind == LAYER_SOFTMAX;
    bool needs_dx = kind != LAYER_CONV && kind != LAYER_FC && kind != LAYER_CLASSIFIER && kind != LAYER_ADD &&
                    kind != LAYER_BATCHNORM;

    if (!o->backward)
        return o->x != NO_TENSOR && o->y != NO_TENSOR && (kind != LAYER_ADD || o->x2 != NO_TENSOR);
    return (o->dy != NO_TENSOR || kind == LAYER_SOFTMAX) && (o->x != NO_TENSOR || !needs_x) &&
           (o->y != NO_TENSOR || !needs_y) && (o->dx != NO_TENSOR || !needs_dx);
}

/* Only the layers of convolutional networks have one. */
static bool has_operation(enum layer_kind kind)
{
    switch (kind) {
    case LAYER_GELU:
    case LAYER_SILU:
    case LAYER_RMSNORM:
    case LAYER_SEQUENCE:
    case LAYER_PREPEND:
    case LAYER_SUM:
    case LAYER_PRODUCT:
    case LAYER_TANH:
    case LAYER_PLACE:
    case LAYER_FIRST:
    case LAYER_SIDE:
    case LAYER_EMBEDDING:
    case LAYER_INTERACTION:
    case LAYER_TOKENS:
    case LAYER_LINEAR:
    case LAYER_LAYERNORM:
    case LAYER_ATTENTION:
    case LAYER_CONCAT:
    case LAYER_BLOCK: return false;
    default: return true;
    }
}

/* A window over the whole plane must be square, and a shortcut's stride must begin where its patch does. */
static int check_layer(const struct checking *c, const struct layer *l)
{
    const struct split_net *s = &c->r->plan->split;
    int32_t row = c->o->patch / (int32_t)s->columns, column = c->o->patch % (int32_t)s->columns;

    if (!has_operation(l->kind))
        return refuse(c, "%s has no operation", layer_kind_name(l->kind));
    if (l->kind == LAYER_SOFTMAX && model_softmax_rows(l) > 1)
        return refuse(c, "a softmax at each position has no operation");
    if (l->kernel != l->kernel_width)
        return refuse(c, "expected a square window, got %lld x %lld", (long long)l->kernel, (long long)l->kernel_width);
    if (!complete(c->o, l))
        return refuse(c, "a tensor that %s needs is missing", layer_kind_name(l->kind));
    if (l->kind == LAYER_AVGPOOL && !l->kernel && l->in.height != l->in.width)
        return refuse(c, "expected a square plane, got %lld x %lld", (long long)l->in.height, (long long)l->in.width);
    if (l->kind == LAYER_ADD && c->o->patch != NO_PATCH &&
        (s->height.second[c->o->layer * s->height.n + row].pad_begin ||
         s->width.second[c->o->layer * s->width.n + column].pad_begin))
        return refuse(c, "its shortcut does not begin at the patch's corner");
    return NW_OK;
}

static bool may_be_in_place(const struct checking *c)
{
    enum layer_kind kind;

    if (c->o->kind != OPERATION_LAYER)
        return c->o->kind == OPERATION_SUM;
    kind = c->r->plan->model->layers[c->o->layer].kind;
    return kind == LAYER_RELU || kind == LAYER_DROPOUT || kind == LAYER_ADD;
}

static int check_aliases(const struct checking *c)
{
    const struct program_operation *p = &c->r->program->operations[c->operation];

    for (int w = 0; w < p->nwrites; w++)
        for (int r = 0; r < p->nreads; r++)
            if (p->writes[w].storage == p->reads[r].storage && !may_be_in_place(c))
                return refuse(c, "its result may not be in the same place as its input");
    return NW_OK;
}

static int check_place(const struct checking *c, const char *what, int64_t at)
{
    const int64_t multiple = c->r->ops->on_device ? DEVICE_MULTIPLE : (int64_t)sizeof(float);

    if (at % multiple == 0)
        return NW_OK;
    return refuse(c, "%s at byte %lld of the pool, expected a multiple of %lld (alignment)", what, (long long)at,
                  (long long)multiple);
}

/* Are all places aligned? The plan's alignment may be too small. */
static int check_places(const struct checking *c)
{
    const struct program_operation *p = &c->r->program->operations[c->operation];
    int rc = p->workspace_bytes ? check_place(c, "its workspace", p->workspace_at) : NW_OK;

    for (int i = 0; i < p->nreads + p->nwrites && !rc; i++) {
        const struct place *at = i < p->nreads ? &p->reads[i] : &p->writes[i - p->nreads];
        char name[128];

        program_tensor_name(c->r->plan, at->tensor, name, sizeof(name));
        rc = check_place(c, name, at->at);
    }
    return rc;
}

int real_check(const struct real *r)
{
    char why[512];
    int rc = check_end(r);

    for (size_t i = 0; i < r->program->noperations && !rc; i++) {
        const struct operation *o = &r->plan->graph.operations[i];
        struct checking c = { r, i, o };

        if (o->kind == OPERATION_LAYER)
            rc = check_layer(&c, &r->plan->model->layers[o->layer]);
        rc = rc ? rc : check_aliases(&c);
        rc = rc ? rc : check_places(&c);
    }
    if (rc)
        return rc;
    rc = overlap_check(r->program, why, sizeof(why));
    if (rc)
        fprintf(stderr, "executor: %s\n", why);
    return rc;
}
