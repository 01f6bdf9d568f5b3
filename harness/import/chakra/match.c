/* match.c - what belongs together across ranks: sends with receives, and the members of collectives. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/import/chakra/nodes.h"
#include "harness/status.h"

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_channel(const void *x, const void *y, void *context)
{
    const uint32_t i = *(const uint32_t *)x, k = *(const uint32_t *)y;
    const struct chakra_node *a = (const struct chakra_node *)context + i, *b = (const struct chakra_node *)context + k;
    int order = compare(a->src, b->src);

    order = order ? order : compare(a->dst, b->dst);
    order = order ? order : compare(a->tag, b->tag);
    return order ? order : compare(i, k);
}

static bool same_channel(const struct chakra_node *a, const struct chakra_node *b)
{
    return a->src == b->src && a->dst == b->dst && a->tag == b->tag;
}

static size_t of_type(const struct chakra *c, enum chakra_type type, uint32_t *list)
{
    size_t n = 0;

    for (size_t i = 0; i < c->nnodes; i++)
        if (c->nodes[i].type == (int32_t)type)
            list[n++] = (uint32_t)i;
    return n;
}

static int check_pair(const struct chakra *c, const struct chakra_node *send, const struct chakra_node *receive)
{
    const struct chakra_node *one = send ? send : receive;

    if (one->src >= (int64_t)c->nranks || one->dst >= (int64_t)c->nranks)
        return chakra_refuse(c, one, "expected ranks 0 to %zu, got a message from %" PRId64 " to %" PRId64,
                             c->nranks - 1, one->src, one->dst);
    if (!send || !receive || !same_channel(send, receive))
        return chakra_refuse(
            c, one, "expected a %s of the message from rank %" PRId64 " to %" PRId64 ", tag %" PRId64 ", got none",
            send ? "receive" : "send", one->src, one->dst, one->tag);
    if (send->bytes != receive->bytes)
        return chakra_refuse(c, receive,
                             "comm_size: expected the %" PRId64 " bytes of node %" PRIu64 " of %s, got %" PRId64,
                             send->bytes, send->id, c->ranks[send->rank].file, receive->bytes);
    return NW_OK;
}

/* Both sorted in the same way, each receive finds its send at its own place. */
static int match_messages(struct chakra *c, uint32_t *sends, uint32_t *receives)
{
    size_t nsends = of_type(c, CHAKRA_SEND, sends), nreceives = of_type(c, CHAKRA_RECV, receives);
    int rc = NW_OK;

    qsort_r(sends, nsends, sizeof(*sends), by_channel, c->nodes);
    qsort_r(receives, nreceives, sizeof(*receives), by_channel, c->nodes);
    for (size_t i = 0; !rc && (i < nsends || i < nreceives); i++) {
        const struct chakra_node *send = i < nsends ? &c->nodes[sends[i]] : NULL;
        struct chakra_node *receive = i < nreceives ? &c->nodes[receives[i]] : NULL;
        rc = check_pair(c, send, receive);
        if (!rc)
            receive->other = (int32_t)sends[i];
    }
    return rc;
}

/* Until they are collected, 'tag' is how many collectives of its group the rank had before. */
static int by_group(const void *x, const void *y, void *context)
{
    const uint32_t i = *(const uint32_t *)x, k = *(const uint32_t *)y;
    const struct chakra_node *a = (const struct chakra_node *)context + i, *b = (const struct chakra_node *)context + k;
    int order = strcmp(a->group, b->group);

    order = order ? order : compare(a->tag, b->tag);
    order = order ? order : compare(a->rank, b->rank);
    return order ? order : compare(i, k);
}

static bool same_collective(const struct chakra_node *a, const struct chakra_node *b)
{
    return a->tag == b->tag && !strcmp(a->group, b->group);
}

/* The first collective of a group has all its ranks, so each later one must have as many. */
static int check_group(const struct chakra *c, const struct chakra_group *g, size_t ranks)
{
    const struct chakra_node *first = &c->nodes[c->members[g->first]];

    ranks = *first->group ? ranks : c->nranks;
    if (g->n != ranks)
        return chakra_refuse(c, first, "expected collective %" PRId64 " of group '%s' on %zu ranks, got it on %zu",
                             first->tag, first->group, ranks, g->n);
    if (first->root >= (int64_t)g->n)
        return chakra_refuse(c, first, "root_rank: expected 0 to %zu, got %" PRId64, g->n - 1, first->root);
    for (size_t i = 1; i < g->n; i++) {
        const struct chakra_node *n = &c->nodes[c->members[g->first + i]];
        if (n->collective != first->collective || n->bytes != first->bytes || n->root != first->root)
            return chakra_refuse(c, n,
                                 "expected the collective of type %" PRId64 " with %" PRId64 " bytes that node %" PRIu64
                                 " of %s is, got one of type %" PRId64 " with %" PRId64 " bytes",
                                 first->collective, first->bytes, first->id, c->ranks[first->rank].file, n->collective,
                                 n->bytes);
    }
    return NW_OK;
}

static void number_collectives(struct chakra *c, uint32_t *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        c->nodes[list[i]].tag = 0;
    qsort_r(list, n, sizeof(*list), by_group, c->nodes); /* group by group, rank by rank */
    for (size_t i = 1; i < n; i++) {
        const struct chakra_node *before = &c->nodes[list[i - 1]];
        struct chakra_node *node = &c->nodes[list[i]];
        if (before->rank == node->rank && !strcmp(before->group, node->group))
            node->tag = before->tag + 1;
    }
    qsort_r(list, n, sizeof(*list), by_group, c->nodes);
}

static int match_collectives(struct chakra *c, uint32_t *list)
{
    size_t n = of_type(c, CHAKRA_COLL, list), ranks = 0;
    int rc = NW_OK;

    number_collectives(c, list, n);
    c->members = list;
    c->groups = malloc((n + 1) * sizeof(*c->groups));
    if (!c->groups)
        return NW_ENOMEM;
    for (size_t i = 0; !rc && i < n;) {
        struct chakra_group *g = &c->groups[c->ngroups++];
        *g = (struct chakra_group){ .first = i };
        for (; i < n && same_collective(&c->nodes[list[g->first]], &c->nodes[list[i]]); i++, g->n++)
            c->nodes[list[i]].other = (int32_t)(c->ngroups - 1);
        g->missing = g->n;
        if (!c->nodes[list[g->first]].tag)
            ranks = g->n;
        rc = check_group(c, g, ranks);
    }
    return rc;
}

int chakra_match(struct chakra *c)
{
    uint32_t *lists[3];
    int rc = NW_OK;

    for (int i = 0; i < 3; i++) {
        lists[i] = malloc((c->nnodes + 1) * sizeof(*lists[i]));
        rc = lists[i] ? rc : NW_ENOMEM;
    }
    rc = rc ? rc : match_messages(c, lists[0], lists[1]);
    if (!rc) {
        rc = match_collectives(c, lists[2]);
        lists[2] = NULL; /* the members */
    }
    for (int i = 0; i < 3; i++)
        free(lists[i]);
    return rc;
}
