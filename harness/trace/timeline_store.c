#include "harness/trace/timeline_store.h"

#include "harness/run/point/facts.h"
#include "harness/run/point/key.h"

int timeline_store(struct store *s, int64_t run_id, const struct point *p, const struct measures *m,
                   const struct timeline *t)
{
    struct point_facts facts = { 0 };
    struct timeline_fact tasks = { 0 };
    char key[POINT_KEY_LENGTH + 1];
    int rc = point_key(p, key);

    if (!rc)
        rc = tasks_of(t, &tasks);
    if (!rc)
        rc = point_facts_make(p, &facts);
    if (!rc) {
        struct point_fact fact = point_fact_of(p, &facts, 0, key, m);

        rc = store_point(s, run_id, &fact);
    }
    if (!rc)
        rc = store_tasks(s, key, &tasks);
    point_facts_free(&facts);
    tasks_free(&tasks);
    return rc;
}
