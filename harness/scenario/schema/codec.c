/* codec.c - the keys of a codec on one edge of a method: what it leaves on the wire, and what it costs. */
#include <strings.h>

#include "harness/scenario/schema/codec_text.h"
#include "harness/scenario/schema/rows.h"
#include "harness/tensor/codec_alias.h"
#include "sim/codec/codec_spec.h"

WORDS(format_names, WIRE_FORMATS, "none", "fp32", "bf16", "fp16", "adt", "8bit", "3lc-quartic", "3lc", "stoch3", "1bit",
      "sparsify", "dct", "dct-mp", "local", "qsgd", "randomk", "terngrad", "natural", "powersgd", "blockwise", "ratio",
      "asked");
static const char *const aggregation_names[] = { "reduce", "gather", "scatter", NULL };
static const char *const place_names[] = { "gpu", "cpu", NULL };
static const char *const timing_names[] = { "given", "measured", NULL };

static const struct field point_fields[] = {
    { "size", NUMBER(rate_point, size_B), FLAGS(FIELD_REQUIRED | FIELD_ABOVE), UNIT(DIM_BYTES),
      DOC("bytes of the tensor in fp32") },
    { "rate", NUMBER(rate_point, rate_Bps), FLAGS(FIELD_REQUIRED | FIELD_ABOVE), UNIT(DIM_BYTES_PER_S),
      DOC("fp32 bytes per second at that size") },
};
static const struct schema curve_schema = SCHEMA("curve point", rate_point, point_fields, NULL);

/* Encoding and decoding cost alike. */
static const struct field cost_fields[] = {
    { "rate", NUMBER(codec_cost, rate_Bps), FLAGS(FIELD_CALIBRATED | FIELD_UNLIMITED | FIELD_OPEN | FIELD_ABOVE),
      UNIT(DIM_BYTES_PER_S), DEFAULT("default"),
      DOC("fp32 bytes per second; unlimited: takes no time; default: on a CPU as measured for platform.cpu.class, "
          "on a GPU as fast as its memory allows (scenarios/codec-rates.csv); ignored if there is a curve") },
    { "latency", NUMBER(codec_cost, latency_s), FLAGS(FIELD_CALIBRATED), MOST(1), UNIT(DIM_SECONDS), DEFAULT("0 s"),
      DOC("latency of each call") },
    { "curve", LIST(codec_cost, curve, ncurve, curve_schema, 64),
      DOC("rate by tensor size, smallest first: interpolated in logarithms, constant beyond the ends") },
};
static const struct schema cost_schema = SCHEMA("cost", codec_cost, cost_fields, NULL);

/* A sketch leaves so many bytes, and sketches add up: aggregation: reduce. */
static const char *meant(const char *word)
{
    return !strcasecmp(word, "sketch") ? "ratio" : NULL;
}

static const struct field codec_fields[] = {
    { "format", CHOICE(codec_spec, format, format_names), .second = offsetof(struct codec_spec, asked.text),
      DEFAULT("none"), .alias = codec_alias_of, .meant = meant, .form = &codec_text_asked,
      DOC("what is sent, by name or alias as in narrows list codecs; none: plain fp32; ratio: your own codec; of a "
          "plug-in (NARROWS_PLUGINS): NAME or NAME:PARAM=VALUE,..., whose sizes are asked of it") },
    { "bytes", NUMBER(codec_spec, bytes), RANGE(1, 4), DEFAULT("4"), DOC("bytes per value, on average: adt") },
    { "bits", NUMBER(codec_spec, bits), FLAGS(FIELD_ABOVE), MOST(CODEC_SPEC_MOST_BITS), DEFAULT("1.6"),
      DOC("bits per value, on average, as trained or published: 3lc; by default those of 3lc-quartic") },
    { "density", NUMBER(codec_spec, density), MOST(1), DEFAULT("1"),
      DOC("share of the values that are sent: sparsify, dct, dct-mp, randomk") },
    { "indices", BOOL(codec_spec, indices), DEFAULT("false"),
      DOC("send a 4-byte index with each value even where a bitmap is smaller: dct, dct-mp") },
    { "ratio", NUMBER(codec_spec, ratio), FLAGS(FIELD_ABOVE), MOST(1e6), DEFAULT("1"),
      DOC("fp32 bytes divided by payload bytes: ratio") },
    { "header", INTEGER(codec_spec, header), MOST(1 << 20), UNIT(DIM_BYTES), DEFAULT("0 B"),
      DOC("header bytes of each tensor: ratio") },
    { "steps", INTEGER(codec_spec, steps), RANGE(1, 1000000), DEFAULT("1"),
      DOC("steps between two exchanges, each of which sends everything: local") },
    { "levels", INTEGER(codec_spec, levels), RANGE(1, CODEC_SPEC_MOST_LEVELS), DEFAULT("127"),
      DOC("levels between 0 and the norm, above 0: qsgd") },
    { "rank", INTEGER(codec_spec, rank), RANGE(1, CODEC_SPEC_MOST_RANK), DEFAULT("4"),
      DOC("vectors in each of the two factors of a matrix: powersgd") },
    { "code_bits", INTEGER(codec_spec, code_bits), RANGE(4, 8), DEFAULT("8"),
      DOC("bits of a value's code, 4 or 8: blockwise") },
    { "block", INTEGER(codec_spec, block), RANGE(CODEC_SPEC_BLOCK_GROUP, CODEC_SPEC_MOST_BLOCK), DEFAULT("256"),
      DOC("values that share a scale, a multiple of 64: blockwise") },
    { "aggregation", CHOICE(codec_spec, aggregation, aggregation_names), DEFAULT("reduce"),
      DOC("reduce: payloads can be summed; gather: every worker needs all of them; scatter: each worker decodes, sums "
          "and encodes one part of all: ratio; other formats have their own (blockwise: scatter), and those that are "
          "gathered and not sparse may be scattered") },
    { "place", CHOICE(codec_spec, place, place_names), DEFAULT("gpu"), DOC("where the workers run the codec") },
    { "threads", INTEGER(codec_spec, threads), RANGE(1, 4096), DEFAULT("1"),
      DOC("CPU threads for codec calls, one call per thread") },
    { "timing", CHOICE(codec_spec, timing, timing_names), DEFAULT("given"),
      DOC("given: from encode and decode; measured: timed on this host") },
    { "scale", NUMBER(codec_spec, scale), FLAGS(FIELD_CALIBRATED | FIELD_ABOVE), MOST(1e6), DEFAULT("1"),
      DOC("what-if: speed-up of the codec") },
    { "encode", MAP(codec_spec, encode, cost_schema), DOC("time to encode: latency + size / rate") },
    { "decode", MAP(codec_spec, decode, cost_schema), DOC("time to decode, in the same way") },
    { "select_rate", NUMBER(codec_spec, select_rate_Bps),
      FLAGS(FIELD_CALIBRATED | FIELD_UNLIMITED | FIELD_OPEN | FIELD_ABOVE), UNIT(DIM_BYTES_PER_S), DEFAULT("default"),
      DOC("fp32 bytes per second in the search for an exact threshold; unlimited: takes no time; default: of dct "
          "with the default encode.rate, as for that rate; else unlimited") },
    { "life", INTEGER(codec_spec, life), RANGE(1, 1000000), DEFAULT("1"),
      DOC("steps for which a threshold is reused") },
    { "min_values", INTEGER(codec_spec, min_values), MOST(1 << 30), DEFAULT("0"),
      DOC("smaller tensors are sent as fp32") },
    { "layers", TEXT(codec_spec, layers),
      DOC("names of the layers to encode, with * and ?, separated by blanks, e.g. 'fc* conv3'; the others are sent "
          "as fp32; empty: all") },
};
const struct schema schema_codec = SCHEMA("codec", codec_spec, codec_fields, NULL);
