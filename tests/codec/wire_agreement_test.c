/* The simulator's codecs are those of kernels/, by a formula or by being asked: real tensors are compressed with every
 * codec of the table, and what travels must be as large as the simulator counts it, to the byte; so must the state be,
 * and how payloads add up. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/scenario/codec_asked.h"
#include "kernels/codec/codec.h"
#include "kernels/codec/stream.h"
#include "kernels/sparse/sparse_lane.h"
#include "kernels/threelc/threelc.h"
#include "model/status.h"
#include "sim/codec/codec_spec.h"
#include "tests/draw.h"
#include "tests/test.h"

enum { STEPS = 4, MOST = 100003 };

static const size_t lengths[] = { 0,   1,   2,   4,   5,   6,   7,    8,    9,    31,   63,    64,    65,
                                  127, 128, 129, 320, 321, 999, 1000, 1023, 4096, 4097, 81920, 81921, MOST };

/* A codec of the table with the parameters of one run, and what the simulator is published of them. Parameters that are
 * not said are the preset ones. */
static const struct run {
    const char *codec;
    double parameter[2];
} runs[] = {
    { "fp32", { 0 } },          { "bf16", { 0 } },          { "fp16", { 0 } },
    { "adt", { 1 } },           { "adt", { 2 } },           { "adt", { 3 } },
    { "adt", { 4 } },           { "8bit", { 0 } },          { "3lc-quartic", { 1 } },
    { "3lc", { 1 } },           { "3lc", { 1.5 } },         { "3lc", { 1.9 } },
    { "stoch3", { 0 } },        { "1bit", { 0 } },          { "sparsify", { 0.25 } },
    { "sparsify", { 0.05 } },   { "sparsify", { 1 } },      { "dct", { 0.75, 1 } },
    { "dct", { 0.95, 1 } },     { "dct", { 0.98, 1 } },     { "dct", { 0.99, 4 } },
    { "dct", { 0.5, 3 } },      { "dct", { 0.97, 2 } },     { "dct-mp", { 64, 6 } },
    { "dct-mp", { 1000, 50 } }, { "dct-mp", { 5, 5 } },     { "dct-mp", { 130, 1 } },
    { "local", { 1 } },         { "local", { 2 } },         { "local", { 3 } },
    { "randomk", { 0.01 } },    { "randomk", { 0.3 } },     { "randomk", { 1 } },
    { "qsgd", { 1 } },          { "qsgd", { 2 } },          { "qsgd", { 3 } },
    { "qsgd", { 127, 1 } },     { "qsgd", { 128 } },        { "qsgd", { 32767 } },
    { "terngrad", { 0 } },      { "natural", { 0 } },       { "powersgd", { 1024, 4 } },
    { "powersgd", { 31, 1 } },  { "powersgd", { 100, 9 } }, { "blockwise", { 8 } },
    { "blockwise", { 4 } },     { "blockwise", { 4, 64 } }, { "blockwise", { 8, 576 } },
};

static enum wire_format format_of(const char *codec)
{
    enum wire_format f = WIRE_NONE;

    while (f < WIRE_ASKED && strcmp(wire_format_name(f), codec) != 0)
        f++;
    return f; /* WIRE_ASKED: the simulator has no formula for it */
}

/* --- tensors --- */

static double uniform(uint64_t *seed)
{
    return (double)(draw(seed) >> 11) * 0x1p-53;
}

static float normal(uint64_t *seed)
{
    return (float)(sqrt(-2 * log(uniform(seed) + 1e-300)) * cos(6.283185307179586 * uniform(seed)));
}

enum fill { GAUSSIAN, SPARSE, ZEROS, EQUAL, FILLS };

/* The changes of STEPS steps. */
static void fill(float *values, size_t n, enum fill how, uint64_t seed)
{
    for (size_t i = 0; i < STEPS * n; i++) {
        float x = how == GAUSSIAN || how == SPARSE ? normal(&seed) : 0;

        values[i] = how == EQUAL ? 0.5f : how == SPARSE && draw(&seed) % 10 ? 0 : x;
    }
}

/* --- one codec at work --- */

struct wire {
    const struct codec *codec;
    struct codec_params p;
    struct codec_spec spec;
    size_t n;
    uint8_t *stream;
    void *state, *work;
};

static void *space(size_t nbytes)
{
    void *p = aligned_alloc(CODEC_ALIGN, (nbytes + 2 * CODEC_ALIGN) / CODEC_ALIGN * CODEC_ALIGN);

    assert_non_null(p);
    memset(p, 0, (nbytes + 2 * CODEC_ALIGN) / CODEC_ALIGN * CODEC_ALIGN);
    return p;
}

static void begin(struct wire *w, const struct run *r, size_t n)
{
    *w = (struct wire){ .codec = codec_find(r->codec), .n = n };
    w->p = codec_presets(w->codec);
    for (int i = 0; i < 2 && r->parameter[i] > 0; i++)
        w->p.value[i] = r->parameter[i];
    w->stream = space(STREAM_HEADER + w->codec->payload_bound(n, &w->p));
    w->state = space(w->codec->state_size(n, &w->p));
    w->work = space(w->codec->work_size(n, &w->p));
    w->spec = (struct codec_spec){ .format = format_of(r->codec), .threads = 1, .scale = 1, .life = 1 };
    w->spec.asked = codec_asked_of(w->codec, &w->p, r->codec);
    w->spec.bytes = r->parameter[0];
    w->spec.rank = w->spec.block = (int64_t)w->p.value[1];
    w->spec.code_bits = (int64_t)w->p.value[0];
    w->spec.steps = w->spec.levels = (int64_t)r->parameter[0];
}

static void end(struct wire *w)
{
    free(w->stream);
    free(w->state);
    free(w->work);
}

/* Bytes of the stream that a step sends; nothing where the payload is empty, which is how a local step says so. */
static int64_t sent(struct wire *w, const float *values)
{
    const struct codec_impl *im = codec_choose(w->codec, "scalar", 0);
    uint64_t nbytes = UINT64_MAX;

    im->compress(&im->impl, w->stream + STREAM_HEADER, &nbytes, values, w->n, &w->p, w->state, w->work);
    if (!nbytes)
        return 0;
    return (int64_t)stream_seal(w->stream, w->codec, &w->p, w->n, nbytes);
}

/* What only the payload can tell: bits that run-encoding left, values that were sent. */
static void measure(struct wire *w, int64_t nbytes)
{
    const uint8_t *payload = w->stream + STREAM_HEADER;
    int64_t quartic = ((int64_t)w->n + 4) / 5, chunks = (quartic + THREELC_CHUNK - 1) / THREELC_CHUNK;
    uint64_t count;

    switch (w->spec.format) {
    case WIRE_3LC:
        w->spec.bits = 8 * (double)(nbytes - STREAM_HEADER - 4 - 4 * chunks) / (double)w->n;
        w->spec.bits = w->spec.bits < 1.6 ? w->spec.bits : 1.6; /* more is what fills the last byte */
        break;
    case WIRE_SPARSIFY:
    case WIRE_DCT:
        memcpy(&count, payload + 8, sizeof(count));
        w->spec.density = (double)count / (double)w->n;
        break;
    case WIRE_RANDOMK: w->spec.density = w->p.value[0]; break;
    case WIRE_DCT_MP:
        w->spec.density = w->p.value[1] / w->p.value[0]; /* of each row: the sizes follow from it */
        break;
    default: break;
    }
}

static int64_t row_of(const struct wire *w)
{
    return w->spec.format == WIRE_DCT_MP || w->spec.format == WIRE_POWERSGD ? (int64_t)w->p.value[0] : 0;
}

/* Asked, a codec has its formula's size if that depends on no value, and else no smaller one. */
static void hold_asked(const struct wire *w, int64_t nbytes)
{
    static const enum wire_format varying[] = { WIRE_3LC, WIRE_SPARSIFY, WIRE_DCT, WIRE_LOCAL, WIRE_ASKED };
    struct codec_spec spec = w->spec;
    int64_t counted;
    bool varies = 0;

    for (size_t i = 0; i < COUNT(varying); i++)
        varies |= w->spec.format == varying[i];
    spec.format = WIRE_ASKED;
    counted = codec_spec_wire_bytes(&spec, (int64_t)w->n, row_of(w));
    if (varies ? counted < nbytes : counted != nbytes)
        fail_msg("%s %g %g, %zu values: %lld bytes travel, asked it says %lld", w->codec->name, w->p.value[0],
                 w->p.value[1], w->n, (long long)nbytes, (long long)counted);
}

static void hold(struct wire *w, int64_t nbytes, enum fill how, int step)
{
    char why[128] = "";
    int64_t counted;

    measure(w, nbytes);
    if (codec_spec_check(&w->spec, why, sizeof(why)))
        fail_msg("%s: %s", w->codec->name, why);
    counted = codec_spec_wire_bytes(&w->spec, (int64_t)w->n, row_of(w));
    hold_asked(w, nbytes);
    if (w->spec.format == WIRE_ASKED)
        return;
    if (counted != nbytes)
        fail_msg("%s %g %g, %zu values of kind %d, step %d: %lld bytes travel, the simulator counts %lld",
                 w->codec->name, w->p.value[0], w->p.value[1], w->n, how, step, (long long)nbytes, (long long)counted);
}

/* Of a codec that sends nothing in most steps, the average over a round. */
static void hold_average(struct wire *w, const float *values, enum fill how)
{
    int64_t round = 0, steps = w->spec.steps;

    for (int64_t step = 0; step < steps; step++)
        round += sent(w, values + (size_t)step * w->n);
    hold(w, (round + steps - 1) / steps, how, 0);
}

static void hold_run(const struct run *r, const float *values, size_t n, enum fill how)
{
    struct wire w;

    begin(&w, r, n);
    if (w.spec.format == WIRE_LOCAL)
        hold_average(&w, values, how);
    else
        for (int step = 0; step < STEPS; step++)
            hold(&w, sent(&w, values + (size_t)step * n), how, step);
    end(&w);
}

static void every_stream_is_as_large_as_counted(void **state)
{
    float *values = space(4 * (size_t)STEPS * MOST);

    (void)state;
    for (size_t l = 1; l < COUNT(lengths); l++)
        for (enum fill how = GAUSSIAN; how < FILLS; how++) {
            fill(values, lengths[l], how, l);
            for (size_t r = 0; r < COUNT(runs); r++)
                hold_run(&runs[r], values, lengths[l], how);
        }
    free(values);
}

/* A tensor without values is not sent at all. */
static void nothing_is_nothing(void **state)
{
    (void)state;
    for (size_t r = 0; r < COUNT(runs); r++) {
        struct codec_spec c = { .format = format_of(runs[r].codec),
                                .bits = 1,
                                .bytes = 1,
                                .density = 1,
                                .steps = 1,
                                .levels = 1,
                                .rank = 1,
                                .code_bits = 8,
                                .block = 64 };

        assert_int_equal(codec_spec_wire_bytes(&c, 0, 0), 0);
    }
}

/* The share that a scenario states is what a tensor without ties then sends: of a large one within the sample's error,
 * of one that is sampled whole exactly. */
static void stated_densities_are_met(void **state)
{
    static const struct {
        const char *codec;
        double parameter, density;
        size_t n;
        int64_t more; /* Algorithm 1 keeps the threshold itself too */
        double within;
    } cases[] = {
        { "sparsify", 0.25, 0.25, 4000, 0, 0 }, { "sparsify", 0.05, 0.05, 4096, 0, 0 },
        { "sparsify", 0.05, 0.05, 3, 0, 0 },    { "sparsify", 0.25, 0.25, MOST, 0, 0.1 },
        { "dct", 0.75, 0.25, MOST, 4, 0 },      { "dct", 0.95, 0.05, 1000, 4, 0 },
        { "dct", 0.99, 0.01, 10000, 8, 0 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct run r = { cases[i].codec, { cases[i].parameter, 1 } };
        int64_t counted, nbytes;
        float *values = space(4 * STEPS * cases[i].n);
        struct wire w;

        if (!strcmp(cases[i].codec, "sparsify"))
            r.parameter[1] = 0;
        begin(&w, &r, cases[i].n);
        fill(values, w.n, GAUSSIAN, 7);
        w.spec.density = cases[i].density;
        counted = codec_spec_wire_bytes(&w.spec, (int64_t)w.n, 0) + cases[i].more;
        nbytes = sent(&w, values);
        if (fabs((double)(counted - nbytes)) > cases[i].within * (double)nbytes)
            fail_msg("%s %g, %zu values: %lld bytes travel, %lld counted", cases[i].codec, cases[i].parameter, w.n,
                     (long long)nbytes, (long long)counted);
        end(&w);
        free(values);
    }
}

static enum codec_class_of class_of(const struct codec *c)
{
    return c->class == CODEC_GATHERED    ? AGGREGATE_GATHER
           : c->class == CODEC_SCATTERED ? AGGREGATE_SCATTER
                                         : AGGREGATE_REDUCE;
}

/* Every codec of the table: its format, its class, its state. */
static void every_codec_is_known(void **state)
{
    (void)state;
    for (const struct codec *const *c = codecs; *c; c++) {
        struct codec_params p = codec_presets(*c);
        struct codec_spec spec = { .format = format_of((*c)->name), .rank = (int64_t)p.value[1] };
        struct codec_spec asked = { .format = WIRE_ASKED, .asked = codec_asked_of(*c, &p, (*c)->name) };
        int64_t row = spec.format == WIRE_POWERSGD ? (int64_t)p.value[0] : 0;
        bool run = spec.format == WIRE_ASKED;

        spec.asked = asked.asked;
        assert_int_equal(codec_spec_aggregation(&spec), class_of(*c));
        assert_int_equal(codec_spec_aggregation(&asked), class_of(*c));
        for (size_t l = 1; l < COUNT(lengths); l++)
            assert_int_equal(codec_spec_state_bytes(&asked, (int64_t)lengths[l], 0), (*c)->state_size(lengths[l], &p));
        for (size_t l = 1; l < COUNT(lengths); l++)
            if (codec_spec_state_bytes(&spec, (int64_t)lengths[l], row) != (int64_t)(*c)->state_size(lengths[l], &p))
                fail_msg("%s, %zu values: a state of %zu bytes, %lld counted", (*c)->name, lengths[l],
                         (*c)->state_size(lengths[l], &p),
                         (long long)codec_spec_state_bytes(&spec, (int64_t)lengths[l], row));
        for (size_t r = 0; r < COUNT(runs); r++)
            run |= !strcmp(runs[r].codec, (*c)->name);
        if (!run)
            fail_msg("no stream of the codec %s is held to the simulator's count: add it to runs[]", (*c)->name);
    }
}

/* Every format but the three that are no codec of ours is one of the table's. */
static void every_format_is_a_codec(void **state)
{
    (void)state;
    for (enum wire_format f = WIRE_NONE; f < WIRE_FORMATS; f++)
        if (f != WIRE_NONE && f != WIRE_RATIO && f != WIRE_ASKED && !codec_find(wire_format_name(f)))
            fail_msg("the wire format %s is no codec", wire_format_name(f));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_stream_is_as_large_as_counted),
        cmocka_unit_test(nothing_is_nothing),
        cmocka_unit_test(stated_densities_are_met),
        cmocka_unit_test(every_codec_is_known),
        cmocka_unit_test(every_format_is_a_codec),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
