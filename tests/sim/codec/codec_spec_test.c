/* codec_spec: sizes and times worked out by hand, and everything that must be refused. */

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/status.h"
#include "sim/codec/codec_spec.h"
#include "tests/test.h"

static int64_t half_and_three(const struct codec_asked *a, int64_t n)
{
    return (int64_t)a->param[0] + n / 2;
}

static int64_t two_each(const struct codec_asked *a, int64_t n)
{
    (void)a;
    return 2 * n;
}

static struct codec_spec spec(enum wire_format format)
{
    return (struct codec_spec){ .format = format,
                                .bytes = 4,
                                .bits = 1.6,
                                .density = 1,
                                .ratio = 1,
                                .steps = 1,
                                .levels = 127,
                                .rank = 2,
                                .code_bits = 8,
                                .block = 256,
                                .asked = { .text = "mine:s=3",
                                           .param = { 3 },
                                           .payload_bytes = half_and_three,
                                           .state_bytes = two_each,
                                           .aggregation = AGGREGATE_GATHER },
                                .threads = 1,
                                .scale = 1,
                                .life = 1 };
}

/* 64 bytes of header on every stream. 'row' 0: one row of all. */
static const struct {
    enum wire_format format;
    double parameter;
    bool indices;
    int64_t n, row, wire, values_alone;
} sizes[] = {
    { WIRE_NONE, 0, 0, 0, 0, 0, 0 },
    { WIRE_NONE, 0, 0, 1000, 0, 4000, 4000 },
    { WIRE_FP32, 0, 0, 1000, 0, 4064, 4064 },
    { WIRE_FP32, 0, 0, 0, 0, 0, 0 },
    { WIRE_BF16, 0, 0, 1001, 0, 2066, 2066 },
    { WIRE_FP16, 0, 0, 1, 0, 66, 66 },
    { WIRE_ADT, 3, 0, 1000, 0, 3064, 3064 },
    { WIRE_ADT, 1.25, 0, 1001, 0, 64 + 1252, 64 + 1252 }, /* 1251.25 bytes */
    { WIRE_8BIT, 0, 0, 1000, 0, 64 + 1004, 64 + 1004 },
    { WIRE_3LC_QUARTIC, 0, 0, 1001, 0, 64 + 4 + 201, 64 + 4 + 201 },
    { WIRE_STOCH3, 0, 0, 1000, 0, 64 + 4 + 200, 64 + 4 + 200 },
    { WIRE_1BIT, 0, 0, 1001, 0, 64 + 126 + 8, 64 + 126 + 8 },
    { WIRE_3LC, 1.6, 0, 1000, 0, 64 + 4 + 4 + 200, 64 + 4 + 4 + 200 },
    { WIRE_3LC, 0.8, 0, 1000, 0, 64 + 4 + 4 + 100, 64 + 4 + 4 + 100 },
    { WIRE_3LC, 1.6, 0, 1, 0, 64 + 4 + 4 + 1, 64 + 4 + 4 + 1 },
    { WIRE_3LC, 0.2, 0, 81920, 0, 64 + 4 + 4 + 2048, 64 + 4 + 4 + 2048 },          /* one whole chunk */
    { WIRE_3LC, 0.2, 0, 81921, 0, 64 + 4 + 8 + 2049, 64 + 4 + 8 + 2049 },          /* and a byte of another */
    { WIRE_3LC, 1e-3, 0, 81921, 0, 64 + 4 + 8 + 1171 + 1, 64 + 4 + 8 + 1171 + 1 }, /* runs of 14, no less */
    { WIRE_SPARSIFY, 0.25, 0, 1000, 0, 64 + 16 + 128 + 1000, 64 + 1000 },
    { WIRE_SPARSIFY, 0.05, 0, 64, 0, 64 + 16 + 8 + 12, 64 + 12 }, /* 3.2 values */
    { WIRE_SPARSIFY, 0.05, 0, 65, 0, 64 + 16 + 16 + 12, 64 + 12 },
    { WIRE_SPARSIFY, 0.001, 0, 65, 0, 64 + 16 + 16 + 4, 64 + 4 }, /* one at least */
    { WIRE_SPARSIFY, 0.25, 0, 6, 0, 64 + 16 + 8 + 8, 64 + 8 },    /* 1.5 values are two */
    { WIRE_SPARSIFY, 0, 0, 65, 0, 64 + 16 + 16, 64 },
    { WIRE_DCT, 0.05, 0, 1000, 0, 64 + 16 + 128 + 200, 64 + 200 },  /* indices: 200 bytes */
    { WIRE_DCT, 0.05, 1, 1000, 0, 64 + 16 + 200 + 200, 64 + 200 },  /* as the paper has it */
    { WIRE_DCT, 0.01, 0, 1000, 0, 64 + 16 + 40 + 40, 64 + 40 },     /* fewer than the bitmap's 128 */
    { WIRE_DCT, 0.032, 0, 1000, 0, 64 + 16 + 128 + 128, 64 + 128 }, /* equal */
    { WIRE_DCT, 0.031, 0, 1000, 0, 64 + 16 + 124 + 124, 64 + 124 }, /* the last that is less */
    { WIRE_DCT, 1, 0, 1000, 0, 64 + 16 + 128 + 4000, 64 + 4000 },
    { WIRE_DCT_MP, 0.1, 0, 1024, 512, 64 + 128 + 2 * 51 * 4, 64 + 2 * 51 * 4 },
    { WIRE_DCT_MP, 0.1, 1, 1024, 512, 64 + 2 * 51 * 8, 64 + 2 * 51 * 4 },
    { WIRE_DCT_MP, 0.1, 0, 1024 + 40, 512, 64 + 136 + (2 * 51 + 40) * 4, 64 + (2 * 51 + 40) * 4 }, /* rest: all */
    { WIRE_DCT_MP, 0.1, 0, 1000, 100, 64 + 160 + 400, 64 + 400 },                                  /* 2 words a row */
    { WIRE_DCT_MP, 0.1, 0, 1000, 0, 64 + 128 + 400, 64 + 400 },
    { WIRE_DCT_MP, 0.1, 0, 1000, 5000, 64 + 128 + 2000, 64 + 2000 }, /* a fifth of a row */
    { WIRE_LOCAL, 2, 0, 1000, 0, 2032, 2032 },
    { WIRE_LOCAL, 3, 0, 1000, 0, 1355, 1355 },                        /* 4064 / 3 = 1354.67 */
    { WIRE_QSGD, 1, 0, 1000, 0, 64 + 250 + 4, 64 + 250 + 4 },         /* 3 codes: 2 bits */
    { WIRE_QSGD, 1, 0, 1001, 0, 64 + 2 * 126 + 4, 64 + 2 * 126 + 4 }, /* whole bytes of each bit */
    { WIRE_QSGD, 3, 0, 1000, 0, 64 + 375 + 4, 64 + 375 + 4 },         /* 7 codes */
    { WIRE_QSGD, 4, 0, 1000, 0, 64 + 500 + 4, 64 + 500 + 4 },         /* 9 codes */
    { WIRE_QSGD, 127, 0, 1000, 0, 64 + 1000 + 4, 64 + 1000 + 4 },
    { WIRE_QSGD, 32767, 0, 8, 0, 64 + 16 + 4, 64 + 16 + 4 },
    { WIRE_RANDOMK, 0.01, 0, 1000, 0, 64 + 40 + 8, 64 + 40 + 8 },
    { WIRE_RANDOMK, 0.001, 0, 10, 0, 64 + 4 + 8, 64 + 4 + 8 }, /* one at least */
    { WIRE_RANDOMK, 1, 0, 1001, 0, 64 + 4004 + 8, 64 + 4004 + 8 },
    { WIRE_TERNGRAD, 0, 0, 1000, 0, 64 + 250 + 4, 64 + 250 + 4 },
    { WIRE_TERNGRAD, 0, 0, 1001, 0, 64 + 2 * 126 + 4, 64 + 2 * 126 + 4 },
    { WIRE_NATURAL, 0, 0, 1000, 0, 64 + 1000 + 4, 64 + 1000 + 4 },
    { WIRE_NATURAL, 0, 0, 1001, 0, 64 + 1008 + 4, 64 + 1008 + 4 },
    { WIRE_POWERSGD, 2, 0, 1000, 25, 64 + 4 * 2 * (40 + 25), 64 + 4 * 2 * (40 + 25) },
    { WIRE_POWERSGD, 2, 0, 1001, 25, 64 + 4 * 2 * (41 + 25), 64 + 4 * 2 * (41 + 25) },
    { WIRE_POWERSGD, 2, 0, 1000, 0, 64 + 4000, 64 + 4000 },   /* a vector */
    { WIRE_POWERSGD, 16, 0, 1000, 25, 64 + 4000, 64 + 4000 }, /* 16 x 65 are more than 1000 */
    { WIRE_BLOCKWISE, 8, 0, 1000, 256, 64 + 1000 + 16, 64 + 1000 + 16 },
    { WIRE_BLOCKWISE, 8, 0, 1001, 64, 64 + 1004 + 64, 64 + 1004 + 64 }, /* whole words of codes */
    { WIRE_BLOCKWISE, 4, 0, 1000, 8192, 64 + 500 + 4, 64 + 500 + 4 },
    { WIRE_BLOCKWISE, 4, 0, 1, 64, 64 + 4 + 4, 64 + 4 + 4 },
    { WIRE_RATIO, 16, 0, 1000, 0, 250, 250 },
    { WIRE_RATIO, 3, 0, 1000, 0, 1334, 1334 },
};

static struct codec_spec of_row(size_t i)
{
    struct codec_spec c = spec(sizes[i].format);

    c.bytes = c.bits = c.density = c.ratio = sizes[i].parameter;
    c.steps = c.levels = c.rank = c.code_bits = (int64_t)sizes[i].parameter;
    c.block = sizes[i].row;
    c.indices = sizes[i].indices;
    return c;
}

static void sizes_by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct codec_spec c = of_row(i);
        int64_t wire = codec_spec_wire_bytes(&c, sizes[i].n, sizes[i].row);
        int64_t alone = codec_spec_wire_values_bytes(&c, sizes[i].n, sizes[i].row);

        if (wire != sizes[i].wire || alone != sizes[i].values_alone)
            fail_msg("row %zu, %s of %lld values: %lld and %lld bytes, want %lld and %lld", i,
                     wire_format_name(c.format), (long long)sizes[i].n, (long long)wire, (long long)alone,
                     (long long)sizes[i].wire, (long long)sizes[i].values_alone);
    }
}

static void a_header_of_ones_own(void **state)
{
    struct codec_spec c = spec(WIRE_RATIO);

    (void)state;
    c.ratio = 8;
    c.header = 12;
    assert_int_equal(codec_spec_wire_bytes(&c, 100, 0), 62);
    assert_int_equal(codec_spec_wire_bytes(&c, 0, 0), 0);
}

/* Bytes are what it answers, behind a header; its class is its own, and a scenario may have scattered payloads
 * gathered, but not the other way round. */
static void an_asked_codec_answers(void **state)
{
    static const struct {
        enum codec_class_of own, wanted, got;
        const char *why;
    } classes[] = {
        { AGGREGATE_GATHER, AGGREGATE_REDUCE, AGGREGATE_GATHER, "" },
        { AGGREGATE_REDUCE, AGGREGATE_GATHER, AGGREGATE_REDUCE, "" },
        { AGGREGATE_SCATTER, AGGREGATE_REDUCE, AGGREGATE_SCATTER, "" },
        { AGGREGATE_SCATTER, AGGREGATE_GATHER, AGGREGATE_GATHER, "" },
        { AGGREGATE_GATHER, AGGREGATE_SCATTER, AGGREGATE_SCATTER,
          "aggregation: mine:s=3 does not say that a sum of its payloads is one: expected gather" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(classes); i++) {
        struct codec_spec c = spec(WIRE_ASKED);
        char why[128] = "";

        c.asked.aggregation = classes[i].own;
        c.aggregation = classes[i].wanted;
        assert_int_equal(codec_spec_wire_bytes(&c, 1001, 7), 64 + 3 + 500);
        assert_int_equal(codec_spec_wire_values_bytes(&c, 1001, 7), 64 + 3 + 500);
        assert_int_equal(codec_spec_second_bytes(&c, 1001, 7), 0);
        assert_int_equal(codec_spec_aggregation(&c), classes[i].got);
        assert_int_equal(codec_spec_check_aggregation(&c, why, sizeof(why)), *classes[i].why ? E_INVAL : E_OK);
        assert_string_equal(why, classes[i].why);
        assert_string_equal(codec_spec_name(&c), "mine:s=3");
    }
}

/* Below min_values a tensor is as without a codec: no header, no state, no time, and its sum is as large as a term. */
static void small_tensors_are_not_coded(void **state)
{
    (void)state;
    for (enum wire_format f = WIRE_NONE; f < WIRE_FORMATS; f++) {
        struct codec_spec c = spec(f);

        c.min_values = 100;
        c.encode.latency_s = c.decode.latency_s = 1;
        c.select_rate_Bps = 1;
        c.aggregation = AGGREGATE_GATHER;
        assert_false(codec_spec_codes(&c, 99));
        assert_int_equal(codec_spec_wire_bytes(&c, 99, 10), 396);
        assert_int_equal(codec_spec_wire_values_bytes(&c, 99, 10), 396);
        assert_int_equal(codec_spec_gathered_bytes(&c, 99, 8), 396);
        assert_int_equal(codec_spec_state_bytes(&c, 99, 0), 0);
        assert_int_equal(codec_spec_encode_ps(&c, 99), 0);
        assert_int_equal(codec_spec_decode_ps(&c, 99), 0);
        assert_int_equal(codec_spec_select_ps(&c, 99), 0);
        assert_int_equal(codec_spec_codes(&c, 100), f != WIRE_NONE);
        assert_int_equal(codec_spec_encode_ps(&c, 100) > 0, f != WIRE_NONE);
        c.min_values = 0;
        assert_false(codec_spec_codes(&c, 0));
        assert_int_equal(codec_spec_encode_ps(&c, 0), 0);
        assert_int_equal(codec_spec_gathered_bytes(&c, 0, 8), 0);
    }
}

static const struct {
    enum wire_format format;
    enum codec_class_of class;
    int64_t state_of_1001;
} kinds[] = {
    { WIRE_NONE, AGGREGATE_REDUCE, 0 },
    { WIRE_FP32, AGGREGATE_REDUCE, 0 },
    { WIRE_BF16, AGGREGATE_REDUCE, 0 },
    { WIRE_FP16, AGGREGATE_REDUCE, 0 },
    { WIRE_LOCAL, AGGREGATE_REDUCE, 4 * 1002 + 8 },
    { WIRE_ADT, AGGREGATE_GATHER, 0 },
    { WIRE_8BIT, AGGREGATE_GATHER, 0 },
    { WIRE_3LC, AGGREGATE_GATHER, 4004 },
    { WIRE_3LC_QUARTIC, AGGREGATE_GATHER, 4004 },
    { WIRE_STOCH3, AGGREGATE_GATHER, 8 },
    { WIRE_1BIT, AGGREGATE_GATHER, 4004 },
    { WIRE_SPARSIFY, AGGREGATE_GATHER, 4004 },
    { WIRE_DCT, AGGREGATE_GATHER, 4004 + 64 },
    { WIRE_DCT_MP, AGGREGATE_GATHER, 0 },
    { WIRE_QSGD, AGGREGATE_GATHER, 8 },
    { WIRE_RANDOMK, AGGREGATE_REDUCE, 4 * 1002 + 8 },
    { WIRE_TERNGRAD, AGGREGATE_GATHER, 8 },
    { WIRE_NATURAL, AGGREGATE_GATHER, 8 },
    { WIRE_POWERSGD, AGGREGATE_REDUCE, 4 * (1001 + 22 + 1) + 8 },
    { WIRE_BLOCKWISE, AGGREGATE_GATHER, 0 },
    { WIRE_RATIO, AGGREGATE_GATHER, 0 },
    { WIRE_ASKED, AGGREGATE_GATHER, 2002 },
};
_Static_assert(COUNT(kinds) == WIRE_FORMATS, "a format without an aggregation");

static void sums_and_state(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        struct codec_spec c = spec(kinds[i].format);
        int64_t one;

        c.aggregation = AGGREGATE_GATHER; /* makes nothing that reduces another class but WIRE_RATIO */
        one = codec_spec_wire_bytes(&c, 1001, 0);
        assert_int_equal(codec_spec_aggregation(&c), kinds[i].class);
        assert_int_equal(codec_spec_state_bytes(&c, 1001, 11), kinds[i].state_of_1001);
        assert_int_equal(codec_spec_gathered_bytes(&c, 1001, 1), one);
        assert_int_equal(codec_spec_gathered_bytes(&c, 1001, 7), kinds[i].class == AGGREGATE_REDUCE ? one : 7 * one);
        c.aggregation = AGGREGATE_REDUCE;
        assert_int_equal(codec_spec_aggregation(&c), c.format == WIRE_RATIO       ? AGGREGATE_REDUCE
                                                     : c.format == WIRE_BLOCKWISE ? AGGREGATE_SCATTER
                                                                                  : kinds[i].class);
    }
}

/* What is gathered and keeps all values may be scattered, and a user's own codec; the others say why not. */
static void scattered_if_asked(void **state)
{
    static const enum wire_format scattered[] = { WIRE_ADT,     WIRE_8BIT,      WIRE_3LC,  WIRE_3LC_QUARTIC,
                                                  WIRE_STOCH3,  WIRE_1BIT,      WIRE_QSGD, WIRE_TERNGRAD,
                                                  WIRE_NATURAL, WIRE_BLOCKWISE, WIRE_RATIO };

    (void)state;
    for (enum wire_format f = WIRE_FP32; f < WIRE_FORMATS; f++) {
        struct codec_spec c = spec(f);
        char why[256];
        bool may = 0;

        for (size_t i = 0; i < COUNT(scattered); i++)
            may |= f == scattered[i];
        c.aggregation = AGGREGATE_SCATTER;
        assert_int_equal(codec_spec_check_aggregation(&c, why, sizeof(why)), may ? E_OK : E_INVAL);
        if (!may)
            assert_memory_equal(why, "aggregation: ", 13);
        else
            assert_int_equal(codec_spec_aggregation(&c), AGGREGATE_SCATTER);
        if (may)
            assert_int_equal(codec_spec_gathered_bytes(&c, 1001, 7), codec_spec_wire_bytes(&c, 1001, 0));
    }
}

static void time_is_latency_and_size_over_rate(void **state)
{
    struct codec_spec c = spec(WIRE_8BIT);

    (void)state;
    c.encode = (struct codec_cost){ .rate_Bps = 1e9, .latency_s = 5e-6 };
    c.decode = (struct codec_cost){ .rate_Bps = 4e9 };
    assert_int_equal(codec_spec_encode_ps(&c, 1000000), 4005000000);
    assert_int_equal(codec_spec_decode_ps(&c, 1000000), 1000000000);
    c.scale = 2;
    assert_int_equal(codec_spec_encode_ps(&c, 1000000), 2002500000);
    c.encode.rate_Bps = 0;
    assert_int_equal(codec_spec_encode_ps(&c, 1000000), 2500000);
}

/* 400 B at 1 GB/s, 40000 B at 4 GB/s: in between, at 4000 B, the middle of the logarithms is 2 GB/s. */
static void curve_between_its_points(void **state)
{
    static struct rate_point curve[] = { { 400, 1e9 }, { 40000, 4e9 }, { 400000, 2e9 } };
    static const struct {
        int64_t n, ps;
    } cases[] = {
        { 1, 4000 },           /* held before the first point */
        { 100, 400000 },       /* on it */
        { 1000, 2000000 },     /* 4000 B at 2 GB/s */
        { 10000, 10000000 },   /* on the second */
        { 100000, 200000000 }, /* on the last */
        { 1000000, 2000000000 },
    };
    struct codec_spec c = spec(WIRE_8BIT);

    (void)state;
    c.encode = (struct codec_cost){ .rate_Bps = 1, .curve = curve, .ncurve = COUNT(curve) };
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_in_range(codec_spec_encode_ps(&c, cases[i].n), cases[i].ps - 1, cases[i].ps + 1);
    c.encode.ncurve = 1;
    assert_int_equal(codec_spec_encode_ps(&c, 1000000), 4000000000);
    c.encode.latency_s = 1e-3;
    assert_int_equal(codec_spec_encode_ps(&c, 1000000), 5000000000);
}

static void a_threshold_is_shared_by_its_steps(void **state)
{
    struct codec_spec c = spec(WIRE_DCT);

    (void)state;
    c.encode.rate_Bps = 4e9;
    c.select_rate_Bps = 4e7;
    assert_int_equal(codec_spec_transform_ps(&c, 1000), 1000000);
    assert_int_equal(codec_spec_select_ps(&c, 1000), 100000000);
    assert_int_equal(codec_spec_encode_ps(&c, 1000), 101000000);
    c.life = 1000;
    assert_int_equal(codec_spec_encode_ps(&c, 1000), 1100000);
    c.life = 3; /* 33.33 M, to the nearest */
    assert_int_equal(codec_spec_encode_ps(&c, 1000), 34333333);
    c.life = 60000000; /* 1.67 */
    assert_int_equal(codec_spec_encode_ps(&c, 1000), 1000002);
    c.scale = 10;
    assert_int_equal(codec_spec_select_ps(&c, 1000), 10000000);
    assert_int_equal(codec_spec_decode_ps(&c, 1000), 0);
}

/* A rate so slow that the time leaves its range stays there: the engine refuses it. */
static void very_long_times_stay_long(void **state)
{
    struct codec_spec c = spec(WIRE_DCT);

    (void)state;
    c.encode.rate_Bps = c.select_rate_Bps = 1e-9;
    assert_true(codec_spec_encode_ps(&c, 1000000) == INT64_MAX);
}

static const struct {
    enum wire_format format;
    size_t at; /* of the member in the spec */
    double number;
    int64_t whole; /* instead, for a member that is one */
    const char *why;
} refused[] = {
#define NUMBER(format, member, value, why)                                 \
    {                                                                      \
        format, offsetof(struct codec_spec, member), value, INT64_MIN, why \
    }
#define WHOLE(format, member, value, why)                          \
    {                                                              \
        format, offsetof(struct codec_spec, member), 0, value, why \
    }
    /* clang-format off */
    NUMBER(WIRE_ADT, bytes, 0.5, "bytes: expected 1..4, got 0.5"),
    NUMBER(WIRE_ADT, bytes, 4.5, "bytes: expected 1..4, got 4.5"),
    NUMBER(WIRE_ADT, bytes, NAN, "bytes: expected 1..4, got nan"),
    NUMBER(WIRE_3LC, bits, 0, "bits: expected a number above 0, got 0"),
    NUMBER(WIRE_3LC, bits, 1.7, "bits: expected 0..1.6, got 1.7"),
    NUMBER(WIRE_SPARSIFY, density, 1.3, "density: expected 0..1, got 1.3"),
    NUMBER(WIRE_DCT, density, -0.1, "density: expected 0..1, got -0.1"),
    NUMBER(WIRE_DCT_MP, density, NAN, "density: expected 0..1, got nan"),
    WHOLE(WIRE_LOCAL, steps, 0, "steps: expected 1 or more, got 0"),
    WHOLE(WIRE_BLOCKWISE, code_bits, 6, "code_bits: expected 4 or 8, got 6"),
    WHOLE(WIRE_BLOCKWISE, block, 96, "block: expected a multiple of 64, got 96"),
    WHOLE(WIRE_BLOCKWISE, block, 0, "block: expected 64..8192, got 0"),
    WHOLE(WIRE_BLOCKWISE, block, 8256, "block: expected 64..8192, got 8256"),
    NUMBER(WIRE_RATIO, ratio, 0, "ratio: expected a number above 0, got 0"),
    NUMBER(WIRE_RATIO, ratio, INFINITY, "ratio: expected a number above 0, got inf"),
    WHOLE(WIRE_RATIO, header, -1, "header: expected 0 or more, got -1"),
    WHOLE(WIRE_FP32, threads, 0, "threads: expected 1 or more, got 0"),
    NUMBER(WIRE_FP32, scale, 0, "scale: expected a number above 0, got 0"),
    NUMBER(WIRE_FP32, encode.rate_Bps, -1, "encode.rate: expected 0 or more, got -1"),
    NUMBER(WIRE_FP32, encode.latency_s, NAN, "encode.latency: expected 0 or more, got nan"),
    NUMBER(WIRE_FP32, decode.rate_Bps, INFINITY, "decode.rate: expected 0 or more, got inf"),
    NUMBER(WIRE_FP32, decode.latency_s, -1, "decode.latency: expected 0 or more, got -1"),
    NUMBER(WIRE_FP32, select_rate_Bps, -2, "select_rate: expected 0 or more, got -2"),
    WHOLE(WIRE_FP32, life, 0, "life: expected 1 or more, got 0"),
    WHOLE(WIRE_FP32, min_values, -5, "min_values: expected 0 or more, got -5"),
    /* clang-format on */
};

static void must_be_refused(struct codec_spec *c, const char *want)
{
    char why[128] = "";

    assert_int_equal(codec_spec_check(c, why, sizeof(why)), E_INVAL);
    assert_string_equal(why, want);
    c->format = WIRE_NONE; /* codes nothing: nothing to be wrong */
    assert_int_equal(codec_spec_check(c, why, sizeof(why)), E_OK);
}

static void faults_are_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(refused); i++) {
        struct codec_spec c = spec(refused[i].format);

        if (refused[i].whole != INT64_MIN)
            memcpy((char *)&c + refused[i].at, &refused[i].whole, sizeof(refused[i].whole));
        else
            memcpy((char *)&c + refused[i].at, &refused[i].number, sizeof(refused[i].number));
        must_be_refused(&c, refused[i].why);
    }
}

static void curves_must_rise(void **state)
{
    static struct rate_point level[] = { { 4, 1 }, { 4, 1 } }, stopped[] = { { 4, 0 } }, empty[] = { { 0, 1 } };
    struct codec_spec c = spec(WIRE_FP32);

    (void)state;
    c.encode.curve = level;
    c.encode.ncurve = 2;
    must_be_refused(&c, "encode.curve: expected ascending sizes, got 4 after 4");
    c = spec(WIRE_FP32);
    c.decode.ncurve = 1;
    c.decode.curve = stopped;
    must_be_refused(&c, "decode.curve: expected a number above 0, got 0");
    c = spec(WIRE_ASKED);
    c.asked.payload_bytes = NULL;
    must_be_refused(&c, "format: expected a codec whose sizes can be asked, got 'mine:s=3'");
    c = spec(WIRE_FP32);
    c.decode.ncurve = 1;
    c.decode.curve = empty;
    must_be_refused(&c, "decode.curve: expected a number above 0, got 0");
}

/* Every format takes its presets, with a name of its own, and what other formats need does not disturb it. */
static void every_format_is_possible(void **state)
{
    (void)state;
    for (enum wire_format f = WIRE_NONE; f < WIRE_FORMATS; f++) {
        struct codec_spec c = spec(f);
        char why[128] = "";

        if (codec_spec_check(&c, why, sizeof(why)))
            fail_msg("%s: %s", wire_format_name(f), why);
        for (enum wire_format g = WIRE_NONE; g < f; g++)
            assert_string_not_equal(wire_format_name(f), wire_format_name(g));
    }
    struct codec_spec c = { .format = WIRE_1BIT, .density = 7, .bits = -1, .threads = 1, .scale = 1, .life = 1 };
    char why[128];
    assert_int_equal(codec_spec_check(&c, why, sizeof(why)), E_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_by_hand),
        cmocka_unit_test(a_header_of_ones_own),
        cmocka_unit_test(an_asked_codec_answers),
        cmocka_unit_test(small_tensors_are_not_coded),
        cmocka_unit_test(sums_and_state),
        cmocka_unit_test(scattered_if_asked),
        cmocka_unit_test(time_is_latency_and_size_over_rate),
        cmocka_unit_test(curve_between_its_points),
        cmocka_unit_test(a_threshold_is_shared_by_its_steps),
        cmocka_unit_test(very_long_times_stay_long),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(curves_must_rise),
        cmocka_unit_test(every_format_is_possible),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
