/* sweep.c - through each thread's events in the order of time: what is around what, and so which step, which layer and
 * which pass each operator and each launch belongs to. */
#include <stdlib.h>
#include <string.h>

#include "harness/count.h"
#include "harness/import/kineto/trace.h"
#include "harness/status.h"
#include "model/vec.h"

/* What is around the next event. */
struct around {
    int64_t end_ns;
    int32_t outermost, node; /* operator, node of the backward pass; -1: none */
    int32_t scope;           /* the innermost module or annotation that is a layer; -1: none */
    int32_t layer;
    bool optimizer, other;
};

struct sweep {
    struct kineto_trace *t;
    struct around *stack;
    size_t depth, capacity;
    /* of each name, by which thread in which step it was called last, and how often there */
    struct calls {
        int32_t thread, step, n;
    } * calls;
};

/* Annotations that PyTorch makes itself, for something else than a layer. */
static bool is_own(const char *name)
{
    static const char *const own[] = { "ProfilerStep#",   "Optimizer.", "enumerate(", "DistributedDataParallel.",
                                       "nccl:",           "gloo:",      "c10d::",     "## Call CompiledFxGraph",
                                       "PyTorch Profiler" };

    for (size_t i = 0; i < COUNT(own); i++)
        if (!strncmp(name, own[i], strlen(own[i])))
            return true;
    return false;
}

static bool is_scope(const struct kineto_trace *t, const struct kineto_event *e)
{
    if (e->kind == EVENT_MODULE)
        return t->by == KINETO_BY_MODULES;
    return e->kind == EVENT_ANNOTATION && t->by == KINETO_BY_ANNOTATIONS && !is_own(kineto_name(t, e));
}

static enum kineto_by choose_by(struct kineto_trace *t)
{
    bool modules = false, annotations = false;

    for (size_t i = 0; i < t->n; i++) {
        const struct kineto_event *e = &t->events[i];

        modules |= e->kind == EVENT_MODULE;
        annotations |= e->kind == EVENT_ANNOTATION && !is_own(kineto_name(t, e));
    }
    return modules ? KINETO_BY_MODULES : annotations ? KINETO_BY_ANNOTATIONS : KINETO_BY_OPERATORS;
}

static int32_t step_of(const struct kineto_trace *t, int64_t ts_ns)
{
    size_t low = 0, high = t->nsteps;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (t->steps[middle].begin_ns <= ts_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low && ts_ns < t->steps[low - 1].end_ns ? (int32_t)low - 1 : -1;
}

static void find_last_nodes(struct kineto_trace *t)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct kineto_event *e = &t->events[i];
        int32_t step = e->kind == EVENT_NODE ? step_of(t, e->ts_ns) : -1;
        struct kineto_step *s = step < 0 ? NULL : &t->steps[step];

        if (s && (s->last_node_ns == INT64_MAX || s->last_node_ns < e->ts_ns + e->dur_ns))
            s->last_node_ns = e->ts_ns + e->dur_ns;
    }
}

static enum region region_of(const struct kineto_trace *t, const struct kineto_event *e, const struct around *a)
{
    const struct kineto_step *s = e->step < 0 ? NULL : &t->steps[e->step];

    if (!s)
        return REGION_NONE;
    if (e->node >= 0)
        return REGION_BACKWARD;
    if (a->optimizer)
        return REGION_OPTIMIZER;
    if (a->other)
        return REGION_OTHER;
    if (a->scope >= 0)
        return REGION_FORWARD;
    return e->ts_ns < s->last_node_ns && (s->thread < 0 || s->thread == e->thread) ? REGION_FORWARD : REGION_OTHER;
}

/* The layer "NAME", or "NAME#2" for its second call in a step. -1: no memory. */
static int32_t layer_named(struct kineto_trace *t, const char *name, int32_t call)
{
    char text[256];

    if (call > 1)
        snprintf(text, sizeof(text), "%.200s#%d", name, call);
    else
        snprintf(text, sizeof(text), "%.200s", name);
    return intern_text(&t->layers, text);
}

static int32_t call_of(struct sweep *s, const struct kineto_event *e)
{
    struct calls *c = &s->calls[e->name];

    if (c->n && c->thread == e->thread && c->step == e->step)
        return ++c->n;
    *c = (struct calls){ e->thread, e->step, 1 };
    return 1;
}

static bool push(struct sweep *s, const struct around *a)
{
    if (!VEC_RESERVE(s->stack, s->capacity, s->depth))
        return false;
    s->stack[s->depth++] = *a;
    return true;
}

static void enter_scope(struct sweep *s, int32_t i, struct around *a)
{
    struct kineto_event *e = &s->t->events[i];
    const char *name = kineto_name(s->t, e);

    if (is_scope(s->t, e)) {
        a->scope = i;
        a->layer = -1;
        e->call = e->kind == EVENT_MODULE ? call_of(s, e) : 1;
    } else if (e->kind == EVENT_ANNOTATION) {
        a->optimizer |= !strncmp(name, "Optimizer.", strlen("Optimizer."));
        a->other |= !strncmp(name, "enumerate(", strlen("enumerate("));
    }
}

/* The layer of what a pass computes: of its scope, or of the operator itself. */
static bool give_layer(struct sweep *s, struct kineto_event *e, struct around *a)
{
    struct kineto_trace *t = s->t;
    const char *name = kineto_name(t, e);

    if (e->region != REGION_FORWARD || a->layer >= 0 || (a->scope < 0 && t->by != KINETO_BY_OPERATORS))
        return true;
    if (a->scope >= 0)
        a->layer = layer_named(t, kineto_name(t, &t->events[a->scope]), t->events[a->scope].call);
    else if (e->kind == EVENT_OPERATOR)
        a->layer = layer_named(t, strncmp(name, "aten::", 6) ? name : name + 6, call_of(s, e));
    else
        return true;
    return a->layer >= 0;
}

static bool enter(struct sweep *s, int32_t i)
{
    struct kineto_trace *t = s->t;
    struct kineto_event *e = &t->events[i];
    struct around a = { .outermost = -1, .node = -1, .scope = -1, .layer = -1 };

    while (s->depth && s->stack[s->depth - 1].end_ns <= e->ts_ns)
        s->depth--;
    if (s->depth)
        a = s->stack[s->depth - 1];
    a.end_ns = e->ts_ns + e->dur_ns;
    e->step = step_of(t, e->ts_ns);
    if (e->kind == EVENT_MODULE || e->kind == EVENT_ANNOTATION) {
        enter_scope(s, i, &a);
        return push(s, &a);
    }
    if (e->kind == EVENT_NODE)
        a.node = i;
    e->node = a.node;
    e->region = (unsigned char)region_of(t, e, &a);
    e->outermost = a.outermost < 0 && e->kind != EVENT_LAUNCH;
    if (!give_layer(s, e, &a))
        return false;
    e->layer = e->region == REGION_FORWARD ? a.layer : -1;
    if (e->kind == EVENT_LAUNCH)
        return true;
    if (e->outermost)
        a.outermost = i;
    return push(s, &a);
}

/* How many samples a step has: as the first operator says that reads any. */
static void find_samples(struct kineto_trace *t)
{
    for (size_t i = 0; i < t->norder && !t->samples; i++) {
        const struct kineto_event *e = &t->events[t->order[i]];

        if (e->samples && e->region == REGION_FORWARD) {
            t->samples = e->samples;
            t->samples_of = kineto_name(t, e);
        }
    }
}

int kineto_sweep(struct kineto_trace *t)
{
    struct sweep s = { .t = t, .calls = calloc(t->names.n + 1, sizeof(*s.calls)) };
    int rc = s.calls ? NW_OK : NW_ENOMEM;

    if (t->by == KINETO_BY_ANY)
        t->by = choose_by(t);
    find_last_nodes(t);
    for (size_t i = 0; i < t->norder && !rc; i++) {
        if (i && t->events[t->order[i]].thread != t->events[t->order[i - 1]].thread)
            s.depth = 0;
        rc = enter(&s, t->order[i]) ? NW_OK : NW_ENOMEM;
    }
    find_samples(t);
    free(s.stack);
    free(s.calls);
    return rc;
}
