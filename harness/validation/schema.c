/* schema.c - the keys of a validation file. */
#include "harness/validation/schema.h"
#include "harness/scenario/schema/rows.h"
#include "harness/validation/spec.h"

static const struct field measured_fields[] = {
    { "value", TEXT(validation, value), FLAGS(FIELD_REQUIRED), DOC("expression: what was measured") },
    { "spread", TEXT(validation, spread), DOC("expression: its standard deviation, in the same unit") },
    { "unit", TEXT(validation, unit), FLAGS(FIELD_REQUIRED), DOC("of both, and of the reading") },
};
static const struct schema measured_schema = SCHEMA("measured", validation, measured_fields, NULL);

static const struct field fit_fields[] = {
    { "keys", TEXT(validation_fit, keys), FLAGS(FIELD_REQUIRED),
      DOC("paths of the scenario's numbers that are fitted, separated by commas; the search begins with the scenario's "
          "values, which have to be above 0") },
    { "per", TEXT(validation_fit, per),
      DOC("expression: rows with the same value share the constants; without it all rows do") },
    { "rows", TEXT(validation_fit, rows), FLAGS(FIELD_REQUIRED),
      DOC("condition: the rows that calibrate; they are not counted as predicted") },
    { "among", TEXT(validation_fit, among),
      DOC("expression: the constants of a group come from the calibrating rows of the other groups with the same "
          "value, not from its own, which are predicted all the same") },
    { "elsewhere", BOOL(validation_fit, elsewhere),
      DOC("where a constant has but one row, its value without that row is the geometric mean of the other groups'") },
};
static const struct schema fit_schema = SCHEMA("fit", validation_fit, fit_fields, NULL);

#define BARS(owner, whose)                                                                                  \
    { "mean", NUMBER(owner, mean), MOST(1e6), DOC(whose " mean error, without the sign, in %") },           \
        { "median", NUMBER(owner, median), MOST(1e6), DOC(whose " median error, in %") },                   \
    {                                                                                                       \
        "p95", NUMBER(owner, p95), MOST(1e6), DOC(whose " error that 95 % of the rows do not exceed, in %") \
    }

static const struct field set_fields[] = {
    { "name", TEXT(validation_set, name), FLAGS(FIELD_REQUIRED), MOST(63), DOC("of the class of rows") },
    { "rows", TEXT(validation_set, rows), DOC("condition; a row belongs to the first set that takes it") },
    BARS(validation_set, "bar:"),
};
static const struct schema set_schema = SCHEMA("set", validation_set, set_fields, NULL);

static const struct field peer_fields[] = {
    { "name", TEXT(validation_peer, name), FLAGS(FIELD_REQUIRED), DOC("who predicted the same rows") },
    { "set", TEXT(validation_peer, set), DOC("name of the set; without it the first") },
    BARS(validation_peer, "their"),
    { "source", TEXT(validation_peer, source), FLAGS(FIELD_REQUIRED), DOC("where that is said") },
};
static const struct schema peer_schema = SCHEMA("peer", validation_peer, peer_fields, NULL);

static const struct field form_fields[] = {
    { "name", TEXT(validation, form_name), FLAGS(FIELD_REQUIRED), DOC("in a few words, its constants counted") },
    { "with", TEXT(validation, form_with), DOC("common table expressions, without the word WITH: its constants") },
    { "value", TEXT(validation, form_value), FLAGS(FIELD_REQUIRED), DOC("expression: what it predicts for a row") },
};
static const struct schema form_schema = SCHEMA("closed form", validation, form_fields, NULL);

static const struct field baseline_fields[] = {
    { "baseline", TEXT(validation, baseline), FLAGS(FIELD_REQUIRED),
      DOC("condition: the rows that others are compared with") },
    { "per", TEXT(validation, baseline_per), DOC("expression: rows are compared with the baseline of the same value") },
    { "least", NUMBER(validation, baseline_least), RANGE(0, 1), DEFAULT("0.05"),
      DOC("share by which a row has to differ from its baseline, as measured, to count") },
};
static const struct schema baseline_schema = SCHEMA("compare", validation, baseline_fields, NULL);

static const struct field reason_fields[] = {
    { "rows", TEXT(validation_reason, rows), FLAGS(FIELD_REQUIRED), DOC("condition") },
    { "because", TEXT(validation_reason, because), FLAGS(FIELD_REQUIRED), DOC("why these rows may be missed") },
};
static const struct schema reason_schema = SCHEMA("reason", validation_reason, reason_fields, NULL);

static const struct field validation_fields[] = {
    { "name", TEXT(validation, name), FLAGS(FIELD_REQUIRED), MOST(63), DOC("short name") },
    { "title", TEXT(validation, title), FLAGS(FIELD_REQUIRED), DOC("one line of description") },
    { "source", TEXT(validation, source), FLAGS(FIELD_REQUIRED),
      DOC("who measured the rows, on what, and where they are published") },
    { "notes", TEXT(validation, notes), DOC("free text for the report") },
    { "data", PATH(validation, data), DOC("CSV file of the rows, with a header; either this or 'rows'") },
    { "rows", TEXT(validation, rows), DOC("the rows themselves, as CSV text with a header") },
    { "columns", ELSEWHERE, DOC("name: expression; columns that are computed, each from those above it") },
    { "scenario", PATH(validation, scenario), FLAGS(FIELD_REQUIRED), DOC("the scenario that predicts them") },
    { "where", TEXT(validation, where), DOC("condition: the rows that are used; without it all are") },
    { "label", TEXT(validation, label), FLAGS(FIELD_REQUIRED), DOC("expression: the name of a row") },
    { "measured", SAME(measured_schema), FLAGS(FIELD_REQUIRED), DOC("what was measured") },
    { "reading", TEXT(validation, reading), FLAGS(FIELD_REQUIRED),
      DOC("of the simulation, held against what was measured: step_ms, samples_per_s") },
    { "bind", ELSEWHERE, FLAGS(FIELD_REQUIRED),
      DOC("key: expression. A number is in base units, text as in a file ('10 Gbit/s'), NULL leaves the key alone; the "
          "key 'variant' chooses a variant of the scenario, the key 'model' a model file, looked for where the "
          "scenario is") },
    { "fit", LIST(validation, fits, nfits, fit_schema, 16), DOC("constants, one fit after another, in this order") },
    { "sets", LIST(validation, sets, nsets, set_schema, 32), FLAGS(FIELD_REQUIRED), DOC("classes of predicted rows") },
    { "closed_form", SAME(form_schema), FLAGS(FIELD_WHOLE), DOC("what a spreadsheet would say of the same rows") },
    { "peers", LIST(validation, peers, npeers, peer_schema, 32), DOC("what others reach") },
    { "compare", SAME(baseline_schema), FLAGS(FIELD_WHOLE),
      DOC("does the prediction say rightly which rows are faster than a baseline?") },
    { "reasons", LIST(validation, reasons, nreasons, reason_schema, 32), DOC("for what is far off") },
};
const struct schema schema_validation = SCHEMA("validation", validation, validation_fields, NULL);
