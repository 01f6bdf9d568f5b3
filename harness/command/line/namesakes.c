#include "harness/command/line/namesakes.h"

#include <limits.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/store.h"

enum { MOST = 8 };

struct files {
    char path[MOST][PATH_MAX]; /* the newest first */
    size_t n;
};

/* Two spellings of a file that is still there are one. */
static void add(struct files *f, const char *path)
{
    char whole[PATH_MAX];

    if (!realpath(path, whole))
        snprintf(whole, sizeof(whole), "%s", path);
    for (size_t i = 0; i < f->n; i++)
        if (!strcmp(f->path[i], whole))
            return;
    if (f->n < MOST)
        strcpy(f->path[f->n++], whole);
}

void namesakes_tell(struct store *s, const char *scenario, FILE *err)
{
    static const char sql[] =
        "SELECT file FROM run WHERE scenario = ?1 AND file <> '' GROUP BY file ORDER BY max(id) DESC";
    struct files *f = calloc(1, sizeof(*f));
    sqlite3_stmt *q = NULL;

    if (f && sqlite3_prepare_v2(store_handle(s), sql, -1, &q, NULL) == SQLITE_OK) {
        sqlite3_bind_text(q, 1, scenario, -1, SQLITE_STATIC);
        while (sqlite3_step(q) == SQLITE_ROW)
            add(f, (const char *)sqlite3_column_text(q, 0));
    }
    sqlite3_finalize(q);
    if (f && f->n > 1)
        fprintf(err, "narrows report: '%s' is the name of several files; this is %s, run last, and not", scenario,
                f->path[0]);
    for (size_t i = 1; f && i < f->n; i++)
        fprintf(err, "%s %s%s", i > 1 ? "," : "", f->path[i], i + 1 == f->n ? "\n" : "");
    free(f);
}
