/* collective.c - the transfers of a collective. Members are counted from 0 within it. */
#include <stdlib.h>

#include "harness/import/chakra/nodes.h"
#include "harness/status.h"

struct lowering {
    struct chakra *c;
    const uint32_t *members;
    size_t n;
    int64_t bytes;
    const uint32_t *begun;
    uint32_t *done;
    uint32_t *last; /* scratch, n */
};

static int64_t rank_of(const struct lowering *l, size_t member)
{
    return l->c->nodes[l->members[member]].rank;
}

/* Bytes of the i-th of n parts. */
static int64_t part(const struct lowering *l, size_t i)
{
    return l->bytes / (int64_t)l->n + ((int64_t)i < l->bytes % (int64_t)l->n);
}

static int link(struct lowering *l, size_t from, size_t to, int64_t bytes, uint32_t a, uint32_t b, uint32_t *made)
{
    const uint32_t after[2] = { a, b };

    *made = (uint32_t)l->c->nflows;
    return chakra_add(l->c, rank_of(l, from), rank_of(l, to), bytes, 0, after, 1 + (a != b));
}

static int end(struct lowering *l, size_t member, const uint32_t *after, size_t n)
{
    l->done[member] = (uint32_t)l->c->nflows;
    return chakra_add(l->c, rank_of(l, member), rank_of(l, member), 0, 0, after, n);
}

/* In each step a member passes on what it got in the one before, when it has sent its own. */
static int ring(struct lowering *l, size_t steps, bool whole)
{
    size_t n = l->n;
    int rc = NW_OK;

    for (size_t i = 0; i < n; i++)
        l->done[i] = l->last[i] = l->begun[i];
    for (size_t s = 0; !rc && s < steps; s++) {
        uint32_t first = (uint32_t)l->c->nflows;
        for (size_t i = 0; !rc && i < n; i++) {
            uint32_t got = s ? l->last[(i + n - 1) % n] : l->begun[i];
            rc = link(l, i, (i + 1) % n, whole ? l->bytes : part(l, (i + n * steps - s) % n), got, l->done[i], &first);
            l->done[i] = first; /* its last send */
        }
        for (size_t i = 0; i < n; i++)
            l->last[i] = l->done[i];
    }
    for (size_t i = 0; i < n; i++)
        l->last[i] = l->done[i];
    for (size_t i = 0; !rc && i < n; i++)
        rc = end(l, i, (const uint32_t[]){ l->last[i], l->last[(i + n - 1) % n] }, 2);
    return rc;
}

/* From member to member in parts, beginning at 'start': last[] is what each got last. */
static int chain(struct lowering *l, size_t start)
{
    size_t n = l->n;
    int rc = NW_OK;

    for (size_t i = 0; i < n; i++)
        l->done[i] = l->last[i] = l->begun[i];
    for (size_t p = 0; !rc && p < n; p++)
        for (size_t hop = 0; !rc && hop + 1 < n; hop++) {
            size_t from = (start + hop) % n, to = (from + 1) % n;
            uint32_t got = hop ? l->last[from] : l->begun[from];
            rc = link(l, from, to, part(l, p), got, l->done[from], &l->done[from]);
            l->last[to] = l->done[from];
        }
    for (size_t i = 0; !rc && i < n; i++)
        rc = end(l, i, (const uint32_t[]){ l->done[i], l->last[i], l->begun[i] }, 3);
    return rc;
}

/* Each pair directly: every member to every other, or only what the root sends or gets. */
static int direct(struct lowering *l, bool from_root, bool to_root, size_t root, bool whole)
{
    size_t n = l->n, k;
    uint32_t first = (uint32_t)l->c->nflows, *after = malloc(2 * n * sizeof(*after)), made;
    int rc = after ? NW_OK : NW_ENOMEM;

    for (size_t from = 0; !rc && from < n; from++)
        for (size_t step = 1; !rc && step < n; step++) {
            size_t to = (from + step) % n;
            bool wanted = (!from_root || from == root) && (!to_root || to == root);
            if (wanted)
                rc = link(l, from, to, whole ? l->bytes : part(l, to), l->begun[from], l->begun[from], &made);
        }
    for (size_t i = 0; !rc && i < n; i++) {
        after[0] = l->begun[i];
        k = 1;
        if (!from_root && !to_root)
            for (size_t other = 0; other < n; other++) {
                if (other == i)
                    continue;
                after[k++] = first + (uint32_t)(i * (n - 1) + (other + n - i) % n - 1);
                after[k++] = first + (uint32_t)(other * (n - 1) + (i + n - other) % n - 1);
            }
        else if (i == root)
            for (size_t other = 0; other + 1 < n; other++)
                after[k++] = first + (uint32_t)other;
        else
            after[k++] = first + (uint32_t)(from_root ? (i + n - root) % n - 1 : i - (i > root));
        rc = end(l, i, after, k);
    }
    free(after);
    return rc;
}

int chakra_collective(struct chakra *c, const struct chakra_group *g, const uint32_t *begun, uint32_t *done)
{
    const struct chakra_node *node = &c->nodes[c->members[g->first]];
    struct lowering l = { c, c->members + g->first, g->n, node->bytes, begun, done, NULL };
    size_t root = (size_t)node->root, n = g->n;
    int rc = NW_ENOMEM;

    l.last = malloc(n * sizeof(*l.last));
    if (!l.last)
        return rc;
    switch ((enum chakra_collective)node->collective) {
    case CHAKRA_ALL_REDUCE:
    case CHAKRA_BARRIER: rc = ring(&l, 2 * (n - 1), false); break;
    case CHAKRA_REDUCE_SCATTER:
    case CHAKRA_REDUCE_SCATTER_BLOCK: rc = ring(&l, n - 1, false); break;
    case CHAKRA_ALL_GATHER: rc = ring(&l, n - 1, true); break;
    case CHAKRA_BROADCAST: rc = chain(&l, root); break;
    case CHAKRA_REDUCE: rc = chain(&l, (root + 1) % n); break;
    case CHAKRA_GATHER: rc = direct(&l, false, true, root, true); break;
    case CHAKRA_SCATTER: rc = direct(&l, true, false, root, false); break;
    case CHAKRA_ALL_TO_ALL: rc = direct(&l, false, false, root, false); break;
    }
    free(l.last);
    return rc;
}
