/* splitcnn_training.c - accuracies of networks on patches: a table for each network, and Table 1. */
#include "harness/report/splitcnn_training.h"

#include "harness/report/query.h"
#include "harness/report/sizes.h"
#include "harness/report/text.h"
#include "harness/status.h"

/* What a single seed leaves unknown is a dash. */
static void number(FILE *out, struct query *q, int column, const char *format, double scale, int width)
{
    if (query_null(q, column))
        text_cell(out, "-", width);
    else
        text_number(out, format, scale * query_real(q, column), width);
}

/* --- Figures 4 to 7 ------------------------------------------------------------------------------------------------- */

enum { NAME = 24 };

static void patches_row(FILE *out, struct query *q)
{
    _Bool unsplit = query_null(q, 5);

    text_cell(out, query_text(q, 0), NAME);
    text_number(out, "%.1f", query_real(q, 1), -7);
    number(out, q, 8, "%.3f", 1, -8);
    text_number(out, "%.2f", query_real(q, 2), -10);
    number(out, q, 3, "%.2f", 1, -7);
    text_number(out, "%.0f", query_real(q, 4), -4);
    if (!unsplit) {
        text_number(out, "%+.2f", query_real(q, 5), -10);
        number(out, q, 6, "%.2f", 2, -7);
        fputs(query_real(q, 7) != 0 ? " !" : "", out);
    }
    fputc('\n', out);
}

static const char patches_sql[] =
    "SELECT variant, depth_pct, mean_pct, deviation, n, difference, standard_error, abs(difference) > 2 *"
    " standard_error, loss FROM splitcnn_accuracy LEFT JOIN splitcnn_fit USING (size, row_key, variant) WHERE size = " SIZES_ASKED
    " AND row_key = ?2 ORDER BY variant_place";

static int patches_of_network(struct sqlite3 *db, FILE *out, const char *size, struct query *network)
{
    struct query q = query_open(db, patches_sql, size, query_text(network, 0), NULL);

    text_paragraph(out, "%s%s: %s on %s, %.0f steps", query_text(network, 1), sizes_text(size), query_text(network, 2),
                   query_text(network, 3), query_real(network, 4));
    fputc('\n', out);
    text_cell(out, "split", NAME);
    fputs("reached    loss  accuracy    dev   n    points   2 SE\n", out);
    text_rule(out, NAME + 53);
    while (query_next(&q))
        patches_row(out, &q);
    fputc('\n', out);
    return query_close(&q);
}

static int patches(struct sqlite3 *db, FILE *out, const char *size)
{
    struct query q =
        query_open(db,
                   "SELECT DISTINCT row_key, network, model, data, steps FROM splitcnn_point WHERE size = " SIZES_ASKED
                   " ORDER BY place",
                   size, NULL);
    int rc = NW_OK, rows = 0;

    while (!rc && query_next(&q)) {
        if (!rows++)
            fprintf(out, "Figures 4 to 7%s: accuracy of networks trained on patches (%%)\n\n", sizes_text(size));
        rc = patches_of_network(db, out, size, &q);
    }
    if (rows)
        text_paragraph(
            out,
            "Split: the depth asked for, in four patches where none are named. Reached: what share of the"
            " convolutions that comes to, %%. Loss: of training, over the last tenth of the steps; far"
            " above the unsplit network's it says that a longer training had more to learn. Points: difference from the unsplit network, mean over n"
            " seeds, each of which gives both the same first weights and samples; 2 SE: two standard"
            " errors of that mean; !: differs by more, which three seeds do by chance about one time in"
            " five. The paper draws these without numbers.");
    fputc('\n', out);
    int closed = query_close(&q);
    return rc ? rc : closed;
}

int splitcnn_trained_patches(struct sqlite3 *db, FILE *out)
{
    return sizes_each(db, out, "splitcnn_point", patches);
}

/* --- Table 1 -------------------------------------------------------------------------------------------------------- */

#define PUBLISHED(name, column)                                                                       \
    " JOIN paper_value " name " ON " name ".paper = 'splitcnn' AND " name ".table_id = '1' AND " name \
    ".row_key = u.row_key AND " name ".column_key = '" column "'"
#define OURS(name, column)                                                                                     \
    " LEFT JOIN splitcnn_table1 " name " ON " name ".size = u.size AND " name ".row_key = u.row_key AND " name \
    ".column_key = '" column "'"
#define JOINS                     \
    PUBLISHED("base", "Baseline") \
    PUBLISHED("split", "SCNN")    \
    PUBLISHED("stochastic", "SSCNN") OURS("our_split", "SCNN") OURS("our_stochastic", "SSCNN")

static const char table1_sql[] =
    "SELECT u.network, u.n, base.published, split.published - base.published, stochastic.published - base.published,"
    " u.mean_pct, our_split.difference, our_split.standard_error, our_stochastic.difference,"
    " our_stochastic.standard_error FROM splitcnn_accuracy u" JOINS " WHERE u.size = " SIZES_ASKED
    " AND u.kind = 'unsplit' ORDER BY u.place";

static void table1_row(FILE *out, struct query *q)
{
    text_cell(out, query_text(q, 0), 10);
    text_number(out, "%.2f", query_real(q, 2), -9);
    text_number(out, "%+.2f", query_real(q, 3), -7);
    text_number(out, "%+.2f", query_real(q, 4), -7);
    text_number(out, "%.0f", query_real(q, 1), -4);
    text_number(out, "%.2f", query_real(q, 5), -9);
    for (int i = 6; i < 10; i += 2) {
        number(out, q, i, "%+.2f", 1, i == 6 ? -8 : -9);
        number(out, q, i + 1, "%.2f", 2, -6);
    }
    fputc('\n', out);
}

static int table1(struct sqlite3 *db, FILE *out, const char *size)
{
    struct query q = query_open(db, table1_sql, size, NULL);
    int rows = 0;

    while (query_next(&q)) {
        if (!rows++) {
            fprintf(out,
                    "Table 1%s: accuracy (%%), and points from the baseline\n\n"
                    "                         paper                                     ours\n"
                    "          baseline   SCNN  SSCNN   n baseline    SCNN  2 SE    SSCNN  2 SE\n",
                    sizes_text(size));
            text_rule(out, 75);
        }
        table1_row(out, &q);
    }
    if (rows) {
        fputc('\n', out);
        text_paragraph(out,
                       "SCNN: on even patches, in evaluation, too; SSCNN: split anew for each batch, evaluated in one"
                       " piece.%s",
                       *size == '1' ? ""
                                    : " Ours are other networks on other data: points from the baseline may be"
                                      " compared, accuracies may not.");
        text_paragraph(
            out,
            "Half of VGG-19's convolutions end on a plane of 8x8 (in its usual form for CIFAR). There the equation of"
            " section 3.3 leaves one place to cut (from 3.2, rounded up, to 4.8, rounded down): by it the paper's"
            " stochastic VGG-19 was split evenly all the time, and differs from SCNN only in how it is evaluated.%s",
            *size == '1'
                ? ""
                : " The small networks end on planes of 10x10, with three places, and the one of bottlenecks on"
                  " 5x5, with two.");
        fputc('\n', out);
    }
    return query_close(&q);
}

int splitcnn_trained_table1(struct sqlite3 *db, FILE *out)
{
    return sizes_each(db, out, "splitcnn_point", table1);
}
