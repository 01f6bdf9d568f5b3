#include "harness/report/table.h"

#include <string.h>

#include "harness/report/text.h"

enum { LABEL = 21, PUBLISHED = 9, OURS = 8, DIFF = 7, KIND = 5, GROUP = PUBLISHED + OURS + DIFF + KIND };

static void newline(FILE *out)
{
    fputc('\n', out);
}

void table_rule(FILE *out)
{
    for (int i = 0; i < LABEL + 2 * GROUP; i++)
        fputc('-', out);
    newline(out);
}

void table_head(FILE *out, const struct table_style *style)
{
    text_cell(out, "", LABEL);
    text_cell(out, style->heads[0], -(PUBLISHED + OURS + DIFF));
    text_cell(out, "", KIND);
    text_cell(out, style->heads[1], -(PUBLISHED + OURS + DIFF));
    newline(out);
    text_cell(out, "", LABEL);
    for (int g = 0; g < 2; g++) {
        text_cell(out, "published", -PUBLISHED);
        text_cell(out, "ours", -OURS);
        text_cell(out, "diff", -DIFF);
        if (g == 0)
            text_cell(out, "", KIND);
    }
    newline(out);
    table_rule(out);
}

static const char *short_kind(const char *kind)
{
    return strcmp(kind, "calibrated") == 0  ? "cal"
           : strcmp(kind, "predicted") == 0 ? "pred"
           : strcmp(kind, "scaled") == 0    ? "scal"
                                            : kind;
}

static void group(FILE *out, const struct table_style *style, struct query *q, int first)
{
    if (query_null(q, first)) {
        text_cell(out, "N/A", -PUBLISHED);
        if (first == 1)
            text_cell(out, "", OURS + DIFF + KIND);
        return;
    }
    text_number(out, "%.2f", query_real(q, first), -PUBLISHED);
    if (query_null(q, first + 1)) {
        text_cell(out, "-", -OURS);
        if (first == 1)
            text_cell(out, "", DIFF + KIND);
        return;
    }
    text_number(out, "%.2f", query_real(q, first + 1), -OURS);
    text_number(out, style->diff, query_real(q, first + 2), -DIFF);
    if (first == 1 || *query_text(q, first + 3))
        fputc(' ', out);
    text_cell(out, short_kind(query_text(q, first + 3)), first == 1 ? KIND - 1 : 0);
}

void table_row(FILE *out, const struct table_style *style, struct query *q)
{
    text_cell(out, query_text(q, 0), LABEL);
    group(out, style, q, 1);
    group(out, style, q, 1 + TABLE_GROUP);
    newline(out);
}
