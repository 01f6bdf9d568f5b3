#include "harness/store/measured/executed.h"

#include "harness/host/clock.h"
#include "harness/status.h"
#include "harness/store/internal.h"

int store_was_executed(struct store *s, int64_t run_id, size_t position, const char *setting)
{
    int one;

    return db_find(s, "look up an execution",
                   "SELECT 1 FROM run_point p JOIN executed_newest e ON e.point_id = p.point_id"
                   " WHERE p.run_id = ? AND p.position = ? AND e.setting = ?",
                   "llt:i", run_id, position, setting, &one);
}

int store_has_begun(struct store *s, int64_t run_id, size_t position)
{
    int one;

    return db_find(s, "look up an execution", "SELECT 1 FROM execution WHERE run_id = ? AND position = ?", "ll:i",
                   run_id, position, &one);
}

int store_execution(struct store *s, int64_t run_id, size_t position, const char *setting, int64_t *execution_id)
{
    int rc = db_run(s, "begin an execution",
                    "INSERT INTO execution(run_id, position, point_id, setting, begun_ns)"
                    " SELECT run_id, position, point_id, ?, ? FROM run_point WHERE run_id = ? AND position = ?",
                    "tlll", setting, clock_wall_ns(), run_id, position);

    *execution_id = rc ? 0 : sqlite3_last_insert_rowid(s->db);
    return rc;
}

static int insert_ranks(struct store *s, int64_t id, const struct executed_fact *f, size_t repetition)
{
    int rc = NW_OK;

    for (size_t r = 0; !rc && r < f->nranks; r++) {
        const struct executed_rank_fact *x = &f->ranks[repetition * f->nranks + r];
        rc = db_run(s, "store a rank's execution",
                    "INSERT INTO executed_rank(execution_id, repetition, rank, role, host, end_ns, sent_bytes,"
                    " link_sent_bytes, link_received_bytes) VALUES (?,?,?,?,?,?,?,?,?)",
                    "lllttllll", id, repetition, r, x->role, x->host, x->end_ns, x->sent_bytes, x->link_sent_bytes,
                    x->link_received_bytes);
    }
    return rc;
}

static int end_execution(struct store *s, int64_t id, const char *outcome, int rank, const char *reason)
{
    return db_run(s, "end an execution",
                  "INSERT INTO execution_end(execution_id, ended_ns, outcome, rank, reason) VALUES (?,?,?,?,?)",
                  "lltot", id, clock_wall_ns(), outcome, (int64_t)rank, reason);
}

int store_executed(struct store *s, int64_t id, const struct executed_fact *f)
{
    int rc = db_begin(s);

    if (rc)
        return rc;
    rc = db_run(s, "store an execution",
                "INSERT INTO executed_point(execution_id, ranks, compute, collective, library, parameters, network,"
                " simulated_ns, clock_error_ns, wrong, load_before, load_after) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
                "lltttttllodd", id, f->nranks, f->compute, f->collective, f->library, f->parameters, f->network,
                f->simulated_ns, f->clock_error_ns, f->wrong, f->load_before, f->load_after);
    for (size_t i = 0; !rc && i < f->repetitions; i++) {
        rc = db_run(s, "store an executed step",
                    "INSERT INTO executed_step(execution_id, repetition, step_ns) VALUES (?,?,?)", "lll", id, i,
                    f->step_ns[i]);
        rc = rc ? rc : insert_ranks(s, id, f, i);
    }
    rc = rc ? rc : end_execution(s, id, "done", -1, "");
    return db_end(s, rc);
}

int store_execution_failed(struct store *s, int64_t run_id, int rank, const char *reason)
{
    int64_t id;
    int found = db_find(s, "look up an execution",
                        "SELECT e.id FROM execution e LEFT JOIN execution_end d ON d.execution_id = e.id"
                        " WHERE e.run_id = ? AND d.execution_id IS NULL ORDER BY e.id DESC LIMIT 1",
                        "l:l", run_id, &id);

    int rc = found <= 0 ? found : end_execution(s, id, "failed", rank, reason);
    return rc ? rc : found;
}

int store_validation_run(struct store *s, int64_t run_id, const char *set_name)
{
    return db_run(s, "note a validation", "INSERT INTO validation_run(run_id, set_name) VALUES (?, ?)", "lt", run_id,
                  set_name);
}

int store_executed_step(struct store *s, int64_t run_id, size_t position, double *step_ms, double *simulated_ms)
{
    return db_find(s, "look up an execution",
                   "SELECT e.step_ms, e.simulated_ms FROM executed e"
                   " JOIN run_point p ON p.run_id = ?1 AND p.position = ?2"
                   " JOIN execution x ON x.id = e.execution_id AND x.point_id = p.point_id"
                   " WHERE e.outcome = 'done' ORDER BY e.execution_id DESC LIMIT 1",
                   "ll:dd", run_id, position, step_ms, simulated_ms);
}
