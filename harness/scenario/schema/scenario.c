/* scenario.c - the keys of a scenario file, and the sections that a point consists of. */
#include "harness/scenario/scenario.h"
#include "harness/scenario/head.h"
#include "harness/scenario/schema/rows.h"

/* The keys that name a cell of a published table, in all places that have them. */
#define PLACE(owner)                                                                                               \
    { "paper", TEXT(owner, paper), FLAGS(FIELD_REQUIRED), DOC("the paper's short name") },                         \
        { "table", TEXT(owner, table), FLAGS(FIELD_REQUIRED), DOC("as the paper numbers it: II, 1, fig8, text") }, \
        { "row", TEXT(owner, row), FLAGS(FIELD_REQUIRED), DOC("its key in the table") },                           \
    {                                                                                                              \
        "column", TEXT(owner, column), FLAGS(FIELD_REQUIRED), DOC("its key in the table")                          \
    }
#define CELL(owner)                                                                                               \
    PLACE(owner),                                                                                                 \
    {                                                                                                             \
        "measure", TEXT(owner, measure), FLAGS(FIELD_REQUIRED), DOC("which of a point's measures the cell holds") \
    }

static const struct field compare_fields[] = {
    CELL(compare_row),
    { "variant", TEXT(compare_row, variant), DOC("restricts the row to the points of this variant") },
};
static const struct schema compare_schema = SCHEMA("compare row", compare_row, compare_fields, NULL);

static const struct field fit_fields[] = {
    { "constant", TEXT(fit_row, constant),
      DOC("path of the figure to fit; a row without one is one more observation for the others") },
    CELL(fit_row),
    { "start", NUMBER(fit_row, start),
      DOC("start of the search, in base units (bytes, bytes/s, s); 0: 1 GB/s, 1 kB, 1 ms, 0.1") },
};
static const struct schema fit_schema = SCHEMA("fit row", fit_row, fit_fields, NULL);

static const struct field calibrate_fields[] = {
    { "variant", TEXT(head, fit_variant), DOC("the variant that is fitted; required if there are variants") },
    { "elsewhere", PATH(head, elsewhere), FLAGS(FIELD_SILENT),
      DOC("scenario that fits the same constants on another machine: where the cell of one is left out here and no "
          "other is left for it, it takes the value that it has there") },
    { "fit", LIST(head, fits, nfits, fit_schema, 64), FLAGS(FIELD_REQUIRED),
      DOC("constants, each with a published cell; all are fitted together to all cells") },
};
static const struct schema calibrate_schema = SCHEMA("calibrate", head, calibrate_fields, NULL);

static const struct field chosen_fields[] = {
    { "what", TEXT(chosen_cell, what), FLAGS(FIELD_REQUIRED), DOC("the assumption, in a few words") },
    PLACE(chosen_cell),
};
static const struct schema chosen_schema = SCHEMA("chosen row", chosen_cell, chosen_fields, NULL);

static const struct field time_fields[] = {
    { "scenario", TEXT(trained_time, scenario), FLAGS(FIELD_REQUIRED),
      DOC("a scenario that is simulated: a file, or a shipped one, e.g. papers/3lc/table-1.yaml or break-even") },
    { "label", TEXT(trained_time, label), DOC("prefix of that scenario's axis labels") },
    { "push", TEXT(trained_time, push),
      DOC("key of that scenario for the bits per pushed value, if it has one: method.push.bits") },
    { "pull", TEXT(trained_time, pull), DOC("the same for pulled values") },
    { "weights", TEXT(trained_time, weights),
      DOC("key of that scenario for the bytes per pulled weight: method.bytes_per_weight") },
    { "every", INTEGER(trained_time, every), MOST(1e9), DOC("steps that are simulated as one; 0: a fiftieth of all") },
};
static const struct schema time_schema = SCHEMA("time row", trained_time, time_fields, NULL);

static const struct field scenario_fields[] = {
    { "name", TEXT(head, name), FLAGS(FIELD_REQUIRED | FIELD_SILENT), MOST(63),
      DOC("short name, as the database and the report show it") },
    { "title", TEXT(head, title), FLAGS(FIELD_SILENT), DOC("one line of description") },
    { "notes", TEXT(head, notes), FLAGS(FIELD_SILENT), DOC("free text for the report") },
    { "include", ELSEWHERE, DOC("file, or list of files, whose keys are merged underneath (any file may)") },
    { "platform", ELSEWHERE, FLAGS(FIELD_REQUIRED),
      DOC("path of a platform file, or its keys; may be left out, with the method and the batch, if there is "
          "training") },
    { "model", ELSEWHERE, FLAGS(FIELD_REQUIRED), DOC("path of a model file, or its keys; not for the method flows") },
    { "batch", INTEGER(head, batch), WHERE(head, simulated, FIELD_REQUIRED), RANGE(1, 1 << 24), DEFAULT("1"),
      DOC("samples per step, over all workers (model-parallel: of each trainer); not needed by the method flows") },
    { "method", MAP(head, method, schema_method), WHERE(head, simulated, FIELD_REQUIRED),
      DOC("where parameters live and how they are exchanged") },
    { "training", MAP(head, training, schema_training), WHERE(head, trained, 0),
      DOC("how the model is trained for real; without it the scenario is only simulated") },
    { "set", ELSEWHERE, DOC("path: value, overrides the files (a path may omit its first components)") },
    { "sweep", ELSEWHERE,
      DOC("path: list or range (2..32 GB/s:log:8, 1..4:lin:7), all combinations; under 'zip' they advance together") },
    { "variants", ELSEWHERE, DOC("name: {path: value}; every combination is run with each variant") },
    { "baseline", TEXT(head, baseline), FLAGS(FIELD_SILENT), DOC("the variant that gains are relative to") },
    { "figure", TEXT(head, figure), FLAGS(FIELD_SILENT),
      DOC("template in plots/ that draws it; a sweep's curve shows the variant A2DTWP") },
    { "calibrate", SAME(calibrate_schema), FLAGS(FIELD_PRIVATE), DOC("constants that this file fits") },
    { "compare", LIST(head, compare, ncompare, compare_schema, 256), FLAGS(FIELD_PRIVATE),
      DOC("published cells that the points cover; texts may contain {variant} and any path in braces") },
    { "chosen", LIST(head, chosen, nchosen, chosen_schema, 64), FLAGS(FIELD_PRIVATE),
      DOC("published cells with an eye on which an assumption was chosen: what comes out for them is 'assumed', not "
          "predicted") },
    { "time", LIST(head, times, ntimes, time_schema, 16), FLAGS(FIELD_PRIVATE),
      DOC("for a scenario that trains: scenarios that simulate the time of its steps, with the bytes that were sent") },
};
const struct schema schema_scenario = SCHEMA("scenario", head, scenario_fields, NULL);

static const struct field point_fields[] = {
    { "platform", MAP(scenario, platform, schema_platform), WHERE(scenario, simulated, 0), DOC("the machine") },
    { "model", MAP(scenario, model, schema_model), DOC("the network") },
    { "batch", INTEGER(scenario, batch), WHERE(scenario, simulated, 0), DOC("samples per step") },
    { "method", MAP(scenario, method, schema_method), WHERE(scenario, simulated, 0), DOC("how they are exchanged") },
    { "training", MAP(scenario, training, schema_training), WHERE(scenario, trained, 0), DOC("how it is trained") },
};
const struct schema schema_point = SCHEMA("point", scenario, point_fields, NULL);
