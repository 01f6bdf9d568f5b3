/* executor_large_test.c - the paper's networks, stamped, on threads behind a link of the paper's speed, and random
 * networks in random variations: nothing is found wrong. */
#include "harness/status.h"
#include "sim/platform.h"
#include "tests/draw.h"
#include "tests/executor/plans.h"
#include "tests/test.h"

enum { BATCH = 16 };

static const struct {
    const char *name;
    int64_t depth; /* of a ResNet; 0: VGG-19 */
} nets[] = { { "VGG-19", 0 }, { "ResNet-18", 18 }, { "ResNet-50", 50 } };

/* A P100 on one NVLink 1.0 at 34.1 GB/s. */
static void make(const struct model *m, enum schedule schedule, int64_t patches, double wiggle, struct memory_plan *out)
{
    struct link_spec link = { .name = "nvlink",
                              .bandwidth_Bps = 34.1e9,
                              .shared_by = 1,
                              .efficiency_to_device = 1,
                              .efficiency_to_host = 1,
                              .above = "" };
    struct platform p = {
        .name = "p100",
        .compute_scale = 1,
        .machines = 1,
        .links = &link,
        .nlinks = 1,
        .gpu = { .count = 1,
                 .peak_flops = 10.6e12,
                 .memory_Bps = 732e9,
                 .memory_bytes = (int64_t)16 << 30,
                 .efficiency_convolution = 1,
                 .efficiency_fully_connected = 1,
                 .efficiency_memory = 0.75,
                 .link = "nvlink",
                 .peer_link = "" },
    };
    struct conv_rate rate = { .efficiency = 0.65 };
    struct memory_plan_options options = {
        .split = { .depth = patches > 1 ? 0.75 : 0, .rows = patches, .columns = patches, .wiggle = wiggle, .seed = 5 },
        .in_place = 1,
        .share_sums = 1,
        .workspace_factor = 1,
        .schedule = schedule,
        .limit = 1,
        .limit_by_link = 1,
        .keep_last = 0,
        .placement = PLACEMENT_EXACT,
        .placement_nodes = 2000,
        .alignment = 256,
        .parameter_copies = 3,
        .usable = 0.97,
        .timing = { .name = "test", .rates = &rate, .nrates = 1, .split_efficiency = 1 },
    };
    char why[256] = "";
    int rc = memory_plan_make(m, &p, &options, BATCH, out, why, sizeof(why));

    if (rc)
        fail_msg("%d: %s", rc, why);
}

/* Runs it; what was measured is what was planned. */
static void run(const char *name, const struct memory_plan *plan)
{
    struct executor_options options = { .content = EXECUTOR_STAMP, .steps = 1, .link = { 34.1e9, 34.1e9 } };
    struct executor_result r;

    assert_int_equal(executor_run(plan, &options, &r), NW_OK);
    if (r.errors)
        fail_msg("%s, %s: %lld errors: %s", name, schedule_name(plan->options.schedule), (long long)r.errors,
                 r.first.text);
    assert_int_equal(r.to_host_bytes, plans_moved_bytes(plan));
    assert_int_equal(r.to_device_bytes, plans_moved_bytes(plan));
    assert_int_equal(r.to_host_bytes > 0, plan->options.schedule != SCHEDULE_KEEP_ALL);
    assert_int_equal(r.pool_bytes, plan->device_pool.height);
    assert_int_equal(r.peak_bytes, plan->device_pool.height);
    assert_true(r.step_ns > 0 && r.forward_ns > 0 && r.backward_ns > 0);
    assert_true(r.stall_ns >= 0 && r.stall_ns < r.step_ns);
}

static void large_networks(void **state)
{
    (void)state;
    for (size_t n = 0; n < COUNT(nets); n++) {
        struct model m = nets[n].depth ? nets_resnet(nets[n].depth) : nets_vgg_19();

        for (int schedule = 0; schedule < SCHEDULE_KINDS; schedule++)
            for (int64_t patches = 1; patches <= 2; patches++) {
                struct memory_plan plan;

                make(&m, (enum schedule)schedule, patches, 0, &plan);
                assert_int_equal(plan.split.nlayers > 0, patches > 1);
                run(nets[n].name, &plan);
                memory_plan_free(&plan);
            }
        model_free(&m);
    }
}

/* Patches of unlike sizes, cut differently for each batch. */
static void a_stochastic_split(void **state)
{
    struct model m = nets_resnet(18);
    struct memory_plan even, plan;

    (void)state;
    make(&m, SCHEDULE_PER_OBJECT, 2, 0, &even);
    make(&m, SCHEDULE_PER_OBJECT, 2, 0.2, &plan);
    assert_true(plan.split.height.parts[0].in_length != even.split.height.parts[0].in_length ||
                plan.split.width.parts[0].in_length != even.split.width.parts[0].in_length);
    run("ResNet-18, stochastic", &plan);
    memory_plan_free(&even);
    memory_plan_free(&plan);
    model_free(&m);
}

/* What is measured is no number of the plan's: memory above its highest buffer is not written. */
static void a_pool_higher_than_its_plan(void **state)
{
    struct executor_options options = { .content = EXECUTOR_STAMP, .steps = 1 };
    struct model m = nets_resnet(18);
    struct executor_result r;
    struct memory_plan plan;
    int64_t height;

    (void)state;
    make(&m, SCHEDULE_PER_OBJECT, 1, 0, &plan);
    height = plan.device_pool.height;
    plan.device_pool.height += 12345;
    assert_int_equal(executor_run(&plan, &options, &r), NW_OK);
    assert_int_equal(r.pool_bytes, height + 12345);
    assert_in_range(r.peak_bytes, height, height + 255);
    memory_plan_free(&plan);
    model_free(&m);
}

/* Both contents; where the network can be trained, the gradients are those of the plan that keeps all. */
static void check_random(const struct model *m, uint64_t *seed)
{
    struct variation plain = { .patches = 1, .limit = 1 };
    struct memory_plan plan;
    struct ran first = { 0 }, r;

    if (m->nlayers > 40)
        return;
    plain.patches = 1 + (int64_t)(draw(seed) % 2);
    for (int i = 0; i < 4; i++) {
        struct variation v = i ? plans_variation(draw(seed) % plans_variations()) : plain;

        v.patches = plain.patches;
        if (!plans_make(m, &v, 1 + (int64_t)m->nlayers % 2, &plan))
            continue;
        r = plans_run(&plan, EXECUTOR_STAMP, (enum lazy_mode)(i % NMODES), 1);
        if (r.errors)
            fail_msg("%s: %s", plans_name(&v), r.first.text);
        if (plans_can_compute(&plan)) {
            r = plans_run(&plan, EXECUTOR_REAL, (enum lazy_mode)(i % NMODES), 1);
            if (r.errors)
                fail_msg("%s: %s", plans_name(&v), r.first.text);
            if (first.gradients && r.gradients != first.gradients)
                fail_msg("%s: other gradients", plans_name(&v));
            first = r;
        }
        memory_plan_free(&plan);
    }
}

static void random_networks(void **state)
{
    uint64_t seed = 11;
    int n = 0;

    (void)state;
    while (n < 16) {
        struct model m;

        if (!nets_random(&seed, &m))
            continue;
        check_random(&m, &seed);
        model_free(&m);
        n++;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(large_networks), cmocka_unit_test(a_stochastic_split),
                                        cmocka_unit_test(a_pool_higher_than_its_plan),
                                        cmocka_unit_test(random_networks) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
