/* axis.c - cuts one axis of a model, from the joined tensor backwards. */
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/numbers.h"
#include "model/refuse.h"
#include "model/split/private.h"
#include "model/status.h"

/* The cuts of every tensor, [tensor * n + part]. */
struct cuts {
    int64_t *starts;
    int64_t *low, *high; /* the bounds that all readers of the tensor allow */
};

enum misfit_kind { MISFIT_NONE, MISFIT_EMPTY, MISFIT_APART };

/* Why an axis cannot be cut. */
struct misfit {
    enum misfit_kind kind;
    size_t tensor;
    int64_t part;
    size_t reader;                 /* APART: this layer allows low..high, */
    int64_t low, high;             /* ... */
    int64_t other_low, other_high; /* ... and those behind it that read the tensor these */
};

int64_t axis_length(const struct model *m, size_t tensor, enum plane_axis axis)
{
    const struct shape *s = tensor ? &m->layers[tensor - 1].out : &m->input;

    return axis == AXIS_HEIGHT ? s->height : s->width;
}

static struct window second_window(const struct layer *l)
{
    return (struct window){ 1, l->stride > 1 ? l->stride : 1, 0, 0 };
}

static bool cuts_new(struct cuts *c, size_t ntensors, int64_t n)
{
    size_t bytes = (size_t)n * sizeof(int64_t);

    c->starts = calloc(ntensors, bytes);
    c->low = calloc(ntensors, bytes);
    c->high = calloc(ntensors, bytes);
    if (!c->starts || !c->low || !c->high)
        return false;
    for (size_t i = 0; i < ntensors * (size_t)n; i++)
        c->low[i] = INT64_MIN, c->high[i] = INT64_MAX;
    return true;
}

static void cuts_free(struct cuts *c)
{
    free(c->starts);
    free(c->low);
    free(c->high);
}

/* Layer 'reader', whose output is cut, reads 'tensor' through window w: it wants the middles of its bounds. */
static void impose(const struct cuts *c, int64_t n, size_t reader, size_t tensor, const struct window *w,
                   struct misfit *misfit)
{
    const int64_t *out = c->starts + (reader + 1) * (size_t)n;

    for (int64_t i = 1; i < n && !misfit->kind; i++) {
        size_t at = tensor * (size_t)n + (size_t)i;
        int64_t low, high, other_low = c->low[at], other_high = c->high[at];
        split_bounds(w, out[i], &low, &high);
        c->starts[at] = split_middle(low, high);
        c->low[at] = max64(low, other_low);
        c->high[at] = min64(high, other_high);
        if (c->low[at] > c->high[at])
            *misfit = (struct misfit){ MISFIT_APART, tensor, i, reader, low, high, other_low, other_high };
    }
}

/* All readers of 'tensor' have set bounds, the first reader last: cut where that one wants, as near as the others
 * allow. */
static void settle(const struct axis_task *task, const struct cuts *c, int64_t n, size_t tensor, struct misfit *misfit)
{
    int64_t *starts = c->starts + tensor * (size_t)n, length = axis_length(task->model, tensor, task->axis);

    starts[0] = 0;
    for (int64_t i = 1; i < n && !misfit->kind; i++) {
        size_t at = tensor * (size_t)n + (size_t)i;
        starts[i] = min64(max64(starts[i], c->low[at]), c->high[at]);
        if (starts[i] <= starts[i - 1] || starts[i] >= length)
            *misfit =
                (struct misfit){ .kind = MISFIT_EMPTY, .tensor = tensor, .part = starts[i] >= length ? i : i - 1 };
    }
}

/* Cut every tensor into n. The joined one has at least n positions. */
static void walk(const struct axis_task *task, const struct cuts *c, int64_t n, struct misfit *misfit)
{
    const struct model *m = task->model;
    size_t joined = task->nlayers;
    int rc = split_stochastic(axis_length(m, joined, task->axis), n, task->wiggle, task->seed,
                              c->starts + joined * (size_t)n);

    assert(!rc);
    (void)rc;
    *misfit = (struct misfit){ .kind = MISFIT_NONE };
    for (size_t l = joined; l-- > 0 && !misfit->kind;) {
        const struct layer *layer = &m->layers[l];
        struct window w = { 0 }, second = second_window(layer);
        bool known = split_window(layer, task->axis, &w);
        assert(known);
        (void)known;
        settle(task, c, n, l + 1, misfit);
        if (layer->kind == LAYER_ADD)
            impose(c, n, l, tensor_of(layer->second), &second, misfit);
        impose(c, n, l, tensor_of(layer->input), &w, misfit);
    }
    settle(task, c, n, 0, misfit);
}

/* Do n parts work? E_OK (and the cuts, if asked for), E_INVAL (and why), E_NOMEM. */
static int try_parts(const struct axis_task *task, int64_t n, struct cuts *out, struct misfit *misfit)
{
    struct cuts c = { 0 };
    int rc = E_NOMEM;

    *misfit = (struct misfit){ .kind = MISFIT_EMPTY, .tensor = task->nlayers };
    if (n > axis_length(task->model, task->nlayers, task->axis))
        return E_INVAL;
    if (cuts_new(&c, task->nlayers + 1, n)) {
        walk(task, &c, n, misfit);
        rc = misfit->kind ? E_INVAL : E_OK;
    }
    if (rc || !out)
        cuts_free(&c);
    else
        *out = c;
    return rc;
}

/* A number of parts below 'n' that works where one more does not; one part always works. */
static int64_t parts_that_work(const struct axis_task *task, int64_t n)
{
    int64_t works = 1, fails = n;
    struct misfit misfit;

    while (fails - works > 1) {
        int64_t middle = works + (fails - works) / 2;
        if (try_parts(task, middle, NULL, &misfit))
            fails = middle;
        else
            works = middle;
    }
    return works;
}

static void tensor_text(const struct axis_task *task, size_t tensor, char *text, size_t size)
{
    const char *noun = task->axis == AXIS_HEIGHT ? "rows" : "columns";
    long long length = axis_length(task->model, tensor, task->axis);

    if (tensor)
        snprintf(text, size, "the %lld %s that layer %s puts out", length, noun, task->model->layers[tensor - 1].name);
    else
        snprintf(text, size, "the %lld %s of the network's input", length, noun);
}

/* The next layer behind 'reader' that reads the same tensor. */
static size_t other_reader(const struct axis_task *task, const struct misfit *misfit)
{
    const struct model *m = task->model;
    size_t l = misfit->reader + 1;

    while (l < task->nlayers && tensor_of(m->layers[l].input) != misfit->tensor &&
           !(m->layers[l].kind == LAYER_ADD && tensor_of(m->layers[l].second) == misfit->tensor))
        l++;
    return l < task->nlayers ? l : misfit->reader; /* a sum of a tensor and itself, strided */
}

static int explain(const struct axis_task *task, const struct misfit *misfit, char *why, size_t nwhy)
{
    const char *key = task->axis == AXIS_HEIGHT ? "rows" : "columns";
    char tensor[160];

    tensor_text(task, misfit->tensor, tensor, sizeof(tensor));
    if (misfit->kind == MISFIT_APART)
        return refuse(
            why, nwhy,
            "depth: the paths of a block do not meet: cut %lld of %s can be at %lld..%lld for layer %s and at "
            "%lld..%lld for layer %s",
            (long long)misfit->part, tensor, (long long)misfit->low, (long long)misfit->high,
            task->model->layers[misfit->reader].name, (long long)misfit->other_low, (long long)misfit->other_high,
            task->model->layers[other_reader(task, misfit)].name);
    if (task->n > axis_length(task->model, misfit->tensor, task->axis))
        return refuse(why, nwhy, "%s: %lld patches of %s: %lld would do", key, (long long)task->n, tensor,
                      (long long)parts_that_work(task, task->n));
    return refuse(why, nwhy, "%s: of %lld patches of %s, patch %lld would be empty: %lld would do", key,
                  (long long)task->n, tensor, (long long)misfit->part, (long long)parts_that_work(task, task->n));
}

/* The parts of layer l along the axis, through window w from 'tensor'. */
static void put_parts(const struct axis_task *task, const struct cuts *c, size_t l, size_t tensor,
                      const struct window *w, struct split_part *parts)
{
    size_t n = (size_t)task->n;

    for (size_t i = 0; i < n; i++)
        parts[l * n + i] =
            split_part(w, axis_length(task->model, tensor, task->axis), axis_length(task->model, l + 1, task->axis), n,
                       c->starts + (l + 1) * n, c->starts + tensor * n, i);
}

int axis_split(const struct axis_task *task, struct split_axis *out, char *why, size_t nwhy)
{
    const struct model *m = task->model;
    struct split_axis a = { .n = task->n };
    struct cuts c = { 0 };
    struct misfit misfit;
    int rc = try_parts(task, task->n, &c, &misfit);

    if (rc)
        return rc == E_INVAL ? explain(task, &misfit, why, nwhy) : rc;
    a.parts = calloc(task->nlayers, (size_t)a.n * sizeof(*a.parts));
    a.second = calloc(task->nlayers, (size_t)a.n * sizeof(*a.second));
    if (!a.parts || !a.second)
        rc = E_NOMEM;
    for (size_t l = 0; !rc && l < task->nlayers; l++) {
        const struct layer *layer = &m->layers[l];
        struct window w = { 0 }, second = second_window(layer);
        split_window(layer, task->axis, &w);
        put_parts(task, &c, l, tensor_of(layer->input), &w, a.parts);
        if (layer->kind == LAYER_ADD)
            put_parts(task, &c, l, tensor_of(layer->second), &second, a.second);
    }
    cuts_free(&c);
    if (rc)
        axis_free(&a);
    else
        *out = a;
    return rc;
}

void axis_free(struct split_axis *a)
{
    free(a->parts);
    free(a->second);
    memset(a, 0, sizeof(*a));
}
