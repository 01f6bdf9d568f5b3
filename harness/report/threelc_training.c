#include "harness/report/threelc_training.h"

#include <string.h>

#include "harness/report/query.h"
#include "harness/report/sizes.h"
#include "harness/report/text.h"
#include "harness/status.h"

int threelc_heading(struct sqlite3 *db, FILE *out, const char *what, const char *size)
{
    struct query q = query_open(db,
                                "SELECT model, data, workers, batch, standard_steps, real_data FROM threelc_point"
                                " WHERE size = " SIZES_ASKED " LIMIT 1",
                                size, NULL);

    if (query_next(&q))
        text_paragraph(out, "%s%s: %s on %s, %.0f workers with batches of %.0f, %.0f steps", what, sizes_text(size),
                       query_text(&q, 0), query_text(&q, 1), query_real(&q, 2), query_real(&q, 3), query_real(&q, 4));
    return query_close(&q);
}

enum { DESIGN = 20 };

/* A deviation or an error of a single seed is unknown. */
void threelc_number(FILE *out, struct query *q, int column, const char *format, double scale, int width)
{
    if (query_null(q, column))
        text_cell(out, "-", width);
    else
        text_number(out, format, scale * query_real(q, column), width);
}

static void accuracy_row(FILE *out, struct query *q)
{
    _Bool baseline = query_null(q, 2);

    text_cell(out, query_text(q, 0), DESIGN);
    text_number(out, "%.2f", query_real(q, 1), -7);
    baseline ? text_cell(out, "", -7) : text_number(out, "%+.2f", query_real(q, 2), -7);
    text_number(out, "%.0f", query_real(q, 3), -4);
    text_number(out, "%.2f", query_real(q, 4), -9);
    threelc_number(out, q, 5, "%.2f", 1, -6);
    text_number(out, "%.0f", query_real(q, 6), -3);
    baseline ? text_cell(out, "", -8) : threelc_number(out, q, 7, "%+.2f", 1, -8);
    baseline ? text_cell(out, "", -6) : threelc_number(out, q, 8, "%.2f", 2, -6);
    text_number(out, "%.0f", query_real(q, 9), -4);
    fprintf(out, "%s\n", query_real(q, 10) != 0 ? " !" : "");
}

/* Where ours lie beyond two standard errors from the baseline and what the paper says of those. */
static int accuracy_words(struct sqlite3 *db, FILE *out, const char *size)
{
    struct query q = query_open(
        db,
        "SELECT (SELECT group_concat(variant || ' (' || printf('%+.1f', difference) || ', paper ' ||"
        "  printf('%+.2f', published_difference) || ')', '; ') FROM (SELECT * FROM threelc_accuracy WHERE size ="
        "  " SIZES_ASKED " AND abs(difference) > 2 * standard_error ORDER BY difference)),"
        " 1 - 6.0 * sum((published_place - mean_place) * (published_place - mean_place))"
        "  / (count(*) * (count(*) * count(*) - 1)), count(*), max(real) FROM threelc_accuracy,"
        " (SELECT max(real_data) AS real FROM threelc_point WHERE size = " SIZES_ASKED ")"
        " WHERE size = " SIZES_ASKED,
        size, NULL);

    if (query_next(&q)) {
        fputc('\n', out);
        text_paragraph(out,
                       "%sdev: deviation over n seeds; 2 SE: two standard errors of the difference of means;"
                       " !: differs by more.",
                       query_real(&q, 3) != 0 ? ""
                                              : "Other data and another network than the paper's: differences and"
                                                " places may be compared, accuracies may not. ");
        if (!query_null(&q, 0))
            text_paragraph(out, "Beyond two standard errors from 32-bit float: %s.", query_text(&q, 0));
        if (query_real(&q, 2) > 5)
            text_paragraph(out, "Rank correlation of the places with the paper's: %.2f (1: the same order).",
                           query_real(&q, 1));
    }
    return query_close(&q);
}

/* Nothing remembers what this design loses in a pull, and the server's model is what is tested. */
static int drift_words(struct sqlite3 *db, FILE *out, const char *size)
{
    struct query q = query_open(db,
                                "SELECT a.mean, b.mean, c.mean FROM threelc_design a JOIN threelc_design b USING (size,"
                                " steps, variant) JOIN threelc_design c USING (size, steps) WHERE a.name = 'loss' AND"
                                " b.name = 'test_loss' AND c.name = 'loss' AND a.variant = 'Stoch 3-value + QE'"
                                " AND c.variant = '32-bit float' AND a.steps_pct = 100 AND size = " SIZES_ASKED,
                                size, NULL);

    if (query_next(&q))
        text_paragraph(
            out,
            "Stoch 3-value + QE: what its pulls lose nobody remembers, so that the workers' models drift away"
            " from the server's, which is tested. The last training loss, the workers', is %.2f (32-bit"
            " float: %.2f); the server's on the tests is %.2f.",
            query_real(&q, 0), query_real(&q, 2), query_real(&q, 1));
    return query_close(&q);
}

static int accuracy_head(struct sqlite3 *db, FILE *out, const char *size)
{
    int rc = threelc_heading(db, out, "Table 1, accuracy (%)", size);

    fputc('\n', out);
    text_cell(out, "", DESIGN);
    fputs("  paper   diff   #     ours   dev  n    diff  2 SE   #\n", out);
    text_rule(out, DESIGN + 54);
    return rc;
}

static int accuracy(struct sqlite3 *db, FILE *out, const char *size)
{
    struct query q = query_open(db,
                                "SELECT variant, published, published_difference, published_place, mean, deviation, n,"
                                " difference, standard_error, mean_place, abs(difference) > 2 * standard_error FROM"
                                " threelc_accuracy WHERE size = " SIZES_ASKED " ORDER BY place",
                                size, NULL);
    int rows = 0, rc = NW_OK;

    while (!rc && query_next(&q)) {
        if (!rows++)
            rc = accuracy_head(db, out, size);
        accuracy_row(out, &q);
    }
    int closed = query_close(&q);
    rc = rc ? rc : closed;
    if (!rc && rows)
        rc = accuracy_words(db, out, size);
    if (!rc && rows)
        rc = drift_words(db, out, size);
    if (rows)
        fputc('\n', out);
    return rc;
}

int threelc_trained_accuracy(struct sqlite3 *db, FILE *out)
{
    return sizes_each(db, out, "threelc_point", accuracy);
}
