#include "harness/store/merge/fact_tables.h"

#include <stddef.h>
#include <string.h>

#include "harness/count.h"

/* A point that two databases computed is the same point, whichever run it was computed by; a record that both imported
 * is the same, whenever that was. */
const struct fact_table fact_tables[] = {
    { "record", FACT_RECORD, "digest", FACT_ROWS, " file imported_ns ", false },
    { "record_check", 0, NULL, FACT_ROWS, " imported_ns ", false },
    { "run", FACT_RUN, NULL, FACT_ROWS, "", true },
    { "run_end", 0, NULL, FACT_ROWS, "", true },
    { "run_record", 0, NULL, FACT_ROWS, "", true },
    { "point", FACT_POINT, "key", FACT_ROWS, " run_id ", false },
    { "measure", 0, NULL, FACT_WHOLE, "", false },
    { "run_point", 0, NULL, FACT_ROWS, "", true },
    { "point_param", 0, NULL, FACT_ROWS, "", true },
    { "cell", 0, NULL, FACT_ROWS, "", true },
    { "calibration", 0, NULL, FACT_ROWS, "", false },
    { "assumption", 0, NULL, FACT_ROWS, "", true },
    { "fit", 0, NULL, FACT_ROWS, "", false },
    { "refit", 0, NULL, FACT_ROWS, "", true },
    { "refit_constant", 0, NULL, FACT_ROWS, "", true },
    { "refit_cell", 0, NULL, FACT_ROWS, "", true },
    { "sample", 0, NULL, FACT_ROWS, "", false },
    { "bench_work", 0, NULL, FACT_ROWS, "", false },
    { "sim_case", 0, NULL, FACT_ROWS, "", false },
    { "sim_sample", 0, NULL, FACT_ROWS, "", false },
    { "train_case", 0, NULL, FACT_ROWS, "", false },
    { "train_sample", 0, NULL, FACT_ROWS, "", false },
    { "timeline", 0, NULL, FACT_FIRST, "", false },
    { "task", 0, NULL, FACT_FOLLOWS, "", false },
    { "plan_step", 0, NULL, FACT_WHOLE, "", false },
    { "training", 0, NULL, FACT_ROWS, "", false },
    { "trace_tensor", 0, NULL, FACT_WHOLE, "", false },
    { "trace_step", 0, NULL, FACT_WHOLE, "", false },
    { "trace_exchange", 0, NULL, FACT_WHOLE, "", false },
    { "trace_bits", 0, NULL, FACT_WHOLE, "", false },
    { "trace_evaluation", 0, NULL, FACT_WHOLE, "", false },
    { "trace_threshold", 0, NULL, FACT_WHOLE, "", false },
    { "trace_timing", FACT_TIMING, "key", FACT_ROWS, " run_id ", false },
    { "trace_timing_step", 0, NULL, FACT_WHOLE, "", false },
    { "training_rank_time", 0, NULL, FACT_FIRST, "", false },
    { "execution", FACT_EXECUTION, NULL, FACT_ROWS, "", false },
    { "execution_end", 0, NULL, FACT_ROWS, "", false },
    { "executed_point", 0, NULL, FACT_ROWS, "", false },
    { "executed_step", 0, NULL, FACT_ROWS, "", false },
    { "executed_rank", 0, NULL, FACT_ROWS, "", false },
    { "network_rank", 0, NULL, FACT_ROWS, "", false },
    { "network_setting", 0, NULL, FACT_ROWS, "", false },
    { "network_sample", 0, NULL, FACT_ROWS, "", false },
    { "validation_run", 0, NULL, FACT_ROWS, "", true },
    { "measured_validation", 0, NULL, FACT_ROWS, "", true },
    { "measured_set", 0, NULL, FACT_ROWS, "", true },
    { "measured_peer", 0, NULL, FACT_ROWS, "", true },
    { "measured_row", 0, NULL, FACT_ROWS, "", true },
    { "measured_fit", 0, NULL, FACT_ROWS, "", true },
    { "measured_without", 0, NULL, FACT_ROWS, "", true },
    { "tuned_block", 0, NULL, FACT_ROWS, "", false },
    { "tuned_layout", 0, NULL, FACT_ROWS, "", false },
    { 0 },
};

enum fact_number fact_reference(const char *column)
{
    static const struct {
        const char *column;
        enum fact_number number;
    } references[] = {
        { "run_id", FACT_RUN },       { "point_id", FACT_POINT },         { "timing_id", FACT_TIMING },
        { "record_id", FACT_RECORD }, { "execution_id", FACT_EXECUTION },
    };

    for (size_t i = 0; i < COUNT(references); i++)
        if (!strcmp(references[i].column, column))
            return references[i].number;
    return FACT_UNNUMBERED;
}
