/* migrate.c - brings a database to this program's schema, or refuses it. */
#include <stdbool.h>
#include <stdio.h>

#include "harness/status.h"
#include "harness/store/definitions.h"
#include "harness/store/internal.h"
#include "harness/store/schema.h"

static int query_int(struct store *s, const char *sql, int64_t *value)
{
    sqlite3_stmt *st;
    int code = sqlite3_prepare_v2(s->db, sql, -1, &st, NULL);

    if (code == SQLITE_OK)
        code = sqlite3_step(st);
    if (code != SQLITE_ROW) {
        int rc = db_fail(s, code == SQLITE_NOTADB ? "is no database" : "read the header");

        sqlite3_finalize(st);
        return rc;
    }
    *value = sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    return NW_OK;
}

/* The three figures of one moment: read one by one they could straddle another process's migration, and a file just
 * made would look like another program's. */
static int read_header(struct store *s, int64_t *mark, int64_t *version, int64_t *objects)
{
    bool alone = sqlite3_get_autocommit(s->db);
    int rc;

    rc = alone ? db_execute(s, "BEGIN", "read the header") : NW_OK;
    if (rc)
        return rc;
    rc = query_int(s, "SELECT count(*) FROM sqlite_schema", objects);
    if (!rc)
        rc = query_int(s, "PRAGMA application_id", mark);
    if (!rc)
        rc = query_int(s, "PRAGMA user_version", version);
    if (alone)
        sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL);
    return rc;
}

/* An empty file, or none yet, is version 0; anything else must carry our mark and a version that we know. */
static int read_version(struct store *s, int64_t *version)
{
    int64_t mark = 0, objects = 0;
    int rc = read_header(s, &mark, version, &objects);

    if (rc)
        return rc;
    if (mark != NARROWS_APPLICATION_ID && (mark != 0 || *version != 0 || objects != 0)) {
        fprintf(stderr, "narrows: %s: is a database of another program (application_id %lld, ours is %d)\n", s->path,
                (long long)mark, NARROWS_APPLICATION_ID);
        return NW_EDB;
    }
    if (*version > schema_version) {
        fprintf(stderr, "narrows: %s: has schema version %lld, this program knows versions up to %d: use a newer one\n",
                s->path, (long long)*version, schema_version);
        return NW_EDB;
    }
    return NW_OK;
}

static int apply(struct store *s, int64_t version)
{
    char pragma[96];
    int rc = definitions_drop(s);

    for (const struct migration *m = migrations; m->file && !rc; m++)
        if (m->version > version)
            rc = db_execute(s, m->sql, m->file);
    if (!rc)
        rc = definitions_make(s);
    if (rc)
        return rc;
    snprintf(pragma, sizeof(pragma), "PRAGMA application_id = %d; PRAGMA user_version = %d", NARROWS_APPLICATION_ID,
             schema_version);
    return db_execute(s, pragma, "write the header");
}

/* Two processes that open one new file both switch it to WAL; the loser of that race gets BUSY at once, without the
 * busy handler being asked (that could deadlock), so it asks again. */
static int use_wal(struct store *s)
{
    for (int tries = 0;; tries++) {
        int code = sqlite3_exec(s->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);

        if (code == SQLITE_OK)
            return NW_OK;
        if (code != SQLITE_BUSY || tries == 1000)
            return db_fail(s, "switch to a write-ahead log");
        sqlite3_sleep(10);
    }
}

/* Are facts and definitions those of this program? 1, 0, or negative. */
static int is_current(struct store *s, int64_t *version)
{
    int rc = read_version(s, version);

    return rc ? rc : *version == schema_version ? definitions_current(s) : 0;
}

int migrate(struct store *s, int may_write)
{
    int64_t version = 0;
    int current = is_current(s, &version), rc = current < 0 ? current : NW_OK;

    if (!rc && !current && !may_write) {
        fprintf(stderr,
                "narrows: %s: has schema version %lld and needs %d with this program's views: a command that may write"
                " to it brings it up\n",
                s->path, (long long)version, schema_version);
        return NW_EDB;
    }
    if (!rc && may_write)
        rc = use_wal(s);
    if (rc || current)
        return rc;
    rc = db_begin(s);
    if (rc)
        return rc;
    /* Another process may have migrated while this one waited for the lock. */
    current = is_current(s, &version);
    rc = current < 0 ? current : current ? NW_OK : apply(s, version);
    return db_end(s, rc);
}
