#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/report/gnuplot.h"
#include "harness/report/query.h"
#include "harness/report/report.h"
#include "harness/report/tsv.h"
#include "harness/status.h"
#include "harness/store/store.h"

/* What each figure draws; ?1 is the paper. The first column names the block (see tsv.h). 'marks' are the points
 * to mark on the curves, in a file of their own, a block each: its name is what the legend says. */
static const struct figure {
    const char *name, *header, *data, *marks;
} figures[] = {
    { "profile", NULL,
      "SELECT system, column_key, origin, row_1, row_2, row_3, row_4, row_5, row_6, row_7, row_8, total"
      " FROM figure_profile"
      " WHERE paper = ?1 AND EXISTS (SELECT 1 FROM comparison c JOIN paper_system y USING (paper, table_id)"
      "  WHERE c.paper = ?1)"
      " ORDER BY place, column_key = 'A2DTWP', origin = 'ours'",
      NULL },
    { "fig4", "published\tours",
      "SELECT system, row_label, published, ours FROM figure_normalized WHERE paper = ?1"
      " AND EXISTS (SELECT 1 FROM comparison c WHERE c.paper = ?1 AND c.table_id = 'fig4')"
      " ORDER BY system_place, row_place",
      NULL },
#define SWEEP(name, header, column, unit)                                                                         \
    {                                                                                                             \
        name, header,                                                                                             \
            "SELECT label, x, speedup FROM figure_sweep WHERE figure = '" name "' AND ?1 <> ''"                   \
            " ORDER BY place, label, x, position",                                                                \
            "SELECT printf('%s as it is: %.3g " unit ", %.2f×', label, " column ", speedup), " column ", speedup" \
            " FROM figure_machine WHERE paper = ?1 AND " column " IS NOT NULL"                                    \
            " AND series IN (SELECT series FROM figure_sweep WHERE figure = '" name "') ORDER BY place"           \
    }
    SWEEP("bandwidth", "speedup at this many GB/s", "bandwidth_GBps", "GB/s"),
    SWEEP("bytes_per_flop", "speedup at this many bytes per kFLOP", "bytes_per_kflop", "bytes/kFLOP"),
    SWEEP("bytes_per_weight", "speedup at this many bytes per weight", "bytes_per_weight", "bytes"),
};

/* "DIR/NAME SUFFIX" */
static char *path_of(const char *dir, const char *name, const char *suffix)
{
    char *path;

    return asprintf(&path, "%s/%s%s", dir, name, suffix) < 0 ? NULL : path;
}

/* The rows of a profile table are the columns of its figure: their labels are data. */
static char *profile_header(sqlite3 *db, const char *paper)
{
    struct query q = query_open(db,
                                "SELECT group_concat(label, char(9)) FROM (SELECT w.label FROM paper_row w"
                                " JOIN paper_system y USING (paper, table_id) WHERE w.paper = ?1 AND y.place = 1"
                                " ORDER BY w.place)",
                                paper, NULL);
    char *header = NULL;

    if (query_next(&q) && asprintf(&header, "origin\t%s\ttotal", query_text(&q, 0)) < 0)
        header = NULL;
    query_close(&q);
    return header;
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

static int draw_formats(const struct figure *f, const char *plots, const char *dir, const char *data, const char *marks)
{
    static const char *const formats[] = { "svg", "png" };
    char *template = path_of(plots, f->name, ".gp");
    int rc = template ? NW_OK : NW_ENOMEM;

    for (int i = 0; i < 2 && !rc; i++) {
        char *out = path_of(dir, f->name, i ? ".png" : ".svg");

        rc = out ? draw(template, data, marks, out, formats[i]) : NW_ENOMEM;
        free(out);
    }
    free(template);
    return rc;
}

/* *drawable tells whether there is data, *marked whether there are marks. */
static int write_data(sqlite3 *db, const char *paper, const struct figure *f, const char *data, const char *marks,
                      bool *drawable, bool *marked)
{
    char *header = f->header ? strdup(f->header) : profile_header(db, paper);
    struct query q = query_open(db, f->data, paper, NULL);
    long rows = 0, nmarks = 0;
    int rc;

    if (!header) {
        query_close(&q);
        return NW_ENOMEM;
    }
    rc = tsv_write(&q, header, data, &rows);
    if (!rc && rows > 0 && f->marks) {
        q = query_open(db, f->marks, paper, NULL);
        rc = tsv_write(&q, f->header, marks, &nmarks);
        /* A file of an earlier report must not mark this one. */
        if (!rc && nmarks == 0)
            unlink(marks);
    }
    *drawable = rows > 0;
    *marked = nmarks > 0;
    free(header);
    return rc;
}

static int make_figure(sqlite3 *db, const char *paper, const struct figure *f, const char *plots, const char *dir)
{
    char *data = path_of(dir, f->name, ".tsv"), *marks = path_of(dir, f->name, "-machines.tsv");
    bool drawable = false, marked = false;
    int rc = data && marks ? write_data(db, paper, f, data, marks, &drawable, &marked) : NW_ENOMEM;

    if (!rc && !drawable)
        fprintf(stderr, "narrows report: figure %s: not drawn, no run in this database has data for it\n", f->name);
    if (!rc && drawable)
        rc = draw_formats(f, plots, dir, data, marked ? marks : NULL);
    free(data);
    free(marks);
    return rc;
}

static int make_directories(const char *dir)
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

int report_figures(struct store *s, const char *paper, const char *plots, const char *dir)
{
    int rc = make_directories(dir), missing = 0;

    for (size_t i = 0; i < sizeof(figures) / sizeof(*figures) && !rc; i++) {
        rc = make_figure(store_handle(s), paper, &figures[i], plots, dir);
        if (rc != NW_EENV)
            continue;
        fprintf(stderr, "%s %s",
                missing++ ? "," : "narrows report: gnuplot is not installed; not drawn:", figures[i].name);
        rc = NW_OK;
    }
    if (missing)
        fprintf(stderr, " (the data are in %s; Debian: apt-get install gnuplot-nox)\n", dir);
    return rc ? rc : missing ? NW_EENV : NW_OK;
}
