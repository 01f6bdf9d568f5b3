/* The search for the largest batch, and what is refused. */
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

/* Exact, but given up at once: what is placed stands above its bound, so that the largest batch is below the
 * bound's. */
static void a_search_that_gives_up_fits_less(void **state)
{
    (void)state;
    struct model m = infer();
    struct memory_plan_options o = usual();
    int64_t between[3] = { 0 }; /* batches whose bound fits and whose placement does not: none, one, more */
    int64_t largests[3] = { 0 };

    o.schedule = SCHEDULE_KEEP_ALL;
    o.split = (struct split_spec){ .depth = 0.7, .rows = 2, .columns = 2 };
    o.workspace_factor = 2.25;
    o.placement_nodes = 1;
    for (int64_t memory = 250000; memory <= 20000000; memory += memory / (SANITIZED ? 16 : 64)) {
        struct platform p = machine(memory);
        char why[256];
        int64_t largest = -1, beyond = 0;
        assert_int_equal(memory_plan_largest(&m, &p, &o, &largest, why, sizeof(why)), E_OK);
        for (int64_t batch = largest ? largest : 1;; batch++) {
            struct memory_plan plan;
            plan_of(&m, &o, batch, &plan);
            bool bound_fits = plan.parameter_bytes + plan.device_pool.bound <= memory / 2;
            bool fits = plan.device_bytes <= memory / 2;
            memory_plan_free(&plan);
            if (fits != (batch == largest))
                fail_msg("%ld bytes: %ld is said to be the largest batch, %ld %s", (long)memory, (long)largest,
                         (long)batch, fits ? "fits" : "does not fit");
            if (!bound_fits)
                break;
            beyond += !fits;
        }
        between[beyond < 2 ? beyond : 2]++;
        largests[largest < 2 ? largest : 2]++;
    }
    for (int i = 0; i < 3; i++)
        assert_true(between[i] > 0 && largests[i] > 0);
    model_free(&m);
}

/* ResNet-18 on a P100, as the paper's plans have it: its searches take their time. */
static struct conv_rate p100_rates[] = { { .kernel = 3, .stride = 1, .efficiency = 1.5 }, { .efficiency = 0.65 } };

static struct link_spec nvlink = {
    .name = "nvlink", .bandwidth_Bps = 34.1e9, .efficiency_to_host = 1, .efficiency_to_device = 1
};

static struct platform p100(int64_t memory_bytes)
{
    struct platform p = { .compute_scale = 1, .machines = 1, .links = &nvlink, .nlinks = 1 };

    p.gpu = (struct gpu_spec){ .count = 1,
                               .peak_flops = 10.6e12,
                               .memory_Bps = 732e9,
                               .memory_bytes = memory_bytes,
                               .efficiency_memory = 0.75,
                               .link = "nvlink" };
    return p;
}

static struct memory_plan_options usual_p100(void)
{
    struct memory_plan_options o = usual();

    o.split = (struct split_spec){ .depth = 0.75, .rows = 2, .columns = 2 };
    o.limit_by_link = 1;
    o.keep_last = 2;
    o.usable = 1;
    o.timing =
        (struct timing){ .name = "p100", .memory_Bps = 550e9, .rates = p100_rates, .nrates = 2, .split_efficiency = 1 };
    return o;
}

/* However few nodes the search has: between the bound and what a search for the lowest ends at. */
static void the_largest_batch_fits_when_planned(void **state)
{
    (void)state;
    struct model m = nets_resnet(18);
    struct memory_plan_options o = usual_p100();
    struct platform p = p100((int64_t)1 << 40);
    struct memory_plan plan;
    char why[256];

    o.schedule = SCHEDULE_PER_OBJECT;
    o.workspace_factor = 2.25;
    o.placement_nodes = 100; /* too few to reach the bound */
    assert_int_equal(memory_plan_make(&m, &p, &o, 32, &plan, why, sizeof(why)), E_OK);
    int64_t low = plan.parameter_bytes + plan.device_pool.bound, high = plan.device_bytes;
    memory_plan_free(&plan);
    assert_true(low < high);
    for (int k = 1; k < 8; k++) {
        struct platform small = p100(low + (high - low) * k / 8);
        int64_t largest = -1;
        assert_int_equal(memory_plan_largest(&m, &small, &o, &largest, why, sizeof(why)), E_OK);
        assert_int_equal(memory_plan_make(&m, &small, &o, largest, &plan, why, sizeof(why)), E_OK);
        if (plan.device_bytes > small.gpu.memory_bytes)
            fail_msg("batch %ld is said to fit into %ld bytes, its plan needs %ld", (long)largest,
                     (long)small.gpu.memory_bytes, (long)plan.device_bytes);
        memory_plan_free(&plan);
    }
    model_free(&m);
}

/* A batch that is too small to hide the copies' latency needs more than a larger one: against every batch one after
 * another, just below each need that is above the next one's. */
static void a_batch_above_a_hole_is_found(void **state)
{
    (void)state;
    enum { MOST = 200 };
    static const enum schedule schedules[] = { SCHEDULE_CLAMPED, SCHEDULE_PER_OBJECT };
    struct model m = nets_vgg_19();
    int holes = 0;

    nvlink.latency_s = 1e-3;
    for (size_t s = 0; s < 2; s++) {
        struct memory_plan_options o = usual_p100();
        int64_t needs[MOST + 1] = { 0 };
        char why[256];
        o.schedule = schedules[s];
        o.placement = PLACEMENT_FIRST_FIT;
        for (int64_t batch = 1; batch <= MOST; batch++) {
            struct platform large = p100((int64_t)1 << 40);
            struct memory_plan plan;
            assert_int_equal(memory_plan_make(&m, &large, &o, batch, &plan, why, sizeof(why)), E_OK);
            needs[batch] = plan.device_bytes;
            memory_plan_free(&plan);
        }
        for (int64_t batch = 1; batch < MOST; batch++) {
            struct platform p = p100(needs[batch] - 1);
            int64_t want = 0, largest = -1;
            if (needs[batch] <= needs[batch + 1])
                continue;
            for (int64_t k = 1; k <= MOST; k++)
                want = needs[k] < needs[batch] ? k : want;
            if (want == MOST)
                continue;
            assert_int_equal(memory_plan_largest(&m, &p, &o, &largest, why, sizeof(why)), E_OK);
            if (largest != want)
                fail_msg("%s: %ld bytes hold batch %ld, not %ld", schedule_name(schedules[s]), (long)p.gpu.memory_bytes,
                         (long)want, (long)largest);
            holes++;
        }
    }
    nvlink.latency_s = 0;
    assert_true(holes > 4);
    model_free(&m);
}

/* What no schedule can move is no more than any schedule's bound: else a batch that fits would never be asked. */
static void a_known_batch_that_fits_is_no_more_than_the_largest(void **state)
{
    (void)state;
    struct model m = nets_resnet(18);

    nvlink.latency_s = 3e-4;
    for (int schedule = 0; schedule < SCHEDULE_KINDS; schedule++)
        for (int way = 0; way < 8; way += SANITIZED ? 3 : 1) {
            struct memory_plan_options o = usual_p100();
            struct memory_plan plan;
            char why[256];
            o.schedule = (enum schedule)schedule;
            o.limit_by_link = way & 1;
            o.keep_last = way & 2 ? -1 : 2;
            o.limit = way % 4 ? 1 : 0.3;
            nvlink.bandwidth_Bps = way & 4 ? 5e9 : 34.1e9;
            o.placement = PLACEMENT_FIRST_FIT;
            for (int64_t batch = 3; batch < 60; batch = batch * 3 / 2) {
                struct platform p = p100((int64_t)1 << 40);
                int64_t largest = -1, known = -1;
                assert_int_equal(memory_plan_make(&m, &p, &o, batch, &plan, why, sizeof(why)), E_OK);
                p.gpu.memory_bytes = plan.device_bytes;
                memory_plan_free(&plan);
                assert_int_equal(memory_plan_largest(&m, &p, &o, &largest, why, sizeof(why)), E_OK);
                assert_int_equal(memory_plan_largest_from(&m, &p, &o, batch, &known, why, sizeof(why)), E_OK);
                if (largest < batch || known != largest)
                    fail_msg("%s, %d: batch %ld fits, not more than %ld are found, %ld of those known",
                             schedule_name(o.schedule), way, (long)batch, (long)largest, (long)known);
            }
        }
    nvlink.latency_s = 0;
    nvlink.bandwidth_Bps = 34.1e9;
    model_free(&m);
}

static void the_search_for_the_largest_ends(void **state)
{
    (void)state;
    struct model m = infer();
    struct memory_plan_options o = usual();
    struct memory_plan plan;

    o.placement = PLACEMENT_FIRST_FIT;
    o.schedule = SCHEDULE_KEEP_ALL;
    plan_of(&m, &o, MEMORY_PLAN_LARGEST, &plan);
    for (int more = -1; more < 2; more++) {
        struct platform p = machine(2 * plan.device_bytes + (more > 0 ? (int64_t)1 << 50 : 2 * more));
        char why[256];
        int64_t largest = -1;
        assert_int_equal(memory_plan_largest(&m, &p, &o, &largest, why, sizeof(why)), E_OK);
        assert_int_equal(largest, MEMORY_PLAN_LARGEST - (more < 0));
        assert_int_equal(memory_plan_largest_from(&m, &p, &o, 2 * largest, &largest, why, sizeof(why)), E_OK);
        assert_int_equal(largest, MEMORY_PLAN_LARGEST - (more < 0));
    }
    memory_plan_free(&plan);
    model_free(&m);
}

/* A mean and a deviation of each channel, of each patch that has its own. */
static void statistics_are_parameters(void **state)
{
    (void)state;
    struct model m = nets_resnet(18);
    struct platform p = p100((int64_t)1 << 34);

    for (int64_t side = 1; side <= 2; side++) {
        struct memory_plan_options o = usual_p100();
        struct memory_plan plan;
        int64_t want = 3 * 4 * (m.weights + m.biases), norms = 0, split = 0;
        char why[256];
        o.placement = PLACEMENT_FIRST_FIT;
        o.split.rows = o.split.columns = side;
        assert_int_equal(memory_plan_make(&m, &p, &o, 2, &plan, why, sizeof(why)), E_OK);
        for (size_t l = 0; l < m.nlayers; l++)
            if (m.layers[l].kind == LAYER_BATCHNORM) {
                bool own = side > 1 && l < plan.split.nlayers;
                want += 2 * 4 * m.layers[l].out.channels * (own ? side * side : 1);
                norms++;
                split += own;
            }
        assert_int_equal(plan.parameter_bytes, want);
        assert_true(norms == 20 && (side > 1 ? split > 5 && split < norms : !split));
        memory_plan_free(&plan);
    }
    model_free(&m);
}

/* Where the host's memory is slower than the link, the plan knows it: what is to be hidden in forward is. */
static void copies_are_planned_as_they_are_played(void **state)
{
    (void)state;
    static const struct {
        double write_Bps, read_Bps, latency_s;
    } hosts[] = { { 0, 0, 0 }, { 20e9, 0, 0 }, { 0, 20e9, 0 }, { 9e9, 50e9, 2e-5 } };
    static const enum schedule schedules[] = { SCHEDULE_CLAMPED, SCHEDULE_PER_OBJECT };
    struct model m = nets_vgg_19();

    for (size_t h = 0; h < sizeof(hosts) / sizeof(*hosts); h++)
        for (size_t s = 0; s < 2; s++) {
            struct platform p = p100((int64_t)1 << 40);
            struct memory_plan_options o = usual_p100();
            struct play_options play = { .streams = 1 };
            struct memory_plan plan;
            struct plan_played played;
            char why[256];
            p.cpu.dma_write_Bps = hosts[h].write_Bps;
            p.cpu.dma_read_Bps = hosts[h].read_Bps;
            nvlink.latency_s = hosts[h].latency_s;
            o.schedule = schedules[s];
            o.placement = PLACEMENT_FIRST_FIT;
            assert_int_equal(memory_plan_make(&m, &p, &o, 64, &plan, why, sizeof(why)), E_OK);
            assert_int_equal(plan_play(&plan, &p, &play, &played, NULL, NULL, NULL), E_OK);
            if (played.stall_forward_ps || !plan.transfers.n)
                fail_msg("%s, host %zu: %zu copies, a stall of %ld ps", schedule_name(o.schedule), h, plan.transfers.n,
                         (long)played.stall_forward_ps);
            double Bps = hosts[h].write_Bps > 0 ? fmin(hosts[h].write_Bps, nvlink.bandwidth_Bps) : nvlink.bandwidth_Bps;
            double to_host_s = (double)plan.transfers.offloaded_bytes / Bps;
            double want_s = to_host_s + (double)plan.transfers.n * hosts[h].latency_s;
            assert_true(fabs((double)played.host_busy_ps / 1e12 / want_s - 1) < 1e-6);
            memory_plan_free(&plan);
        }
    nvlink.latency_s = 0;
    model_free(&m);
}

static void what_is_at_fault_is_named(void **state)
{
    (void)state;
    struct model m = infer();
    struct platform p = machine(1000000);
    struct memory_plan_options o = usual();
    struct memory_plan plan = { .batch = 77 };
    char why[256] = "";

    o.split = (struct split_spec){ .depth = 0.5, .rows = 100, .columns = 1 };
    assert_int_equal(memory_plan_make(&m, &p, &o, 1, &plan, why, sizeof(why)), E_INVAL);
    assert_memory_equal(why, "split.rows: ", 12);
    assert_int_equal(plan.batch, 77);
    o = usual();
    o.timing.nrates = 0;
    assert_int_equal(memory_plan_make(&m, &p, &o, 1, &plan, why, sizeof(why)), E_INVAL);
    assert_memory_equal(why, "timing.rates", 12);
    int64_t largest = 77;
    assert_int_equal(memory_plan_largest(&m, &p, &o, &largest, why, sizeof(why)), E_INVAL);
    assert_int_equal(largest, 77);
    memory_plan_free(&plan);
    model_free(&m);
}

/* No batch is too large here: it is the split that cannot be counted. */
static void a_split_of_too_many_operations_is_refused(void **state)
{
    (void)state;
    static struct layer_spec few[] = { { .kind = LAYER_CONV, .channels = 1, .kernel = 1 },
                                       { .kind = LAYER_CLASSIFIER } };
    const struct model_spec plane = {
        .name = "plane", .channels = 1, .height = 4096, .width = 4096, .classes = 2, .layers = few, .nlayers = 2
    };
    struct platform p = machine((int64_t)1 << 50);
    struct memory_plan_options o = usual();
    struct memory_plan plan;
    struct model m;
    char why[256];
    int64_t largest = 77;

    assert_int_equal(model_infer(&plane, &m, why, sizeof(why)), E_OK);
    o.split = (struct split_spec){ .depth = 1, .rows = 4096, .columns = 4096 };
    assert_int_equal(memory_plan_make(&m, &p, &o, 1, &plan, why, sizeof(why)), E_INVAL);
    assert_memory_equal(why, "split: ", 7);
    assert_int_equal(memory_plan_largest(&m, &p, &o, &largest, why, sizeof(why)), E_INVAL);
    assert_memory_equal(why, "split: ", 7);
    assert_int_equal(largest, 77);
    model_free(&m);
}

static void nothing_fits_into_nothing(void **state)
{
    (void)state;
    struct model m = infer();
    struct platform p = machine(1000);
    struct memory_plan_options o = usual();
    char why[256];
    int64_t largest = -1;

    assert_int_equal(memory_plan_largest(&m, &p, &o, &largest, why, sizeof(why)), E_OK);
    assert_int_equal(largest, 0);
    model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_search_that_gives_up_fits_less),
        cmocka_unit_test(the_largest_batch_fits_when_planned),
        cmocka_unit_test(a_batch_above_a_hole_is_found),
        cmocka_unit_test(a_known_batch_that_fits_is_no_more_than_the_largest),
        cmocka_unit_test(the_search_for_the_largest_ends),
        cmocka_unit_test(statistics_are_parameters),
        cmocka_unit_test(copies_are_planned_as_they_are_played),
        cmocka_unit_test(what_is_at_fault_is_named),
        cmocka_unit_test(a_split_of_too_many_operations_is_refused),
        cmocka_unit_test(nothing_fits_into_nothing),
    };

    return cmocka_run_group_tests_name("plan_largest", tests, NULL, NULL);
}
