#include "harness/trace/timeline_store.h"

#include <stdlib.h>

#include "harness/run/point/key.h"
#include "harness/run/point/tasks.h"
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
    struct timeline_fact fact = { 0 };
    char key[POINT_KEY_LENGTH + 1];
    int rc = point_key(p, key);

    if (!rc)
        rc = tasks_of(t, &fact);
    if (!rc)
        rc = keep_point(s, run_id, p, m, key);
    if (!rc)
        rc = store_tasks(s, key, &fact);
    tasks_free(&fact);
    return rc;
}
