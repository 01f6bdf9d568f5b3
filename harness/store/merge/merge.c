#include "harness/store/merge/merge.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/status.h"
#include "harness/store/merge/internal.h"

static int merge_file(struct store *into, const char *path, struct merge_counts *counts)
{
    struct merging m = { .into = into, .counts = counts };
    int rc = store_open_readonly(path, &m.from);

    *counts = (struct merge_counts){ 0 };
    rc = rc ? rc : db_execute(m.from, "BEGIN", "read"); /* one moment of a file that is still written to */
    rc = rc ? rc : copy_facts(&m);
    store_close(m.from);
    return rc;
}

/* 1 if runs that are there would have to be numbered again, and others may have the file open. */
static int merge_files(struct store *into, const char *const *paths, size_t n, struct merge_counts *counts, bool alone)
{
    int64_t last = 0;
    int rc = db_begin(into), again = 0;

    if (rc)
        return rc;
    if (db_find(into, "look at its runs", "SELECT coalesce(max(id), 0) FROM run", ":l", &last) != 1)
        rc = NW_EDB;
    for (size_t i = 0; i < n && !rc; i++)
        rc = merge_file(into, paths[i], &counts[i]);
    if (!rc)
        again = order_runs(into, last, alone);
    rc = rc ? rc : again;
    rc = db_end(into, rc);
    return rc;
}

/* Only who is alone can leave the write-ahead log. */
static int be_alone(struct store *s)
{
    sqlite3_stmt *st;
    bool alone = false;

    if (sqlite3_prepare_v2(s->db, "PRAGMA journal_mode = DELETE", -1, &st, NULL) == SQLITE_OK)
        alone = sqlite3_step(st) == SQLITE_ROW && !sqlite3_stricmp((const char *)sqlite3_column_text(st, 0), "delete");
    sqlite3_finalize(st);
    return alone ? NW_OK
                 : status_error(NW_EDB,
                                "narrows: %s: holds runs that are newer than those to be merged, whose numbers would "
                                "change, and another process has it open: wait until that has ended\n",
                                s->path);
}

/* Files by when their first run began, so that runs are numbered in that order as they come. */
struct dated {
    const char *path;
    size_t place;
    int64_t began_ns;
};

static int by_date(const void *a, const void *b)
{
    const struct dated *x = a, *y = b;

    return x->began_ns != y->began_ns ? (x->began_ns > y->began_ns) - (x->began_ns < y->began_ns)
                                      : (x->place > y->place) - (x->place < y->place);
}

static int read_date(struct dated *d)
{
    struct store *s;
    int rc = store_open_readonly(d->path, &s);

    if (rc)
        return rc;
    if (db_find(s, "look at its runs", "SELECT coalesce(min(started_ns), 0) FROM run", ":l", &d->began_ns) != 1)
        rc = NW_EDB;
    store_close(s);
    return rc;
}

static int merge_dated(struct store *into, struct dated *dated, size_t n, struct merge_counts *counts)
{
    const char **paths = calloc(n + 1, sizeof(*paths));
    struct merge_counts *in_order = calloc(n + 1, sizeof(*in_order));
    int rc = paths && in_order ? NW_OK : NW_ENOMEM;

    qsort(dated, n, sizeof(*dated), by_date);
    for (size_t i = 0; i < n && !rc; i++)
        paths[i] = dated[i].path;
    rc = rc ? rc : merge_files(into, paths, n, in_order, false);
    if (rc == 1) {
        rc = be_alone(into);
        rc = rc ? rc : merge_files(into, paths, n, in_order, true);
        sqlite3_exec(into->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL); /* or whoever opens it next does */
    }
    for (size_t i = 0; i < n && !rc; i++)
        counts[dated[i].place] = in_order[i];
    free(paths);
    free(in_order);
    return rc;
}

int store_merge(struct store *into, const char *const *paths, size_t n, struct merge_counts *counts)
{
    struct dated *dated = calloc(n + 1, sizeof(*dated));
    int rc = dated ? NW_OK : NW_ENOMEM;

    for (size_t i = 0; i < n && !rc; i++) {
        dated[i] = (struct dated){ paths[i], i, 0 };
        rc = read_date(&dated[i]);
    }
    rc = rc ? rc : merge_dated(into, dated, n, counts);
    free(dated);
    return rc;
}

int store_adopt(struct store *into, int64_t run_id, struct store *from, struct merge_counts *counts)
{
    struct merging m = { .into = into, .from = from, .run_id = run_id, .counts = counts };
    int rc = db_begin(into);

    *counts = (struct merge_counts){ 0 };
    return rc ? rc : db_end(into, copy_facts(&m));
}
