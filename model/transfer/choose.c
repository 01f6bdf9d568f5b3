#include <stdbool.h>
/* choose.c - which moves are made, by the choice, the limit and the turn rule. */
#include <stdlib.h>

#include "model/numbers.h"
#include "model/status.h"
#include "model/transfer/private.h"

/* When the link is free after a sequence of copies, as a function of when it is free before: f(t) = max(t + ps,
 * end_ps). A tree composes these over all moves (the identity for those not chosen), so that one change updates log n
 * nodes. */
struct link_use {
    int64_t ps, end_ps;
};

struct link_tree {
    struct link_use *nodes; /* 1 is the root, leaves from 'leaves' on */
    size_t leaves;
};

static int tree_make(struct link_tree *tree, size_t n)
{
    for (tree->leaves = 1; tree->leaves < n;)
        tree->leaves *= 2;
    tree->nodes = calloc(2 * tree->leaves, sizeof(*tree->nodes));
    return tree->nodes ? E_OK : E_NOMEM;
}

static void tree_set(struct link_tree *tree, size_t i, struct link_use use)
{
    size_t k = tree->leaves + i;

    tree->nodes[k] = use;
    while (k /= 2) {
        struct link_use a = tree->nodes[2 * k], b = tree->nodes[2 * k + 1];
        tree->nodes[k] =
            (struct link_use){ transfer_add_ps(a.ps, b.ps), max64(transfer_add_ps(a.end_ps, b.ps), b.end_ps) };
    }
}

/* The order in which moves are considered; equal keys by start. */
struct rank {
    double key; /* the smaller the sooner */
    size_t move;
};

static int by_key(const void *a, const void *b)
{
    const struct rank *p = a, *q = b;

    return p->key != q->key ? compare_doubles(p->key, q->key) : compare64((int64_t)p->move, (int64_t)q->move);
}

/* Share of the copy that its operations do not hide; negative where they last longer. */
static double uncovered(const struct transfer_task *task, const struct move *m)
{
    int64_t covered = task->begin_ps[task->last_of[m->own] + 1] - task->begin_ps[m->t.start];

    return 1 - (double)covered / (double)m->to_host_ps;
}

static double key_of(const struct transfer_task *task, size_t i)
{
    switch (task->options->choice) {
    case CHOICE_LARGEST: return -(double)task->moves[i].bytes;
    case CHOICE_BEST_HIDDEN: return uncovered(task, &task->moves[i]);
    default: return 0;
    }
}

static bool is_needed_at_once(const struct transfer_task *task, const struct move *m)
{
    return m->t.need - (int64_t)task->g->nforward < task->options->keep_last;
}

/* Adds move i to the link if all copies then still end before forward does. A layer-wise schedule makes forward wait
 * for each copy, so none is late. */
static bool is_over_in_time(const struct transfer_task *task, struct link_tree *tree, size_t i)
{
    const struct move *m = &task->moves[i];
    int64_t forward_ps = task->begin_ps[task->g->nforward];

    if (task->options->keep_last < 0 || task->options->schedule == SCHEDULE_LAYER_WISE)
        return true;
    int64_t begin = task->begin_ps[m->t.start];
    tree_set(tree, i, (struct link_use){ m->to_host_ps, transfer_add_ps(begin, m->to_host_ps) });
    if (tree->nodes[1].end_ps <= forward_ps)
        return true;
    tree_set(tree, i, (struct link_use){ 0, 0 });
    return false;
}

/* The factor compensates rounding, so that 0.29 of 100 bytes are 29. */
static int64_t share_of(double share, int64_t bytes)
{
    return (int64_t)(share * (double)bytes * (1 + 1e-15));
}

static void choose(struct transfer_task *task, double share, const struct rank *ranks, struct link_tree *tree,
                   bool *taken)
{
    int64_t met = 0, moved = 0, most = share_of(share, task->s->generated_bytes);

    for (size_t k = 0; k < task->n; k++) {
        size_t i = ranks[k].move;
        const struct move *m = &task->moves[i];
        met += m->bytes;
        if (task->options->choice == CHOICE_SPREAD)
            most = share_of(share, met);
        if (m->bytes > most - moved || is_needed_at_once(task, m) || !is_over_in_time(task, tree, i))
            continue;
        taken[i] = true;
        moved += m->bytes;
    }
}

int transfer_choose(struct transfer_task *task, double share)
{
    struct rank *ranks = malloc((task->n + 1) * sizeof(*ranks));
    bool *taken = calloc(task->n + 1, sizeof(*taken));
    struct link_tree tree = { 0 };
    int rc = tree_make(&tree, task->n);
    size_t kept = 0;

    if (!ranks || !taken)
        rc = E_NOMEM;
    if (rc)
        goto done;
    for (size_t i = 0; i < task->n; i++)
        ranks[i] = (struct rank){ key_of(task, i), i };
    qsort(ranks, task->n, sizeof(*ranks), by_key);
    choose(task, share, ranks, &tree, taken);
    for (size_t i = 0; i < task->n; i++)
        if (taken[i])
            task->moves[kept++] = task->moves[i];
    task->n = kept;
done:
    free(ranks);
    free(taken);
    free(tree.nodes);
    return rc;
}
