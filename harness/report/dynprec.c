#include "harness/report/dynprec.h"

#include <string.h>

#include "harness/report/query.h"
#include "harness/report/sizes.h"
#include "harness/report/text.h"
#include "harness/status.h"

void dynprec_number(FILE *out, struct query *q, int column, const char *format, int width)
{
    if (query_null(q, column))
        text_cell(out, "-", width);
    else
        text_number(out, format, query_real(q, column), width);
}

enum { NETWORK = 15, PRECISION = 10 };

/* What was trained, network by network. */
static int trained_on(struct sqlite3 *db, FILE *out, const char *size)
{
    struct query q = query_open(db,
                                "SELECT label, model, data, batch, steps FROM dynprec_point WHERE size = " SIZES_ASKED
                                " GROUP BY place ORDER BY place",
                                size, NULL);

    while (query_next(&q))
        text_paragraph(out, "%s: %s on %s, batches of %.0f, %.0f steps.", query_text(&q, 0), query_text(&q, 1),
                       query_text(&q, 2), query_real(&q, 3), query_real(&q, 4));
    return query_close(&q);
}

static void accuracy_row(FILE *out, struct query *q)
{
    _Bool baseline = !strcmp(query_text(q, 1), "FP32");

    text_cell(out, baseline ? query_text(q, 0) : "", NETWORK);
    text_cell(out, query_text(q, 1), PRECISION);
    text_number(out, "%.2f", query_real(q, 2), -6);
    baseline ? text_cell(out, "", -8) : text_number(out, "%+.2f", query_real(q, 3), -8);
    text_number(out, "%.2f", query_real(q, 4), -10);
    dynprec_number(out, q, 5, "%.2f", -6);
    text_number(out, "%.0f", query_real(q, 6), -3);
    if (!baseline) {
        dynprec_number(out, q, 7, "%+.2f", -8);
        dynprec_number(out, q, 8, "%.2f", -6);
    }
    fprintf(out, "%s\n", query_real(q, 9) != 0 ? " !" : "");
}

static int accuracies(struct sqlite3 *db, FILE *out, const char *size, const char *top)
{
    struct query q = query_open(
        db,
        "SELECT label, variant, published, published_difference, mean, deviation, n, difference,"
        " 2 * standard_error, abs(difference) > 2 * standard_error FROM dynprec_accuracy WHERE size = " SIZES_ASKED
        " AND top = ?2 ORDER BY place, variant_place",
        size, top, NULL);

    fputc('\n', out);
    text_cell(out, top, NETWORK + PRECISION);
    fputs(" paper    diff      ours   dev  n    diff  2 SE\n", out);
    text_rule(out, NETWORK + PRECISION + 47);
    while (query_next(&q))
        accuracy_row(out, &q);
    return query_close(&q);
}

static int table1(struct sqlite3 *db, FILE *out, const char *size)
{
    fprintf(out, "Table 1%s: accuracy on test samples (%%)\n\n", sizes_text(size));
    int rc = trained_on(db, out, size);

    rc = rc ? rc : accuracies(db, out, size, "top-1");
    rc = rc ? rc : accuracies(db, out, size, "top-5");
    fputc('\n', out);
    text_paragraph(
        out,
        "%sdiff: from FP32, the paper's and ours; dev: deviation over n seeds; 2 SE: two standard errors of the"
        " mean difference, a seed's trainings compared with each other; !: differs by more.",
        *size == '1'
            ? ""
            : "Other data and smaller networks than the paper's: differences may be compared, accuracies may not. ");
    fputc('\n', out);
    return rc;
}

int dynprec_table1(struct sqlite3 *db, FILE *out)
{
    return sizes_each(db, out, "dynprec_point", table1);
}
