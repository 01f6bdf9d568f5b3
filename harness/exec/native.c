#include "harness/exec/native.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/exec/content/content.h"
#include "harness/status.h"

/* The task becomes one that every rank has, behind 'earlier' alone. Every transfer waits for something. */
static void turn(struct task_graph *g, int32_t task, enum task_work work, int32_t earlier)
{
    struct graph_task *t = &g->tasks[task];

    t->place = (struct task_place){ .work = work, .rank = RANK_EACH, .peer = -1, .tensor = -1 };
    g->after[t->first_after] = earlier;
    t->nafter = 1;
    t->bytes = -1;
    t->missing = 0;
}

/* The transfers of an exchange were added after what fills its vector, and before that is filled again. The first one
 * becomes the whole exchange, and the others wait for it. */
static void turn_all(struct task_graph *g, int32_t *filled, int32_t *reduced)
{
    for (size_t i = 0; i < g->ntasks; i++) {
        const struct graph_task *t = &g->tasks[i];
        if (t->item < 0)
            continue;
        if (t->place.work == WORK_FILL) {
            filled[t->item] = (int32_t)i;
            reduced[t->item] = -1;
        } else if (t->place.work == WORK_MOVE && t->place.rank != t->place.peer) {
            if (reduced[t->item] < 0)
                turn(g, reduced[t->item] = (int32_t)i, WORK_REDUCE, filled[t->item]);
            else
                turn(g, (int32_t)i, WORK_ORDER, reduced[t->item]);
        }
    }
}

int native_exchange(struct task_graph *g, char *why, size_t nwhy)
{
    int32_t items = 0;

    if (!g->summed || content_codes(g)) {
        snprintf(why, nwhy, "method: expected allreduce of uncoded gradients for --collective native");
        return NW_EINPUT;
    }
    for (size_t i = 0; i < g->ntasks; i++)
        if (g->tasks[i].item >= items)
            items = g->tasks[i].item + 1;
    int32_t *filled = malloc(2 * ((size_t)items + 1) * sizeof(*filled));
    if (!filled)
        return NW_ENOMEM;
    turn_all(g, filled, filled + items);
    free(filled);
    return NW_OK;
}
