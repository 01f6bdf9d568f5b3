/* The method memory-plan: readings and the largest batch. */
#include "tests/sim/method/memory_plan_rig.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/status.h"
#include "sim/method/method.h"
#include "sim/method/splitcnn.h"
#include "tests/draw.h"
#include "tests/test.h"

static double get(const struct world *w, const char *name)
{
    struct readings r = play(w);

    return reading_value(&r, name);
}

static void near(const char *what, double got, double want, double relative)
{
    if (!(fabs(got - want) <= relative * fabs(want) + 1e-300))
        fail_msg("%s: %.12g, not %.12g", what, got, want);
}

static double sum_beginning(const struct readings *r, const char *beginning)
{
    double sum = 0;

    for (size_t i = 0; i < r->n; i++)
        if (!strncmp(r->list[i].name, beginning, strlen(beginning)))
            sum += r->list[i].value;
    return sum;
}

static void all_known(const struct readings *r)
{
    for (size_t i = 0; i < r->n; i++) {
        bool known = false;
        for (size_t k = 0; method_readings[k]; k++) {
            size_t n = strlen(method_readings[k]);
            known |= !strcmp(method_readings[k], r->list[i].name) ||
                     (method_readings[k][n - 1] == '.' && !strncmp(method_readings[k], r->list[i].name, n));
        }
        if (!known)
            fail_msg("%s is not among method_readings", r->list[i].name);
    }
}

static void readings_agree_with_each_other(void **state)
{
    bool gap = false, turn = 0;
    struct world w;

    (void)state;
    world_new(&w);
    w.method.memory_planned.plan.keep_last = -1; /* so that the turn-around stalls */
    w.method.memory_planned.plan.placement = PLACEMENT_FIRST_FIT;
    for (int schedule = 0; schedule < SCHEDULE_KINDS; schedule++) {
        w.method.memory_planned.plan.schedule = (enum schedule)schedule;
        struct readings r = play(&w);
        near("step", reading_value(&r, "step_ms"), reading_value(&r, "forward_ms") + reading_value(&r, "backward_ms"),
             1e-9);
        near("rate", reading_value(&r, "samples_per_s"), 16e3 / reading_value(&r, "step_ms"), 1e-9);
        near("critical", sum_beginning(&r, "critical."), 1, 1e-9);
        near("stalls", reading_value(&r, "stall_ms"),
             reading_value(&r, "stall_forward_ms") + reading_value(&r, "stall_turn_ms") +
                 reading_value(&r, "stall_backward_ms"),
             1e-9);
        near("device", reading_value(&r, "device_bytes"),
             reading_value(&r, "parameter_bytes") + reading_value(&r, "peak_bytes"), 0);
        near("offloaded", reading_value(&r, "offloaded_pct"),
             100 * reading_value(&r, "offloaded_bytes") / reading_value(&r, "generated_bytes"), 1e-12);
        near("offloadable", reading_value(&r, "offloadable_pct"),
             100 * reading_value(&r, "offloadable_bytes") / reading_value(&r, "generated_bytes"), 1e-12);
        near("gap", reading_value(&r, "gap_pct"),
             100 * (reading_value(&r, "peak_bytes") / reading_value(&r, "live_bytes") - 1), 1e-6);
        assert_true((reading_value(&r, "offloaded_bytes") > 0) == (schedule != SCHEDULE_KEEP_ALL));
        assert_true((reading_value(&r, "host_bytes") > 0) == (schedule != SCHEDULE_KEEP_ALL));
        assert_true(reading_value(&r, "batch") == 16 && reading_value(&r, "fits") == 1);
        assert_true(isnan(reading_value(&r, "largest_batch")) && isnan(reading_value(&r, "allreduce_ms")));
        gap |= reading_value(&r, "gap_pct") > 1;
        turn |= reading_value(&r, "stall_turn_ms") > 0;
        all_known(&r);
    }
    assert_true(gap && turn);
    model_free(&w.model);
}

/* conv1 + conv2 + fc, forward; 2 of them again for each, but for the images' error. Everything else streams 50 GB/s. */
static void times_are_those_of_the_rates(void **state)
{
    const double values = 16 * 16 * 16 * 16, pooled = values / 4;
    const double conv1 = 2.0 * 16 * 256 * 16 * 27, conv2 = 2.0 * 16 * 256 * 16 * 144, fc = 2.0 * 16 * 1024 * 10;
    struct world w;

    (void)state;
    world_new(&w);
    w.method.memory_planned.plan.schedule = SCHEDULE_KEEP_ALL;
    struct readings r = play(&w);
    double compute_s = (conv1 + conv2) / 5e11 + fmax(fc / 2e11, 4 * (16 * 1024 + 160 + 10240 + 10) / 50e9);
    /* two ReLUs and a batch norm read and write (the norm reads twice), the pool reads and writes a quarter, the
       softmax */
    double stream_s = 4 * (2 * values + 3 * values + 2 * values + values + pooled + 2 * 160) / 50e9;
    near("forward", reading_value(&r, "forward_ms"), (compute_s + stream_s) * 1e3, 0.01);
    assert_true(reading_value(&r, "slowed_ms") < 1e-6 && reading_value(&r, "stall_ms") == 0);
    near("parameters", reading_value(&r, "parameter_bytes"), 3 * 4.0 * (double)(w.model.weights + w.model.biases),
         0.02);
    w.platform.compute_scale = 4;
    near("four times as fast", get(&w, "step_ms"), reading_value(&r, "step_ms") / 4, 1e-6);
    model_free(&w.model);
}

static void workers_add_section_6_4(void **state)
{
    struct world w;

    (void)state;
    world_new(&w);
    struct readings alone = play(&w);
    double g = 4 * (double)(w.model.weights + w.model.biases);
    for (int fast = 0; fast < 2; fast++) {
        w.links[1].bandwidth_Bps = fast ? 1e12 : 100e6;
        w.method.memory_planned.workers = 8;
        w.batch = 8 * 16 - 3; /* the larger share is 16 */
        struct readings r = play(&w);
        double rate = 0.8 * w.links[1].bandwidth_Bps, f = reading_value(&alone, "forward_ms"),
               b = reading_value(&alone, "backward_ms");
        assert_true(reading_value(&r, "batch") == 16);
        near("forward", reading_value(&r, "forward_ms"), f, 0);
        near("allreduce", reading_value(&r, "allreduce_ms"), 2e3 * g / rate, 1e-12);
        near("step", reading_value(&r, "step_ms"), 1e3 * splitcnn_iteration_s(f / 1e3, b / 1e3, g, rate), 1e-9);
        near("rate", reading_value(&r, "samples_per_s"), 125e3 / reading_value(&r, "step_ms"), 1e-9);
        near("critical", sum_beginning(&r, "critical."), 1, 1e-9);
        near("network", fast ? 1 : reading_value(&r, "critical.eth"),
             fast ? 1 : 1 - (f + b) / reading_value(&r, "step_ms"), 1e-9);
        assert_true(!fast == !isnan(reading_value(&r, "critical.eth")));
        all_known(&r);
    }
    model_free(&w.model);
}

static void the_largest_batch_is_the_last_that_fits(void **state)
{
    struct world w;

    (void)state;
    world_new(&w);
    for (int64_t mib = 4; mib <= 32; mib *= 2) {
        w.platform.gpu.memory_bytes = mib << 20;
        w.batch = 3;
        w.method.memory_planned.fill = 0;
        w.method.memory_planned.largest = 1;
        struct readings r = play(&w);
        double largest = reading_value(&r, "largest_batch");
        assert_true(reading_value(&r, "batch") == 3 && largest > 3);
        w.method.memory_planned.largest = 0;
        w.method.memory_planned.fill = 1;
        r = play(&w);
        assert_true(reading_value(&r, "batch") == largest && reading_value(&r, "largest_batch") == largest);
        assert_true(reading_value(&r, "fits") == 1);
        assert_true(reading_value(&r, "device_bytes") <= 0.9 * (double)w.platform.gpu.memory_bytes);
        near("rate", reading_value(&r, "samples_per_s"), largest * 1e3 / reading_value(&r, "step_ms"), 1e-9);
        all_known(&r);
        w.method.memory_planned.workers = 4;
        near("of all", get(&w, "samples_per_s"), 4 * largest * 1e3 / get(&w, "step_ms"), 1e-9);
        w.method.memory_planned.workers = 1;
        w.method.memory_planned.fill = 0;
        w.batch = (int64_t)largest + 1;
        r = play(&w);
        assert_true(reading_value(&r, "fits") == 0 && isnan(reading_value(&r, "largest_batch")));
        char why[512], want[512];
        snprintf(want, sizeof(want),
                 "batch: %.0f samples need %.3g GB of device memory, %.3g GB are usable; %.0f would fit", largest + 1,
                 reading_value(&r, "device_bytes") / 1e9, floor(0.9 * (double)w.platform.gpu.memory_bytes) / 1e9,
                 largest);
        w.method.memory_planned.strict = 1;
        assert_int_equal(try(&w, &r, why, sizeof(why)), E_INVAL);
        assert_string_equal(why, want);
        w.batch--;
        assert_true(get(&w, "fits") == 1);
        w.method.memory_planned.strict = 0;
    }
    model_free(&w.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readings_agree_with_each_other),
        cmocka_unit_test(times_are_those_of_the_rates),
        cmocka_unit_test(workers_add_section_6_4),
        cmocka_unit_test(the_largest_batch_is_the_last_that_fits),
    };

    return cmocka_run_group_tests_name("memory_plan", tests, NULL, NULL);
}
