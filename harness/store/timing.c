/* timing.c - the simulated time of trained steps. */
#include <stdio.h>

#include "harness/status.h"
#include "harness/store/internal.h"

static int trained_point(struct store *s, const char *key, int64_t *id)
{
    int64_t workers, steps;
    int found = db_find_training(s, key, id, &workers, &steps);

    if (!found)
        fprintf(stderr, "narrows: %s: store a timing: no point %s was trained\n", s->path, key);
    return found == 1 ? NW_OK : NW_EDB;
}

int store_timing(struct store *s, int64_t run_id, const struct timing_fact *t)
{
    int64_t point_id, id = 0;
    int rc = db_begin(s);

    if (rc)
        return rc;
    rc = trained_point(s, t->point, &point_id);
    /* No row, and so no id, where its key was there already. */
    if (!rc && db_find(s, "store a timing",
                       "INSERT INTO trace_timing(run_id, point_id, label, simulated, key) VALUES (?,?,?,?,?)"
                       " ON CONFLICT DO NOTHING RETURNING id",
                       "llttt:l", run_id, point_id, t->label, t->simulated, t->key, &id) < 0)
        rc = NW_EDB;
    for (size_t i = 0; i < t->nsteps && id && !rc; i++)
        rc = db_run(s, "store a timing", "INSERT INTO trace_timing_step(timing_id, steps, seconds) VALUES (?,?,?)",
                    "lld", id, t->steps[i].steps, t->steps[i].seconds);
    return db_end(s, rc);
}

int store_has_timing(struct store *s, const char *key)
{
    int there, found = db_find(s, "look up a timing", "SELECT EXISTS (SELECT 1 FROM trace_timing WHERE key = ?)", "t:i",
                               key, &there);

    return found == 1 ? there : NW_EDB;
}

int store_trace_values(struct store *s, const char *key, int64_t *values, int64_t *coded)
{
    int found = db_find(s, "look up a training's tensors",
                        "SELECT coalesce(sum(nvalues), 0), coalesce(sum(nvalues * compressed), 0) FROM trace_tensor x"
                        " JOIN point p ON p.id = x.point_id WHERE p.key = ?",
                        "t:ll", key, values, coded);

    return found == 1 ? *values > 0 : NW_EDB;
}

int store_listed_key(struct store *s, int64_t run_id, size_t position, const char *variant, char key[33])
{
    return db_find(s, "look up a listed point",
                   "SELECT p.key FROM run_point r JOIN point p ON p.id = r.point_id"
                   " WHERE r.run_id = ? AND r.position = ? AND r.variant = ?",
                   "llt:t", run_id, position, variant, key, (size_t)33);
}
