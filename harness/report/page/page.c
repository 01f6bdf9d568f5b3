/* page.c - the whole report as one file that needs no other: style inline, figures inline, nothing fetched. */
#include "harness/report/page/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/figure/figure.h"
#include "harness/report/part/parts.h"
#include "harness/report/report.h"
#include "harness/report/snapshot.h"
#include "harness/status.h"
#include "harness/store/store.h"
#include "harness/text/whole_file.h"

struct page {
    struct store *store;
    sqlite3 *db;
    const char *scenario, *plots, *dir; /* of one scenario alone; NULL: of everything */
    FILE *out, *undrawn;                /* for a line at the end: what was not drawn, and why */
};

static int write_style(const struct page *p)
{
    char path[4096], *css;

    snprintf(path, sizeof(path), "%s/page.css", p->plots);
    css = page_slurp(path);
    if (!css) {
        fprintf(stderr, "narrows report: %s: %s\n", path, strerror(errno));
        return NW_EIO;
    }
    fputs(css, p->out);
    free(css);
    return NW_OK;
}

static int write_head(const struct page *p)
{
    int rc;

    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<title>narrows: what moving fewer bytes buys</title>\n"
          "<link rel=\"icon\" href=\"data:,\">\n<style>\n",
          p->out);
    rc = write_style(p);
    fputs("</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#scoreboard\">to the scoreboard</a>\n<header>\n"
          "<h1>What moving fewer bytes buys</h1>\n",
          p->out);
    return rc;
}

static const char to_papers_sql[] = "SELECT paper, label FROM paper ORDER BY place";

static int write_navigation(const struct page *p)
{
    struct query q = query_open(p->db, to_papers_sql, NULL);
    int validated = report_validated(p->store);

    fputs("<nav aria-label=\"papers\"><ul>\n<li><a href=\"#scoreboard\">Scoreboard</a></li>\n", p->out);
    while (query_next(&q)) {
        fprintf(p->out, "<li><a href=\"#%s\">", query_text(&q, 0));
        html_text(p->out, query_text(&q, 1));
        fputs("</a></li>\n", p->out);
    }
    if (validated > 0)
        fputs("<li><a href=\"#validation\">Validation</a></li>\n", p->out);
    fputs("<li><a href=\"#runs\">Runs of your own</a></li>\n<li><a href=\"#quick\">Does training work"
          " here?</a></li>\n</ul></nav>\n</header>\n<main>\n",
          p->out);
    return query_close(&q) ? NW_EDB : validated < 0 ? validated : NW_OK;
}

static int write_scoreboard(const struct page *p)
{
    int rc;

    fputs("<section>\n", p->out);
    style_html.heading(p->out, 2, "Scoreboard", "scoreboard");
    rc = parts_write(p->db, "", "scoreboard", NULL, &style_html, 2, p->out, NULL);
    style_html.paragraph(p->out, style_legend);
    fputs("<p>In tables the background shows how far ours is off (under 2, 5, 10, 25, more; % or points), as the"
          " number next to it does.</p>\n</section>\n",
          p->out);
    return rc;
}

static int write_title(const struct page *p, const char *paper)
{
    struct query q =
        query_open(p->db, "SELECT label, authors, title, summary FROM paper WHERE paper = ?1", paper, NULL);

    if (query_next(&q)) {
        style_html.heading(p->out, 2, query_text(&q, 0), paper);
        fputs("<p><cite>", p->out);
        html_text(p->out, query_text(&q, 2));
        fputs("</cite>, ", p->out);
        html_text(p->out, query_text(&q, 1));
        fputs(".</p>\n", p->out);
        style_html.paragraph(p->out, query_text(&q, 3));
    }
    return query_close(&q);
}

/* Every cell with the command that computes just it. */
static int write_commands(const struct page *p, const char *paper)
{
    char *sql = sqlite3_mprintf(
        "SELECT table_id AS \"table\", row_key AS row, column_key AS \"column\", published, ours, unit, error AS"
        " \"error|\", error_unit AS \"error|in\","
        " kind, command AS \"computed by\" FROM paper_cell LEFT JOIN cell_command USING (paper, table_id, row_key,"
        " column_key)"
        " LEFT JOIN paper_row USING (paper, table_id, row_key) WHERE paper = %Q ORDER BY table_id, place, row_key,"
        " column_key",
        paper);
    const struct part cells = { paper, "", "cells", "", "", "list", "s s s %.4g %.4g s %+.1f s s s", sql, "" };
    int rc;

    fputs("<details>\n<summary>Every cell, and the command that computes just it</summary>\n", p->out);
    rc = sql ? part_write(p->db, &cells, &style_html, 4, p->out) : NW_ENOMEM;
    fprintf(p->out,
            "<p>The whole paper: <code>narrows reproduce %s</code>; one table: <code>narrows report --paper %s --table"
            " NAME</code>.</p>\n</details>\n",
            paper, paper);
    sqlite3_free(sql);
    return rc;
}

static int write_paper(const char *paper, void *argument)
{
    const struct page *p = argument;
    int rc = report_figures_noting(p->store, paper, NULL, p->plots, p->dir, p->undrawn);

    /* What could not be drawn has been said; the page is whole without it. */
    rc = rc == NW_EENV || rc == NW_EIO ? NW_OK : rc;
    fputs("<article>\n", p->out);
    rc = rc ? rc : write_title(p, paper);
    for (const struct section *s = report_sections; s->name && !rc; s++) {
        fputs("<section>\n", p->out);
        rc = parts_write(p->db, paper, s->name, NULL, &style_html, 3, p->out, NULL);
        rc = rc ? rc : page_figures(p->db, paper, s->name, p->dir, p->out);
        if (!rc && !strcmp(s->name, "trained"))
            rc = claims_write(p->db, paper, &style_html, 3, p->out);
        fputs("</section>\n", p->out);
    }
    rc = rc ? rc : write_commands(p, paper);
    fputs("</article>\n", p->out);
    return rc;
}

/* Predictions held against executions; nothing where there are none. */
static int write_validation(const struct page *p)
{
    int any = report_validated(p->store), rc;

    if (any <= 0)
        return any;
    rc = report_figures_noting(p->store, "", NULL, p->plots, p->dir, p->undrawn);
    rc = rc == NW_EENV || rc == NW_EIO ? NW_OK : rc;
    fputs("<section>\n", p->out);
    style_html.heading(p->out, 2, "Validation", "validation");
    rc = rc ? rc : parts_write(p->db, "", "validation", NULL, &style_html, 2, p->out, NULL);
    rc = rc ? rc : page_figures(p->db, "", "validation", p->dir, p->out);
    fputs("</section>\n", p->out);
    return rc;
}

/* Training runs of a few steps, apart from the papers' and without their numbers. */
static int write_quick(const struct page *p)
{
    int rc;

    fputs("<section>\n", p->out);
    style_html.heading(p->out, 2, "Does training work here?", "quick");
    style_html.paragraph(
        p->out,
        "Training runs of a few steps, done on this machine: losses fall, bytes are saved, every path is taken. They"
        " are too short to say"
        " anything about what the papers trained, and cover none of their figures.");
    rc = parts_write(p->db, "", "quick", NULL, &style_html, 2, p->out, NULL);
    fputs("</section>\n", p->out);
    return rc;
}

static int write_papers(const struct page *p)
{
    int rc = write_navigation(p);

    rc = rc ? rc : write_scoreboard(p);
    return rc ? rc : report_papers(p->store, write_paper, (void *)p);
}

static int write_all(const struct page *p)
{
    bool begun;
    int rc = snapshot_begin(p->db, true, &begun);

    rc = rc ? rc : write_head(p);
    if (p->scenario)
        fputs("</header>\n<main>\n", p->out);
    else
        rc = rc ? rc : write_papers(p);
    if (!p->scenario)
        rc = rc ? rc : write_validation(p);
    rc = rc ? rc : page_runs(p->store, p->scenario, p->plots, p->dir, p->out);
    if (!p->scenario)
        rc = rc ? rc : write_quick(p);
    fputs("</main>\n</body>\n</html>\n", p->out);
    snapshot_end(p->db, begun);
    return rc;
}

int report_page(struct store *s, const char *scenario, const char *plots, const char *dir, const char *file)
{
    struct page p = { s, store_handle(s), scenario, plots, dir, NULL, NULL };
    char *text = NULL, *undrawn = NULL;
    size_t size = 0, nundrawn = 0;
    int rc = figure_directory(dir);

    if (rc)
        return rc;
    p.out = open_memstream(&text, &size);
    p.undrawn = open_memstream(&undrawn, &nundrawn);
    rc = p.out && p.undrawn ? write_all(&p) : NW_ENOMEM;
    if (p.out && fclose(p.out) != 0)
        rc = NW_ENOMEM;
    if (p.undrawn)
        fclose(p.undrawn);
    if (!rc)
        rc = whole_file_put(file, text, size, stderr);
    if (nundrawn)
        fprintf(stderr, "narrows report: not drawn: %s\n", undrawn);
    free(text);
    free(undrawn);
    return rc;
}
