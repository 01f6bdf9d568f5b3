/* scenario.c - the keys of a scenario file, and the sections that a point consists of. */
#include "harness/scenario/scenario.h"
#include "harness/scenario/head.h"
#include "harness/scenario/schema/schema.h"

/* The keys that name a cell of a published table, in both places that have them. */
#define CELL_KEY(owner, member, meaning)                                                                         \
    {                                                                                                            \
        .key = #member, .type = FIELD_STRING, .flags = FIELD_REQUIRED, .offset = offsetof(struct owner, member), \
        .doc = meaning                                                                                           \
    }
#define CELL(owner)                                                                                    \
    CELL_KEY(owner, paper, "the paper's short name"),                                                  \
        CELL_KEY(owner, table, "as the paper numbers it: II, 1, fig8, text"),                          \
        CELL_KEY(owner, row, "its key in the table"), CELL_KEY(owner, column, "its key in the table"), \
        CELL_KEY(owner, measure, "which of a point's measures stands in the cell")

static const struct field compare_fields[] = {
    CELL(compare_row),
    { .key = "variant",
      .type = FIELD_STRING,
      SCHEMA_AT(compare_row, variant),
      .doc = "only the points of this variant" },
};
static const struct schema compare_schema = { "compare row", sizeof(struct compare_row), compare_fields,
                                              SCHEMA_COUNT(compare_fields), NULL };

static const struct field fit_fields[] = {
    { .key = "constant",
      .type = FIELD_STRING,
      SCHEMA_AT(fit_row, constant),
      .doc = "path of the figure to fit; a row without one is a further observation of the others" },
    CELL(fit_row),
    { .key = "start",
      .type = FIELD_NUMBER,
      SCHEMA_AT(fit_row, start),
      .doc = "where the search begins, in base units (bytes, bytes/s, s); 0: 1 GB/s, 1 kB, 1 ms, 0.1" },
};
static const struct schema fit_schema = { "fit row", sizeof(struct fit_row), fit_fields, SCHEMA_COUNT(fit_fields),
                                          NULL };

static const struct field calibrate_fields[] = {
    { .key = "variant",
      .type = FIELD_STRING,
      SCHEMA_AT(head, fit_variant),
      .doc = "the variant that is fitted; required if there are variants" },
    { .key = "fit",
      .type = FIELD_LIST,
      .flags = FIELD_REQUIRED,
      .sub = &fit_schema,
      .most = 64,
      SCHEMA_AT(head, fits),
      .second = offsetof(struct head, nfits),
      .doc = "constants, each with a published cell; all are fitted together to all cells" },
};
static const struct schema calibrate_schema = { "calibrate", sizeof(struct head), calibrate_fields,
                                                SCHEMA_COUNT(calibrate_fields), NULL };

static const struct field time_fields[] = {
    { .key = "scenario",
      .type = FIELD_STRING,
      .flags = FIELD_REQUIRED,
      SCHEMA_AT(trained_time, scenario),
      .doc = "a scenario that simulates: a file, or a shipped one, as papers/3lc/table-1.yaml or break-even" },
    { .key = "label",
      .type = FIELD_STRING,
      SCHEMA_AT(trained_time, label),
      .doc = "in front of what that scenario's axes say" },
    { .key = "push",
      .type = FIELD_STRING,
      SCHEMA_AT(trained_time, push),
      .doc = "its key that takes bits a pushed value, where it has one: method.push.bits" },
    { .key = "pull", .type = FIELD_STRING, SCHEMA_AT(trained_time, pull), .doc = "the same of pulls" },
    { .key = "weights",
      .type = FIELD_STRING,
      SCHEMA_AT(trained_time, weights),
      .doc = "its key that takes bytes a pulled weight: method.bytes_per_weight" },
    { .key = "every",
      .type = FIELD_INTEGER,
      .max = 1e9,
      SCHEMA_AT(trained_time, every),
      .doc = "steps that are simulated as one; 0: a fiftieth of all" },
};
static const struct schema time_schema = { "time row", sizeof(struct trained_time), time_fields,
                                           SCHEMA_COUNT(time_fields), NULL };

static const struct field scenario_fields[] = {
    { .key = "name",
      .type = FIELD_STRING,
      .flags = FIELD_REQUIRED | FIELD_SILENT,
      .max = 63,
      SCHEMA_AT(head, name),
      .doc = "short name, as the database and the report show it" },
    { .key = "title",
      .type = FIELD_STRING,
      .flags = FIELD_SILENT,
      SCHEMA_AT(head, title),
      .doc = "one line of description" },
    { .key = "notes",
      .type = FIELD_STRING,
      .flags = FIELD_SILENT,
      SCHEMA_AT(head, notes),
      .doc = "free text for the report" },
    { .key = "include",
      .type = FIELD_OTHER,
      .doc = "file, or list of files, whose keys are merged underneath (any file may)" },
    { .key = "platform",
      .type = FIELD_OTHER,
      .flags = FIELD_REQUIRED,
      .doc =
          "path of a platform file, or its keys; beside training it may be left out, with the method and the batch" },
    { .key = "model",
      .type = FIELD_OTHER,
      .flags = FIELD_REQUIRED,
      .doc = "path of a model file, or its keys; not for the method flows" },
    { .key = "batch",
      .type = FIELD_INTEGER,
      .flags = FIELD_REQUIRED | FIELD_WHERE,
      .second = offsetof(struct head, simulated),
      .min = 1,
      .max = 1 << 24,
      .fallback = "1",
      SCHEMA_AT(head, batch),
      .doc = "samples per step, over all workers (model-parallel: of each trainer); not needed by the method flows" },
    { .key = "method",
      .type = FIELD_MAP,
      .flags = FIELD_REQUIRED | FIELD_WHERE,
      .sub = &schema_method,
      SCHEMA_AT(head, method),
      .second = offsetof(struct head, simulated),
      .doc = "where parameters live and how they are exchanged" },
    { .key = "training",
      .type = FIELD_MAP,
      .flags = FIELD_WHERE,
      .sub = &schema_training,
      SCHEMA_AT(head, training),
      .second = offsetof(struct head, trained),
      .doc = "how the model is trained for real; without it the scenario is only simulated" },
    { .key = "set",
      .type = FIELD_OTHER,
      .doc = "path: value, laid over the files (a path may omit its first components)" },
    { .key = "sweep",
      .type = FIELD_OTHER,
      .doc =
          "path: list or range (2..32 GB/s:log:8, 1..4:lin:7), all combinations; under 'zip' they advance together" },
    { .key = "variants", .type = FIELD_OTHER, .doc = "name: {path: value}; every combination is played with each" },
    { .key = "baseline",
      .type = FIELD_STRING,
      .flags = FIELD_SILENT,
      SCHEMA_AT(head, baseline),
      .doc = "the variant that gains are counted from" },
    { .key = "figure",
      .type = FIELD_STRING,
      .flags = FIELD_SILENT,
      SCHEMA_AT(head, figure),
      .doc = "template of plots/ that draws it; a sweep's curve is that of the variant A2DTWP" },
    { .key = "calibrate",
      .type = FIELD_MAP,
      .flags = FIELD_PRIVATE,
      .sub = &calibrate_schema,
      .doc = "constants that this file fits" },
    { .key = "compare",
      .type = FIELD_LIST,
      .flags = FIELD_PRIVATE,
      .sub = &compare_schema,
      .most = 256,
      SCHEMA_AT(head, compare),
      .second = offsetof(struct head, ncompare),
      .doc = "published cells that the points speak to; texts may hold {variant} and any path in braces" },
    { .key = "time",
      .type = FIELD_LIST,
      .flags = FIELD_PRIVATE,
      .sub = &time_schema,
      .most = 16,
      SCHEMA_AT(head, times),
      .second = offsetof(struct head, ntimes),
      .doc = "of a scenario that trains: scenarios that say how long its steps take, with the bytes they sent" },
};
const struct schema schema_scenario = { "scenario", sizeof(struct head), scenario_fields, SCHEMA_COUNT(scenario_fields),
                                        NULL };

static const struct field point_fields[] = {
    { .key = "platform",
      .type = FIELD_MAP,
      .flags = FIELD_WHERE,
      .sub = &schema_platform,
      SCHEMA_AT(scenario, platform),
      .second = offsetof(struct scenario, simulated),
      .doc = "the machine" },
    { .key = "model", .type = FIELD_MAP, .sub = &schema_model, SCHEMA_AT(scenario, model), .doc = "the network" },
    { .key = "batch",
      .type = FIELD_INTEGER,
      .flags = FIELD_WHERE,
      SCHEMA_AT(scenario, batch),
      .second = offsetof(struct scenario, simulated),
      .doc = "samples per step" },
    { .key = "method",
      .type = FIELD_MAP,
      .flags = FIELD_WHERE,
      .sub = &schema_method,
      SCHEMA_AT(scenario, method),
      .second = offsetof(struct scenario, simulated),
      .doc = "how they are exchanged" },
    { .key = "training",
      .type = FIELD_MAP,
      .flags = FIELD_WHERE,
      .sub = &schema_training,
      SCHEMA_AT(scenario, training),
      .second = offsetof(struct scenario, trained),
      .doc = "how it is trained" },
};
const struct schema schema_point = { "point", sizeof(struct scenario), point_fields, SCHEMA_COUNT(point_fields), NULL };
