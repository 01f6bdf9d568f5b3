/* sort.c - events in the order of time on their threads, and the steps. */
#include <stdlib.h>
#include <string.h>

#include "harness/import/kineto/trace.h"
#include "harness/status.h"

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Of those that begin together, what lasts longer is around the other. */
static int by_time(const void *left, const void *right, void *context)
{
    const struct kineto_event *events = context;
    const int32_t i = *(const int32_t *)left, j = *(const int32_t *)right;
    const struct kineto_event *a = &events[i], *b = &events[j];
    int c = compare(a->thread, b->thread);

    c = c ? c : compare(a->ts_ns, b->ts_ns);
    c = c ? c : compare(b->dur_ns, a->dur_ns);
    c = c ? c : compare(a->kind, b->kind);
    return c ? c : compare(i, j);
}

static int by_begin(const void *left, const void *right)
{
    const struct kineto_step *a = left, *b = right;
    int c = compare(a->begin_ns, b->begin_ns);

    return c ? c : compare(a->end_ns, b->end_ns);
}

static bool is_step(const struct kineto_trace *t, const struct kineto_event *e)
{
    static const char mark[] = "ProfilerStep#";

    return e->kind == EVENT_ANNOTATION && !strncmp(kineto_name(t, e), mark, sizeof(mark) - 1);
}

static int find_steps(struct kineto_trace *t)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++)
        n += is_step(t, &t->events[i]);
    t->steps = calloc(n + 1, sizeof(*t->steps));
    if (!t->steps)
        return NW_ENOMEM;
    t->marked = n > 0;
    if (!n)
        t->steps[t->nsteps++] = (struct kineto_step){ INT64_MIN, INT64_MAX, INT64_MAX, -1 };
    for (size_t i = 0; i < t->n && n; i++) {
        const struct kineto_event *e = &t->events[i];

        if (is_step(t, e))
            t->steps[t->nsteps++] = (struct kineto_step){ e->ts_ns, e->ts_ns + e->dur_ns, INT64_MAX, e->thread };
    }
    qsort(t->steps, t->nsteps, sizeof(*t->steps), by_begin);
    return NW_OK;
}

int kineto_sort(struct kineto_trace *t)
{
    t->order = malloc((t->n + 1) * sizeof(*t->order));
    if (!t->order)
        return NW_ENOMEM;
    for (size_t i = 0; i < t->n; i++) {
        t->gpu |= t->events[i].kind == EVENT_KERNEL;
        if (t->events[i].kind <= EVENT_LAUNCH)
            t->order[t->norder++] = (int32_t)i;
    }
    qsort_r(t->order, t->norder, sizeof(*t->order), by_time, t->events);
    return find_steps(t);
}

size_t kineto_at(const struct kineto_trace *t, int32_t thread, int64_t ts_ns)
{
    size_t low = 0, high = t->norder;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct kineto_event *e = &t->events[t->order[middle]];

        if (e->thread < thread || (e->thread == thread && e->ts_ns < ts_ns))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == t->norder)
        return low;
    const struct kineto_event *e = &t->events[t->order[low]];
    return e->thread == thread && e->ts_ns == ts_ns ? low : t->norder;
}

void kineto_trace_free(struct kineto_trace *t)
{
    free(t->events);
    free(t->order);
    free(t->steps);
    intern_free(&t->names);
    intern_free(&t->threads);
    intern_free(&t->layers);
}
