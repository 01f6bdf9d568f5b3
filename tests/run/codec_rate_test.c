/* codec_rate_test.c - what a scenario requires to be measured: which bench counts, what is timed once and then kept,
 * and what cannot be timed. Nothing is asserted of how long anything took. */

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/host/identity.h"
#include "harness/measure/measure.h"
#include "harness/run/codec/rate.h"
#include "harness/status.h"
#include "sim/method/method_codecs.h"
#include "tests/test.h"

static struct store *open_new(const char *name)
{
    const char *folder = getenv("NARROWS_TEST_TMP");
    char path[4096];
    struct store *s;

    snprintf(path, sizeof(path), "%s/%s.db", folder ? folder : "/tmp", name);
    unlink(path);
    assert_int_equal(store_open(path, &s), NW_OK);
    return s;
}

static int64_t new_run(struct store *s, const char *machine)
{
    struct run_fact run = { .command = "test",
                            .scenario = "",
                            .title = "",
                            .notes = "",
                            .baseline = "",
                            .figure = "",
                            .file = "",
                            .commit = "",
                            .build = "",
                            .machine = machine };
    int64_t id;

    assert_int_equal(store_run(s, &run, &id), NW_OK);
    return id;
}

/* --- a bench, made up --- */

struct timed {
    const char *kernel, *impl, *option;
    int threads;
    int64_t values, ns;
    const char *group; /* NULL: "codec" */
};

static void put(struct store *s, int64_t run, const struct timed *t)
{
    char variant[64];
    struct bench_fact fact = { .kernel = t->kernel,
                               .impl = t->impl,
                               .variant = variant,
                               .values = t->values,
                               .place = 0,
                               .group = t->group ? t->group : "codec",
                               .option = t->option,
                               .threads = t->threads,
                               .anchor = "copy",
                               .anchor_impl = "scalar",
                               .bits = 8 };
    struct sample_fact sample = { .kernel = t->kernel,
                                  .impl = t->impl,
                                  .variant = variant,
                                  .values = t->values,
                                  .bytes_moved = 1,
                                  .elapsed_ns = t->ns,
                                  .anchor_ns = 1,
                                  .anchor_bytes = 1 };

    snprintf(variant, sizeof(variant), "%s threads=%d", t->option, t->threads);
    assert_int_equal(store_bench_work(s, run, &fact), NW_OK);
    assert_int_equal(store_samples(s, run, &sample, 1), NW_OK);
}

/* 1000, 2000, ... values, there in 'ns' for each thousand and back in half of it. */
static int64_t put_sizes(struct store *s, const char *machine, struct timed like, int sizes, int64_t ns)
{
    int64_t run = new_run(s, machine);
    char back[48];

    snprintf(back, sizeof(back), "%s back", like.kernel);
    for (int i = 1; i <= sizes; i++) {
        struct timed there = like, other = like;

        there.values = other.values = 1000 * i;
        there.ns = i * ns;
        other.kernel = back;
        other.ns = i * ns / 2;
        put(s, run, &there);
        put(s, run, &other);
    }
    return run;
}

/* --- points --- */

static struct codec_spec spec(enum wire_format format)
{
    return (struct codec_spec){ .format = format,
                                .bytes = 2,
                                .bits = 0.812,
                                .density = 0.05,
                                .ratio = 2,
                                .steps = 2,
                                .levels = 127,
                                .rank = 4,
                                .code_bits = 8,
                                .block = 256,
                                .place = CODEC_ON_CPU,
                                .threads = 1,
                                .timing = CODEC_COST_MEASURED,
                                .scale = 1,
                                .life = 1 };
}

static struct point point_of(struct codec_spec push, struct codec_spec pull)
{
    struct point p = { .variant = "" };

    p.scenario.platform.name = "here";
    p.scenario.method.kind = METHOD_PARAMETER_SERVER;
    p.scenario.method.parameter_server.push = push;
    p.scenario.method.parameter_server.pull = pull;
    return p;
}

/* The push codec with its curve, where one is found or timed. */
static struct codec_spec obtain(struct codec_rates *rates, struct store *s, struct codec_spec push)
{
    struct point p = point_of(push, (struct codec_spec){ .format = WIRE_NONE, .timing = CODEC_COST_MEASURED });
    char why[256] = "";

    assert_int_equal(codec_rate_prepare(rates, s, new_run(s, identity_machine()), &p, why, sizeof(why)), NW_OK);
    codec_rate_supply(rates, &p);
    assert_int_equal(p.scenario.method.parameter_server.pull.timing, CODEC_COST_GIVEN);
    assert_int_equal(p.scenario.method.parameter_server.pull.encode.ncurve, 0);
    assert_int_equal(p.scenario.method.parameter_server.push.timing, CODEC_COST_GIVEN);
    return p.scenario.method.parameter_server.push;
}

static int64_t count(struct store *s, const char *sql)
{
    sqlite3_stmt *q;
    int64_t n;

    assert_int_equal(sqlite3_prepare_v2(store_handle(s), sql, -1, &q, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(q), SQLITE_ROW);
    n = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    return n;
}

static void from_bench(const struct codec_spec *c, size_t sizes, double ns)
{
    assert_int_equal(c->encode.ncurve, sizes);
    assert_int_equal(c->decode.ncurve, sizes);
    for (size_t i = 0; i < sizes; i++) {
        assert_true(c->encode.curve[i].size_B == 4000 * (double)(i + 1));
        assert_float_equal(c->encode.curve[i].rate_Bps, 4000 / ns * 1e9, 1);
        assert_float_equal(c->decode.curve[i].rate_Bps, 8000 / ns * 1e9, 1);
    }
}

static const struct timed eight_bits = { .kernel = "8bit", .impl = "avx2", .option = "", .threads = 1 };

/* The newest bench of this machine, of the fastest implementation on one thread, at three sizes or more. */
static void the_newest_bench_counts(void **state)
{
    struct store *s = open_new("bench");
    struct codec_rates *rates = calloc(1, sizeof(*rates));
    struct timed slow = eight_bits, both = eight_bits, other = eight_bits, kept = eight_bits, part = eight_bits;
    int64_t run;

    (void)state;
    slow.impl = "scalar";
    both.threads = 2;
    other.kernel = "1bit";
    kept.option = "keep=3";
    part.group = "quantize"; /* of the same name, without its stream */
    put_sizes(s, identity_machine(), eight_bits, 5, 900);
    run = put_sizes(s, identity_machine(), eight_bits, 4, 500);
    for (int i = 1; i <= 4; i++) {
        slow.values = 1000 * i, slow.ns = 9000;
        put(s, run, &slow);
    }
    put_sizes(s, "elsewhere", eight_bits, 4, 10);
    put_sizes(s, identity_machine(), eight_bits, 2, 20);
    put_sizes(s, identity_machine(), both, 4, 30);
    put_sizes(s, identity_machine(), other, 4, 40);
    put_sizes(s, identity_machine(), kept, 4, 50);
    put_sizes(s, identity_machine(), part, 4, 60);
    struct codec_spec c = obtain(rates, s, spec(WIRE_8BIT));

    from_bench(&c, 4, 500);
    assert_int_equal(count(s, "SELECT count(*) FROM calibration"), 0);
    /* The same again is not asked for again: a newer bench changes nothing in this sweep. */
    put_sizes(s, identity_machine(), eight_bits, 4, 100);
    c = obtain(rates, s, spec(WIRE_8BIT));
    from_bench(&c, 4, 500);
    assert_int_equal(rates->ncurves, 1);
    store_close(s);
    free(rates);
}

static void an_implementation_can_be_named(void **state)
{
    struct store *s = open_new("named");
    struct codec_rates *rates = calloc(1, sizeof(*rates));
    struct timed slow = eight_bits;

    (void)state;
    slow.impl = "scalar";
    put_sizes(s, identity_machine(), slow, 3, 700);
    put_sizes(s, identity_machine(), eight_bits, 3, 100);
    setenv("NARROWS_IMPL", "scalar", 1);
    struct codec_spec c = obtain(rates, s, spec(WIRE_8BIT));
    unsetenv("NARROWS_IMPL");

    from_bench(&c, 3, 700);
    store_close(s);
    free(rates);
}

/* The kernel and option that stand for a spec: its own bench is found, another one is not. */
static const struct {
    enum wire_format format;
    double parameter;
    const char *kernel, *option;
} settings[] = {
    { WIRE_FP32, 0, "fp32", "" },
    { WIRE_BF16, 0, "bf16", "" },
    { WIRE_STOCH3, 0, "stoch3", "" },
    { WIRE_3LC_QUARTIC, 0, "3lc-quartic", "" },
    { WIRE_ADT, 2, "adt", "" }, /* the preset */
    { WIRE_ADT, 2.1, "adt", "keep=3" },
    { WIRE_ADT, 1, "adt", "keep=1" },
    { WIRE_3LC, 1.6, "3lc", "" },
    { WIRE_3LC, 0.7, "3lc", "" },
    { WIRE_3LC, 0.5, "3lc", "s=1.5" },
    { WIRE_3LC, 0.3, "3lc", "s=1.75" },
    { WIRE_3LC, 0.01, "3lc", "s=1.9" },
    { WIRE_SPARSIFY, 0.05, "sparsify", "" },
    { WIRE_SPARSIFY, 0.25, "sparsify", "density=25%" },
    { WIRE_SPARSIFY, 0.3, "sparsify", "density=25%" },
    { WIRE_DCT, 0.05, "dct", "" },
    { WIRE_DCT, 0.04, "dct", "" },
    { WIRE_DCT, 0.012, "dct", "density=1%" },
    { WIRE_DCT, 0, "dct", "density=0.1%" },
    { WIRE_DCT_MP, 0.05, "dct-mp", "" },
    { WIRE_DCT_MP, 1, "dct-mp", "density=100%" },
    { WIRE_RANDOMK, 0.01, "randomk", "" },
    { WIRE_RANDOMK, 0.2, "randomk", "density=25%" },
    { WIRE_QSGD, 127, "qsgd", "" }, /* the preset */
    { WIRE_QSGD, 15, "qsgd", "levels=15" },
    { WIRE_QSGD, 8, "qsgd", "levels=15" }, /* as many bits */
    { WIRE_BLOCKWISE, 256, "blockwise", "" },
    { WIRE_BLOCKWISE, 448, "blockwise", "" },
    { WIRE_BLOCKWISE, 576, "blockwise", "block=1024" },
};

static void each_spec_has_its_setting(void **state)
{
    struct store *s = open_new("settings");
    struct codec_rates *rates = calloc(1, sizeof(*rates));

    (void)state;
    for (size_t i = 0; i < COUNT(settings); i++) {
        struct timed t = { settings[i].kernel, "scalar", settings[i].option, 1, 0, 0, NULL };
        struct codec_spec c = spec(settings[i].format);

        put_sizes(s, identity_machine(), t, 3, 100 + 2 * (int64_t)i);
        c.bytes = c.bits = c.density = settings[i].parameter;
        c.levels = c.block = (int64_t)settings[i].parameter;
        memset(rates, 0, sizeof(*rates));
        c = obtain(rates, s, c);
        from_bench(&c, 3, 100 + 2 * (double)i);
    }
    store_close(s);
    free(rates);
}

/* Of local steps a bench's median says nothing: a round is timed. */
static void local_steps_are_timed_in_rounds(void **state)
{
    static const struct {
        int64_t steps;
        const char *option;
    } cases[] = { { 2, "" }, { 3, "k=3" }, { 8, "k=8" }, { 9, "k=8" }, { 1000000, "k=8" } };
    struct store *s = open_new("local");
    struct codec_rates *rates = calloc(1, sizeof(*rates));
    struct timed t = { "local", "scalar", "", 1, 0, 0, NULL };
    struct codec_spec c = spec(WIRE_LOCAL);
    struct codec_curve curve;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        c.steps = cases[i].steps;
        assert_true(codec_curve_of(&c, &curve));
        assert_string_equal(curve.setting.option, cases[i].option);
    }
    put_sizes(s, identity_machine(), t, 3, 100);
    c.steps = 2;
    assert_int_equal(obtain(rates, s, c).encode.ncurve, 5);
    assert_int_equal(count(s, "SELECT count(*) FROM calibration"), 10);
    store_close(s);
    free(rates);
}

/* Of one codec at two densities each edge has its own. */
static void each_edge_has_its_own(void **state)
{
    struct store *s = open_new("edges");
    struct codec_rates *rates = calloc(1, sizeof(*rates));
    struct timed t = { "sparsify", "scalar", "", 1, 0, 0, NULL };
    struct codec_spec few = spec(WIRE_SPARSIFY), many = few;
    char why[256] = "";

    (void)state;
    many.density = 0.25;
    put_sizes(s, identity_machine(), t, 3, 100);
    t.option = "density=25%";
    put_sizes(s, identity_machine(), t, 4, 300);
    struct point p = point_of(few, many);
    assert_int_equal(codec_rate_prepare(rates, s, 0, &p, why, sizeof(why)), NW_OK);
    codec_rate_supply(rates, &p);
    assert_int_equal(rates->ncurves, 2);
    from_bench(&p.scenario.method.parameter_server.push, 3, 100);
    from_bench(&p.scenario.method.parameter_server.pull, 4, 300);
    store_close(s);
    free(rates);
}

/* Timed once, then read back: to the bit, by another sweep too. */
static void what_was_timed_is_kept(void **state)
{
    struct store *s = open_new("kept");
    struct codec_rates *rates = calloc(1, sizeof(*rates)), *again = calloc(1, sizeof(*again));
    struct codec_spec first, c;

    (void)state;
    first = obtain(rates, s, spec(WIRE_1BIT));
    assert_int_equal(first.encode.ncurve, 5);
    assert_int_equal(first.decode.ncurve, 5);
    assert_true(first.encode.curve[0].size_B == 4096 && first.encode.curve[4].size_B == 16 << 20);
    assert_int_equal(count(s, "SELECT count(*) FROM calibration WHERE paper = '' AND unit = 'B/s'"), 10);
    c = obtain(again, s, spec(WIRE_1BIT));
    assert_int_equal(c.encode.ncurve, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_true(first.encode.curve[i].rate_Bps > 0 && first.decode.curve[i].rate_Bps > 0);
        assert_true(c.encode.curve[i].size_B == first.encode.curve[i].size_B);
        assert_true(c.encode.curve[i].rate_Bps == first.encode.curve[i].rate_Bps);
        assert_true(c.decode.curve[i].rate_Bps == first.decode.curve[i].rate_Bps);
    }
    assert_int_equal(count(s, "SELECT count(*) FROM calibration"), 10);
    store_close(s);
    free(rates);
    free(again);
}

/* Every codec of the table, at the setting of a spec, from one value on: what travels while it is timed is what the
 * simulator counts, so that the time is that of the work that is simulated. */
static void what_is_timed_is_what_is_simulated(void **state)
{
    static const struct {
        enum wire_format format;
        double density;
    } specs[] = {
        { WIRE_FP32, 0 },      { WIRE_BF16, 0 },        { WIRE_FP16, 0 },     { WIRE_ADT, 0 },        { WIRE_8BIT, 0 },
        { WIRE_3LC, 0 },       { WIRE_3LC_QUARTIC, 0 }, { WIRE_STOCH3, 0 },   { WIRE_1BIT, 0 },       { WIRE_LOCAL, 0 },
        { WIRE_DCT, 0.01 },    { WIRE_DCT, 0.25 },      { WIRE_DCT_MP, 0.1 }, { WIRE_SPARSIFY, 0.1 }, { WIRE_QSGD, 0 },
        { WIRE_RANDOMK, 0.1 }, { WIRE_TERNGRAD, 0 },    { WIRE_NATURAL, 0 },  { WIRE_POWERSGD, 0 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(specs); i++) {
        struct codec_spec c = spec(specs[i].format);
        struct codec_curve curve;
        struct codec_time times[] = { { .n = 1 }, { .n = 4096 } };
        const char *row = NULL;

        c.density = specs[i].density;
        assert_true(codec_curve_of(&c, &curve));
        assert_int_equal(measure_codec(curve.codec, &curve.setting.params, "scalar", times, 2, &row), NW_OK);
        assert_string_equal(row, "scalar");
        assert_true(times[0].compress_s > 0 && times[0].decompress_s > 0);
        assert_true(times[1].compress_s > 0 && times[1].decompress_s > 0);
        c.steps = 1; /* of local the last step that was timed is one that sends */
        double counted = 8 * (double)codec_spec_wire_bytes(&c, 4096, 1024) / 4096;
        double within = specs[i].format == WIRE_3LC ? 0.5 : specs[i].density > 0 ? 0.2 : 0.02;
        if (fabs(times[1].bits / counted - 1) > within)
            fail_msg("%s: %.3f bits a value travel, %.3f are counted", curve.codec->name, times[1].bits, counted);
    }
}

static void an_implementation_that_is_not_there(void **state)
{
    struct codec_params p = codec_presets(codec_find("8bit"));
    struct codec_time time = { .n = 1 };
    const char *row;

    (void)state;
    assert_int_equal(measure_codec(codec_find("8bit"), &p, "altivec", &time, 1, &row), NW_EINPUT);
}

/* One that a scenario gives is not touched, and nothing is looked up for it. */
static void given_costs_stay(void **state)
{
    struct store *s = open_new("given");
    struct codec_rates *rates = calloc(1, sizeof(*rates));
    struct codec_spec c = spec(WIRE_3LC);
    char why[256] = "";

    (void)state;
    c.timing = CODEC_COST_GIVEN;
    c.encode.rate_Bps = 7;
    struct point p = point_of(c, c);
    assert_int_equal(codec_rate_prepare(rates, s, 0, &p, why, sizeof(why)), NW_OK);
    codec_rate_supply(rates, &p);
    assert_int_equal(rates->ncurves, 0);
    assert_true(p.scenario.method.parameter_server.push.encode.rate_Bps == 7);
    assert_int_equal(p.scenario.method.parameter_server.push.encode.ncurve, 0);
    store_close(s);
    free(rates);
}

static void what_cannot_be_timed_is_refused(void **state)
{
    struct store *s = open_new("refused");
    struct codec_rates *rates = calloc(1, sizeof(*rates));
    struct codec_spec gpu = spec(WIRE_3LC), own = spec(WIRE_RATIO), none = { .format = WIRE_NONE };
    char why[256] = "";

    (void)state;
    gpu.place = CODEC_ON_GPU;
    struct point p = point_of(none, gpu), q = point_of(own, none);
    assert_int_equal(codec_rate_prepare(rates, s, 0, &p, why, sizeof(why)), NW_ESIM);
    assert_string_equal(why,
                        "method.pull.timing: expected given: a codec whose place is a GPU cannot be measured on the "
                        "CPU of this host");
    assert_int_equal(codec_rate_prepare(rates, s, 0, &q, why, sizeof(why)), NW_ESIM);
    assert_string_equal(why,
                        "method.push.timing: expected given: a codec of one's own cannot be measured on the CPU of "
                        "this host");
    assert_int_equal(count(s, "SELECT count(*) FROM calibration"), 0);
    store_close(s);
    free(rates);
}

/* Of each kind those that its header has, in order. */
static void the_codecs_of_each_kind(void **state)
{
    static const struct {
        enum method_kind kind;
        const char *keys[METHOD_CODECS_MAX];
        size_t n;
    } kinds[] = {
        { METHOD_HOST_SGD, { 0 }, 0 },
        { METHOD_PARAMETER_SERVER, { "push", "pull" }, 2 },
        { METHOD_ALLREDUCE, { "gradients" }, 1 },
        { METHOD_MODEL_PARALLEL, { "activations", "push", "pull" }, 3 },
        { METHOD_FLOWS, { 0 }, 0 },
        { METHOD_MEMORY_PLAN, { 0 }, 0 },
        { METHOD_COLLECTIVE, { 0 }, 0 },
        { METHOD_SHARDED, { "codecs.weights", "codecs.gradients", "codecs.activations", "codecs.dispatch" }, 4 },
    };
    struct method *m = calloc(1, sizeof(*m));

    (void)state;
    _Static_assert(COUNT(kinds) == METHOD_KINDS, "a kind of method without its codecs");
    for (size_t i = 0; i < COUNT(kinds); i++) {
        struct codec_spec *out[METHOD_CODECS_MAX] = { NULL };
        const char *keys[METHOD_CODECS_MAX];

        m->kind = kinds[i].kind;
        assert_int_equal(method_codecs(m, out, keys, METHOD_CODECS_MAX), kinds[i].n);
        for (size_t k = 0; k < kinds[i].n; k++)
            assert_string_equal(keys[k], kinds[i].keys[k]);
    }
    struct codec_spec *out[2] = { NULL };
    m->kind = METHOD_MODEL_PARALLEL;
    assert_int_equal(method_codecs(m, out, NULL, 1), 3);
    assert_ptr_equal(out[0], &m->model_parallel.activations);
    assert_null(out[1]);
    free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_newest_bench_counts),
        cmocka_unit_test(an_implementation_can_be_named),
        cmocka_unit_test(each_spec_has_its_setting),
        cmocka_unit_test(each_edge_has_its_own),
        cmocka_unit_test(local_steps_are_timed_in_rounds),
        cmocka_unit_test(what_was_timed_is_kept),
        cmocka_unit_test(given_costs_stay),
        cmocka_unit_test(what_is_timed_is_what_is_simulated),
        cmocka_unit_test(an_implementation_that_is_not_there),
        cmocka_unit_test(what_cannot_be_timed_is_refused),
        cmocka_unit_test(the_codecs_of_each_kind),
    };

    unsetenv("NARROWS_IMPL");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
