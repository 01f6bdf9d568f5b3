/* The method memory-plan: what it reports agrees with itself and with the formulas, and what a user can get wrong is
 * said with its key. The plan's parts have tests of their own. */

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/status.h"
#include "sim/method/method.h"
#include "sim/method/splitcnn.h"
#include "tests/test.h"

/* Eight machines with a GPU each, on a network and a link that take a while; a small network on it. */
struct world {
    struct link_spec links[3];
    struct platform platform;
    struct conv_rate rates[2];
    struct method method;
    struct layer_spec layers[8];
    struct model_spec spec;
    struct model model;
    int64_t batch;
};

static void infer(struct world *w)
{
    char why[256];

    model_free(&w->model);
    if (model_infer(&w->spec, &w->model, why, sizeof(why)))
        fail_msg("%s", why);
}

static void world_new(struct world *w)
{
    memset(w, 0, sizeof(*w));
    w->links[0] = (struct link_spec){ .name = "nvlink",
                                      .bandwidth_Bps = 10e9,
                                      .shared_by = 1,
                                      .efficiency_to_device = 0.5,
                                      .efficiency_to_host = 0.5,
                                      .efficiency_wire = 1 };
    w->links[1] = w->links[0];
    w->links[1].name = "eth";
    w->links[1].bandwidth_Bps = 100e6;
    w->links[1].efficiency_wire = 0.8;
    w->platform = (struct platform){ .compute_scale = 1,
                                     .machines = 8,
                                     .cpu = { .codec_speed = 1 },
                                     .gpu = { .count = 1,
                                              .peak_flops = 1e12,
                                              .memory_Bps = 100e9,
                                              .memory_bytes = 16 << 20,
                                              .efficiency_memory = 0.5,
                                              .link = "nvlink" },
                                     .network = { .topology = TOPOLOGY_STAR, .link = "eth" },
                                     .links = w->links,
                                     .nlinks = 2 };
    w->rates[0] = (struct conv_rate){ .kernel = 3, .efficiency = 0.5 };
    w->rates[1] = (struct conv_rate){ .rate_flops = 2e11 };
    w->method = (struct method){ .kind = METHOD_MEMORY_PLAN,
                                 .memory_planned = { .plan = { .split = { .rows = 1, .columns = 1 },
                                                               .in_place = 1,
                                                               .share_sums = 1,
                                                               .workspace_factor = 1,
                                                               .schedule = SCHEDULE_PER_OBJECT,
                                                               .limit = 1,
                                                               .alignment = 256,
                                                               .parameter_copies = 3,
                                                               .usable = 0.9,
                                                               .placement = PLACEMENT_GREEDY_SIZE,
                                                               .timing = { .name = "t",
                                                                           .rates = w->rates,
                                                                           .nrates = 2,
                                                                           .split_efficiency = 1 } },
                                                     .play = { .contention = 1, .streams = 1 },
                                                     .workers = 1 } };
    const struct layer_spec layers[] = {
        { .kind = LAYER_CONV, .channels = 16, .kernel = 3, .pad = 1 },
        { .kind = LAYER_RELU },
        { .kind = LAYER_CONV, .channels = 16, .kernel = 3, .pad = 1 },
        { .kind = LAYER_BATCHNORM },
        { .kind = LAYER_RELU },
        { .kind = LAYER_MAXPOOL, .kernel = 2 },
        { .kind = LAYER_CLASSIFIER },
        { .kind = LAYER_SOFTMAX },
    };
    memcpy(w->layers, layers, sizeof(layers));
    w->spec = (struct model_spec){ .name = "m",
                                   .channels = 3,
                                   .height = 16,
                                   .width = 16,
                                   .classes = 10,
                                   .layers = w->layers,
                                   .nlayers = COUNT(layers) };
    w->batch = 16;
    infer(w);
}

static int try(const struct world *w, struct readings *r, char *why, size_t nwhy)
{
    struct job j = { &w->platform, &w->model, &w->method, w->batch };

    return method_play(&j, r, NULL, why, nwhy);
}

static struct readings play(const struct world *w)
{
    struct readings r = { .n = 0 };
    char why[512] = "";
    int rc = try(w, &r, why, sizeof(why));

    if (rc)
        fail_msg("%d: %s", rc, why);
    return r;
}

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

/* --- What is refused. --------------------------------------------------------------------------------------------- */

static void no_gpu(struct world *w)
{
    w->platform.gpu.count = 0;
}
static void many_workers(struct world *w)
{
    w->method.memory_planned.workers = 9;
}
static void no_network(struct world *w)
{
    w->platform.machines = 1;
    w->platform.gpu.count = 4;
    w->platform.network.topology = TOPOLOGY_SINGLE;
    w->platform.nlinks = 1;
    w->method.memory_planned.workers = 2;
}
static void two_a_machine(struct world *w)
{
    w->platform.machines = 4;
    w->platform.gpu.count = 2;
    w->method.memory_planned.workers = 8;
}
static void messages(struct world *w)
{
    w->platform.network.message_s = 1e-6;
    w->method.memory_planned.workers = 8;
}
static void late_link(struct world *w)
{
    w->links[1].latency_s = w->links[0].latency_s = 1e-6;
    w->method.memory_planned.workers = 8;
}
static void few_samples(struct world *w)
{
    w->method.memory_planned.workers = 8;
    w->batch = 7;
}
static void no_link(struct world *w)
{
    w->platform.gpu.link = "pcie";
}
static void dead_link(struct world *w)
{
    w->links[0].bandwidth_Bps = 0;
}
static void tree_of_links(struct world *w)
{
    w->links[2] = w->links[0];
    w->links[2].name = "root";
    w->links[0].above = "root";
    w->platform.nlinks = 3;
}
static void no_stream(struct world *w)
{
    w->method.memory_planned.play.streams = 0;
}
static void negative_pin(struct world *w)
{
    w->method.memory_planned.play.pin_s = -1;
}
static void endless_pin(struct world *w)
{
    w->method.memory_planned.play.pin_s = INFINITY;
}
static void negative_workspace(struct world *w)
{
    w->method.memory_planned.plan.workspace_factor = -1;
}
static void too_much_to_offload(struct world *w)
{
    w->method.memory_planned.plan.limit = 1.5;
}
static void not_aligned(struct world *w)
{
    w->method.memory_planned.plan.alignment = 0;
}
static void more_than_all(struct world *w)
{
    w->method.memory_planned.plan.usable = 1.01;
}
static void nothing_usable(struct world *w)
{
    w->method.memory_planned.plan.usable = 0;
}
static void no_memory(struct world *w)
{
    w->platform.gpu.memory_bytes = 0;
}
static void lost_parameters(struct world *w)
{
    w->method.memory_planned.plan.parameter_copies = NAN;
}
static void too_many_samples(struct world *w)
{
    w->batch = INT64_MAX;
}
static void too_many_patches(struct world *w)
{
    w->method.memory_planned.plan.split = (struct split_spec){ .depth = 0.5, .rows = 17, .columns = 1 };
}
static void too_deep(struct world *w)
{
    w->method.memory_planned.plan.split = (struct split_spec){ .depth = 1.5, .rows = 2, .columns = 1 };
}
static void no_rate(struct world *w)
{
    w->method.memory_planned.plan.timing.nrates = 1;
}
static void no_peak(struct world *w)
{
    w->platform.gpu.peak_flops = 0;
}
static void recomputed_outputs(struct world *w)
{
    w->method.memory_planned.plan.recompute_norm = 1;
    w->method.memory_planned.plan.generated = GENERATED_OUTPUTS;
}
static void embedded(struct world *w)
{
    w->layers[0] = (struct layer_spec){ .kind = LAYER_FC, .units = 8 };
    w->layers[1] = (struct layer_spec){ .kind = LAYER_EMBEDDING, .tables = 1, .rows = 10, .dim = 4 };
    w->spec.nlayers = 2;
    w->method.memory_planned.workers = 2; /* who would exchange rows */
    infer(w);
}
static void tiny_memory(struct world *w)
{
    w->platform.gpu.memory_bytes = 100000;
    w->method.memory_planned.fill = 1;
}
static void strictly_tiny(struct world *w)
{
    w->platform.gpu.memory_bytes = 100000;
    w->method.memory_planned.strict = 1;
    w->method.memory_planned.workers = 2;
}

static const struct {
    void (*spoil)(struct world *w);
    const char *want; /* what the reason begins with */
} refused[] = {
    { no_gpu, "method.kind: memory-plan trains on a GPU, the platform has none" },
    { many_workers, "method.workers: 9 workers need 9 GPUs, the platform has 8 (1 on each of 8 machines)" },
    { no_network, "method.workers: 2 workers sum their gradients over platform.network" },
    { two_a_machine, "method.workers: workers share a machine's link to the network, of which the formula" },
    { messages, "platform.network.message_time: messages have costs, of which the formula" },
    { late_link, "platform.link.eth.latency: expected none, of which the formula" },
    { few_samples, "batch: 7 samples are fewer than the 8 workers" },
    { no_link, "platform.gpu.link: " },
    { dead_link, "platform.link.nvlink.bandwidth: expected a positive number, got 0" },
    { tree_of_links, "platform.link.nvlink.above: memory-plan knows of one link" },
    { no_stream, "method.streams: expected 1 to 1024, got 0" },
    { negative_pin, "method.pin: expected 0 or more, got -1" },
    { negative_workspace, "method.workspace.factor: expected 0 or more, got -1" },
    { too_much_to_offload, "method.limit: expected 0 to 1, got 1.5" },
    { not_aligned, "method.alignment: expected 1 to 1.07374e+09, got 0" },
    { more_than_all, "method.usable: expected above 0 to 1, got 1.01" },
    { nothing_usable, "method.usable: expected above 0 to 1, got 0" },
    { no_memory, "platform.gpu.memory: expected above 0, got 0" },
    { lost_parameters, "method.parameter_copies: expected 0 to 1000, got nan" },
    { too_many_samples, "batch: " },
    { too_many_patches, "method.split.rows: " },
    { too_deep, "method.split.depth: " },
    { no_rate, "method.timing.rates: expected a row that fits layer classifier1" },
    { no_peak, "platform.gpu.peak: " },
    { recomputed_outputs, "method.recompute_norm: " },
    { embedded, "method.kind: expected model-parallel, which alone sends rows" },
    { tiny_memory, "method.fill: one sample needs 0.00" },
    { strictly_tiny,
      "batch: 8 samples on a GPU need 0.000836 GB of device memory, 9e-05 GB are usable; not even one would fit" },
    { endless_pin, "method.pin: expected 0 or more, got inf" },
};

static void faults_are_said_with_their_key(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(refused); i++) {
        struct readings r = { .n = 0 };
        char why[512] = "", checked[512] = "";
        struct world w;
        world_new(&w);
        refused[i].spoil(&w);
        struct job j = { &w.platform, &w.model, &w.method, w.batch };
        int played = try(&w, &r, why, sizeof(why)), judged = method_check(&j, checked, sizeof(checked));
        if (played != E_INVAL || judged != E_INVAL || strcmp(why, checked) != 0 ||
            strncmp(why, refused[i].want, strlen(refused[i].want)) != 0)
            print_error("%zu: %d '%s', checked %d '%s', not '%s'\n", i, played, why, judged, checked, refused[i].want);
        assert_int_equal(played, E_INVAL);
        assert_int_equal(judged, E_INVAL);
        assert_string_equal(why, checked);
        assert_memory_equal(why, refused[i].want, strlen(refused[i].want));
        assert_int_equal(method_check(&j, NULL, 0), E_INVAL);
        model_free(&w.model);
    }
}

static void a_timeline_can_be_had(void **state)
{
    struct timeline t = { 0 };
    struct readings r = { .n = 0 };
    char why[512];
    struct world w;

    (void)state;
    world_new(&w);
    struct job j = { &w.platform, &w.model, &w.method, w.batch };
    assert_int_equal(method_play(&j, &r, &t, why, sizeof(why)), E_OK);
    assert_true(t.nspans > 16);
    assert_string_equal(t.spans[0].name, "conv1");
    timeline_free(&t);
    model_free(&w.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readings_agree_with_each_other), cmocka_unit_test(times_are_those_of_the_rates),
        cmocka_unit_test(workers_add_section_6_4),        cmocka_unit_test(the_largest_batch_is_the_last_that_fits),
        cmocka_unit_test(faults_are_said_with_their_key), cmocka_unit_test(a_timeline_can_be_had),
    };

    return cmocka_run_group_tests_name("memory_plan", tests, NULL, NULL);
}
