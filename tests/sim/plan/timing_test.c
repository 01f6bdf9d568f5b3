/* Operation times by hand: which row of rates a layer takes, what streams, and what is refused. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "sim/plan/timing.h"
#include "tests/test.h"

enum { WIDE, NARROW, STRIDED, DENSE, CLASSES, LAYERS = 7 }; /* the layers with weights, by their order among those */

static struct layer_spec layers[LAYERS] = {
    { .kind = LAYER_CONV, .channels = 8, .kernel = 3, .pad = 1 },               /* 4 -> 8, 16 x 16 */
    { .kind = LAYER_CONV, .channels = 16, .kernel = 1 },                        /* 8 -> 16, 16 x 16 */
    { .kind = LAYER_CONV, .channels = 16, .kernel = 3, .pad = 1, .stride = 2 }, /* 16 -> 16, 8 x 8 */
    { .kind = LAYER_RELU },
    { .kind = LAYER_FC, .units = 32 }, /* 1024 -> 32 */
    { .kind = LAYER_RELU },
    { .kind = LAYER_CLASSIFIER }, /* 32 -> 10 */
};
static const int32_t weighted[] = { [WIDE] = 0, [NARROW] = 1, [STRIDED] = 2, [DENSE] = 4, [CLASSES] = 6 };

static struct model model_of(void)
{
    struct model_spec spec = { .name = "m", .channels = 4, .height = 16, .width = 16, .classes = 10 };
    struct model m;
    char why[200];

    spec.layers = layers, spec.nlayers = LAYERS;
    assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), E_OK);
    return m;
}

static struct platform platform_of(void)
{
    return (struct platform){ .compute_scale = 1,
                              .gpu = { .peak_flops = 1e12, .memory_Bps = 1e12, .efficiency_memory = 0.5 } };
}

/* The one operation that 'o' is. */
static int64_t time_of(const struct timing *t, const struct platform *p, const struct model *m, struct operation o)
{
    struct graph g = { .model = m, .operations = &o, .noperations = 1, .nforward = 1 };
    int64_t ps = -1;

    assert_int_equal(timing_operations(t, p, &g, &ps), E_OK);
    return ps;
}

static struct operation whole(int32_t layer, double flops)
{
    return (struct operation){ .layer = layer, .patch = NO_PATCH, .flops = flops, .compute_bound = 1 };
}

/* Each list of rows, and the rate in GFlop/s that each of the five weighted layers gets from it; 0: none fits. */
static void rows(void **state)
{
    static const struct {
        const char *why;
        struct conv_rate rows[3];
        double want[5];
    } cases[] = {
        { "one row fits all", { { .rate_flops = 2e9 } }, { 2, 2, 2, 2, 2 } },
        { "a share of the peak", { { .efficiency = 1.5 } }, { 1500, 1500, 1500, 1500, 1500 } },
        { "a rate goes before a share", { { .efficiency = 1.5, .rate_flops = 2e9 } }, { 2, 2, 2, 2, 2 } },
        { "the first that fits", { { .rate_flops = 2e9 }, { .kernel = 3, .rate_flops = 3e9 } }, { 2, 2, 2, 2, 2 } },
        { "kernel and stride",
          { { .kernel = 3, .stride = 1, .rate_flops = 2e9 },
            { .kernel = 1, .rate_flops = 3e9 },
            { .rate_flops = 4e9 } },
          { 2, 3, 4, 4, 4 } },
        { "stride alone", { { .stride = 2, .rate_flops = 2e9 }, { .rate_flops = 4e9 } }, { 4, 4, 2, 4, 4 } },
        { "a window is no fully-connected layer's",
          { { .kernel = 3, .rate_flops = 2e9 }, { .stride = 1, .rate_flops = 3e9 } },
          { 2, 3, 2, 0, 0 } },
        { "plane", { { .plane = 16, .rate_flops = 2e9 }, { .plane = 1, .rate_flops = 3e9 } }, { 2, 2, 0, 3, 3 } },
        { "channels in",
          { { .in_channels = 8, .rate_flops = 2e9 }, { .in_channels = 1024, .rate_flops = 3e9 } },
          { 0, 2, 0, 3, 0 } },
        { "channels out",
          { { .out_channels = 16, .rate_flops = 2e9 }, { .out_channels = 10, .rate_flops = 3e9 } },
          { 0, 2, 2, 0, 3 } },
        { "all of them",
          { { .kernel = 3, .stride = 1, .plane = 16, .in_channels = 4, .out_channels = 8, .rate_flops = 2e9 },
            { .plane = 1, .in_channels = 32, .out_channels = 10, .rate_flops = 3e9 } },
          { 2, 0, 0, 0, 3 } },
    };
    struct model m = model_of();
    struct platform p = platform_of();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct conv_rate copy[3];
        struct timing t = { .rates = copy, .nrates = 3, .split_efficiency = 1 };
        memcpy(copy, cases[i].rows, sizeof(copy));
        while (t.nrates && !copy[t.nrates - 1].rate_flops && !copy[t.nrates - 1].efficiency)
            t.nrates--;
        for (size_t k = 0; k < COUNT(weighted); k++) {
            struct operation o = whole(weighted[k], 6e9);
            struct graph g = { .model = &m, .operations = &o, .noperations = 1, .nforward = 1 };
            int64_t ps = -1;
            int rc = timing_operations(&t, &p, &g, &ps);
            if (rc != (cases[i].want[k] ? E_OK : E_RANGE))
                fail_msg("%s, layer %zu: status %d", cases[i].why, k, rc);
            if (!rc && llabs((long long)ps - llround(6e12 / cases[i].want[k])) > 1)
                fail_msg("%s, layer %zu: %lld ps at %g GFlop/s", cases[i].why, k, (long long)ps, cases[i].want[k]);
        }
    }
    model_free(&m);
}

/* 1 GFlop at 100 GFlop/s is 10 ms; 1 GB at 500 GB/s is 2 ms. */
static void what_an_operation_lasts(void **state)
{
    enum { CONV = 0, RELU = 3, FC = 4, CLASSIFIER = 6 };
    const struct {
        const char *why;
        struct operation o;
        double memory_Bps, latency_s, scale;
        int64_t want_us;
    } cases[] = {
        { "convolution", whole(CONV, 1e9), 0, 0, 1, 10000 },
        { "one that moves much still has its rate",
          { .layer = CONV, .patch = NO_PATCH, .flops = 1e9, .bytes = 9e9, .compute_bound = 1 },
          0,
          0,
          1,
          10000 },
        { "its backward",
          { .backward = 1, .layer = CONV, .patch = NO_PATCH, .flops = 2e9, .compute_bound = 1 },
          0,
          0,
          1,
          20000 },
        { "a patch of it", { .layer = CONV, .patch = 0, .flops = 1e9, .compute_bound = 1 }, 0, 0, 1, 12500 },
        { "fully connected, by FLOPs",
          { .layer = FC, .patch = NO_PATCH, .flops = 1e9, .bytes = 1e9, .compute_bound = 1 },
          0,
          0,
          1,
          10000 },
        { "fully connected, by bytes",
          { .layer = FC, .patch = NO_PATCH, .flops = 1e8, .bytes = 1e9, .compute_bound = 1 },
          0,
          0,
          1,
          2000 },
        { "classifier, by bytes",
          { .layer = CLASSIFIER, .patch = NO_PATCH, .flops = 1e8, .bytes = 3e9, .compute_bound = 1 },
          0,
          0,
          1,
          6000 },
        { "what streams", { .layer = RELU, .patch = NO_PATCH, .flops = 1e9, .bytes = 1e9 }, 0, 0, 1, 2000 },
        { "a patch that streams", { .layer = RELU, .patch = 1, .bytes = 1e9 }, 0, 0, 1, 2000 },
        { "a cut, which is no layer's",
          { .kind = OPERATION_CUT, .layer = LAYER_NO_LAYER, .patch = 1, .bytes = 1e9 },
          0,
          0,
          1,
          2000 },
        { "the profile's own memory", { .layer = RELU, .patch = NO_PATCH, .bytes = 1e9 }, 2.5e11, 0, 1, 4000 },
        { "launching what streams", { .layer = RELU, .patch = NO_PATCH, .bytes = 1e9 }, 0, 1e-5, 1, 2010 },
        { "launching a convolution", whole(CONV, 1e9), 0, 1e-5, 1, 10010 },
        { "four times as fast, but for the launch", whole(CONV, 1e9), 0, 1e-5, 4, 2510 },
        { "four times as fast, streaming", { .layer = RELU, .patch = NO_PATCH, .bytes = 1e9 }, 0, 0, 4, 500 },
        { "nothing to do", { .layer = RELU, .patch = NO_PATCH }, 0, 0, 1, 0 },
    };
    struct conv_rate rate = { .rate_flops = 1e11 };
    struct model m = model_of();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct platform p = platform_of();
        struct timing t = { .rates = &rate, .nrates = 1, .split_efficiency = 0.8, .memory_Bps = cases[i].memory_Bps };
        p.gpu.launch_latency_s = cases[i].latency_s, p.compute_scale = cases[i].scale;
        int64_t ps = time_of(&t, &p, &m, cases[i].o);
        if (ps / 1000000 != cases[i].want_us)
            fail_msg("%s: %lld us, not %lld", cases[i].why, (long long)ps / 1000000, (long long)cases[i].want_us);
    }
    model_free(&m);
}

/* What is connected at each position takes rows by the values and units of a position, and is never faster than
 * memory. */
static void layers_of_sequences(void **state)
{
    struct layer_spec list[] = { { .kind = LAYER_TOKENS, .rows = 9, .dim = 4, .positions = 3 },
                                 { .kind = LAYER_LINEAR, .units = 6 },
                                 { .kind = LAYER_ATTENTION, .bias = 1, .heads = 2 },
                                 { .kind = LAYER_LAYERNORM } };
    struct conv_rate rates[] = { { .kernel = 1, .rate_flops = 5e9 },
                                 { .in_channels = 4, .out_channels = 6, .plane = 1, .rate_flops = 2e9 },
                                 { .in_channels = 6, .out_channels = 6, .rate_flops = 4e9 } };
    struct timing t = { .rates = rates, .nrates = 3, .split_efficiency = 1 };
    struct model_spec spec = { .name = "m", .layers = list, .nlayers = 4 };
    struct platform p = platform_of();
    struct model m;
    char why[256] = "";

    (void)state;
    assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), E_OK);
    assert_int_equal(timing_check(&t, &p, &m, why, sizeof(why)), E_OK);
    assert_int_equal(time_of(&t, &p, &m, whole(1, 1e9)), 500000000000);
    assert_int_equal(time_of(&t, &p, &m, whole(2, 1e9)), 250000000000);
    struct operation slow = whole(2, 1e9);
    slow.bytes = 1e12; /* at 0.5 TB/s */
    assert_int_equal(time_of(&t, &p, &m, slow), 2000000000000);
    t.nrates = 2;
    assert_int_equal(timing_check(&t, &p, &m, why, sizeof(why)), E_INVAL);
    assert_non_null(strstr(why, "fits layer attention1 (fully connected, 6 values to 6)"));
    model_free(&m);
}

/* A row's kernel is the side of a square: others take the row for any. */
static void oblong_windows_have_no_side(void **state)
{
    struct layer_spec list[] = { { .kind = LAYER_CONV, .channels = 4, .kernel = 3, .kernel_width = 1 } };
    struct conv_rate rates[] = { { .kernel = 3, .rate_flops = 5e9 },
                                 { .kernel = 1, .rate_flops = 4e9 },
                                 { .rate_flops = 2e9 } };
    struct timing t = { .rates = rates, .nrates = 3, .split_efficiency = 1 };
    struct model_spec spec = { .name = "m", .channels = 3, .height = 5, .width = 5, .layers = list, .nlayers = 1 };
    struct platform p = platform_of();
    struct model m;
    char why[256] = "";

    (void)state;
    assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), E_OK);
    assert_int_equal(timing_check(&t, &p, &m, why, sizeof(why)), E_OK);
    assert_int_equal(time_of(&t, &p, &m, whole(0, 1e9)), 500000000000);
    t.nrates = 2;
    assert_int_equal(timing_check(&t, &p, &m, why, sizeof(why)), E_INVAL);
    assert_non_null(strstr(why, "layer conv1 (kernel 3 high, not square, stride 1, plane 3, 3 to 4 channels)"));
    model_free(&m);
}

static void memory_rate(void **state)
{
    struct platform p = platform_of();
    struct timing t = { 0 };

    (void)state;
    assert_true(timing_memory_Bps(&t, &p) == 5e11);
    t.memory_Bps = 3e11;
    assert_true(timing_memory_Bps(&t, &p) == 3e11);
}

/* No operation, and no sum of them, may leave 63 bits of picoseconds. */
static void range(void **state)
{
    struct model m = model_of();
    struct platform p = platform_of();
    struct conv_rate rate = { .rate_flops = 1 };
    struct timing t = { .rates = &rate, .nrates = 1, .split_efficiency = 1 };
    struct operation one[3] = { whole(0, 4e6), whole(0, 4e6), whole(0, 2e6) }; /* 4, 4 and 2 million seconds */
    struct graph g = { .model = &m, .operations = one, .noperations = 2, .nforward = 2 };
    int64_t ps[3];

    (void)state;
    assert_int_equal(timing_operations(&t, &p, &g, ps), E_OK);
    assert_int_equal(ps[1], 4000000000000000000);
    g.noperations = 3;
    assert_int_equal(timing_operations(&t, &p, &g, ps), E_RANGE);
    one[0].flops = 1e7, g.noperations = 1;
    assert_int_equal(timing_operations(&t, &p, &g, ps), E_RANGE);
    one[0].flops = NAN;
    assert_int_equal(timing_operations(&t, &p, &g, ps), E_RANGE);
    model_free(&m);
}

static void check_of(const char *name, const struct timing *t, const struct platform *p, const struct model *m,
                     const char *want)
{
    char why[256] = "";
    int rc = timing_check(t, p, m, why, sizeof(why));

    if (rc != (*want ? E_INVAL : E_OK) || strncmp(why, want, strlen(want)) != 0)
        fail_msg("%s: status %d, '%s', not '%s'", name, rc, why, want);
}

static void refusals_of_figures(void **state)
{
    struct conv_rate rate;
    struct timing t;
    struct platform p;
    struct model m = model_of();
    const struct {
        double *figure, bad;
        const char *want;
    } cases[] = {
        { NULL, 0, "" },
        { &p.gpu.peak_flops, 0, "platform.gpu.peak: expected a positive number, got 0" },
        { &p.gpu.peak_flops, NAN, "platform.gpu.peak: " },
        { &p.gpu.memory_Bps, 0, "platform.gpu.memory_bandwidth: expected a positive number, got 0" },
        { &p.gpu.memory_Bps, INFINITY, "platform.gpu.memory_bandwidth: " },
        { &p.gpu.efficiency_memory, NAN,
          "platform.gpu.efficiency.memory: expected a positive number, got nan (a calibrated" },
        { &p.gpu.launch_latency_s, -1, "platform.gpu.launch_latency: expected 0 or more, got -1" },
        { &p.gpu.launch_latency_s, NAN, "platform.gpu.launch_latency: " },
        { &p.gpu.launch_latency_s, INFINITY, "platform.gpu.launch_latency: " },
        { &p.compute_scale, 0, "platform.compute_scale: " },
        { &t.split_efficiency, 0, "timing.split_efficiency: " },
        { &t.memory_Bps, -1, "timing.memory: expected a positive number, got -1" },
        { &rate.efficiency, 0, "timing.rates: row 1: expected a positive rate or efficiency, got 0" },
        { &rate.efficiency, -1, "timing.rates: row 1: " },
        { &rate.efficiency, NAN, "timing.rates: row 1: " },
        { &rate.rate_flops, -1, "timing.rates: row 1: expected a positive rate, got -1" },
        { &rate.rate_flops, INFINITY, "timing.rates: row 1: " },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        rate = (struct conv_rate){ .efficiency = 0.5 };
        t = (struct timing){ .rates = &rate, .nrates = 1, .split_efficiency = 1 };
        p = platform_of();
        if (cases[i].figure)
            *cases[i].figure = cases[i].bad;
        check_of(cases[i].want, &t, &p, &m, cases[i].want);
    }

    /* What is not used is not asked for. */
    rate = (struct conv_rate){ .rate_flops = 1e9 };
    t = (struct timing){ .rates = &rate, .nrates = 1, .split_efficiency = 1, .memory_Bps = 1e9 };
    p = (struct platform){ .compute_scale = 1 };
    check_of("nothing of the GPU", &t, &p, &m, "");
    model_free(&m);
}

static void refusals_of_layers(void **state)
{
    struct conv_rate rates[] = { { .kernel = 3, .efficiency = 1 },
                                 { .plane = 1, .efficiency = 1 },
                                 { .kernel = 1, .efficiency = 1 } };
    struct timing t = { .rates = rates, .split_efficiency = 1 };
    struct platform p = platform_of();
    struct model m = model_of();
    static const char *const want[] = {
        "timing.rates: expected a row that fits layer conv1 (kernel 3, stride 1, plane 16, 4 to 8 channels), got none "
        "among 0",
        "timing.rates: expected a row that fits layer conv2 (kernel 1, stride 1, plane 16, 8 to 16 channels), got none "
        "among 1",
        "timing.rates: expected a row that fits layer conv2",
        "",
    };

    (void)state;
    for (t.nrates = 0; t.nrates < COUNT(want); t.nrates++)
        check_of("rows", &t, &p, &m, want[t.nrates]);

    rates[1] = rates[2], t.nrates = 2;
    check_of("no dense row", &t, &p, &m,
             "timing.rates: expected a row that fits layer fc1 (fully connected, 1024 values to 32), got none among 2");
    model_free(&m);
}

/* In proportion to the batch, and for a graph of so many operations alone. */
static void measured_times_take_the_place_of_rates(void **state)
{
    struct platform p = platform_of();
    struct model m = model_of();
    struct operation o[] = { whole(0, 1e9), whole(0, 1e9) };
    struct graph g = { .model = &m, .batch = 6, .operations = o, .noperations = 2, .nforward = 1 };
    struct conv_rate rate = { .rate_flops = 1e11 };
    const int64_t measured[] = { 1000, 30 };
    struct timing t = {
        .rates = &rate, .nrates = 1, .split_efficiency = 1, .measured_ps = measured, .nmeasured = 2, .measured_batch = 4
    };
    int64_t ps[2];

    (void)state;
    assert_int_equal(timing_operations(&t, &p, &g, ps), E_OK);
    assert_int_equal(ps[0], 1500);
    assert_int_equal(ps[1], 45);
    t.nmeasured = 1;
    assert_int_equal(timing_operations(&t, &p, &g, ps), E_OK);
    assert_int_equal(ps[0], 10000000000);
    const int64_t huge[] = { INT64_MAX, 1 };
    t.nmeasured = 2, t.measured_ps = huge;
    assert_int_equal(timing_operations(&t, &p, &g, ps), E_RANGE);
    model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measured_times_take_the_place_of_rates),
        cmocka_unit_test(rows),
        cmocka_unit_test(what_an_operation_lasts),
        cmocka_unit_test(layers_of_sequences),
        cmocka_unit_test(oblong_windows_have_no_side),
        cmocka_unit_test(memory_rate),
        cmocka_unit_test(range),
        cmocka_unit_test(refusals_of_figures),
        cmocka_unit_test(refusals_of_layers),
    };
    return cmocka_run_group_tests_name("timing", tests, NULL, NULL);
}
