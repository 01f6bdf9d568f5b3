#include "harness/report/figure/figure.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/report/figure/gnuplot.h"
#include "harness/report/figure/tsv.h"
#include "harness/report/query.h"
#include "harness/status.h"

/* "DIR/NAME SUFFIX" */
static char *path_of(const char *dir, const char *name, const char *suffix)
{
    char *path;

    return asprintf(&path, "%s/%s%s", dir, name, suffix) < 0 ? NULL : path;
}

/* 'marks' may be NULL. Draw one format under a temporary name and give it its own when it is complete. */
static int draw(const char *template, const char *data, const char *marks, const char *out, const char *format)
{
    char *temporary = NULL;
    struct stat st;
    int rc;

    if (asprintf(&temporary, "%s.%ld.tmp", out, (long)getpid()) < 0)
        return NW_ENOMEM;
    rc = gnuplot_run(template, (const char *const[]){ data, temporary, format, marks, NULL });
    if (!rc && (stat(temporary, &st) != 0 || st.st_size == 0)) {
        fprintf(stderr, "narrows report: gnuplot left %s empty\n", out);
        rc = NW_EIO;
    }
    if (!rc && rename(temporary, out) != 0) {
        fprintf(stderr, "narrows report: %s: %s\n", out, strerror(errno));
        rc = NW_EIO;
    }
    if (rc)
        unlink(temporary);
    free(temporary);
    return rc;
}

static int draw_formats(const char *name, const char *template_name, const char *plots, const char *dir,
                        const char *data, const char *marks)
{
    static const char *const formats[] = { "svg", "png" };
    char *template = path_of(plots, template_name, ".gp");
    int rc = template ? NW_OK : NW_ENOMEM;

    for (int i = 0; i < 2 && !rc; i++) {
        char *out = path_of(dir, name, i ? ".png" : ".svg");

        rc = out ? draw(template, data, marks, out, formats[i]) : NW_ENOMEM;
        free(out);
    }
    free(template);
    return rc;
}

int figure_draw(const char *name, const char *template, const char *plots, const char *dir)
{
    char *data = path_of(dir, name, ".tsv");
    int rc = data ? draw_formats(name, template, plots, dir, data, NULL) : NW_ENOMEM;

    free(data);
    return rc;
}

/* What the query of the header says, its columns joined by tabs, for the caller to free; NULL after a message. */
static char *read_header(sqlite3 *db, const char *argument, const char *sql)
{
    struct query q = query_open(db, sql, argument, NULL);
    bool any = query_next(&q); /* where there is nothing to draw there may be nothing to say */
    char *header = strdup(any ? query_text(&q, 0) : ""), *more;

    for (int i = 1; any && header && i < sqlite3_column_count(q.st); i++, header = more) {
        more = NULL;
        if (asprintf(&more, "%s\t%s", header, query_text(&q, i)) < 0)
            more = NULL;
        free(header);
    }
    if (query_close(&q)) {
        free(header);
        header = NULL;
    }
    return header;
}

/* *drawable tells whether there is data, *marked whether there are marks. */
static int write_data(sqlite3 *db, const char *argument, const struct figure *f, const char *header, const char *data,
                      const char *marks, bool *drawable, bool *marked)
{
    struct query q = query_open(db, f->data, argument, NULL);
    long rows = 0, nmarks = 0;
    int rc;

    rc = tsv_write(&q, header, data, &rows);
    if (!rc && rows > 0 && f->marks) {
        q = query_open(db, f->marks, argument, NULL);
        rc = tsv_write(&q, header, marks, &nmarks);
        /* A file of an earlier report must not mark this one. */
        if (!rc && nmarks == 0)
            unlink(marks);
    }
    *drawable = rows > 0;
    *marked = nmarks > 0;
    return rc;
}

int figure_try(struct sqlite3 *db, const char *argument, const struct figure *f, const char *plots, const char *dir)
{
    char *data = path_of(dir, f->name, ".tsv"), *marks = path_of(dir, f->name, "-marks.tsv");
    char *said = f->header_sql ? read_header(db, argument, f->header_sql) : NULL;
    const char *header = f->header_sql ? said : f->header;
    bool drawable = false, marked = false;
    int rc = data && marks && header ? write_data(db, argument, f, header, data, marks, &drawable, &marked) : NW_ENOMEM;

    if (!rc)
        rc = !drawable ? FIGURE_EMPTY : draw_formats(f->name, f->template, plots, dir, data, marked ? marks : NULL);
    free(said);
    free(data);
    free(marks);
    return rc;
}

int figure_make(struct sqlite3 *db, const char *argument, const struct figure *f, const char *plots, const char *dir)
{
    int rc = figure_try(db, argument, f, plots, dir);

    if (rc != FIGURE_EMPTY)
        return rc;
    fprintf(stderr, "narrows report: figure %s: not drawn, no run in this database has data for it\n", f->name);
    return NW_OK;
}

int figure_directory(const char *dir)
{
    char *path = strdup(dir);
    int rc = path ? NW_OK : NW_ENOMEM;

    for (char *p = path; path && *p && !rc; p++) {
        char c = p[1];

        if (c != '/' && c != '\0')
            continue;
        p[1] = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST && errno != EISDIR) {
            fprintf(stderr, "narrows report: %s: %s\n", path, strerror(errno));
            rc = NW_EIO;
        }
        p[1] = c;
    }
    free(path);
    return rc;
}
