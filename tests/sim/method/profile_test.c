/* Layer times: the roofline by hand, and measured sums shared out to the last picosecond. */

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "model/status.h"
#include "sim/method/profile.h"
#include "tests/draw.h"
#include "tests/test.h"

static struct layer_spec layers[] = {
    { .kind = LAYER_CONV, .channels = 8, .kernel = 3, .pad = 1, .bias = 1 },
    { .kind = LAYER_RELU },
    { .kind = LAYER_MAXPOOL, .kernel = 2 },
    { .kind = LAYER_CONV, .channels = 16, .kernel = 3, .pad = 1 },
    { .kind = LAYER_BATCHNORM },
    { .kind = LAYER_AVGPOOL },
    { .kind = LAYER_FC, .units = 100 },
};

static struct model small(void)
{
    struct model_spec spec = {
        .name = "s", .channels = 3, .height = 32, .width = 32, .layers = layers, .nlayers = COUNT(layers)
    };
    struct model m;
    char why[256];

    memset(&m, 0, sizeof(m));
    assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), E_OK);
    return m;
}

static struct platform machine(void)
{
    return (struct platform){
        .compute_scale = 1,
        .cpu = { .sockets = 2, .cores_per_socket = 10, .peak_flops = 2e12, .efficiency = 0.25, .memory_Bps = 200e9 },
        .gpu = { .count = 1,
                 .peak_flops = 1e13,
                 .memory_Bps = 500e9,
                 .efficiency_convolution = 0.5,
                 .efficiency_fully_connected = 0.25,
                 .launch_latency_s = 1e-6 }
    };
}

static int64_t one(const struct compute_profile *c, const struct platform *p, const struct model *m, size_t i,
                   int64_t samples, enum compute_device d, bool backward)
{
    return backward ? profile_backward_ps(c, p, m, i, samples, d) : profile_forward_ps(c, p, m, i, samples, d);
}

static int64_t sum(const struct compute_profile *c, const struct platform *p, const struct model *m, int64_t samples,
                   enum compute_device d, bool backward)
{
    int64_t ps = 0;

    for (size_t i = 0; i < m->nlayers; i++) {
        assert_true(one(c, p, m, i, samples, d, backward) >= 0);
        ps += one(c, p, m, i, samples, d, backward);
    }
    return ps;
}

/* Whatever the times and samples, no picosecond is lost, and each layer has what its FLOPs say to a picosecond. */
static void measured_sums_are_exact(void **state)
{
    struct platform p = machine();
    struct model m = small();
    uint64_t seed = 1;

    (void)state;
    for (int i = 0; i < 1000; i++) {
        struct compute_profile c = { .forward_s = (double)(draw(&seed) % 1000000007) * 1e-9,
                                     .backward_s = (double)(draw(&seed) % 1000000009) * 1e-12,
                                     .samples = 1 + (int64_t)(draw(&seed) % 100),
                                     .scale = 1 + (double)(draw(&seed) % 3) / 7 };
        int64_t samples = 1 + (int64_t)(draw(&seed) % 1000);
        for (int backward = 0; backward < 2; backward++) {
            double s = (backward ? c.backward_s : c.forward_s) * c.scale * ((double)samples / (double)c.samples);
            int64_t total_ps = (int64_t)floor(s * 1e12 + 0.5);
            assert_int_equal(sum(&c, &p, &m, samples, COMPUTE_ON_GPU, backward), total_ps);
            for (size_t k = 0; k < m.nlayers; k++) {
                double share = backward ? (double)m.layers[k].flops_backward / (double)m.flops_backward
                                        : (double)m.layers[k].flops_forward / (double)m.flops_forward;
                double ps = (double)one(&c, &p, &m, k, samples, COMPUTE_ON_GPU, backward);
                assert_true(fabs(ps - share * (double)total_ps) <= 1 + 1e-9 * ps);
            }
        }
    }
    model_free(&m);
}

static void measured_times_scale(void **state)
{
    struct platform p = machine();
    struct model m = small();
    struct compute_profile c = { .forward_s = 0.213, .backward_s = 0.426, .samples = 64, .scale = 1 };

    (void)state;
    assert_int_equal(sum(&c, &p, &m, 64, COMPUTE_ON_GPU, 0), 213000000000);
    assert_int_equal(sum(&c, &p, &m, 384, COMPUTE_ON_GPU, 1), 6 * 426000000000);
    p.compute_scale = 2; /* a faster GPU; the CPU stays what it is */
    assert_int_equal(sum(&c, &p, &m, 64, COMPUTE_ON_GPU, 0), 106500000000);
    assert_int_equal(sum(&c, &p, &m, 64, COMPUTE_ON_CPU, 0), 213000000000);
    c.scale = 3;
    assert_int_equal(sum(&c, &p, &m, 64, COMPUTE_ON_CPU, 0), 639000000000);
    c.forward_s = 0;
    assert_int_equal(sum(&c, &p, &m, 64, COMPUTE_ON_CPU, 0), 0);
    model_free(&m);
}

/* Times of 32 and 64 samples give those of any number, whichever stands first. */
static void two_batches_make_a_law(void **state)
{
    static const struct {
        double t32_s, t64_s;
        int64_t samples, want_ps;
    } cases[] = {
        { 0.020, 0.030, 32, 20000000000 },
        { 0.020, 0.030, 64, 30000000000 },
        { 0.020, 0.030, 48, 25000000000 }, /* a = 10 ms, b = 0.3125 ms */
        { 0.020, 0.030, 128, 50000000000 },
        { 0.020, 0.030, 1, 10312500000 },
        { 0.020, 0.020, 8, 20000000000 }, /* the batch does not matter */
        { 0.010, 0.030, 64, 30000000000 },
        { 0.010, 0.030, 96, 50000000000 },
        { 0.010, 0.030, 16, 5000000000 }, /* a = -10 ms would leave nothing: in proportion */
        { 0, 0.030, 16, 0 },
        { 0.020, 0.040, 16, 10000000000 }, /* a = 0: both agree */
    };
    struct platform p = machine();
    struct model m = small();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int swapped = 0; swapped < 2; swapped++) {
            struct compute_times low = { cases[i].t32_s, 2 * cases[i].t32_s, 0, 32 };
            struct compute_times high = { cases[i].t64_s, 2 * cases[i].t64_s, 0, 64 };
            struct compute_times one = swapped ? high : low;
            struct compute_profile c = { .forward_s = one.forward_s,
                                         .backward_s = one.backward_s,
                                         .samples = one.samples,
                                         .scale = 1,
                                         .second = swapped ? low : high };
            char why[200] = "";
            if (profile_check(&c, &p, &m, COMPUTE_ON_GPU, why, sizeof(why)))
                fail_msg("case %d: %s", (int)i, why);
            for (int backward = 0; backward < 2; backward++) {
                int64_t ps = sum(&c, &p, &m, cases[i].samples, COMPUTE_ON_GPU, backward);
                if (ps != (1 + backward) * cases[i].want_ps)
                    fail_msg("case %d: %lld ps", (int)i, (long long)ps);
            }
            c.scale = 3;
            p.compute_scale = 1.5;
            assert_int_equal(sum(&c, &p, &m, cases[i].samples, COMPUTE_ON_GPU, 0), 2 * cases[i].want_ps);
            p.compute_scale = 1;
        }
    model_free(&m);
}

static void a_step_is_shared_by_flops(void **state)
{
    struct platform p = machine();
    struct model m = small();
    struct compute_profile c = {
        .step_s = 0.030, .samples = 10, .scale = 1, .second = { .step_s = 0.050, .samples = 30 }
    };
    double share = (double)m.flops_forward / (double)(m.flops_forward + m.flops_backward);
    char why[200] = "";

    (void)state;
    assert_int_equal(profile_check(&c, &p, &m, COMPUTE_ON_GPU, why, sizeof(why)), E_OK);
    int64_t forward = sum(&c, &p, &m, 20, COMPUTE_ON_GPU, 0), backward = sum(&c, &p, &m, 20, COMPUTE_ON_GPU, 1);
    assert_int_equal(forward, (int64_t)floor(0.040 * share * 1e12 + 0.5));
    assert_in_range(forward + backward, 40000000000 - 1, 40000000000 + 1);
    c.second.samples = 0;
    c.second.step_s = 0;
    assert_int_equal(sum(&c, &p, &m, 20, COMPUTE_ON_GPU, 0), (int64_t)floor(0.060 * share * 1e12 + 0.5));
    model_free(&m);
}

static void two_batches_that_make_no_law(void **state)
{
    static const struct {
        struct compute_profile c;
        const char *want;
    } cases[] = {
        { { .forward_s = 1, .backward_s = 2, .samples = 8, .scale = 1, .second = { 1, 2, 0, 8 } },
          "profile.second.samples: expected another batch than the 8 samples" },
        { { .forward_s = 1, .backward_s = 2, .samples = 8, .scale = 1, .second = { 0.9, 3, 0, 9 } },
          "profile.second.forward: expected no less time for 9 samples than for 8, got 0.9 s and 1 s" },
        { { .forward_s = 1, .backward_s = 2, .samples = 8, .scale = 1, .second = { 1, 2.1, 0, 7 } },
          "profile.second.backward: expected no less time for 8 samples than for 7, got 2 s and 2.1 s" },
        { { .step_s = 1, .samples = 8, .scale = 1, .second = { 0, 0, 2, 7 } },
          "profile.second.step: expected no less" },
        { { .step_s = 1, .samples = 8, .scale = 1, .second = { 1, 1, 0, 9 } },
          "profile.second.step: expected the time of a step of both batches, or of neither" },
        { { .step_s = 1, .forward_s = 1, .samples = 8, .scale = 1 }, "profile.step: expected the time of a step or" },
        { { .step_s = 1, .samples = 8, .scale = 1, .second = { 1, 0, 1, 9 } },
          "profile.second.step: expected the time" },
        { { .step_s = 1, .scale = 1 }, "profile.samples: times of how many samples?" },
        { { .step_s = -1, .samples = 8, .scale = 1 }, "profile.step: expected a time, got -1 s" },
        { { .scale = 1, .second = { 1, 1, 0, 9 } }, "profile.samples: times of how many samples?" },
        { { .step_s = 1, .samples = 8, .scale = 1, .second = { .step_s = 2 } },
          "profile.second.samples: times of how" },
        { { .step_s = 1, .samples = 8, .scale = 1, .second = { 0, 0, 2, -1 } },
          "profile.second.samples: expected 1 or more, got -1" },
        { { .step_s = 1, .samples = 8, .scale = 1, .second = { 0, INFINITY, 0, 9 } }, "profile.second.backward: " },
    };
    struct platform p = machine();
    struct model m = small();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char why[256] = "";
        assert_int_equal(profile_check(&cases[i].c, &p, &m, COMPUTE_ON_GPU, why, sizeof(why)), E_INVAL);
        if (strncmp(why, cases[i].want, strlen(cases[i].want)) != 0)
            fail_msg("case %d: '%s' does not begin with '%s'", (int)i, why, cases[i].want);
    }
    model_free(&m);
}

/* Each layer has its row, and its FLOPs' share of what no row has; all of them the pass, to the picosecond. */
static void layers_have_their_rows(void **state)
{
    static const struct {
        double forward_s, rows_s[3]; /* of layers 3, 0 and 5, in an order that is not the model's */
        int64_t samples;
    } cases[] = {
        { 0.010, { 0.001, 0.002, 0.003 }, 8 }, { 0.010, { 0.001, 0.002, 0.003 }, 24 },
        { 0.006, { 0.001, 0.002, 0.003 }, 8 }, { 0, { 0.001, 0.002, 0.003 }, 8 },
        { 0.010, { 0, 0, 0.003 }, 7 },         { 0.3333, { 0.1, 0.001, 0.2 }, 1 },
    };
    struct platform p = machine();
    struct model m = small();
    const size_t at[] = { 3, 0, 5 };
    char why[200] = "";

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int backward = 0; backward < 2; backward++) {
            double rows_s = cases[i].rows_s[0] + cases[i].rows_s[1] + cases[i].rows_s[2];
            double pass_s = cases[i].forward_s > 0 ? cases[i].forward_s : rows_s;
            double ratio = (double)cases[i].samples / 8;
            struct layer_times rows[3];
            struct compute_profile c = { .samples = 8, .scale = 1, .layers = rows, .nlayers = 3 };
            for (size_t k = 0; k < COUNT(at); k++)
                rows[k] = (struct layer_times){ m.layers[at[k]].name, backward ? 0 : cases[i].rows_s[k],
                                                backward ? cases[i].rows_s[k] : 0 };
            *(backward ? &c.backward_s : &c.forward_s) = cases[i].forward_s;
            if (profile_check(&c, &p, &m, COMPUTE_ON_GPU, why, sizeof(why)))
                fail_msg("case %d: %s", (int)i, why);
            assert_int_equal(sum(&c, &p, &m, cases[i].samples, COMPUTE_ON_GPU, backward),
                             (int64_t)floor(pass_s * ratio * 1e12 + 0.5));
            assert_int_equal(sum(&c, &p, &m, cases[i].samples, COMPUTE_ON_GPU, !backward), 0);
            for (size_t k = 0; k < m.nlayers; k++) {
                const struct layer *l = &m.layers[k];
                double flops = backward ? (double)l->flops_backward / (double)m.flops_backward
                                        : (double)l->flops_forward / (double)m.flops_forward;
                double want_s = (pass_s - rows_s) * flops;
                for (size_t r = 0; r < COUNT(at); r++)
                    want_s += at[r] == k ? cases[i].rows_s[r] : 0;
                double ps = (double)one(&c, &p, &m, k, cases[i].samples, COMPUTE_ON_GPU, backward);
                if (!(fabs(ps - 1e12 * want_s * ratio) <= 2))
                    fail_msg("case %d, layer %d: %.0f ps, not %.0f", (int)i, (int)k, ps, 1e12 * want_s * ratio);
            }
        }
    model_free(&m);
}

static void rows_that_fit_no_layer(void **state)
{
    static const struct {
        struct layer_times rows[2];
        double forward_s, step_s;
        const char *want;
    } cases[] = {
        { { { "conv1", 1, 0 }, { "conv9", 0, 0 } },
          1,
          0,
          "profile.layers[1].layer: expected a layer of s, got 'conv9'" },
        { { { "conv1", 1, 0 }, { "conv1", 0, 0 } },
          1,
          0,
          "profile.layers[1].layer: expected one row for 'conv1', got two" },
        { { { "conv1", 1, 0 }, { "conv2", 1, 0 } },
          1,
          0,
          "profile.layers: expected rows that take no longer than forward" },
        { { { "conv1", -1, 0 }, { "conv2", 1, 0 } }, 1, 0, "profile.layers[0]: expected times, got -1 s" },
        { { { "conv1", 1, 0 }, { "conv2", 0, NAN } }, 1, 0, "profile.layers[1]: expected times" },
        { { { "conv1", 1, 0 }, { "conv2", 0, 0 } }, 0, 1, "profile.layers: expected them with forward and backward" },
    };
    struct platform p = machine();
    struct model m = small();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct layer_times rows[2] = { cases[i].rows[0], cases[i].rows[1] };
        struct compute_profile c = { .forward_s = cases[i].forward_s,
                                     .step_s = cases[i].step_s,
                                     .samples = 1,
                                     .scale = 1,
                                     .layers = rows,
                                     .nlayers = 2 };
        char why[256] = "";
        assert_int_equal(profile_check(&c, &p, &m, COMPUTE_ON_GPU, why, sizeof(why)), E_INVAL);
        if (strncmp(why, cases[i].want, strlen(cases[i].want)) != 0)
            fail_msg("case %d: '%s' does not begin with '%s'", (int)i, why, cases[i].want);
    }
    model_free(&m);
}

/* conv1: 3 x 32 x 32 in, 8 x 32 x 32 out, 216 weights and 8 biases. */
static void roofline_by_hand(void **state)
{
    struct platform p = machine();
    struct model m = small();
    struct compute_profile c = { .scale = 1 };
    double flops = 2.0 * 216 * 1024 + 8 * 1024, bytes = 4 * (3 * 1024 + 8 * 1024 + 216 + 8);

    (void)state;
    assert_int_equal(profile_forward_ps(&c, &p, &m, 0, 1, COMPUTE_ON_GPU),
                     (int64_t)floor(bytes / 500e9 / 0.5 * 1e12 + 1e6 + 0.5)); /* memory-bound, and a launch */
    p.gpu.memory_Bps = 1e15;
    assert_int_equal(profile_forward_ps(&c, &p, &m, 0, 1, COMPUTE_ON_GPU),
                     (int64_t)floor(flops / 1e13 / 0.5 * 1e12 + 1e6 + 0.5));
    /* One core of twenty: a twentieth of the peak and of the memory's bandwidth. */
    assert_int_equal(profile_forward_ps(&c, &p, &m, 0, 1, COMPUTE_ON_CPU),
                     (int64_t)floor(fmax(flops / 1e11, bytes / 10e9) / 0.25 * 1e12 + 0.5));
    p.cpu.memory_Bps = 1e15;
    assert_int_equal(profile_forward_ps(&c, &p, &m, 0, 1, COMPUTE_ON_CPU),
                     (int64_t)floor(flops / 1e11 / 0.25 * 1e12 + 0.5));
    c.scale = 2;
    assert_int_equal(profile_forward_ps(&c, &p, &m, 0, 1, COMPUTE_ON_CPU),
                     2 * (int64_t)floor(flops / 1e11 / 0.25 * 1e12 + 0.5));
    assert_int_equal(profile_forward_ps(&c, &p, &m, 1, 1, COMPUTE_ON_CPU), 0); /* no weights */
    assert_int_equal(profile_backward_ps(&c, &p, &m, 1, 1, COMPUTE_ON_GPU), 0);
    model_free(&m);
}

static void a_model_without_flops_keeps_its_time(void **state)
{
    struct platform p = machine();
    struct model m = small();
    struct compute_profile c = { .forward_s = 1e-3, .backward_s = 2e-3, .samples = 1, .scale = 1 };

    (void)state;
    for (size_t i = 0; i < m.nlayers; i++)
        m.layers[i].flops_forward = m.layers[i].flops_backward = 0;
    m.flops_forward = m.flops_backward = 0;
    assert_int_equal(sum(&c, &p, &m, 1, COMPUTE_ON_GPU, 0), 1000000000);
    assert_int_equal(sum(&c, &p, &m, 1, COMPUTE_ON_GPU, 1), 2000000000);
    model_free(&m);
}

static void nonsense_is_refused_by_key(void **state)
{
    struct model m = small();
    static const char *const want[] = { "profile.scale: ",
                                        "profile.samples: ",
                                        "profile.samples: ",
                                        "profile.forward: ",
                                        "profile.backward: ",
                                        "platform.gpu.peak: the roofline needs",
                                        "platform.cpu.peak: the roofline needs",
                                        "platform.gpu.efficiency.convolution: the roofline needs",
                                        "platform.gpu.count: the roofline needs",
                                        "platform.compute_scale: ",
                                        "platform.gpu.launch_latency: " };

    (void)state;
    for (size_t i = 0; i < COUNT(want); i++) {
        struct platform p = machine();
        struct compute_profile c = { .forward_s = 1, .backward_s = 1, .samples = 1, .scale = 1 };
        enum compute_device d = COMPUTE_ON_GPU;
        char why[256] = "";
        assert_int_equal(profile_check(&c, &p, &m, d, why, sizeof(why)), E_OK);
        if (i > 4)
            c = (struct compute_profile){ .scale = 1 };
        switch (i) {
        case 0: c.scale = 0; break;
        case 1: c.samples = -1; break;
        case 2: c.samples = 0; break;
        case 3: c.forward_s = NAN; break;
        case 4: c.backward_s = -1; break;
        case 5: p.gpu.peak_flops = 0; break;
        case 6: d = COMPUTE_ON_CPU, p.cpu.peak_flops = 0; break;
        case 7: p.gpu.efficiency_convolution = NAN; break;
        case 8: p.gpu.count = 0; break;
        case 9: p.compute_scale = 0; break;
        default: p.gpu.launch_latency_s = -1; break;
        }
        assert_int_equal(profile_check(&c, &p, &m, d, why, sizeof(why)), E_INVAL);
        if (strncmp(why, want[i], strlen(want[i])) != 0)
            fail_msg("'%s' does not begin with '%s'", why, want[i]);
    }
    model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measured_sums_are_exact),    cmocka_unit_test(measured_times_scale),
        cmocka_unit_test(roofline_by_hand),           cmocka_unit_test(a_model_without_flops_keeps_its_time),
        cmocka_unit_test(nonsense_is_refused_by_key), cmocka_unit_test(two_batches_make_a_law),
        cmocka_unit_test(a_step_is_shared_by_flops),  cmocka_unit_test(two_batches_that_make_no_law),
        cmocka_unit_test(layers_have_their_rows),     cmocka_unit_test(rows_that_fit_no_layer),
    };
    return cmocka_run_group_tests_name("profile", tests, NULL, NULL);
}
