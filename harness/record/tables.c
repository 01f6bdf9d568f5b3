#include "harness/record/tables.h"

#include <stdbool.h>
#include <string.h>

/* Relative errors of what is rounded: 2^-17 of losses, 2^-25 of thresholds and rates. All else is exact: bytes,
 * evaluations, measures. */
enum { LOSS = 36, THRESHOLD = 28 };

#define OF_RUNS "run_id IN listed"
#define OF_POINTS "point_id IN points"

/* clang-format off */
const struct record_table record_tables[RECORD_TABLES + 1] = {
    { "run", "id IN runs", "id",
      { { "id", COLUMN_RUN, 0 }, { "started_ns", 0, 0 }, { "command", COLUMN_LOCAL, 0 }, { "scenario", 0, 0 },
        { "title", 0, 0 }, { "notes", 0, 0 }, { "baseline", 0, 0 }, { "figure", 0, 0 }, { "file", COLUMN_LOCAL, 0 },
        { "revision", 0, 0 }, { "build", 0, 0 }, { "machine", 0, 0 }, { "seed", 0, 0 }, { "npoints", 0, 0 } } },
    { "run_end", "run_id IN runs", "run_id", { { "run_id", COLUMN_RUN, 0 }, { "ended_ns", 0, 0 } } },
    { "point", "id IN points", "id",
      { { "id", COLUMN_POINT, 0 }, { "key", COLUMN_KEY, 0 }, { "run_id", COLUMN_RUN, 0 } } },
    { "measure", OF_POINTS, "name, point_id",
      { { "point_id", COLUMN_POINT, 0 }, { "name", 0, 0 }, { "value", 0, 0 }, { "unit", 0, 0 } } },
    { "run_point", OF_RUNS, "run_id, position",
      { { "run_id", COLUMN_RUN, 0 }, { "position", 0, 0 }, { "combination", 0, 0 }, { "variant", 0, 0 },
        { "point_id", COLUMN_POINT, 0 } } },
    { "point_param", OF_RUNS, "path, run_id, position",
      { { "run_id", COLUMN_RUN, 0 }, { "position", 0, 0 }, { "path", 0, 0 }, { "text", 0, 0 }, { "value", 0, 0 },
        { "unit", 0, 0 } } },
    { "cell", OF_RUNS, "run_id, position, paper, table_id, row_key, column_key",
      { { "run_id", COLUMN_RUN, 0 }, { "position", 0, 0 }, { "paper", 0, 0 }, { "table_id", 0, 0 }, { "row_key", 0, 0 },
        { "column_key", 0, 0 }, { "measure", 0, 0 } } },
    { "training", OF_POINTS, "point_id",
      { { "point_id", COLUMN_POINT, 0 }, { "model", 0, 0 }, { "data", 0, 0 }, { "real_data", 0, 0 }, { "seed", 0, 0 },
        { "workers", 0, 0 }, { "batch", 0, 0 }, { "steps", 0, 0 }, { "metric", 0, 0 } } },
    { "trace_tensor", OF_POINTS, "point_id, tensor",
      { { "point_id", COLUMN_POINT, 0 }, { "tensor", 0, 0 }, { "name", 0, 0 }, { "nvalues", 0, 0 },
        { "compressed", 0, 0 } } },
    { "trace_step", OF_POINTS, "point_id, step",
      { { "point_id", COLUMN_POINT, 0 }, { "step", 0, 0 }, { "epoch", 0, 0 }, { "samples", 0, 0 }, { "loss", 0, LOSS },
        { "learning_rate", 0, THRESHOLD }, { "precision", 0, 0 }, { "precision_share", 0, 0 }, { "pushed_bytes", 0, 0 },
        { "pulled_bytes", 0, 0 }, { "ema", 0, LOSS } } },
    { "trace_exchange", OF_POINTS, "point_id, tensor, pull, step",
      { { "point_id", COLUMN_POINT, 0 }, { "step", 0, 0 }, { "tensor", 0, 0 }, { "pull", 0, 0 }, { "bytes", 0, 0 },
        { "zeros", 0, 0 }, { "threshold", 0, THRESHOLD } } },
    { "trace_bits", OF_POINTS, "point_id, tensor, step",
      { { "point_id", COLUMN_POINT, 0 }, { "tensor", 0, 0 }, { "step", 0, 0 }, { "bits", 0, 0 } } },
    { "trace_evaluation", OF_POINTS, "point_id, after_steps",
      { { "point_id", COLUMN_POINT, 0 }, { "after_steps", 0, 0 }, { "samples", 0, 0 }, { "loss", 0, 0 },
        { "top1", 0, 0 },
        { "top5", 0, 0 }, { "other", 0, 0 } } },
    { "trace_threshold", OF_POINTS, "point_id, layer, dropped, step",
      { { "point_id", COLUMN_POINT, 0 }, { "step", 0, 0 }, { "layer", 0, 0 }, { "dropped", 0, 0 },
        { "threshold", 0, THRESHOLD } } },
    { "trace_timing", "id IN timings", "id",
      { { "id", COLUMN_TIMING, 0 }, { "run_id", COLUMN_RUN, 0 }, { "point_id", COLUMN_POINT, 0 }, { "label", 0, 0 },
        { "simulated", 0, 0 }, { "key", COLUMN_KEY, 0 } } },
    { "trace_timing_step", "timing_id IN timings", "timing_id, steps",
      { { "timing_id", COLUMN_TIMING, 0 }, { "steps", 0, 0 }, { "seconds", 0, 0 } } },
    { 0 },
};
/* clang-format on */

const struct record_table *record_table(const char *name)
{
    for (const struct record_table *t = record_tables; t->name; t++)
        if (!strcmp(t->name, name))
            return t;
    return NULL;
}

const struct record_column *record_column(const struct record_table *t, const char *name)
{
    for (const struct record_column *c = t->columns; c->name; c++)
        if (!strcmp(c->name, name))
            return c;
    return NULL;
}

bool record_numbers(const struct record_table *t, const struct record_column *c)
{
    return c == t->columns && !strcmp(c->name, "id");
}
