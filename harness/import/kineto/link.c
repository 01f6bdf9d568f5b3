/* link.c - which layer each node of the backward pass belongs to. */
#include <stdlib.h>
#include <string.h>

#include "harness/import/kineto/trace.h"
#include "harness/status.h"

/* An operator of the forward pass by the number that the node it made has, or one end of a flow by its id. */
struct entry {
    int64_t key, ts_ns;
    int32_t event;
};

static int by_key(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->ts_ns != b->ts_ns)
        return a->ts_ns < b->ts_ns ? -1 : 1;
    return (a->event > b->event) - (a->event < b->event);
}

/* The last entry of this key that is before this time, or NULL. */
static const struct entry *last_before(const struct entry *list, size_t n, int64_t key, int64_t ts_ns)
{
    size_t low = 0, high = n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (list[middle].key < key || (list[middle].key == key && list[middle].ts_ns < ts_ns))
            low = middle + 1;
        else
            high = middle;
    }
    return low && list[low - 1].key == key ? &list[low - 1] : NULL;
}

static void add(struct entry *list, size_t *n, int64_t key, const struct kineto_trace *t, size_t event)
{
    if (key >= 0)
        list[(*n)++] = (struct entry){ key, t->events[event].ts_ns, (int32_t)event };
}

/* At the end of a flow: the node that is around what begins there. -1: none. */
static int32_t node_at(const struct kineto_trace *t, const struct kineto_event *end)
{
    for (size_t i = kineto_at(t, end->thread, end->ts_ns); i < t->norder; i++) {
        const struct kineto_event *e = &t->events[t->order[i]];

        if (e->thread != end->thread || e->ts_ns != end->ts_ns)
            return -1;
        if (e->node >= 0)
            return e->node;
    }
    return -1;
}

/* At its beginning: the layer of the operator that begins there. -1: none. */
static int32_t layer_at(const struct kineto_trace *t, const struct kineto_event *begin)
{
    for (size_t i = kineto_at(t, begin->thread, begin->ts_ns); i < t->norder; i++) {
        const struct kineto_event *e = &t->events[t->order[i]];

        if (e->thread != begin->thread || e->ts_ns != begin->ts_ns)
            return -1;
        if (e->layer >= 0)
            return e->layer;
    }
    return -1;
}

static void follow_flows(struct kineto_trace *t, struct entry *list)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++)
        if (t->events[i].kind == EVENT_FLOW_BEGIN)
            add(list, &n, t->events[i].external, t, i);
    qsort(list, n, sizeof(*list), by_key);
    for (size_t i = 0; i < t->n; i++) {
        const struct kineto_event *end = &t->events[i];
        const struct entry *begin =
            end->kind == EVENT_FLOW_END ? last_before(list, n, end->external, end->ts_ns) : NULL;
        int32_t node = begin ? node_at(t, end) : -1, layer = node < 0 ? -1 : layer_at(t, &t->events[begin->event]);

        if (layer >= 0 && t->events[node].layer < 0)
            t->events[node].layer = layer;
    }
}

/* A node has the number of the operator that made it: the last one before it with this number. */
static void follow_sequence(struct kineto_trace *t, struct entry *list)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++)
        if (t->events[i].kind == EVENT_OPERATOR && t->events[i].region == REGION_FORWARD)
            add(list, &n, t->events[i].sequence, t, i);
    qsort(list, n, sizeof(*list), by_key);
    for (size_t i = 0; i < t->n; i++) {
        struct kineto_event *node = &t->events[i];

        if (node->kind != EVENT_NODE || node->layer >= 0 || node->sequence < 0)
            continue;
        const struct entry *made = last_before(list, n, node->sequence, node->ts_ns);
        node->layer = made ? t->events[made->event].layer : -1;
    }
}

/* A parameter's gradient is accumulated right behind the node that made it. */
static void follow_neighbours(struct kineto_trace *t)
{
    const struct kineto_event *before = NULL;

    for (size_t i = 0; i < t->norder; i++) {
        struct kineto_event *e = &t->events[t->order[i]];

        if (e->kind != EVENT_NODE)
            continue;
        if (e->layer < 0 && before && before->thread == e->thread && before->step == e->step &&
            strstr(kineto_name(t, e), "AccumulateGrad"))
            e->layer = before->layer;
        before = e;
    }
}

int kineto_link(struct kineto_trace *t)
{
    struct entry *list = malloc((t->n + 1) * sizeof(*list));

    if (!list)
        return NW_ENOMEM;
    follow_flows(t, list);
    follow_sequence(t, list);
    follow_neighbours(t);
    free(list);
    return NW_OK;
}
