/* scoreboard.c - all papers on one page. */
#include "harness/report/parts.h"
#include "harness/report/report.h"
#include "harness/status.h"
#include "harness/store/store.h"

/* The queries of the view scoreboard: what is predicted and how well, and what the conclusions came to. */
static const struct part parts[] = {
    { .name = "cells",
      .paper = "",
      .shape = "list",
      .before = "",
      .after = "",
      .heading = "Published cells, and how far ours are off",
      .format = "s %.0f s s %.0f s s %.0f %.0f %.0f %.0f",
      .query =
          "SELECT label AS paper, predicted_pct AS \"predicted|cells\", printf('%.1f %%', mean_error_pct) AS \"predicted|mean error\","
          " printf('%+.1f %%', worst_pct) AS \"predicted|worst\", predicted_points AS \"predicted shares|cells\","
          " printf('%.1f points', mean_error_points) AS \"predicted shares|mean error\","
          " printf('%+.1f', worst_points) AS \"predicted shares|worst\","
          " calibrated AS \"not predictions|fitted\", assumed AS \"not predictions|assumed\", scaled AS \"not predictions|scaled\", missing AS \"not predictions|missing\""
          " FROM scoreboard ORDER BY place" },
    { .name = "claims",
      .paper = "",
      .shape = "list",
      .before = "",
      .after = "",
      .heading = "The papers' conclusions, tested",
      .format = "s %.0f %.0f %.0f %.0f",
      .query =
          "SELECT label AS paper, claims AS tested, hold AS \"hold here\", fail AS \"do not\", open AS open FROM scoreboard WHERE claims ORDER BY place" },
    { .name = "worst",
      .paper = "",
      .shape = "text",
      .before = "",
      .after = "",
      .heading = "",
      .format = "",
      .query =
          "SELECT 'The worst of the predicted: ' || group_concat(label || ' ' || worst_pct_cell || printf(' (%+.1f %%)', worst_pct), '; ') || '.'"
          " FROM (SELECT * FROM scoreboard WHERE worst_pct IS NOT NULL ORDER BY place)" },
};

int scoreboard_write(sqlite3 *db, const struct style *style, int level, FILE *out)
{
    int rc = NW_OK;

    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts) && !rc; i++)
        rc = part_write(db, &parts[i], style, level, out);
    return rc;
}

int report_scoreboard(struct store *s, enum report_format format, FILE *out)
{
    return scoreboard_write(store_handle(s), format == REPORT_MARKDOWN ? &style_markdown : &style_text, 2, out);
}
