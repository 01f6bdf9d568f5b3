#include "harness/trace/keep.h"

#include <stdlib.h>

#include "harness/run/point_key.h"
#include "harness/status.h"

static int keep_point(struct store *s, int64_t run_id, const struct point *p, const struct measures *m, const char *key)
{
    struct param_fact *params = calloc(p->nparams + 1, sizeof(*params));
    int rc;

    if (!params)
        return NW_ENOMEM;
    for (size_t i = 0; i < p->nparams; i++)
        params[i] = (struct param_fact){ p->params[i].path, p->params[i].text, p->params[i].value, p->params[i].unit };
    struct point_fact fact = { .key = key,
                               .variant = p->variant,
                               .index = p->index,
                               .combination = p->combination,
                               .params = params,
                               .nparams = p->nparams,
                               .measures = m->list,
                               .nmeasures = m->count };
    rc = store_point(s, run_id, &fact);
    free(params);
    return rc;
}

int keep_timeline(struct store *s, int64_t run_id, const struct point *p, const struct measures *m,
                  const struct timeline *t)
{
    struct task_fact *tasks = calloc(t->nspans + 1, sizeof(*tasks));
    struct timeline_fact fact = {
        .from_ps = t->from_ps, .to_ps = t->to_ps, .left_out = t->left_out, .tasks = tasks, .ntasks = t->nspans
    };
    char key[POINT_KEY_LENGTH + 1];
    int rc = tasks ? point_key(p, key) : NW_ENOMEM;

    for (size_t i = 0; tasks && i < t->nspans; i++) {
        const struct span *span = &t->spans[i];

        tasks[i] = (struct task_fact){ .id = span->id,
                                       .name = span->name,
                                       .track = t->tracks[span->track].name,
                                       .slot = span->slot,
                                       .start_ps = span->start_ps,
                                       .end_ps = span->end_ps,
                                       .bytes = span->bytes };
    }
    if (!rc)
        rc = keep_point(s, run_id, p, m, key);
    if (!rc)
        rc = store_tasks(s, key, &fact);
    free(tasks);
    return rc;
}
