/* html.c - the parts of a page; page.c puts them together. Numbers stand at the right, what a cell is made of in
 * its class, its mark and its title, so that nothing depends on colour. */
#include <ctype.h>
#include <string.h>

#include "harness/report/style/style.h"

void html_text(FILE *out, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fputc(*text, out); break;
        }
}

void html_slug(char *slug, size_t size, const char *text)
{
    size_t n = 0;

    for (; *text && n + 1 < size; text++) {
        unsigned char c = (unsigned char)*text;

        if (isalnum(c) && c < 0x80)
            slug[n++] = (char)tolower(c);
        else if (n && slug[n - 1] != '-')
            slug[n++] = '-';
    }
    while (n && slug[n - 1] == '-')
        n--;
    slug[n] = '\0';
}

static void heading(FILE *out, int level, const char *text, const char *anchor)
{
    fprintf(out, "<h%d%s%s%s>", level, *anchor ? " id=\"" : "", anchor, *anchor ? "\"" : "");
    html_text(out, text);
    if (*anchor)
        fprintf(out, " <a class=\"here\" href=\"#%s\" aria-label=\"link to this section\">#</a>", anchor);
    fprintf(out, "</h%d>\n", level);
}

static void paragraph(FILE *out, const char *text)
{
    fputs("<p>", out);
    html_text(out, text);
    fputs("</p>\n", out);
}

static size_t group_end(const struct table *t, size_t first)
{
    size_t end = first + 1;

    while (end < t->ncolumns && *t->columns[first].group && !strcmp(t->columns[end].group, t->columns[first].group))
        end++;
    return end;
}

static void head(FILE *out, const struct table *t)
{
    bool any = false;

    for (size_t c = 0; c < t->ncolumns; c++)
        any |= *t->columns[c].group != '\0';
    fputs("<thead>\n", out);
    if (any) {
        fputs("<tr>", out);
        for (size_t first = 0, end; first < t->ncolumns; first = end) {
            end = group_end(t, first);
            fprintf(out, *t->columns[first].group ? "<th scope=\"colgroup\" colspan=\"%zu\">" : "<td colspan=\"%zu\">",
                    end - first);
            html_text(out, t->columns[first].group);
            fputs(*t->columns[first].group ? "</th>" : "</td>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("<tr>", out);
    for (size_t c = 0; c < t->ncolumns; c++) {
        fprintf(out, "<th scope=\"col\"%s>", t->columns[c].right ? " class=\"n\"" : "");
        html_text(out, t->columns[c].head);
        fputs("</th>", out);
    }
    fputs("</tr>\n</thead>\n", out);
}

static void cell(FILE *out, const struct table *t, const struct table_cell *c, size_t column)
{
    bool first = column == 0;

    fputs(first ? "<th scope=\"row\"" : "<td", out);
    if (c->anchor)
        fprintf(out, " id=\"%s\"", c->anchor);
    if (t->columns[column].right || c->distance >= 0) {
        fprintf(out, " class=\"%s", t->columns[column].right ? "n" : "");
        if (c->distance >= 0)
            fprintf(out, " e%d", c->distance);
        fputc('"', out);
    }
    if (c->kind) {
        fputs(" title=\"", out);
        html_text(out, c->kind);
        fputc('"', out);
    }
    fputc('>', out);
    html_text(out, c->text ? c->text : "");
    fputs(first ? "</th>" : "</td>", out);
}

static void table(FILE *out, const struct table *t)
{
    fputs("<div class=\"scroll\" tabindex=\"0\"><table>\n", out);
    head(out, t);
    fputs("<tbody>\n", out);
    for (size_t r = 0; r < t->nrows; r++) {
        fputs(t->rules[r] ? "<tr class=\"rule\">" : "<tr>", out);
        for (size_t c = 0; c < t->ncolumns; c++)
            cell(out, t, &t->cells[r * t->ncolumns + c], c);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

static void claims_begin(FILE *out)
{
    fputs("<ol class=\"claims\">\n", out);
}

static void claim(FILE *out, const struct claim *c)
{
    const char *class = !strcmp(c->verdict, "holds") ? "yes" : !strcmp(c->verdict, "does not hold") ? "no" : "open";

    fprintf(out, "<li id=\"%s-claim-%d\" value=\"%d\"><strong class=\"%s\">%s ", c->paper, c->place, c->place, class,
            !strcmp(class, "yes")  ? "✓"
            : !strcmp(class, "no") ? "✗"
                                   : "?");
    html_text(out, c->verdict);
    fputs("</strong> ", out);
    html_text(out, c->says);
    fputs("<dl><dt>takes</dt><dd>", out);
    html_text(out, c->criterion);
    fputs("</dd><dt>came</dt><dd>", out);
    html_text(out, c->outcome);
    if (*c->detail) {
        fputs(" (", out);
        html_text(out, c->detail);
        fputc(')', out);
    }
    if (*c->reason) {
        fputs("</dd><dt>with</dt><dd>", out);
        html_text(out, c->reason);
    }
    fputs("</dd></dl></li>\n", out);
}

static void claims_end(FILE *out)
{
    fputs("</ol>\n", out);
}

const struct style style_html = { heading, paragraph, table, claim, claims_begin, claims_end };
