/* tree.h - two binary trees over n ranks and the order in which blocks go up and down them. The first tree numbers its
 * nodes in order: odd ranks are leaves. The second is its mirror image (n even) or the same shifted by one rank (n
 * odd), so that its leaves are even ranks. In two steps, every rank then sends at most two blocks and receives at most
 * two (Sanders, Speck, Traeff): edges are coloured 0 and 1 so that the two that leave a rank differ, and so do the two
 * that reach one; a block crosses an edge of colour c in steps of parity c. Blocks first go up; the way down reverses
 * the way up. */
#ifndef NARROWS_SIM_COLLECTIVE_TREE_H
#define NARROWS_SIM_COLLECTIVE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/collective/collective.h"

/* Edge 'tree * n + child' leads from the child to its parent. */
struct tree_edge {
    int64_t parent; /* -1: the child is the root */
    int colour;
    int64_t step; /* in which block 0 goes up; block i follows 2 i later */
};

struct tree {
    int64_t n, depth; /* depth: the last step in which block 0 goes up */
    struct tree_edge *edges;
    int64_t (*into)[2]; /* edges that reach a rank, of both trees; -1: none */
};

/* A block that crosses an edge. */
struct tree_move {
    int64_t from, to, edge, block;
    bool up;
};

/* E_NOMEM. tree_free() accepts an all-zero tree. */
int tree_make(struct tree *t, int64_t n);
void tree_free(struct tree *t);

/* Every move of 'blocks' blocks in each tree, in an order in which each rank sends and receives. */
void tree_walk(const struct tree *t, int64_t blocks, void (*visit)(void *context, const struct tree_move *m),
               void *context);

/* The moves of the same block that this one depends on: their edges into needs[], and whether all go up or all down. */
size_t tree_needs(const struct tree *t, const struct tree_move *m, int64_t needs[2], bool *up);

/* How many blocks of at most 'block' bytes the longer half makes, and how many bytes one of them has. */
int64_t tree_blocks(int64_t bytes, int64_t block);
int64_t tree_part(int64_t bytes, int64_t blocks, int64_t n, const struct tree_move *m, int64_t *offset);

/* The longest path through an allreduce: 'longer' transfers of 'bytes' and 'shorter' of one byte less. last[rank]
 * (NULL: not wanted): the path ends at this rank. E_NOMEM, E_RANGE. */
struct tree_path {
    int64_t longer, shorter, bytes;
};
int tree_longest(int64_t ranks, int64_t blocks, const struct hop *hop, int64_t bytes, struct tree_path *out,
                 bool last[]);

#endif
