/* text.c - for a terminal: columns as wide as their widest cell; a table that is too wide goes on below, group by
 * group. */
#include <string.h>

#include "harness/report/style/style.h"
#include "harness/text/wrap.h"

enum { MOST_COLUMNS = 160, MOST_WIDTH = 110, GAP = 2 };

static void heading(FILE *out, int level, const char *text, const char *anchor)
{
    (void)anchor;
    if (level > 1) {
        fprintf(out, "\n%s\n\n", text);
        return;
    }
    fprintf(out, "\n%s\n", text);
    for (int i = 0; i < text_width(text); i++)
        fputc('=', out);
    fputc('\n', out);
}

static void paragraph(FILE *out, const char *text)
{
    text_fold(out, text);
    fputc('\n', out);
}

static const char *cell_text(const struct table *t, size_t row, size_t column)
{
    const char *text = t->cells[row * t->ncolumns + column].text;

    return text ? text : "";
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static bool in_group(const struct table *t, size_t column, size_t first)
{
    return column == first || (*t->columns[first].group && !strcmp(t->columns[column].group, t->columns[first].group));
}

/* One past the last column of the group that begins at 'first'. */
static size_t group_end(const struct table *t, size_t first)
{
    size_t end = first;

    while (end < t->ncolumns && in_group(t, end, first))
        end++;
    return end;
}

/* A column's mark stands close behind its number, everything else apart. */
static int gap(const struct table *t, size_t column)
{
    return column == 0 || !*t->columns[column].head ? 0 : GAP;
}

static void measure(const struct table *t, int *width)
{
    for (size_t c = 0; c < t->ncolumns; c++) {
        width[c] = text_width(t->columns[c].head);
        for (size_t r = 0; r < t->nrows; r++)
            width[c] = larger(width[c], text_width(cell_text(t, r, c)));
    }
    for (size_t first = 0, end; first < t->ncolumns; first = end) {
        int sum = 0;

        end = group_end(t, first);
        for (size_t c = first; c < end; c++)
            sum += width[c] + (c > first ? gap(t, c) : 0);
        width[first] += larger(0, text_width(t->columns[first].group) - sum);
    }
}

static void write_cell(FILE *out, const struct table *t, size_t column, const char *text, int width, bool last)
{
    fprintf(out, "%*s", gap(t, column), "");
    if (last && !t->columns[column].right)
        fputs(text, out);
    else
        text_cell(out, text, t->columns[column].right ? -width : width);
}

static void write_groups(FILE *out, const struct table *t, const int *width, size_t from, size_t to)
{
    bool any = false;
    int owed = width[0];

    for (size_t c = from; c < to; c++)
        any |= *t->columns[c].group != '\0';
    if (!any)
        return;
    for (size_t first = from, end; first < to; first = end) {
        int sum = 0;

        end = group_end(t, first);
        for (size_t c = first; c < end; c++)
            sum += width[c] + gap(t, c);
        if (*t->columns[first].group) {
            fprintf(out, "%*s", owed, "");
            text_cell(out, t->columns[first].group, -sum);
            owed = 0;
        } else {
            owed += sum;
        }
    }
    fputc('\n', out);
}

static void write_rule(FILE *out, const struct table *t, const int *width, size_t from, size_t to)
{
    int sum = width[0];

    for (size_t c = from; c < to; c++)
        sum += width[c] + gap(t, c);
    text_rule(out, sum);
}

/* One past the last column that says something: a line has no blanks at its end. */
static size_t row_end(const struct table *t, size_t row, size_t from, size_t to)
{
    while (to > from && !*cell_text(t, row, to - 1))
        to--;
    return to;
}

/* The first column, and those from 'from' to before 'to'. */
static void write_block(FILE *out, const struct table *t, const int *width, size_t from, size_t to)
{
    write_groups(out, t, width, from, to);
    write_cell(out, t, 0, t->columns[0].head, width[0], from == to);
    for (size_t c = from; c < to; c++)
        write_cell(out, t, c, t->columns[c].head, width[c], c + 1 == to);
    fputc('\n', out);
    write_rule(out, t, width, from, to);
    for (size_t r = 0; r < t->nrows; r++) {
        size_t end = row_end(t, r, from, to);

        if (t->rules[r])
            write_rule(out, t, width, from, to);
        write_cell(out, t, 0, cell_text(t, r, 0), width[0], from == end);
        for (size_t c = from; c < end; c++)
            write_cell(out, t, c, cell_text(t, r, c), width[c], c + 1 == end);
        fputc('\n', out);
    }
    fputc('\n', out);
}

static void table(FILE *out, const struct table *t)
{
    int width[MOST_COLUMNS] = { 0 };

    if (!t->ncolumns || t->ncolumns > MOST_COLUMNS)
        return;
    measure(t, width);
    for (size_t from = 1, to; from < t->ncolumns || from == 1; from = to) {
        int sum = width[0];

        for (to = from; to < t->ncolumns;) {
            size_t end = group_end(t, to);
            int more = 0;

            for (size_t c = to; c < end; c++)
                more += width[c] + gap(t, c);
            if (to > from && sum + more > MOST_WIDTH)
                break;
            sum += more;
            to = end;
        }
        write_block(out, t, width, from, to);
        if (to == from)
            break;
    }
}

static void claim(FILE *out, const struct claim *c)
{
    fprintf(out, "%2d. %s", c->place, c->verdict);
    if (*c->detail)
        fprintf(out, " (%s)", c->detail);
    fputs(": ", out);
    text_fold(out, c->says);
    fprintf(out, "    takes: ");
    text_fold(out, c->criterion);
    fprintf(out, "    came:  ");
    text_fold(out, c->outcome);
    if (*c->reason) {
        fprintf(out, "    with:  ");
        text_fold(out, c->reason);
    }
}

static void nothing(FILE *out)
{
    (void)out;
}

static void newline(FILE *out)
{
    fputc('\n', out);
}

const struct style style_text = { heading, paragraph, table, claim, nothing, newline };
