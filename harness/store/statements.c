#include <stdio.h>
#include <string.h>

#include "harness/status.h"
#include "harness/store/internal.h"

static const char *const texts[NSTATEMENTS] = {
    [ST_BEGIN] = "BEGIN IMMEDIATE",
    [ST_COMMIT] = "COMMIT",
    [ST_RUN] = "INSERT INTO run(started_ns, command, scenario, title, notes, baseline, figure, file, revision, build,"
               " machine, seed, npoints) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
    [ST_RUN_END] = "INSERT INTO run_end(run_id, ended_ns) VALUES (?,?) ON CONFLICT DO NOTHING",
    [ST_POINT] = "INSERT INTO point(key, run_id) VALUES (?,?) ON CONFLICT(key) DO NOTHING",
    [ST_POINT_ID] = "SELECT id FROM point WHERE key = ?",
    [ST_MEASURE] = "INSERT INTO measure(point_id, name, value, unit) VALUES (?,?,?,?)",
    [ST_RUN_POINT] = "INSERT INTO run_point(run_id, position, combination, variant, point_id) VALUES (?,?,?,?,?)"
                     " ON CONFLICT DO NOTHING",
    [ST_PARAM] = "INSERT INTO point_param(run_id, position, path, text, value, unit) VALUES (?,?,?,?,?,?)",
    [ST_CELL] = "INSERT INTO cell(run_id, position, paper, table_id, row_key, column_key, measure)"
                " VALUES (?,?,?,?,?,?,?)",
    [ST_CALIBRATION] = "INSERT INTO calibration(run_id, platform, constant, value, unit, scenario, paper, table_id,"
                       " row_key, column_key, measure, observed, reached, measured_on)"
                       " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
    [ST_PAPER_VALUE] = "SELECT published, unit FROM paper_value"
                       " WHERE paper = ? AND table_id = ? AND row_key = ? AND column_key = ?",
    [ST_SAMPLE] = "INSERT INTO sample(run_id, kernel, impl, variant, nvalues, bytes_moved, rep, elapsed_ns, anchor_ns,"
                  " anchor_bytes) VALUES (?,?,?,?,?,?,?,?,?,?)",
    [ST_BENCH_WORK] =
        "INSERT INTO bench_work(run_id, nvalues, place, threads, kernel, impl, variant, kind, option, anchor,"
        " anchor_impl, flops, bits_per_value) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
    /* The newest run is chosen before its medians are taken: a file may hold many benches. */
    [ST_RATE] = "SELECT median_GBps, impl FROM throughput WHERE NOT is_anchor AND kernel = ?2 AND variant = ?3 AND"
                " run_id = (SELECT max(s.run_id) FROM sample s JOIN run r ON r.id = s.run_id"
                " WHERE r.machine = ?1 AND s.kernel = ?2 AND s.variant = ?3 AND s.anchor_ns > 0)"
                " ORDER BY nvalues DESC, median_GBps DESC LIMIT 1",
    [ST_CALIBRATED] = "SELECT value, scenario FROM calibration WHERE measured_on = ? AND measure = ? AND row_key = ?"
                      " ORDER BY run_id DESC LIMIT 1",
    [ST_TIMELINE] = "INSERT INTO timeline(point_id, from_ps, to_ps, left_out) VALUES (?,?,?,?) ON CONFLICT DO NOTHING",
    [ST_TASK] = "INSERT INTO task(point_id, place, id, name, track, slot, start_ps, end_ps, bytes)"
                " VALUES (?,?,?,?,?,?,?,?,?)",
    [ST_PLAN_STEP] = "INSERT INTO plan_step(point_id, step, name, layer, backward, duration_ps, generated_bytes,"
                     " offloadable_bytes, offloaded_bytes, live_bytes) VALUES (?,?,?,?,?,?,?,?,?,?)"
                     " ON CONFLICT DO NOTHING",
    [ST_TRAINING] = "INSERT INTO training(point_id, model, data, metric, real_data, seed, workers, batch, steps)"
                    " VALUES (?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING",
    [ST_TRACE_TENSOR] = "INSERT INTO trace_tensor(point_id, tensor, name, nvalues, compressed) VALUES (?,?,?,?,?)",
    [ST_TRACE_STEP] = "INSERT INTO trace_step(point_id, step, epoch, samples, loss, learning_rate, precision,"
                      " precision_share, pushed_bytes, pulled_bytes, ema) VALUES (?,?,?,?,?,?,?,?,?,?,?)",
    [ST_TRACE_EXCHANGE] = "INSERT INTO trace_exchange(point_id, step, tensor, pull, bytes, zeros, threshold)"
                          " VALUES (?,?,?,?,?,?,?)",
    [ST_TRACE_BITS] = "INSERT INTO trace_bits(point_id, step, tensor, bits) VALUES (?,?,?,?)",
    [ST_TRACE_EVALUATION] = "INSERT INTO trace_evaluation(point_id, after_steps, samples, loss, top1, top5, other)"
                            " VALUES (?,?,?,?,?,?,?)",
    [ST_TRACE_THRESHOLD] = "INSERT INTO trace_threshold(point_id, step, layer, dropped, threshold) VALUES (?,?,?,?,?)",
    [ST_TRACED] =
        "SELECT t.point_id, t.workers, t.steps FROM training t JOIN point p ON p.id = t.point_id WHERE p.key = ?",
    [ST_LISTED_KEY] = "SELECT p.key FROM run_point r JOIN point p ON p.id = r.point_id"
                      " WHERE r.run_id = ? AND r.position = ? AND r.variant = ?",
    [ST_TRACED_STEPS] = "SELECT epoch, samples, loss, learning_rate, precision, precision_share, pushed_bytes,"
                        " pulled_bytes, ema FROM trace_step WHERE point_id = ? ORDER BY step",
    [ST_TRACED_VALUES] = "SELECT coalesce(sum(nvalues), 0), coalesce(sum(nvalues * compressed), 0) FROM trace_tensor x"
                         " JOIN point p ON p.id = x.point_id WHERE p.key = ?",
    [ST_TIMING] = "INSERT INTO trace_timing(run_id, point_id, label, simulated, key) VALUES (?,?,?,?,?)"
                  " ON CONFLICT DO NOTHING RETURNING id",
    [ST_TIMING_STEP] = "INSERT INTO trace_timing_step(timing_id, steps, seconds) VALUES (?,?,?)",
    [ST_TIMING_FIND] = "SELECT EXISTS (SELECT 1 FROM trace_timing WHERE key = ?)",
    [ST_FIT] = "INSERT INTO fit(key, place, value, reached) VALUES (?,?,?,?) ON CONFLICT DO NOTHING",
    [ST_FIT_FIND] = "SELECT value, reached FROM fit WHERE key = ? ORDER BY place",
};

int db_fail(const struct store *s, const char *what)
{
    int code = sqlite3_errcode(s->db);
    const char *hint = "";

    switch (code & 0xff) {
    case SQLITE_BUSY: hint = " (another process has held it for more than 10 s)"; break;
    case SQLITE_FULL: hint = " (what was stored before is safe; free some space and run the same command again)"; break;
    case SQLITE_READONLY: hint = " (choose another file with --db, or make this one and its directory writable)"; break;
    case SQLITE_CORRUPT: hint = " (the file is damaged)"; break;
    default: break;
    }
    fprintf(stderr, "narrows: %s: %s: %s%s\n", s->path, what, sqlite3_errmsg(s->db), hint);
    return NW_EDB;
}

sqlite3_stmt *db_statement(struct store *s, enum statement which)
{
    sqlite3_stmt **st = &s->statements[which];

    if (!*st) {
        if (sqlite3_prepare_v3(s->db, texts[which], -1, SQLITE_PREPARE_PERSISTENT, st, NULL) != SQLITE_OK) {
            db_fail(s, "prepare a statement");
            return NULL;
        }
    } else {
        sqlite3_reset(*st);
        sqlite3_clear_bindings(*st);
    }
    return *st;
}

int db_step(struct store *s, sqlite3_stmt *st, const char *what)
{
    int code = sqlite3_step(st);

    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        int rc = db_fail(s, what);

        sqlite3_reset(st);
        return rc;
    }
    if (code == SQLITE_DONE)
        sqlite3_reset(st);
    return code;
}

int db_begin(struct store *s)
{
    sqlite3_stmt *st = db_statement(s, ST_BEGIN);
    int code = st ? db_step(s, st, "begin a transaction") : NW_EDB;

    return code == SQLITE_DONE ? NW_OK : NW_EDB;
}

int db_end(struct store *s, int rc)
{
    if (!rc) {
        sqlite3_stmt *st = db_statement(s, ST_COMMIT);

        if (st && db_step(s, st, "commit a transaction") == SQLITE_DONE)
            return NW_OK;
        rc = NW_EDB;
    }
    /* SQLite has rolled back by itself where the disk is full; a second ROLLBACK would only complain. */
    if (!sqlite3_get_autocommit(s->db))
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return rc;
}

void db_bind(sqlite3_stmt *st, int column, const char *text)
{
    sqlite3_bind_text(st, column, text ? text : "", -1, SQLITE_STATIC);
}
