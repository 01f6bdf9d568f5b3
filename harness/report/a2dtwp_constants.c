#include "harness/report/a2dtwp.h"

#include <string.h>

#include "harness/report/query.h"
#include "harness/report/text.h"

/* The newest fit of each constant, in the order of the systems and of their tables' rows. Rates print in GB/s. */
static const char fits_sql[] =
    "SELECT y.label || ', from Table ' || y.table_id, replace(c.constant, 'platform.', ''),"
    " CASE c.unit WHEN 'bytes/s' THEN c.value / 1e9 ELSE c.value END,"
    " CASE c.unit WHEN 'bytes/s' THEN 'GB/s' ELSE '' END, w.label"
    " FROM calibration c JOIN paper_system y ON y.paper = c.paper AND y.table_id = c.table_id"
    " JOIN paper_row w ON (w.paper, w.table_id, w.row_key) = (c.paper, c.table_id, c.row_key)"
    " WHERE c.paper = 'a2dtwp' AND c.run_id = (SELECT max(run_id) FROM calibration n"
    "  WHERE n.platform = c.platform AND n.constant = c.constant AND n.paper = c.paper)"
    " ORDER BY y.place, w.place";

static void print_fit(struct query *q, FILE *out, const char *system)
{
    if (strcmp(system, query_text(q, 0)) != 0)
        fprintf(out, "%s%s\n", *system ? "\n" : "", query_text(q, 0));
    fputs("  ", out);
    text_cell(out, query_text(q, 1), 32);
    text_number(out, "%.3f", query_real(q, 2), -7);
    fputc(' ', out);
    text_cell(out, query_text(q, 3), 6);
    fprintf(out, "%s\n", query_text(q, 4));
}

int a2dtwp_constants(sqlite3 *db, FILE *out)
{
    struct query q = query_open(db, fits_sql, NULL);
    char system[64] = "";
    int rows = 0;

    while (query_next(&q)) {
        if (!rows++)
            fputs("Constants that no datasheet gives, each fitted to one 32-bit cell\n\n", out);
        print_fit(&q, out, system);
        snprintf(system, sizeof(system), "%s", query_text(&q, 0));
    }
    if (rows)
        text_paragraph(out, "\nA share multiplies the datasheet's figure. A convolution efficiency above 1 means fewer "
                            "multiplications than the direct count, as fast algorithms need. Neither printed by the "
                            "paper nor fitted, but taken from published copy benchmarks: what share of its memory's "
                            "bandwidth a streaming GPU kernel reaches (gpu.efficiency.memory, with its source in the "
                            "platform file).\n");
    return query_close(&q);
}
