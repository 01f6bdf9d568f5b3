#include "harness/run/point/tasks.h"

#include <stdlib.h>

#include "harness/status.h"

int tasks_of(const struct timeline *t, struct timeline_fact *out)
{
    struct task_fact *tasks = calloc(t->nspans + 1, sizeof(*tasks));

    *out = (struct timeline_fact){
        .from_ps = t->from_ps, .to_ps = t->to_ps, .left_out = t->left_out, .tasks = tasks, .ntasks = t->nspans
    };
    if (!tasks)
        return NW_ENOMEM;
    for (size_t i = 0; i < t->nspans; i++) {
        const struct span *span = &t->spans[i];
        tasks[i] = (struct task_fact){ .id = span->id,
                                       .name = span->name,
                                       .track = t->tracks[span->track].name,
                                       .slot = span->slot,
                                       .start_ps = span->start_ps,
                                       .end_ps = span->end_ps,
                                       .bytes = span->bytes };
    }
    return NW_OK;
}

void tasks_free(struct timeline_fact *f)
{
    free((void *)f->tasks);
    *f = (struct timeline_fact){ 0 };
}
