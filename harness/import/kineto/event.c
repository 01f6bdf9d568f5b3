/* event.c - an event of the trace, from its JSON. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/count.h"
#include "harness/import/kineto/trace.h"
#include "harness/status.h"

static bool starts(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

static const char *text_of(const json_t *o, const char *key)
{
    const char *text = json_string_value(json_object_get(o, key));

    return text ? text : "";
}

/* Whole numbers up to 2^53; -1 for anything else, as for the largest unsigned one, which means none. */
static int64_t id_of(const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    double d = json_is_number(v) ? json_number_value(v) : -1;

    return d >= 0 && d <= 0x1p53 ? (int64_t)d : -1;
}

static int64_t external_of(const json_t *args)
{
    int64_t id = id_of(args, "External id");

    return id < 0 ? id_of(args, "external id") : id;
}

static bool is_layer_mark(const char *name)
{
    return starts(name, "ProfilerStep#") || starts(name, "Optimizer.");
}

/* -1: nothing of interest. Traces before PyTorch 1.12 have the names with capitals. */
static int kind_of(const char *cat, const char *name)
{
    static const struct {
        const char *cat;
        enum event_kind kind;
    } kinds[] = {
        { "cpu_op", EVENT_OPERATOR },
        { "Operator", EVENT_OPERATOR },
        { "user_annotation", EVENT_ANNOTATION },
        { "cuda_runtime", EVENT_LAUNCH },
        { "cuda_driver", EVENT_LAUNCH },
        { "Runtime", EVENT_LAUNCH },
        { "hip_runtime", EVENT_LAUNCH },
        { "privateuse1_runtime", EVENT_LAUNCH },
        { "xpu_runtime", EVENT_LAUNCH },
        { "kernel", EVENT_KERNEL },
        { "Kernel", EVENT_KERNEL },
        { "gpu_memcpy", EVENT_KERNEL },
        { "Memcpy", EVENT_KERNEL },
        { "gpu_memset", EVENT_KERNEL },
        { "Memset", EVENT_KERNEL },
    };

    if (!strcmp(cat, "python_function"))
        return starts(name, "nn.Module: ") ? (int)EVENT_MODULE : -1;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        if (strcmp(kinds[i].cat, cat) != 0)
            continue;
        if (kinds[i].kind != EVENT_OPERATOR)
            return (int)kinds[i].kind;
        if (starts(name, "autograd::engine::evaluate_function: "))
            return EVENT_NODE;
        return is_layer_mark(name) ? EVENT_ANNOTATION : EVENT_OPERATOR;
    }
    return -1;
}

static enum kernel_use use_of(const char *name)
{
    if (strstr(name, "nccl") || strstr(name, "rccl"))
        return KERNEL_COMMUNICATES;
    return strstr(name, "HtoD") || strstr(name, "DtoH") ? KERNEL_COPIES : KERNEL_COMPUTES;
}

/* The first dimension of the input of what reads samples: a convolution, a product with a matrix, a table of words. */
static int32_t samples_of(const char *name, const json_t *args)
{
    bool table = !strcmp(name, "aten::embedding");
    const json_t *dims = json_object_get(args, "Input Dims"), *first;

    if (!table && !starts(name, "aten::conv") && strcmp(name, "aten::linear") != 0)
        return 0;
    if (!dims)
        dims = json_object_get(args, "Input dims");
    first = json_array_get(json_array_get(dims, table), 0);
    return json_is_number(first) && json_number_value(first) >= 1 && json_number_value(first) <= 1 << 24
               ? (int32_t)json_number_value(first)
               : 0;
}

static int32_t thread_of(struct kineto_trace *t, const json_t *o)
{
    const json_t *ids[] = { json_object_get(o, "pid"), json_object_get(o, "tid") };
    char text[256] = "";

    for (size_t i = 0; i < COUNT(ids); i++) {
        size_t n = strlen(text);

        if (json_is_string(ids[i]))
            snprintf(text + n, sizeof(text) - n, "%.100s/", json_string_value(ids[i]));
        else
            snprintf(text + n, sizeof(text) - n, "%.0f/", json_number_value(ids[i]));
    }
    return intern_text(&t->threads, text);
}

static struct kineto_event *push(struct kineto_trace *t)
{
    if (t->n == t->capacity) {
        size_t capacity = t->capacity ? 2 * t->capacity : 1024;
        struct kineto_event *grown = capacity <= INT32_MAX ? realloc(t->events, capacity * sizeof(*grown)) : NULL;

        if (!grown)
            return NULL;
        t->events = grown;
        t->capacity = capacity;
    }
    return memset(&t->events[t->n++], 0, sizeof(t->events[0]));
}

/* Of events that have a time: from the first one on, so that nanoseconds of years fit. */
static bool time_of(struct kineto_trace *t, const json_t *o, struct kineto_event *e)
{
    const json_t *ts = json_object_get(o, "ts"), *dur = json_object_get(o, "dur");
    double at = json_number_value(ts), lasts = json_number_value(dur);

    if (!json_is_number(ts) || !isfinite(at) || (dur && !json_is_number(dur)) || !(lasts >= 0) || lasts > 1e12)
        return false;
    if (t->n == 1)
        t->first_us = at;
    if (fabs(at - t->first_us) > 1e12) /* eleven days */
        return false;
    e->ts_ns = llrint(1e3 * (at - t->first_us));
    e->dur_ns = llrint(1e3 * lasts);
    return true;
}

static int refuse(const char *name, const struct event_text *e, const char *why, FILE *err)
{
    fprintf(err, "%s: event %lld (byte %lld): %s\n", name, (long long)e->number, (long long)e->offset, why);
    return NW_EINPUT;
}

static int add(struct kineto_trace *t, const json_t *o, enum event_kind kind, const struct event_text *at,
               const char *file, FILE *err)
{
    const json_t *args = json_object_get(o, "args");
    const char *name = text_of(o, "name");
    bool flow = kind == EVENT_FLOW_BEGIN || kind == EVENT_FLOW_END;
    struct kineto_event *e = push(t);

    if (!e)
        return NW_ENOMEM;
    e->kind = (unsigned char)kind;
    e->external = flow ? id_of(o, "id") : external_of(args);
    e->correlation = id_of(args, "correlation");
    e->sequence = id_of(args, "Sequence number");
    e->step = e->layer = e->node = e->name = -1;
    e->samples = kind == EVENT_OPERATOR ? samples_of(name, args) : 0;
    e->use = (unsigned char)(kind == EVENT_KERNEL ? use_of(name) : KERNEL_COMPUTES);
    e->thread = thread_of(t, o);
    if (kind == EVENT_MODULE || kind == EVENT_ANNOTATION || kind == EVENT_OPERATOR || kind == EVENT_NODE)
        e->name = intern_text(&t->names, kind == EVENT_MODULE ? name + strlen("nn.Module: ") : name);
    if (e->thread < 0)
        return NW_ENOMEM;
    return time_of(t, o, e)
               ? NW_OK
               : refuse(file, at, "expected numbers 'ts' and 'dur', microseconds of at most eleven days", err);
}

/* Most events of a trace with stacks are calls of Python functions: known from their text, which is much faster. */
static bool is_plain_function(const struct event_text *e)
{
    static const char cat[] = "\"python_function\"", module[] = "nn.Module: ";

    return memmem(e->text, e->size < 256 ? e->size : 256, cat, sizeof(cat) - 1) &&
           !memmem(e->text, e->size, module, sizeof(module) - 1);
}

int kineto_read_event(struct kineto_trace *t, const char *name, const struct event_text *e, FILE *err)
{
    json_error_t error;
    json_t *o;
    const char *ph, *cat;
    int rc = NW_OK, kind;

    if (is_plain_function(e))
        return NW_OK;
    o = json_loadb(e->text, e->size, JSON_DECODE_INT_AS_REAL, &error);
    if (!o)
        return refuse(name, e, error.text, err);
    ph = text_of(o, "ph");
    cat = text_of(o, "cat");
    kind = !strcmp(ph, "X") ? kind_of(cat, text_of(o, "name")) : -1;
    if (!strcmp(cat, "fwdbwd") || !strcmp(cat, "forward_backward"))
        kind = !strcmp(ph, "s") ? EVENT_FLOW_BEGIN : !strcmp(ph, "f") ? EVENT_FLOW_END : -1;
    if (kind >= 0)
        rc = add(t, o, (enum event_kind)kind, e, name, err);
    json_decref(o);
    return rc;
}
