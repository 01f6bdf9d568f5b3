/* chakra.c - from nodes in order to flows. */
#include "harness/import/chakra/chakra.h"

#include <inttypes.h>
#include <stdlib.h>

#include "harness/import/chakra/nodes.h"
#include "harness/status.h"
#include "model/vec.h"

struct chakra *chakra_new(FILE *err)
{
    struct chakra *c = calloc(1, sizeof(*c));

    if (c)
        c->err = err;
    return c;
}

void chakra_set_rate(struct chakra *c, double flops_per_s)
{
    c->flops_per_s = flops_per_s;
}

void chakra_free(struct chakra *c)
{
    if (!c)
        return;
    free(c->nodes);
    free(c->deps);
    free(c->ranks);
    free(c->members);
    free(c->groups);
    free(c->order);
    free(c->flows);
    free(c->after);
    free(c);
}

static struct end end_of(const struct chakra *c, int64_t rank)
{
    return c->gpus ? (struct end){ rank / c->gpus, rank % c->gpus } : (struct end){ rank, END_HOST };
}

int chakra_add(struct chakra *c, int64_t from, int64_t to, int64_t bytes, int64_t delay_ps, const uint32_t *after,
               size_t n)
{
    if (c->nflows == CHAKRA_MOST_FLOWS) {
        fprintf(c->err, "%s: expected traces that are at most %d flows, got more\n", c->ranks[0].file,
                CHAKRA_MOST_FLOWS);
        return NW_EINPUT;
    }
    if (!VEC_RESERVE(c->flows, c->flows_capacity, c->nflows))
        return NW_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        if (!VEC_RESERVE(c->after, c->after_capacity, c->nafter))
            return NW_ENOMEM;
        c->after[c->nafter++] = after[i];
    }
    c->flows[c->nflows] = (struct flow_spec){ .id = (int64_t)c->nflows,
                                              .src = end_of(c, from),
                                              .dst = end_of(c, to),
                                              .bytes = bytes,
                                              .delay_ps = delay_ps,
                                              .line = (int64_t)c->nflows + 2,
                                              .nafter = n };
    c->nflows++;
    return NW_OK;
}

struct making {
    struct chakra *c;
    const size_t *first_dep; /* of each node */
    uint32_t *last_on[2];    /* of each rank, on its GPU and its CPU: 1 + the last computation; 0: none */
    uint32_t *after;         /* scratch, for one node's dependencies */
    uint32_t *begun, *done;  /* scratch, for one collective */
};

/* What a node waits for, but for what it excludes. */
static size_t deps_of(const struct making *m, uint32_t node)
{
    const struct chakra *c = m->c;
    size_t n = c->nodes[node].ndeps;

    for (size_t k = 0; k < n; k++)
        m->after[k] = c->nodes[c->deps[m->first_dep[node] + k]].done;
    return n;
}

static int add_collective(struct making *m, const struct chakra_group *g)
{
    struct chakra *c = m->c;
    const uint32_t *members = c->members + g->first;
    int rc = NW_OK;

    for (size_t i = 0; !rc && i < g->n; i++) {
        int64_t rank = c->nodes[members[i]].rank;
        size_t n = deps_of(m, members[i]);
        m->begun[i] = (uint32_t)c->nflows;
        rc = chakra_add(c, rank, rank, 0, 0, m->after, n);
    }
    rc = rc ? rc : chakra_collective(c, g, m->begun, m->done);
    for (size_t i = 0; !rc && i < g->n; i++)
        c->nodes[members[i]].done = m->done[i];
    return rc;
}

/* A send is a flow to the receiver, all else a flow from its rank to itself. */
static int add_node(struct making *m, uint32_t node)
{
    struct chakra *c = m->c;
    struct chakra_node *n = &c->nodes[node];
    uint32_t *last = &m->last_on[n->on_cpu][n->rank];
    size_t nafter;

    if (n->type == CHAKRA_COLL)
        return add_collective(m, &c->groups[n->other]);
    nafter = deps_of(m, node);
    if (n->type == CHAKRA_RECV)
        m->after[nafter++] = c->nodes[n->other].done;
    if (n->type == CHAKRA_COMP && *last)
        m->after[nafter++] = *last - 1;
    n->done = (uint32_t)c->nflows;
    if (n->type == CHAKRA_COMP)
        *last = n->done + 1;
    if (n->type == CHAKRA_SEND)
        return chakra_add(c, n->src, n->dst, n->bytes, 0, m->after, nafter);
    return chakra_add(c, n->rank, n->rank, 0, n->type == CHAKRA_RECV ? 0 : n->duration_ps, m->after, nafter);
}

static int make(struct making *m, size_t *first_dep)
{
    struct chakra *c = m->c;
    size_t most = 0, dep = 0;
    int rc = NW_ENOMEM;

    for (size_t i = 0; i < c->nnodes; dep += c->nodes[i++].ndeps) {
        first_dep[i] = dep;
        most = c->nodes[i].ndeps > most ? c->nodes[i].ndeps : most;
    }
    m->after = malloc((most + 2) * sizeof(*m->after));
    m->last_on[0] = calloc(c->nranks, sizeof(uint32_t));
    m->last_on[1] = calloc(c->nranks, sizeof(uint32_t));
    m->begun = malloc(c->nranks * sizeof(uint32_t));
    m->done = malloc(c->nranks * sizeof(uint32_t));
    if (m->after && m->last_on[0] && m->last_on[1] && m->begun && m->done)
        rc = NW_OK;
    for (size_t i = 0; !rc && i < c->norder; i++)
        rc = add_node(m, c->order[i]);
    free(m->after);
    free(m->last_on[0]);
    free(m->last_on[1]);
    free(m->begun);
    free(m->done);
    return rc;
}

int chakra_lower(struct chakra *c, int gpus, const struct flow_spec **list, size_t *n)
{
    size_t *first_dep = malloc((c->nnodes + 1) * sizeof(*first_dep)), at = 0;
    struct making m = { .c = c, .first_dep = first_dep };
    int rc = first_dep ? chakra_match(c) : NW_ENOMEM;

    c->gpus = gpus;
    rc = rc ? rc : chakra_sort(c);
    rc = rc ? rc : make(&m, first_dep);
    free(first_dep);
    if (rc)
        return rc;
    for (size_t i = 0; i < c->nflows; at += c->flows[i++].nafter)
        c->flows[i].after = c->flows[i].nafter ? c->after + at : NULL;
    *list = c->flows;
    *n = c->nflows;
    return NW_OK;
}

void chakra_report(const struct chakra *c, FILE *out)
{
    static const char *const names[CHAKRA_TYPES] = { "",         "metadata",       "loads",
                                                     "stores",   "computations",   "sends",
                                                     "receives", "in collectives", "storage operations",
                                                     "batches",  "checkpoints" };

    fprintf(out, "%zu ranks, %zu nodes as %zu flows:", c->nranks, c->nnodes, c->nflows);
    for (int i = 1; i < CHAKRA_TYPES; i++)
        if (c->counts[i])
            fprintf(out, " %zu %s,", c->counts[i], names[i]);
    fprintf(out, " %zu collectives\n", c->ngroups);
    if (c->unknown)
        fprintf(out, "%zu nodes of types above %d: each only lasts as long as it says\n", c->unknown, CHAKRA_TYPES - 1);
    if (c->without_duration)
        fprintf(out, "%zu computations say no duration: they take no time\n", c->without_duration);
}
