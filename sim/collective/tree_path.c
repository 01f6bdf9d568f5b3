/* tree_path.c - the longest path through the blocks of a double binary tree, and the block that makes it short. */
#include <math.h>
#include <stdlib.h>

#include "model/numbers.h"
#include "model/status.h"
#include "sim/collective/split.h"
#include "sim/collective/steps.h"
#include "sim/collective/tree.h"

enum { MOST_BLOCKS = 128 };

/* When something is there, and how many transfers of either size led to it. */
struct mark {
    int64_t ps, longer, shorter;
};

struct search {
    const struct tree *tree;
    int64_t bytes, blocks, most;
    int64_t longer_ps, shorter_ps;
    struct mark *sent, *got; /* of each rank, by its last transfer */
    struct mark *moves[2];   /* down and up: of each edge and block */
    struct mark end;
};

static struct mark later(struct mark a, struct mark b)
{
    return b.ps > a.ps ? b : a;
}

static void visit(void *context, const struct tree_move *m)
{
    struct search *s = context;
    struct mark at = later(s->sent[m->from], s->got[m->to]);
    int64_t needs[2], offset;
    bool up;

    for (size_t n = tree_needs(s->tree, m, needs, &up); n-- > 0;)
        at = later(at, s->moves[up][needs[n] * s->blocks + m->block]);
    if (tree_part(s->bytes, s->blocks, s->tree->n, m, &offset) == s->most) {
        at.ps += s->longer_ps;
        at.longer++;
    } else {
        at.ps += s->shorter_ps;
        at.shorter++;
    }
    s->sent[m->from] = s->got[m->to] = s->moves[m->up][m->edge * s->blocks + m->block] = at;
    s->end = later(s->end, at);
}

static int search(struct search *s, const struct hop *hop, bool last[])
{
    int64_t n = s->tree->n, moves = 4 * n * s->blocks;

    s->longer_ps = hop_ps(hop, s->most);
    s->shorter_ps = s->most ? hop_ps(hop, s->most - 1) : 0;
    if (s->longer_ps < 0 || s->longer_ps > INT64_MAX / (moves + 1))
        return E_RANGE;
    s->sent = calloc((size_t)(2 * n + moves), sizeof(*s->sent));
    if (!s->sent)
        return E_NOMEM;
    s->got = s->sent + n;
    s->moves[0] = s->got + n;
    s->moves[1] = s->moves[0] + moves / 2;
    tree_walk(s->tree, s->blocks, visit, s);
    for (int64_t r = 0; last && r < n; r++)
        last[r] = later(s->sent[r], s->got[r]).ps == s->end.ps;
    free(s->sent);
    return E_OK;
}

int tree_longest(int64_t ranks, int64_t blocks, const struct hop *hop, int64_t bytes, struct tree_path *out,
                 bool last[])
{
    struct tree tree;
    int rc = tree_make(&tree, ranks);
    struct search s = { .tree = &tree, .bytes = bytes, .blocks = blocks };

    if (rc)
        return rc;
    s.most = split_most(split_most(bytes, 2), blocks);
    rc = search(&s, hop, last);
    *out = (struct tree_path){ .longer = s.end.longer, .shorter = s.end.shorter, .bytes = s.most };
    tree_free(&tree);
    return rc;
}

/* With k blocks in each tree and a first block that takes D steps, one way takes (D + 2 (k - 1)) (a + half / (k B)), a
 * being what each message costs whatever its size: least at k = sqrt((D - 2) half / (2 B a)), or next to it. */
static int64_t best_blocks(double steps, double half_s, double each_s, int64_t most)
{
    double k = steps > 2 ? fmin(sqrt((steps - 2) * half_s / (2 * each_s)), (double)most) : 1; /* each_s 0: infinite */
    int64_t low = k < 1 ? 1 : (int64_t)k, high = max64(min64(low + 1, most), low);
    double low_s = (steps + 2 * (double)(low - 1)) * (each_s + half_s / (double)low);
    double high_s = (steps + 2 * (double)(high - 1)) * (each_s + half_s / (double)high);

    return low_s <= high_s ? low : high;
}

int64_t collective_block_bytes(const struct collective_shape *s, int64_t bytes)
{
    const struct hop *hop = shape_hop(s);
    int64_t half = split_most(bytes, 2);
    struct tree tree;

    if (s->ranks < 2 || half < 2)
        return half > 0 ? half : 1;
    int rc = tree_make(&tree, s->ranks);
    if (rc)
        return rc;
    double each_s = (double)hop->latency_ps / 1e12 + (double)hop->framing_bytes / hop->rate_Bps;
    int64_t most = half < MOST_BLOCKS ? half : MOST_BLOCKS;
    int64_t k = best_blocks((double)tree.depth + 1, (double)half / hop->rate_Bps, each_s, most);
    tree_free(&tree);
    return split_most(half, k);
}
