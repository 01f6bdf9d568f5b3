/* codec.c - the keys of a codec on one edge of a method: what it leaves on the wire, and what it costs. */
#include <strings.h>

#include "harness/scenario/schema/schema.h"
#include "harness/tensor/codec_alias.h"
#include "sim/codec/codec_spec.h"

static const char *const format_names[] = { "none",        "fp32",  "bf16",   "fp16", "adt",      "8bit",
                                            "3lc-quartic", "3lc",   "stoch3", "1bit", "sparsify", "dct",
                                            "dct-mp",      "local", "ratio",  NULL };
static const char *const aggregation_names[] = { "reduce", "gather", NULL };
static const char *const place_names[] = { "gpu", "cpu", NULL };
static const char *const timing_names[] = { "given", "measured", NULL };

_Static_assert(SCHEMA_COUNT(format_names) == WIRE_FORMATS + 1, "a name for every wire format");

static const struct field point_fields[] = {
    { .key = "size",
      .type = FIELD_NUMBER,
      .flags = FIELD_REQUIRED | FIELD_ABOVE,
      .dimension = DIM_BYTES,
      SCHEMA_AT(rate_point, size_B),
      .doc = "of the tensor in fp32" },
    { .key = "rate",
      .type = FIELD_NUMBER,
      .flags = FIELD_REQUIRED | FIELD_ABOVE,
      .dimension = DIM_BYTES_PER_S,
      SCHEMA_AT(rate_point, rate_Bps),
      .doc = "fp32 bytes a second at that size" },
};
static const struct schema curve_schema = { "curve point", sizeof(struct rate_point), point_fields,
                                            SCHEMA_COUNT(point_fields), NULL };

/* Encoding and decoding cost alike. */
static const struct field cost_fields[] = {
    { .key = "rate",
      .type = FIELD_NUMBER,
      .flags = FIELD_CALIBRATED | FIELD_UNLIMITED | FIELD_OPEN | FIELD_ABOVE,
      .dimension = DIM_BYTES_PER_S,
      .fallback = "default",
      SCHEMA_AT(codec_cost, rate_Bps),
      .doc =
          "fp32 bytes a second; unlimited: it takes no time; default: on a CPU as measured for platform.cpu.class, on a GPU as "
          "fast as its memory lets it (scenarios/codec-rates.csv); ignored beside a curve" },
    { .key = "latency",
      .type = FIELD_NUMBER,
      .flags = FIELD_CALIBRATED,
      .max = 1,
      .dimension = DIM_SECONDS,
      .fallback = "0 s",
      SCHEMA_AT(codec_cost, latency_s),
      .doc = "of each call" },
    { .key = "curve",
      .type = FIELD_LIST,
      .sub = &curve_schema,
      .most = 64,
      SCHEMA_AT(codec_cost, curve),
      .second = offsetof(struct codec_cost, ncurve),
      .doc = "the rate by the size of a tensor, smallest first: interpolated in logarithms, held beyond the ends" },
};
static const struct schema cost_schema = { "cost", sizeof(struct codec_cost), cost_fields, SCHEMA_COUNT(cost_fields),
                                           NULL };

/* A low rank leaves so many bytes, and its factors add up: aggregation: reduce. */
static const char *meant(const char *word)
{
    return !strcasecmp(word, "powersgd") ? "ratio" : NULL;
}

static const struct field codec_fields[] = {
    { .key = "format",
      .type = FIELD_ENUM,
      .names = format_names,
      .alias = codec_alias_of,
      .meant = meant,
      .fallback = "none",
      SCHEMA_AT(codec_spec, format),
      .doc =
          "what travels, by name or alias as in narrows list codecs; none: fp32 as it is; ratio: a codec of your own" },
    { .key = "bytes",
      .type = FIELD_NUMBER,
      .min = 1,
      .max = 4,
      .fallback = "4",
      SCHEMA_AT(codec_spec, bytes),
      .doc = "of each value, on average: adt" },
    { .key = "bits",
      .type = FIELD_NUMBER,
      .flags = FIELD_ABOVE,
      .max = CODEC_SPEC_MOST_BITS,
      .fallback = "1.6",
      SCHEMA_AT(codec_spec, bits),
      .doc = "of each value, on average, as trained or published: 3lc; by default those of 3lc-quartic" },
    { .key = "density",
      .type = FIELD_NUMBER,
      .max = 1,
      .fallback = "1",
      SCHEMA_AT(codec_spec, density),
      .doc = "share of the values that is sent: sparsify, dct, dct-mp" },
    { .key = "indices",
      .type = FIELD_BOOL,
      .fallback = "false",
      SCHEMA_AT(codec_spec, indices),
      .doc = "an index of 4 bytes with each value even where a bitmap is smaller: dct, dct-mp" },
    { .key = "ratio",
      .type = FIELD_NUMBER,
      .flags = FIELD_ABOVE,
      .max = 1e6,
      .fallback = "1",
      SCHEMA_AT(codec_spec, ratio),
      .doc = "fp32 bytes over payload: ratio" },
    { .key = "header",
      .type = FIELD_INTEGER,
      .max = 1 << 20,
      .dimension = DIM_BYTES,
      .fallback = "0 B",
      SCHEMA_AT(codec_spec, header),
      .doc = "of each tensor: ratio" },
    { .key = "steps",
      .type = FIELD_INTEGER,
      .min = 1,
      .max = 1000000,
      .fallback = "1",
      SCHEMA_AT(codec_spec, steps),
      .doc = "everything is sent every so many steps: local" },
    { .key = "aggregation",
      .type = FIELD_ENUM,
      .names = aggregation_names,
      .fallback = "reduce",
      SCHEMA_AT(codec_spec, aggregation),
      .doc = "do payloads add up (reduce), or does everyone need them all (gather)? ratio; the others have their own" },
    { .key = "place",
      .type = FIELD_ENUM,
      .names = place_names,
      .fallback = "gpu",
      SCHEMA_AT(codec_spec, place),
      .doc = "where it runs, on the side of the workers" },
    { .key = "threads",
      .type = FIELD_INTEGER,
      .min = 1,
      .max = 4096,
      .fallback = "1",
      SCHEMA_AT(codec_spec, threads),
      .doc = "of the CPU that codec calls run on, one each" },
    { .key = "timing",
      .type = FIELD_ENUM,
      .names = timing_names,
      .fallback = "given",
      SCHEMA_AT(codec_spec, timing),
      .doc = "given: encode and decode say; measured: timed on this host" },
    { .key = "scale",
      .type = FIELD_NUMBER,
      .flags = FIELD_CALIBRATED | FIELD_ABOVE,
      .max = 1e6,
      .fallback = "1",
      SCHEMA_AT(codec_spec, scale),
      .doc = "what if the codec ran this many times as fast" },
    { .key = "encode",
      .type = FIELD_MAP,
      .sub = &cost_schema,
      SCHEMA_AT(codec_spec, encode),
      .doc = "how long encoding takes: latency + size / rate" },
    { .key = "decode",
      .type = FIELD_MAP,
      .sub = &cost_schema,
      SCHEMA_AT(codec_spec, decode),
      .doc = "how long decoding takes" },
    { .key = "select_rate",
      .type = FIELD_NUMBER,
      .flags = FIELD_CALIBRATED | FIELD_UNLIMITED | FIELD_OPEN | FIELD_ABOVE,
      .dimension = DIM_BYTES_PER_S,
      .fallback = "default",
      SCHEMA_AT(codec_spec, select_rate_Bps),
      .doc =
          "fp32 bytes a second in finding an exact threshold; unlimited: it takes no time; default: of dct whose encode.rate is "
          "the default one, too, as there; else unlimited" },
    { .key = "life",
      .type = FIELD_INTEGER,
      .min = 1,
      .max = 1000000,
      .fallback = "1",
      SCHEMA_AT(codec_spec, life),
      .doc = "steps that a threshold lives" },
    { .key = "min_values",
      .type = FIELD_INTEGER,
      .max = 1 << 30,
      .fallback = "0",
      SCHEMA_AT(codec_spec, min_values),
      .doc = "smaller tensors are sent as fp32" },
    { .key = "layers",
      .type = FIELD_STRING,
      SCHEMA_AT(codec_spec, layers),
      .doc =
          "names of the layers it codes, with * and ?, parted by blanks, e.g. 'fc* conv3'; the others are sent as fp32; "
          "empty: all" },
};
const struct schema schema_codec = { "codec", sizeof(struct codec_spec), codec_fields, SCHEMA_COUNT(codec_fields),
                                     NULL };
