#include "harness/report/grid.h"
#include "harness/report/papers.h"
#include "harness/report/points.h"
#include "harness/report/query.h"
#include "harness/report/text.h"
#include "harness/status.h"

static const struct grid table1 = { "3lc", "1", { "10 Mbit/s", "100 Mbit/s", "1 Gbit/s" }, GRID_PERCENT };

int threelc_table1(struct sqlite3 *db, FILE *out)
{
    fprintf(out, "Table 1: speedup over 32-bit float, ResNet-110 on 10 workers (x)\n\n");
    int rc = grid_print(db, out, &table1);
    if (!rc)
        rc = grid_errors_of_columns(db, out, &table1); /* its accuracies are told in threelc_training.c */
    fputc('\n', out);
    return rc;
}

int threelc_constants(struct sqlite3 *db, FILE *out)
{
    return grid_constants(db, out, "3lc");
}

int threelc_breakdown(struct sqlite3 *db, FILE *out)
{
    static const struct points p = {
        .scenario = "3lc-table-1",
        .title = "Where a step's time goes: ms during which some task of that kind runs, whatever runs beside it;"
                 " exposed: ms of a step in which the slowest worker does not compute; MB that one worker pushes, and"
                 " as much that it pulls",
        .columns = { { "step_ms", "step", "%.0f", 1 },
                     { "compute_ms", "compute", "%.0f", 1 },
                     { "push_ms", "push", "%.0f", 1 },
                     { "pull_ms", "pull", "%.0f", 1 },
                     { "encode_ms", "encode", "%.1f", 1 },
                     { "decode_ms", "decode", "%.1f", 1 },
                     { "exposed_ms", "exposed", "%.0f", 1 },
                     { "push_bytes", "MB", "%.3f", 1e-6 },
                     { NULL, NULL, NULL, 0 } },
    };

    return points_print(db, out, &p);
}

int threelc_text(struct sqlite3 *db, FILE *out)
{
    static const struct grid text = { "3lc", "text", { "10 Mbit/s", "100 Mbit/s" }, GRID_PERCENT };

    int rc = NW_OK;
    if (grid_any(db, &text)) {
        fprintf(out, "A step of 32-bit float, from the running text\n\n");
        rc = grid_print(db, out, &text);
        fputc('\n', out);
    }
    text_paragraph(
        out, "Speedups are ratios, so they do not tell how long a step takes. Ten workers push and pull 6.9 MB each, so"
             " the server's link alone needs 55 s at 10 Mbit/s in either direction; the paper's 100 steps in about an"
             " hour are fewer bytes or a faster link than it states. We keep the stated link.");
    text_paragraph(out,
                   "Inputs, not results: the ratios of zero-run encoding are Table 2's averages over the whole"
                   " training. Codecs run at what this project's kernels were timed at: vectorized where the paper's"
                   " were, else the scalar ones (1-bit, sparsification).");
    fputc('\n', out);
    return rc;
}
