/* markdown.c - for a README or an issue: pipe tables, groups in the heads. */
#include <string.h>

#include "harness/report/style/style.h"

static void escaped(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("|*_`<>\\~[]&#", *text))
            fputc('\\', out);
        fputc(*text == '\n' ? ' ' : *text, out);
    }
}

static void heading(FILE *out, int level, const char *text, const char *anchor)
{
    (void)anchor;
    for (int i = 0; i < level; i++)
        fputc('#', out);
    fputc(' ', out);
    escaped(out, text);
    fputs("\n\n", out);
}

static void paragraph(FILE *out, const char *text)
{
    escaped(out, text);
    fputs("\n\n", out);
}

/* A column without a head holds marks: they go to the cell before. */
static bool is_mark(const struct table *t, size_t column)
{
    return column > 0 && !*t->columns[column].head;
}

static void table(FILE *out, const struct table *t)
{
    for (size_t c = 0; c < t->ncolumns; c++) {
        const char *group = t->columns[c].group;

        if (is_mark(t, c))
            continue;
        fputs("| ", out);
        if (*group && (c == 0 || strcmp(group, t->columns[c - 1].group) != 0)) {
            escaped(out, group);
            fputs(*t->columns[c].head ? ": " : "", out);
        }
        escaped(out, t->columns[c].head);
        fputc(' ', out);
    }
    fputs("|\n", out);
    for (size_t c = 0; c < t->ncolumns; c++)
        fputs(is_mark(t, c) ? "" : t->columns[c].right ? "| ---: " : "| --- ", out);
    fputs("|\n", out);
    for (size_t i = 0; i < t->nrows * t->ncolumns; i++) {
        fputs(is_mark(t, i % t->ncolumns) ? "" : i % t->ncolumns ? " | " : "| ", out);
        escaped(out, t->cells[i].text ? t->cells[i].text : "");
        fputs((i + 1) % t->ncolumns ? "" : " |\n", out);
    }
    fputc('\n', out);
}

static void claims_begin(FILE *out)
{
    fputs("| | it says | it takes | what came | verdict | by |\n| ---: | --- | --- | --- | --- | --- |\n", out);
}

static void claim(FILE *out, const struct claim *c)
{
    const char *const columns[] = { c->says, c->criterion, c->outcome, c->verdict, c->detail };

    fprintf(out, "| %d ", c->place);
    for (int i = 0; i < 5; i++) {
        fputs("| ", out);
        escaped(out, columns[i]);
        if (i == 2 && *c->reason) {
            fputs(". With ", out);
            escaped(out, c->reason);
        }
        fputc(' ', out);
    }
    fputs("|\n", out);
}

static void claims_end(FILE *out)
{
    fputc('\n', out);
}

const struct style style_markdown = { heading, paragraph, table, claim, claims_begin, claims_end };
