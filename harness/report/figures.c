#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/figure.h"
#include "harness/report/query.h"
#include "harness/report/report.h"
#include "harness/status.h"
#include "harness/store/store.h"

/* What each figure draws; ?1 is the paper. */
static const struct figure figures[] = {
    { "profile", "profile", NULL,
      "SELECT system, column_key, origin, row_1, row_2, row_3, row_4, row_5, row_6, row_7, row_8, total"
      " FROM figure_profile"
      " WHERE paper = ?1 AND EXISTS (SELECT 1 FROM comparison c JOIN paper_system y USING (paper, table_id)"
      "  WHERE c.paper = ?1)"
      " ORDER BY place, column_key = 'A2DTWP', origin = 'ours'",
      NULL },
    { "fig4", "fig4", "published\tours",
      "SELECT system, row_label, published, ours FROM figure_normalized WHERE paper = ?1"
      " AND EXISTS (SELECT 1 FROM comparison c WHERE c.paper = ?1 AND c.table_id = 'fig4')"
      " ORDER BY system_place, row_place",
      NULL },
#define SWEEP(name, header, column, unit)                                                                         \
    {                                                                                                             \
        name, name, header,                                                                                       \
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

int report_figures(struct store *s, const char *paper, const char *plots, const char *dir)
{
    int rc = figure_directory(dir), missing = 0;

    for (size_t i = 0; i < sizeof(figures) / sizeof(*figures) && !rc; i++) {
        struct figure f = figures[i];
        char *labels = f.header ? NULL : profile_header(store_handle(s), paper);

        f.header = f.header ? f.header : labels;
        rc = f.header ? figure_make(store_handle(s), paper, &f, plots, dir) : NW_ENOMEM;
        free(labels);
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
