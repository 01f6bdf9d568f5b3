/* dct_training.c - what was trained beside what DCT's paper trained: differences from the baseline. */
#include <string.h>

#include "harness/report/papers.h"
#include "harness/report/query.h"
#include "harness/report/text.h"
#include "harness/status.h"

enum { LABEL = 26, PUBLISHED = 9, OURS = 9, HALF = 8, GROUP = PUBLISHED + OURS + HALF };

static const struct block {
    const char *table, *columns[2]; /* of dct_table; NULL: one column alone */
} blocks[] = {
    { "1", { "test loss", "test accuracy" } }, { "1", { "train loss", "train accuracy" } },
    { "2", { "test loss", "test accuracy" } }, { "2", { "train loss", "train accuracy" } },
    { "3", { "test loss", "test accuracy" } }, { "3", { "train loss", "train accuracy" } },
    { "4", { "test loss", "BLEU" } },          { "4", { "train loss", NULL } },
};
enum { BLOCKS = sizeof(blocks) / sizeof(*blocks) };

static const char *const titles[] = { "sparse activations (DCT-MP), DLRM", "sparse gradients (DCT-DP), DLRM",
                                      "both, DLRM, two splits", "sparse activations, translation" };

static const char trained_sql[] =
    "SELECT t.model, t.data, t.steps, t.batch * t.workers, d.n FROM dct_table d"
    " JOIN speaking s ON s.paper = 'dct' AND s.table_id = d.table_id AND s.row_key = d.row_key AND s.column_key = d.column_key"
    " JOIN run_point p ON p.run_id = s.run_id AND p.position = s.position JOIN training t ON t.point_id = p.point_id"
    " WHERE d.table_id = ?1 AND d.ours IS NOT NULL ORDER BY d.place LIMIT 1";

/* What was trained for the table; false if nothing was, also after an error. */
static bool print_trained(struct sqlite3 *db, FILE *out, const char *table, int *rc)
{
    struct query q = query_open(db, trained_sql, table, NULL);
    bool any = query_next(&q);

    if (any) {
        fprintf(out, "Table %s, %s\n", table, titles[*table - '1']);
        text_paragraph(out, "(%s, %s; %.0f steps of %.0f samples; seeds: %.0f)", query_text(&q, 0), query_text(&q, 1),
                       query_real(&q, 2), query_real(&q, 3), query_real(&q, 4));
        fputc('\n', out);
    }
    *rc = query_close(&q);
    return any && !*rc;
}

static void print_head(FILE *out, const struct block *b)
{
    int n = b->columns[1] ? 2 : 1;

    text_cell(out, "", LABEL);
    for (int i = 0; i < n; i++)
        text_cell(out, b->columns[i], -GROUP);
    fputc('\n', out);
    text_cell(out, "", LABEL);
    for (int i = 0; i < n; i++) {
        text_cell(out, "paper", -PUBLISHED);
        text_cell(out, "ours", -OURS);
        text_cell(out, "±", -HALF);
    }
    fputc('\n', out);
    for (int i = 0; i < LABEL + n * GROUP; i++)
        fputc('-', out);
    fputc('\n', out);
}

/* Losses to four places and percentages to two: signed where they are differences. */
static void print_cell(FILE *out, struct query *q, int first, bool signs, bool last)
{
    bool percent = !strcmp(query_text(q, first), "%");
    const char *format = signs ? percent ? "%+.2f" : "%+.4f" : percent ? "%.2f" : "%.4f";

    text_number(out, format, query_real(q, first + 1), -PUBLISHED);
    if (query_null(q, first + 2))
        text_cell(out, "-", -OURS);
    else
        text_number(out, format, query_real(q, first + 2), -OURS);
    if (!query_null(q, first + 3))
        text_number(out, percent ? "%.2f" : "%.4f", query_real(q, first + 3), -HALF);
    else if (!last)
        text_cell(out, "", HALF);
}

static int print_block(struct sqlite3 *db, FILE *out, const struct block *b)
{
    struct query q =
        query_open(db,
                   "SELECT a.is_baseline, a.label, a.unit, a.published, a.ours, a.half, b.unit, b.published, b.ours,"
                   " b.half FROM dct_table a LEFT JOIN dct_table b ON b.table_id = a.table_id AND b.place = a.place"
                   " AND b.column_key = ?3 WHERE a.table_id = ?1 AND a.column_key = ?2 ORDER BY a.place",
                   b->table, b->columns[0], b->columns[1] ? b->columns[1] : "", NULL);

    print_head(out, b);
    while (query_next(&q)) {
        bool signs = query_real(&q, 0) == 0;

        text_cell(out, query_text(&q, 1), LABEL);
        print_cell(out, &q, 2, signs, !b->columns[1]);
        if (b->columns[1])
            print_cell(out, &q, 6, signs, true);
        fputc('\n', out);
    }
    fputc('\n', out);
    return query_close(&q);
}

static int any_table(struct sqlite3 *db, bool *any)
{
    struct query q =
        query_open(db, "SELECT 1 FROM speaking WHERE paper = 'dct' AND real_data IS NOT NULL LIMIT 1", NULL);

    *any = query_next(&q);
    return query_close(&q);
}

static int print_order(struct sqlite3 *db, FILE *out, const char *table)
{
    struct query q =
        query_open(db,
                   "SELECT alike, pairs, column_key FROM dct_order WHERE table_id = ?1 AND column_key = 'test loss'"
                   " AND pairs > 1",
                   table, NULL);

    if (query_next(&q)) {
        text_paragraph(out, "Of %.0f pairs of rows whose %s the paper tells apart, ours have %.0f in the same order.",
                       query_real(&q, 1), query_text(&q, 2), query_real(&q, 0));
        fputc('\n', out);
    }
    return query_close(&q);
}

int dct_trained(struct sqlite3 *db, FILE *out)
{
    bool any, here = false;
    int rc = any_table(db, &any);

    if (rc || !any)
        return rc;
    text_paragraph(
        out,
        "Trained for real. The first line of each table is the baseline as it is; the others are differences from it, of"
        " trainings with the same first weights, samples and order, as their mean over the seeds and half of the width of"
        " its 95 %% interval. The paper prints one training a row and no spread, so what its own differences are worth"
        " cannot be told.");
    fputc('\n', out);
    for (int i = 0; i < BLOCKS && !rc; i++) {
        if (!i || strcmp(blocks[i].table, blocks[i - 1].table) != 0)
            here = print_trained(db, out, blocks[i].table, &rc);
        if (here && !rc)
            rc = print_block(db, out, &blocks[i]);
        if (here && !rc && (i + 1 == BLOCKS || strcmp(blocks[i].table, blocks[i + 1].table) != 0))
            rc = print_order(db, out, blocks[i].table);
    }
    return rc;
}
