/* sort.c - the nodes of all ranks in an order in which they can run: of those that can, the one with the earliest start
 * comes first, and without starts the one that could begin first if messages took no time. */
#include <inttypes.h>
#include <stdlib.h>

#include "harness/import/chakra/nodes.h"
#include "harness/status.h"

struct sorting {
    struct chakra *c;
    size_t *first; /* of each node: of those that wait for it in next[] */
    uint32_t *next;
    size_t *waiting;
    int64_t *ready_ps;
    uint32_t *heap;
    size_t nheap;
};

static bool before(const struct sorting *s, uint32_t a, uint32_t b)
{
    const struct chakra_node *x = &s->c->nodes[a], *y = &s->c->nodes[b];

    if (x->start_us != y->start_us)
        return x->start_us < y->start_us;
    if (s->ready_ps[a] != s->ready_ps[b])
        return s->ready_ps[a] < s->ready_ps[b];
    return a < b;
}

static void push(struct sorting *s, uint32_t node)
{
    size_t at = s->nheap++;

    for (; at && before(s, node, s->heap[(at - 1) / 2]); at = (at - 1) / 2)
        s->heap[at] = s->heap[(at - 1) / 2];
    s->heap[at] = node;
}

static uint32_t pop(struct sorting *s)
{
    uint32_t top = s->heap[0], last = s->heap[--s->nheap];
    size_t at = 0;

    for (size_t child; (child = 2 * at + 1) < s->nheap; at = child) {
        child += child + 1 < s->nheap && before(s, s->heap[child + 1], s->heap[child]);
        if (!before(s, s->heap[child], last))
            break;
        s->heap[at] = s->heap[child];
    }
    s->heap[at] = last;
    return top;
}

/* Walks all dependencies, a receive's on its send among them: counts them, or (fill) lists them. */
static void walk(struct sorting *s, bool fill)
{
    const struct chakra *c = s->c;
    size_t dep = 0;

    for (size_t i = 0; i < c->nnodes; i++) {
        const struct chakra_node *n = &c->nodes[i];
        size_t all = n->ndeps + (n->type == CHAKRA_RECV);
        for (size_t k = 0; k < all; k++) {
            size_t of = k < n->ndeps ? (size_t)c->deps[dep++] : (size_t)n->other;
            if (fill)
                s->next[s->first[of + 1]++] = (uint32_t)i;
            else
                s->first[of + 2]++;
        }
        s->waiting[i] = all;
    }
}

static void release(struct sorting *s, uint32_t node, int64_t end_ps)
{
    for (size_t k = s->first[node]; k < s->first[node + 1]; k++) {
        uint32_t next = s->next[k];
        s->ready_ps[next] = end_ps > s->ready_ps[next] ? end_ps : s->ready_ps[next];
        if (!--s->waiting[next])
            push(s, next);
    }
}

/* A collective ends for all its members when the last of them begins. */
static void run_collective(struct sorting *s, uint32_t node)
{
    struct chakra_group *g = &s->c->groups[s->c->nodes[node].other];
    const uint32_t *members = s->c->members + g->first;
    int64_t end_ps = 0;

    if (--g->missing)
        return;
    s->c->order[s->c->norder++] = node;
    for (size_t i = 0; i < g->n; i++)
        end_ps = s->ready_ps[members[i]] > end_ps ? s->ready_ps[members[i]] : end_ps;
    for (size_t i = 0; i < g->n; i++)
        release(s, members[i], end_ps);
}

static int run(struct sorting *s)
{
    struct chakra *c = s->c;
    size_t done = 0;
    int64_t end_ps;

    for (size_t i = 0; i < c->nnodes; i++)
        if (!s->waiting[i])
            push(s, (uint32_t)i);
    for (; s->nheap; done++) {
        uint32_t node = pop(s);
        if (c->nodes[node].type == CHAKRA_COLL) {
            run_collective(s, node);
            continue;
        }
        c->order[c->norder++] = node;
        if (__builtin_add_overflow(s->ready_ps[node], c->nodes[node].duration_ps, &end_ps))
            return chakra_refuse(c, &c->nodes[node], "expected an end within 2^63 ps, got a later one");
        release(s, node, end_ps);
    }
    for (size_t i = 0; i < c->nnodes && done < c->nnodes; i++)
        if (s->waiting[i])
            return chakra_refuse(c, &c->nodes[i], "expected dependencies without a circle, got one that it waits for");
    for (size_t i = 0; i < c->ngroups; i++)
        if (c->groups[i].missing)
            return chakra_refuse(c, &c->nodes[c->members[c->groups[i].first]],
                                 "expected a collective that all ranks come to, got one that waits for itself");
    return NW_OK;
}

int chakra_sort(struct chakra *c)
{
    struct sorting s = { .c = c };
    size_t n = c->nnodes + 1;
    int rc = NW_ENOMEM;

    s.first = calloc(n + 1, sizeof(*s.first));
    s.next = malloc((c->ndeps + n) * sizeof(*s.next));
    s.waiting = malloc(n * sizeof(*s.waiting));
    s.ready_ps = calloc(n, sizeof(*s.ready_ps));
    s.heap = malloc(n * sizeof(*s.heap));
    c->order = malloc(n * sizeof(*c->order));
    if (s.first && s.next && s.waiting && s.ready_ps && s.heap && c->order) {
        walk(&s, false);
        for (size_t i = 1; i <= n; i++)
            s.first[i] += s.first[i - 1];
        walk(&s, true);
        rc = run(&s);
    }
    free(s.first);
    free(s.next);
    free(s.waiting);
    free(s.ready_ps);
    free(s.heap);
    return rc;
}
