/* schedule.c - what ran when in a point, and what its memory plan does operation by operation. */
#include <stdio.h>

#include "harness/status.h"
#include "harness/store/internal.h"

int db_put_tasks(struct store *s, int64_t point_id, const struct timeline_fact *t)
{
    int rc = db_run(s, "store a timeline",
                    "INSERT INTO timeline(point_id, from_ps, to_ps, left_out) VALUES (?,?,?,?) ON CONFLICT DO NOTHING",
                    "llol", point_id, t->from_ps, t->to_ps ? t->to_ps : (int64_t)-1, t->left_out);

    if (rc || sqlite3_changes(s->db) == 0)
        return rc;
    for (size_t i = 0; !rc && i < t->ntasks; i++) {
        const struct task_fact *f = &t->tasks[i];

        rc = db_run(s, "store a task",
                    "INSERT INTO task(point_id, place, id, name, track, slot, start_ps, end_ps, bytes)"
                    " VALUES (?,?,?,?,?,?,?,?,?)",
                    "lllttlllo", point_id, i, f->id, f->name, f->track, f->slot, f->start_ps, f->end_ps, f->bytes);
    }
    return rc;
}

int db_put_plan(struct store *s, int64_t point_id, const struct plan_fact *plan)
{
    int rc = NW_OK;

    for (size_t i = 0; !rc && i < plan->nsteps; i++) {
        const struct plan_step_fact *f = &plan->steps[i];

        rc = db_run(s, "store a memory plan",
                    "INSERT INTO plan_step(point_id, step, name, layer, backward, duration_ps, generated_bytes,"
                    " offloadable_bytes, offloaded_bytes, live_bytes) VALUES (?,?,?,?,?,?,?,?,?,?)"
                    " ON CONFLICT DO NOTHING",
                    "llttilllll", point_id, i, f->name, f->layer, f->backward, f->duration_ps, f->generated_bytes,
                    f->offloadable_bytes, f->offloaded_bytes, f->live_bytes);
    }
    return rc;
}

/* Begin a transaction that stores more of a point: its id. 0, or negative after a message and the transaction's end. */
static int begin_for(struct store *s, const char *what, const char *key, int64_t *id)
{
    int rc = db_begin(s), found;

    if (rc)
        return rc;
    found = db_find_point(s, key, id);
    if (!found)
        fprintf(stderr, "narrows: %s: store a %s: there is no point %s\n", s->path, what, key);
    return found == 1 ? NW_OK : db_end(s, NW_EDB);
}

int store_tasks(struct store *s, const char *key, const struct timeline_fact *timeline)
{
    int64_t id;
    int rc = begin_for(s, "timeline", key, &id);

    return rc ? rc : db_end(s, db_put_tasks(s, id, timeline));
}

int store_plan(struct store *s, const char *key, const struct plan_fact *plan)
{
    int64_t id;
    int rc = begin_for(s, "memory plan", key, &id);

    return rc ? rc : db_end(s, db_put_plan(s, id, plan));
}
