/* tree_build.c - the double binary tree's blocks as transfers. */
#include <stdlib.h>

#include "model/status.h"
#include "sim/collective/build.h"
#include "sim/collective/tree.h"

struct planting {
    struct build *b;
    const struct tree *tree;
    int64_t bytes, blocks;
    int *moves[2]; /* down and up: the task of each edge and block */
};

/* A task that ends when both have: a rank's transfers so far, which nothing else chains. */
static int both(struct build *b, int earlier, int task, int64_t rank)
{
    int all = engine_sync(b->e);

    engine_place(b->e, all,
                 &(struct task_place){ .work = WORK_ORDER, .rank = (int32_t)rank, .peer = -1, .tensor = -1 });
    build_wait(b, all, earlier);
    build_wait(b, all, task);
    return all;
}

static void visit(void *context, const struct tree_move *m)
{
    struct planting *p = context;
    struct build *b = p->b;
    struct part part = { 0 };
    int64_t needs[2];
    bool up;

    part.bytes = tree_part(p->bytes, p->blocks, p->tree->n, m, &part.offset);
    int task = build_transfer(b, m->from, m->to, part, m->up);
    bool buffered = b->place->buffered_bytes > 0 && part.bytes <= b->place->buffered_bytes;
    if (!buffered) {
        build_wait(b, task, b->held[m->from].sent);
        build_wait(b, task, b->held[m->to].got);
    } else { /* those over one edge follow each other all the same, on each connection */
        int64_t n = b->place->connections > 1 ? b->place->connections : 1, at = m->edge * p->blocks + m->block;
        build_wait(b, task, m->block >= n ? p->moves[m->up][at - n] : b->ready[m->from]);
        build_wait(b, task, b->ready[m->to]);
    }
    for (size_t n = tree_needs(p->tree, m, needs, &up); n-- > 0;)
        build_wait(b, task, p->moves[up][needs[n] * p->blocks + m->block]);
    if (!buffered)
        b->held[m->from].sent = b->held[m->to].got = task;
    else {
        b->held[m->from].sent = both(b, b->held[m->from].sent, task, m->from);
        b->held[m->to].got = both(b, b->held[m->to].got, task, m->to);
    }
    p->moves[m->up][m->edge * p->blocks + m->block] = task;
}

int build_tree(struct build *b, int64_t bytes)
{
    int64_t n = b->place->ranks;
    struct tree tree;
    struct planting p = { .b = b, .tree = &tree, .bytes = bytes };
    int rc = tree_make(&tree, n);

    if (rc)
        return rc;
    p.blocks = tree_blocks(bytes, b->place->block_bytes);
    p.moves[0] = malloc((size_t)(4 * n * p.blocks) * sizeof(int));
    if (p.moves[0]) {
        p.moves[1] = p.moves[0] + 2 * n * p.blocks;
        tree_walk(&tree, p.blocks, visit, &p);
    } else {
        rc = E_NOMEM;
    }
    free(p.moves[0]);
    tree_free(&tree);
    return rc;
}
