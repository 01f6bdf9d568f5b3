#include "sim/method/flows/flows_order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/refuse.h"
#include "model/status.h"

int flow_order_new(struct flow_order *o, const struct flows *f)
{
    size_t edges = 0;

    *o = (struct flow_order){ 0 };
    for (size_t i = 0; i < f->n; i++)
        edges += f->list[i].nafter;
    if (!edges)
        return E_OK;
    o->first = calloc(f->n + 2, sizeof(*o->first));
    o->next = malloc(edges * sizeof(*o->next));
    o->waiting = malloc(f->n * sizeof(*o->waiting));
    if (!o->first || !o->next || !o->waiting) {
        flow_order_free(o);
        return E_NOMEM;
    }
    /* Counted two places up, so that filling one place up leaves each beginning where it belongs. */
    for (size_t i = 0; i < f->n; i++)
        for (size_t k = 0; k < f->list[i].nafter; k++)
            o->first[f->list[i].after[k] + 2]++;
    for (size_t i = 0; i < f->n; i++)
        o->first[i + 2] += o->first[i + 1];
    for (size_t i = 0; i < f->n; i++) {
        o->waiting[i] = f->list[i].nafter;
        for (size_t k = 0; k < f->list[i].nafter; k++)
            o->next[o->first[f->list[i].after[k] + 1]++] = (uint32_t)i;
    }
    return E_OK;
}

void flow_order_free(struct flow_order *o)
{
    free(o->first);
    free(o->next);
    free(o->waiting);
    *o = (struct flow_order){ 0 };
}

/* Takes away what waits for nothing, again and again; returns a flow that is left, or n. */
static size_t left_over(struct flow_order *o, uint32_t *ready, size_t n)
{
    size_t nready = 0, done = 0;

    for (size_t i = 0; i < n; i++)
        if (!o->waiting[i])
            ready[nready++] = (uint32_t)i;
    for (; done < nready; done++)
        for (size_t k = o->first[ready[done]]; k < o->first[ready[done] + 1]; k++)
            if (!--o->waiting[o->next[k]])
                ready[nready++] = o->next[k];
    for (size_t i = 0; i < n; i++)
        if (o->waiting[i])
            return i;
    return n;
}

/* Each flow that is left waits for another one that is: going back, the first that is seen again is in a circle. */
static size_t in_circle(const struct flows *f, const struct flow_order *o, uint32_t *seen, size_t at)
{
    memset(seen, 0, f->n * sizeof(*seen));
    while (!seen[at]) {
        size_t k = 0;
        while (!o->waiting[f->list[at].after[k]])
            k++;
        seen[at] = 1;
        at = f->list[at].after[k];
    }
    return at;
}

int flow_order_check(const struct flows *f, char *why, size_t nwhy)
{
    struct flow_order o;
    uint32_t *ready;
    size_t left = f->n;
    int rc = E_OK;

    for (size_t i = 0; i < f->n; i++)
        for (size_t k = 0; k < f->list[i].nafter; k++)
            if (f->list[i].after[k] >= f->n)
                return refuse(why, nwhy,
                              "method.file: line %" PRId64 ": after: expected one of %zu flows, got %" PRIu32,
                              f->list[i].line, f->n, f->list[i].after[k]);
    rc = flow_order_new(&o, f);
    if (rc || !o.first)
        return rc;
    ready = malloc(f->n * sizeof(*ready));
    if (!ready)
        rc = E_NOMEM;
    else
        left = left_over(&o, ready, f->n);
    if (left < f->n) {
        left = in_circle(f, &o, ready, left);
        rc = refuse(why, nwhy,
                    "method.file: line %" PRId64 ": after: expected flows that end before it starts, got ones that "
                    "wait for flow %" PRId64 " itself",
                    f->list[left].line, f->list[left].id);
    }
    free(ready);
    flow_order_free(&o);
    return rc;
}

int flow_times_new(struct flow_times *t, size_t n)
{
    t->ready_ps = malloc(n * sizeof(*t->ready_ps));
    t->end_ps = malloc(n * sizeof(*t->end_ps));
    t->cause = malloc(n * sizeof(*t->cause));
    for (size_t i = 0; t->cause && i < n; i++)
        t->cause[i] = FLOW_NO_CAUSE;
    if (t->ready_ps && t->end_ps && t->cause)
        return E_OK;
    flow_times_free(t);
    return E_NOMEM;
}

void flow_times_free(struct flow_times *t)
{
    free(t->ready_ps);
    free(t->end_ps);
    free(t->cause);
    *t = (struct flow_times){ 0 };
}
