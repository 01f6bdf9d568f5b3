#include "harness/command/line/records.h"

#include <dirent.h>
#include <errno.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/line/command_line.h"
#include "harness/host/home.h"
#include "harness/record/record.h"
#include "harness/run/experiment.h"
#include "harness/run/trace_time.h"
#include "harness/status.h"
#include "harness/store/store.h"

static const char ending[] = ".record";

static int is_record(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return dot && dot > entry->d_name && !strcmp(dot, ending);
}

/* Where, when and of what its runs are, from the database that has them now. */
static int tell(struct store *s, const char *path, const struct record_counts *counts)
{
    static const char sql[] =
        "WITH made AS (SELECT w.* FROM run_record k JOIN trained_where w USING (run_id)"
        "               WHERE k.record_id = (SELECT max(id) FROM record))"
        "SELECT (SELECT min(first_day) || iif(min(first_day) < max(day), ' to ' || max(day), '') FROM made),"
        " (SELECT group_concat(machine, '; ') FROM (SELECT DISTINCT machine FROM made ORDER BY 1)),"
        " (SELECT group_concat(revision, ', ') FROM (SELECT DISTINCT revision FROM made ORDER BY 1)),"
        " max(stale), max(stale_time), min(checked_steps)"
        " FROM record_state WHERE record_id = (SELECT max(id) FROM record)";
    sqlite3 *db = store_handle(s);
    sqlite3_stmt *st = NULL;
    char checked[96] = "";
    int code = sqlite3_prepare_v2(db, sql, -1, &st, NULL);

    if (code == SQLITE_OK)
        code = sqlite3_step(st);
    if (code == SQLITE_ROW && sqlite3_column_int(st, 5))
        snprintf(checked, sizeof(checked), "; checked: this trainer repeats the first %d steps of each",
                 sqlite3_column_int(st, 5));
    if (code == SQLITE_ROW)
        fprintf(stderr, "%s: %zu training runs, recorded %s on %s at %s%s%s%s\n", path, counts->training_runs,
                sqlite3_column_text(st, 0), sqlite3_column_text(st, 1), sqlite3_column_text(st, 2),
                sqlite3_column_int(st, 3) ? "; stale: the trainer has changed since" : "", checked,
                sqlite3_column_int(st, 4) ? "; its times are of another simulator" : "");
    else
        fprintf(stderr, "narrows: %s: %s\n", path, sqlite3_errmsg(db));
    sqlite3_finalize(st);
    return code == SQLITE_ROW ? NW_OK : NW_EDB;
}

int records_import_file(struct store *s, const char *path)
{
    struct record_counts counts;
    int rc = record_import(s, path, &counts);

    return rc == 1 ? tell(s, path, &counts) : rc;
}

/* PAPER.record or PAPER-PART.record. */
static bool is_of(const char *name, const char *paper)
{
    size_t n = strlen(paper);

    return !strncmp(name, paper, n) && (!strcmp(name + n, ending) || name[n] == '-');
}

int records_import(struct store *s, const char *paper)
{
    char folder[4096];
    struct dirent **entries;
    int n, rc = NW_OK;

    snprintf(folder, sizeof(folder), "%s/results/records", home_dir());
    n = scandir(folder, &entries, is_record, alphasort);
    if (n < 0 && errno == ENOENT)
        return NW_OK;
    if (n < 0)
        return status_error(NW_EIO, "narrows: %s: %s\n", folder, strerror(errno));
    for (int i = 0; i < n; i++) {
        char path[4400];
        snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
        if (!rc && (!paper || is_of(entries[i]->d_name, paper)))
            rc = records_import_file(s, path);
        free(entries[i]);
    }
    free(entries);
    return rc;
}

/* The run that speaks for this scenario, if it is a record's and its times are of another simulator; 0 if not, or
 * negative. */
static int64_t stale_time(struct store *s, const char *scenario)
{
    sqlite3 *db = store_handle(s);
    sqlite3_stmt *st = NULL;
    int code = sqlite3_prepare_v2(db,
                                  "SELECT c.run_id FROM chosen_run c JOIN record_state k USING (run_id)"
                                  " WHERE c.scenario = ? AND k.stale_time",
                                  -1, &st, NULL);
    int64_t run = 0;

    if (code == SQLITE_OK) {
        sqlite3_bind_text(st, 1, scenario, -1, SQLITE_STATIC);
        code = sqlite3_step(st);
    }
    if (code == SQLITE_ROW)
        run = sqlite3_column_int64(st, 0);
    else if (code != SQLITE_DONE)
        fprintf(stderr, "narrows: %s: %s\n", sqlite3_db_filename(db, "main"), sqlite3_errmsg(db));
    sqlite3_finalize(st);
    return code == SQLITE_ROW || code == SQLITE_DONE ? run : NW_EDB;
}

static int time_scenario(const char *path, void *argument)
{
    const struct experiment *x = argument;
    struct scenario_file *file = NULL;
    int rc = scenario_open(path, NULL, 0, NULL, 0, stderr, &file);
    int64_t run = rc ? 0 : stale_time(x->store, scenario_name(file));

    if (run < 0)
        rc = (int)run;
    else if (run)
        rc = trace_time_recorded(x, file, run);
    scenario_close(file);
    return rc;
}

int records_time(const struct experiment *x, const char *paper)
{
    char folder[256];

    snprintf(folder, sizeof(folder), "training/%s/small", paper);
    return command_has_folder(folder) ? command_each(folder, time_scenario, (void *)x) : NW_OK;
}

int records_print(struct store *s, FILE *out)
{
    static const char sql[] =
        "SELECT scenario, training_runs, day, revision, machine, state || coalesce(' ' || checked_steps, '') ||"
        " iif(stale_time AND NOT stale, ', stale times', ''), file FROM record_state ORDER BY scenario, run_id";
    sqlite3 *db = store_handle(s);
    sqlite3_stmt *st = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &st, NULL), n = 0;

    while (code == SQLITE_OK && (code = sqlite3_step(st)) == SQLITE_ROW) {
        if (!n++)
            fprintf(out, "%-26s %9s  %-10s  %-17s  %-18s  %s\n", "scenario", "runs", "day", "commit", "trainer",
                    "file, machine");
        fprintf(out, "%-26s %9lld  %-10s  %-17s  %-18s  %s, %s\n", sqlite3_column_text(st, 0),
                (long long)sqlite3_column_int64(st, 1), sqlite3_column_text(st, 2), sqlite3_column_text(st, 3),
                sqlite3_column_text(st, 5), sqlite3_column_text(st, 6), sqlite3_column_text(st, 4));
        code = SQLITE_OK;
    }
    if (code != SQLITE_DONE)
        fprintf(stderr, "narrows: %s: %s\n", sqlite3_db_filename(db, "main"), sqlite3_errmsg(db));
    else if (!n)
        fputs("no records: narrows record import adds those that ship with narrows\n", stderr);
    sqlite3_finalize(st);
    return code == SQLITE_DONE ? NW_OK : NW_EDB;
}
