/* page.c - a comparison as one file that needs no other: style and drawing inline, nothing fetched. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/compare/render/answer.h"
#include "harness/compare/render/figures.h"
#include "harness/compare/render/render.h"
#include "harness/report/style/style.h"
#include "harness/text/legible.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>narrows: codecs compared</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n"
    ":root { color-scheme: light dark; --line: #8884; --soft: #888; --first: #0b57b0; }\n"
    "@media (prefers-color-scheme: dark) { :root { --first: #8ab8ff; } }\n"
    "body { margin: 0 auto; max-width: 76rem; padding: 1rem 2rem 4rem; font: 1rem/1.5 system-ui, sans-serif; }\n"
    "table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }\n"
    "th, td { padding: .2rem .55rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }\n"
    "th:first-child { text-align: left; font-weight: 500; }\n"
    ".scroll { overflow-x: auto; } .soft { color: var(--soft); font-size: .9rem; }\n"
    "svg { max-width: 48rem; width: 100%; height: auto; font: 12px system-ui, sans-serif; }\n"
    "svg text { fill: currentColor; } .grid { stroke: var(--line); } .bar { stroke: var(--soft); stroke-dasharray: 4; "
    "}\n.first { fill: var(--first); } .other { fill: none; stroke: var(--soft); }\n"
    "</style>\n</head>\n<body>\n<h1>Codecs compared</h1>\n";

/* --- tables --- */

struct page {
    const struct rendered *r;
    FILE *out;
    size_t tables; /* the number of the one that is open, and 1; 0: none is */
};

static void put_cell(FILE *out, const char *text)
{
    fputs("<td>", out);
    html_text(out, text);
    fputs("</td>", out);
}

static void end_table(struct page *p)
{
    if (p->tables)
        fputs("</tbody></table></div>\n", p->out);
}

static void begin_table(struct page *p, const struct render_row *row)
{
    bool whole = !row->table;

    end_table(p);
    p->tables = row->table + 1;
    fputs("<h2>", p->out);
    html_text(p->out, whole ? "All tensors" : row->name);
    fputs("</h2>\n<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th scope=\"col\">codec</th>", p->out);
    for (size_t i = 0; i < nfigures; i++)
        if (figure_shown(&figures[i], p->r->comparison->steps->n))
            fprintf(p->out, "<th scope=\"col\" title=\"%s\">%s</th>", figures[i].what, figures[i].head);
    if (whole && p->r->forecasts)
        fputs("<th scope=\"col\">step (ms)</th><th scope=\"col\">gain</th><th scope=\"col\">free (ms)</th>"
              "<th scope=\"col\">gain</th>",
              p->out);
    fputs("</tr></thead><tbody>\n", p->out);
}

static void put_step(const struct page *p, double step_ms)
{
    char text[FIGURE_TEXT], factor[LEGIBLE];

    put_cell(p->out, figure_text(step_ms, text));
    put_cell(p->out, isnan(step_ms) ? "refused"
                                    : legible_factor(p->r->forecasts->fp32_step_ms / step_ms, factor, sizeof(factor)));
}

static void put_row(const struct render_row *row, void *context)
{
    struct page *p = context;
    char text[FIGURE_TEXT];

    if (p->tables != row->table + 1)
        begin_table(p, row);
    fputs("<tr><th scope=\"row\">", p->out);
    html_text(p->out, p->r->comparison->contenders->list[row->contender].name);
    fputs("</th>", p->out);
    for (size_t i = 0; i < nfigures; i++)
        if (figure_shown(&figures[i], p->r->comparison->steps->n))
            put_cell(p->out, figure_text(figures[i].of(row->outcome), text));
    if (p->r->forecasts && !row->table) {
        put_step(p, p->r->forecasts->list[row->contender].step_ms);
        put_step(p, p->r->forecasts->list[row->contender].free_step_ms);
    }
    fputs("</tr>\n", p->out);
}

/* --- the page --- */

/* A function's text, escaped, as a paragraph of each line. */
static void put_lines(void (*print)(const struct rendered *r, FILE *out), const struct rendered *r, FILE *out)
{
    char *text = NULL, *rest, *line;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    if (!f)
        return;
    print(r, f);
    fclose(f);
    rest = text;
    while ((line = strsep(&rest, "\n")))
        if (*line) {
            fputs("<p>", out);
            html_text(out, line);
            fputs("</p>\n", out);
        }
    free(text);
}

static void print_answer(const struct rendered *r, FILE *out)
{
    answer_print(r->comparison, r->forecasts, r->bar, out);
}

void render_html(FILE *out, const void *rendered)
{
    struct page p = { .r = rendered, .out = out };

    fputs(head, out);
    put_lines(render_what, p.r, out);
    put_lines(print_answer, p.r, out);
    render_chart(p.r, out);
    fputs(
        "<p class=\"soft\">Filled: no other codec has a greater cosine in fewer bits. Its name is there where it fits. "
        "Dashed: the cosine asked for. Tables: codecs by their bits over all tensors, fewest first.</p>\n",
        out);
    render_each(p.r, put_row, &p);
    end_table(&p);
    put_lines(render_notes, p.r, out);
    fputs("</body>\n</html>\n", out);
}
