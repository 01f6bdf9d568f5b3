/* executor_cuda_test.c - the same plans in a GPU's memory: stamps, and computed values whose gradients are the same
 * bits for every plan. Exit 77 without a device, or without operations for one. */
#include <stdio.h>

#include "harness/bench/device.h"
#include "harness/status.h"
#include "tests/executor/plans.h"
#include "tests/test.h"

static struct model (*const nets[])(void) = { plans_plain, plans_residual };

static struct executor_result run(const struct memory_plan *plan, enum executor_content content, bool on_device)
{
    struct executor_options options = {
        .content = content, .ops = "", .verify = 1, .on_device = on_device, .seed = 7, .steps = 2
    };
    struct executor_result r;

    assert_int_equal(executor_run(plan, &options, &r), NW_OK);
    if (r.errors)
        fail_msg("%lld errors: %s", (long long)r.errors, r.first.text);
    assert_true(r.step_ns > 0 && r.stall_ns >= 0);
    return r;
}

static void right_contents(void **state)
{
    (void)state;
    for (size_t n = 0; n < COUNT(nets); n++) {
        struct model m = nets[n]();

        for (size_t i = n; i < plans_variations(); i += 37) {
            struct variation v = plans_variation(i);
            struct memory_plan plan;

            v.patches = 1 + (int64_t)(i % 2);
            if (!plans_make(&m, &v, 2, &plan))
                continue;
            assert_string_equal(run(&plan, EXECUTOR_STAMP, 1).backend, "cuda");
            memory_plan_free(&plan);
        }
        model_free(&m);
    }
}

static void wrong_contents(void **state)
{
    struct model m = plans_residual();
    struct variation v = { .patches = 1, .schedule = SCHEDULE_PER_OBJECT, .limit = 1, .keep_last = -1 };
    struct executor_options options = { .content = EXECUTOR_STAMP, .on_device = 1, .steps = 1 };
    struct executor_result r;
    struct memory_plan plan;

    (void)state;
    assert_true(plans_make(&m, &v, 2, &plan));
    for (size_t i = 0; i < plan.transfers.n; i++) {
        struct transfer *t = &plan.transfers.items[i], was = *t;

        t->start = INT32_MAX;
        assert_int_equal(executor_run(&plan, &options, &r), NW_OK);
        assert_true(r.errors > 0);
        assert_int_equal(r.first.operation, was.need);
        assert_int_equal(r.first.storage, was.storage);
        *t = was;
    }
    memory_plan_free(&plan);
    model_free(&m);
}

static void same_gradients(void **state)
{
    (void)state;
    for (size_t n = 0; n < COUNT(nets); n++)
        for (int64_t patches = 1; patches <= 2; patches++) {
            struct model m = nets[n]();
            struct executor_result first = { 0 }, host = { 0 };

            for (size_t i = 0; i < plans_variations(); i += 53) {
                struct variation v = plans_variation(i);
                struct executor_result r;
                struct memory_plan plan;

                v.patches = patches;
                if (!plans_make(&m, &v, 2, &plan))
                    continue;
                r = run(&plan, EXECUTOR_REAL, 1);
                if (!first.gradients) {
                    first = r;
                    host = run(&plan, EXECUTOR_REAL, 0);
                }
                if (r.gradients != first.gradients)
                    fail_msg("%s, %s: other gradients", m.name, plans_name(&v));
                memory_plan_free(&plan);
            }
            if (first.loss - host.loss > 1e-3 || host.loss - first.loss > 1e-3)
                fail_msg("%s: the device's loss is %g, the host's %g", m.name, first.loss, host.loss);
            model_free(&m);
        }
}

static bool can_compute(void)
{
    for (size_t i = 0; ops_backends[i]; i++)
        if (ops_backends[i]->on_device && ops_backends[i]->usable())
            return true;
    return false;
}

int main(void)
{
    const struct CMUnitTest stamped[] = { cmocka_unit_test(right_contents), cmocka_unit_test(wrong_contents) };
    const struct CMUnitTest computed[] = { cmocka_unit_test(same_gradients) };
    const char *why;
    int failed;

    if (!device_present(&why)) {
        printf("skipped: %s\n", why);
        return 77;
    }
    failed = cmocka_run_group_tests(stamped, NULL, NULL);
    if (can_compute())
        failed += cmocka_run_group_tests(computed, NULL, NULL);
    else
        printf("not computed: no backend of operations on a device\n");
    return failed;
}
