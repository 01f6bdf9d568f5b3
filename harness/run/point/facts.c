#include "harness/run/point/facts.h"

#include <stdlib.h>

#include "harness/status.h"

int point_facts_make(const struct point *p, struct point_facts *out)
{
    *out = (struct point_facts){ .params = calloc(p->nparams + 1, sizeof(*out->params)),
                                 .cells = calloc(p->ncells + 1, sizeof(*out->cells)) };
    if (!out->params || !out->cells)
        return NW_ENOMEM;
    for (size_t i = 0; i < p->nparams; i++) {
        const struct point_param *param = &p->params[i];
        out->params[i] = (struct param_fact){ param->path, param->text, param->value, param->unit };
    }
    for (size_t i = 0; i < p->ncells; i++) {
        const struct cell *c = &p->cells[i];
        out->cells[i] = (struct cell_fact){ c->paper, c->table, c->row, c->column, c->measure };
    }
    return NW_OK;
}

void point_facts_free(struct point_facts *f)
{
    free(f->params);
    free(f->cells);
    *f = (struct point_facts){ 0 };
}

struct point_fact point_fact_of(const struct point *p, const struct point_facts *f, size_t ncells, const char *key,
                                const struct measures *m)
{
    return (struct point_fact){ .key = key,
                                .variant = p->variant,
                                .index = p->index,
                                .combination = p->combination,
                                .params = f->params,
                                .nparams = p->nparams,
                                .measures = m->list,
                                .nmeasures = m->count,
                                .cells = f->cells,
                                .ncells = ncells };
}

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
