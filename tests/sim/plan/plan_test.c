/* Memory plans add up, and the largest batch is the last that fits. */
#include "tests/sim/plan/plan_rig.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "model/status.h"
#include "sim/plan/plan.h"
#include "sim/plan/play.h"
#include "tests/model/graph/graph_nets.h"
#include "tests/sanitized.h"
#include "tests/test.h"

static void pools_add_up(void **state)
{
    (void)state;
    struct model m = infer();
    for (int schedule = 0; schedule < SCHEDULE_KINDS; schedule++)
        for (int split = 1; split <= 2; split++) {
            struct memory_plan_options o = usual();
            struct memory_plan plan;
            int64_t most = 0, forward_ps = 0, all_ps = 0;
            size_t a, b;
            o.schedule = (enum schedule)schedule;
            o.split = (struct split_spec){ .depth = 0.7, .rows = split, .columns = split };
            plan_of(&m, &o, 4, &plan);
            for (size_t i = 0; i < plan.graph.noperations; i++) {
                most = plan.live[i] > most ? plan.live[i] : most;
                all_ps += plan.operation_ps[i];
                forward_ps += i < plan.graph.nforward ? plan.operation_ps[i] : 0;
            }
            assert_int_equal(plan.forward_ps, forward_ps);
            assert_int_equal(plan.forward_ps + plan.backward_ps, all_ps);
            /* All sizes here are multiples of the alignment but the classifier's: the bound may round those up. */
            assert_in_range(plan.device_pool.bound, most, most + 8 * 256);
            assert_true(plan.device_pool.height >= plan.device_pool.bound);
            assert_true(placement_valid(plan.device.buffers, plan.device.n, 256, &a, &b));
            assert_true(placement_valid(plan.host.buffers, plan.host.n, 256, &a, &b));
            assert_int_equal(plan.parameter_bytes, 3 * 4 * (m.weights + m.biases));
            assert_int_equal(plan.device_bytes, plan.parameter_bytes + plan.device_pool.height);
            assert_int_equal(plan.host.n, plan.transfers.n);
            assert_int_equal(plan.host_pool.height > 0, plan.transfers.n > 0);
            assert_int_equal(plan.split.nlayers > 0, split > 1);
            memory_plan_free(&plan);
        }
    model_free(&m);
}

/* Against every batch one after another. */
static void the_largest_batch_is_the_last_that_fits(void **state)
{
    (void)state;
    struct model m = infer();
    static const int64_t memories[] = { 400000, 700000, 1500000, 4000000 };
    for (size_t k = 0; k < sizeof(memories) / sizeof(*memories); k++)
        for (int method = 0; method < PLACEMENT_METHODS; method++) {
            struct platform p = machine(memories[k]);
            struct memory_plan_options o = usual();
            char why[256];
            int64_t largest = -1, last = 0;
            o.placement = (enum placement_method)method;
            o.schedule = SCHEDULE_KEEP_ALL;
            assert_int_equal(memory_plan_capacity(&p, &o), memories[k] / 2);
            assert_int_equal(memory_plan_largest(&m, &p, &o, &largest, why, sizeof(why)), E_OK);
            for (int64_t batch = 1;; batch++) {
                struct memory_plan plan;
                plan_of(&m, &o, batch, &plan);
                bool fits = plan.device_bytes <= memories[k] / 2;
                memory_plan_free(&plan);
                if (!fits)
                    break;
                last = batch;
            }
            assert_int_equal(largest, last);
        }
    model_free(&m);
}

/* To the byte. */
static void what_just_fits_fits(void **state)
{
    (void)state;
    struct model m = infer();
    for (int method = 0; method < PLACEMENT_METHODS; method++) {
        struct memory_plan_options o = usual();
        struct memory_plan plan;
        o.placement = (enum placement_method)method;
        plan_of(&m, &o, 7, &plan);
        for (int less = 0; less < 2; less++) {
            struct platform p = machine(2 * (plan.device_bytes - less));
            char why[256];
            int64_t largest = -1;
            assert_int_equal(memory_plan_largest(&m, &p, &o, &largest, why, sizeof(why)), E_OK);
            assert_int_equal(largest, 7 - less);
        }
        memory_plan_free(&plan);
    }
    model_free(&m);
}

/* There is memory for more, but a step of it would take longer than can be counted. */
static void what_cannot_be_counted_does_not_fit(void **state)
{
    (void)state;
    static struct conv_rate slow[] = { { .rate_flops = 1 } };
    struct model m = infer();
    struct platform p = machine(1000000000);
    struct memory_plan_options o = usual();
    struct memory_plan plan;
    char why[256];
    int64_t largest = -1;

    o.timing.rates = slow;
    assert_int_equal(memory_plan_largest(&m, &p, &o, &largest, why, sizeof(why)), E_OK);
    assert_true(largest > 0);
    assert_int_equal(memory_plan_make(&m, &p, &o, largest, &plan, why, sizeof(why)), E_OK);
    memory_plan_free(&plan);
    assert_int_equal(memory_plan_make(&m, &p, &o, largest + 1, &plan, why, sizeof(why)), E_RANGE);
    model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pools_add_up),
        cmocka_unit_test(the_largest_batch_is_the_last_that_fits),
        cmocka_unit_test(what_just_fits_fits),
        cmocka_unit_test(what_cannot_be_counted_does_not_fit),
    };

    return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
