/* figure.c - figures inside a page: the SVG that gnuplot drew, without its head, and with names that are its
 * own. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/page/page.h"
#include "harness/report/style/style.h"
#include "harness/status.h"

char *page_slurp(const char *path)
{
    FILE *f = fopen(path, "r");
    long size = f && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    char *text = size >= 0 ? malloc((size_t)size + 1) : NULL;

    if (text) {
        rewind(f);
        text[fread(text, 1, (size_t)size, f)] = '\0';
    }
    if (f)
        fclose(f);
    return text;
}

/* What gnuplot says of itself would be read aloud, and the names that it gives to plots are not even its own within one
 * figure. Answers where to go on. */
static const char *past_names(const char *svg)
{
    static const struct {
        const char *begins, *ends;
    } names[] = { { "<title>", "</title>" }, { "<desc>", "</desc>" }, { " id=\"gnuplot_", "\"" } };

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        size_t n = strlen(names[i].begins);
        const char *end = strncmp(svg, names[i].begins, n) ? NULL : strstr(svg + n, names[i].ends);

        if (end)
            return past_names(end + strlen(names[i].ends));
    }
    return svg;
}

/* Names inside one SVG would meet those of the next on the same page: ids and what refers to them get the figure's name
 * in front. */
static void write_named(FILE *out, const char *svg, const char *name)
{
    static const char *const before[] = { " id=\"", " id='", "href='#", "href=\"#", "url(#" };

    while (*(svg = past_names(svg))) {
        size_t length = 0;

        for (size_t i = 0; i < sizeof(before) / sizeof(*before) && !length; i++)
            if (!strncmp(svg, before[i], strlen(before[i])))
                length = strlen(before[i]);
        if (length) {
            fprintf(out, "%.*s%s-", (int)length, svg, name);
            svg += length;
        } else {
            fputc(*svg++, out);
        }
    }
}

static void write_svg(FILE *out, const char *text, const char *name, const char *label)
{
    const char *svg = strstr(text, "<svg"), *rest = svg ? strchr(svg, '>') : NULL,
               *box = svg ? strstr(svg, "viewBox=") : NULL;
    int width = 0, height = 0;

    if (!svg || !rest)
        return;
    if (!box || box > rest || sscanf(box, "viewBox=\"%*d %*d %d %d\"", &width, &height) != 2)
        width = height = 0;
    fprintf(out, "<svg role=\"img\" aria-label=\"");
    html_text(out, label);
    fprintf(out,
            "\" viewBox=\"0 0 %d %d\" style=\"max-width:%dpx\" xmlns=\"http://www.w3.org/2000/svg\""
            " xmlns:xlink=\"http://www.w3.org/1999/xlink\"",
            width, height, width);
    write_named(out, rest, name);
}

/* What a query adds to a caption; "" if there is none. */
static int said_by(sqlite3 *db, const char *sql, char *text, size_t size)
{
    struct query q = query_open(db, *sql ? sql : "SELECT NULL", NULL);

    *text = '\0';
    if (query_next(&q) && !query_null(&q, 0))
        snprintf(text, size, " %s", query_text(&q, 0));
    return query_close(&q);
}

/* The beginning of a figure, up to its caption; false if there is no drawing. */
static bool begin_figure(const char *file, const char *name, const char *caption, FILE *out)
{
    char *svg = page_slurp(file);

    if (!svg)
        return false;
    fprintf(out, "<figure id=\"figure-%s\">\n", name);
    write_svg(out, svg, name, caption);
    fputs("<figcaption>", out);
    html_text(out, caption);
    free(svg);
    return true;
}

void page_drawing(const char *file, const char *name, const char *caption, FILE *out)
{
    if (begin_figure(file, name, caption, out))
        fputs("</figcaption>\n</figure>\n", out);
}

static int write_figure(sqlite3 *db, struct query *q, const char *source, const char *dir, FILE *out)
{
    const char *name = query_text(q, 0), *scenario = query_text(q, 3), *paper = query_text(q, 4);
    char file[4096], more[1024];
    int rc = said_by(db, query_text(q, 5), more, sizeof(more));

    snprintf(file, sizeof(file), "%s/%s.svg", dir, name);
    if (rc || !begin_figure(file, name, query_text(q, 2), out))
        return rc;
    html_text(out, more);
    html_text(out, source);
    fputs(" <details><summary>draw it again</summary><code>", out);
    if (*paper) {
        fputs("narrows run ", out);
        html_text(out, scenario);
        fprintf(out, " &amp;&amp; narrows report --paper %s --figure %s", paper, name);
    } else {
        fputs("narrows validate shaped &amp;&amp; narrows report --validation", out);
    }
    fputs("</code></details></figcaption>\n</figure>\n", out);
    return rc;
}

int page_figures(sqlite3 *db, const char *paper, const char *section, const char *dir, FILE *out)
{
    struct query q = query_open(
        db,
        "SELECT name, template, caption, scenario, paper, (SELECT printf('SELECT * FROM \"%w\"', min(v.name)) FROM"
        " sqlite_schema v"
        " WHERE v.name IN (f.name || '/caption', f.paper || '/' || f.section || '/caption') HAVING count(*) > 0)"
        " FROM report_figure f WHERE paper = ?1 AND section = ?2 ORDER BY place",
        paper, section, NULL);
    char sql[256], source[1024] = "";
    int rc = NW_OK;

    if (!strcmp(section, "trained")) {
        sqlite3_snprintf(sizeof(sql), sql, "SELECT says FROM trained_source WHERE paper = %Q", paper);
        rc = said_by(db, sql, source, sizeof(source));
    }
    while (!rc && query_next(&q))
        rc = write_figure(db, &q, source, dir, out);
    return query_close(&q) ? NW_EDB : rc;
}
