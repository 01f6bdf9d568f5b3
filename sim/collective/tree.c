#include "sim/collective/tree.h"

#include <stdlib.h>

#include "model/status.h"
#include "sim/collective/split.h"

/* In order, as NCCL numbers them: the lowest set bit is a node's height. */
static int64_t parent_in_order(int64_t n, int64_t rank)
{
    int64_t bit = rank & -rank, up = (rank ^ bit) | bit << 1;

    if (!rank)
        return -1;
    return up < n ? up : rank ^ bit;
}

/* The node of the first tree that stands where 'rank' stands in the second, and back: mirrored, or shifted. */
static int64_t to_first(int64_t n, int64_t rank)
{
    return n % 2 ? (rank + n - 1) % n : n - 1 - rank;
}

static int64_t to_second(int64_t n, int64_t node)
{
    return n % 2 ? (node + 1) % n : n - 1 - node;
}

static int64_t parent_of(int64_t n, int tree, int64_t rank)
{
    int64_t parent = parent_in_order(n, tree ? to_first(n, rank) : rank);

    return parent < 0 || !tree ? parent : to_second(n, parent);
}

static int64_t partner_at_child(const struct tree *t, int64_t edge)
{
    int64_t other = edge < t->n ? edge + t->n : edge - t->n;

    return t->edges[other].parent < 0 ? -1 : other;
}

static int64_t partner_at_parent(const struct tree *t, int64_t edge)
{
    const int64_t *into = t->into[t->edges[edge].parent];

    return into[0] == edge ? into[1] : into[0];
}

/* Along the path from an edge on, whose partners alternate between child and parent, colours alternate too. */
static void colour_from(struct tree *t, int64_t edge, bool at_child)
{
    int colour = t->edges[edge].colour;

    for (;;) {
        edge = at_child ? partner_at_child(t, edge) : partner_at_parent(t, edge);
        if (edge < 0 || t->edges[edge].colour >= 0)
            return;
        t->edges[edge].colour = colour = !colour;
        at_child = !at_child;
    }
}

/* The children's blocks first, then the next step of the edge's parity. Heights are at most log2 n: few rounds. */
static bool raise_steps(struct tree *t)
{
    bool changed = false;

    for (int64_t e = 0; e < 2 * t->n; e++) {
        int64_t step = 0;
        if (t->edges[e].parent < 0)
            continue;
        for (int k = 0; k < 2; k++) {
            int64_t below = t->into[e % t->n][k];
            if (below >= 0 && below / t->n == e / t->n && t->edges[below].step >= step)
                step = t->edges[below].step + 1;
        }
        step += (step ^ t->edges[e].colour) & 1;
        changed |= step != t->edges[e].step;
        t->edges[e].step = step;
    }
    return changed;
}

int tree_make(struct tree *t, int64_t n)
{
    *t = (struct tree){ .n = n };
    t->edges = calloc((size_t)(2 * n), sizeof(*t->edges));
    t->into = calloc((size_t)n, sizeof(*t->into));
    if (!t->edges || !t->into) {
        tree_free(t);
        return E_NOMEM;
    }
    for (int64_t r = 0; r < n; r++)
        t->into[r][0] = t->into[r][1] = -1;
    for (int64_t e = 0; e < 2 * n; e++) {
        int64_t parent = parent_of(n, e >= n, e % n);
        t->edges[e] = (struct tree_edge){ .parent = parent, .colour = -1 };
        if (parent >= 0)
            t->into[parent][t->into[parent][0] >= 0] = e;
    }
    for (int64_t e = 0; e < 2 * n; e++)
        if (t->edges[e].parent >= 0 && t->edges[e].colour < 0) {
            t->edges[e].colour = 0;
            colour_from(t, e, 1);
            colour_from(t, e, 0);
        }
    while (raise_steps(t))
        ;
    for (int64_t e = 0; e < 2 * n; e++)
        t->depth = t->edges[e].step > t->depth ? t->edges[e].step : t->depth;
    return E_OK;
}

void tree_free(struct tree *t)
{
    free(t->edges);
    free(t->into);
}

/* All moves of one step; going down, edges come in the order opposite to that in which they went up. */
static void walk_step(const struct tree *t, int64_t blocks, int64_t step, bool up,
                      void (*visit)(void *context, const struct tree_move *m), void *context)
{
    for (int64_t e = 0; e < 2 * t->n; e++) {
        const struct tree_edge *edge = &t->edges[e];
        int64_t later = step - (up ? edge->step : t->depth - edge->step), child = e % t->n;
        if (edge->parent < 0 || later < 0 || later % 2 || later / 2 >= blocks)
            continue;
        visit(context, &(struct tree_move){ .from = up ? child : edge->parent,
                                            .to = up ? edge->parent : child,
                                            .edge = e,
                                            .block = later / 2,
                                            .up = up });
    }
}

void tree_walk(const struct tree *t, int64_t blocks, void (*visit)(void *context, const struct tree_move *m),
               void *context)
{
    for (int up = 1; up >= 0; up--)
        for (int64_t step = 0; step <= t->depth + 2 * (blocks - 1); step++)
            walk_step(t, blocks, step, (bool)up, visit, context);
}

size_t tree_needs(const struct tree *t, const struct tree_move *m, int64_t needs[2], bool *up)
{
    int64_t tree = m->edge / t->n, above = tree * t->n + m->from;
    size_t n = 0;

    *up = m->up || t->edges[above].parent < 0; /* the root sends down what has come up to it */
    if (!*up)
        needs[n++] = above;
    for (int k = 0; *up && k < 2; k++)
        if (t->into[m->from][k] >= 0 && t->into[m->from][k] / t->n == tree)
            needs[n++] = t->into[m->from][k];
    return n;
}

int64_t tree_blocks(int64_t bytes, int64_t block)
{
    int64_t half = split_most(bytes, 2);

    return block > 0 && block < half ? split_most(half, block) : 1;
}

int64_t tree_part(int64_t bytes, int64_t blocks, int64_t n, const struct tree_move *m, int64_t *offset)
{
    int64_t tree = m->edge / n, half = split_bytes(bytes, 2, tree);

    *offset = split_offset(bytes, 2, tree) + split_offset(half, blocks, m->block);
    return split_bytes(half, blocks, m->block);
}
