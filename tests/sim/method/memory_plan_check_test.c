/* What the method memory-plan refuses, with its key; its timeline. */
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

static void burst(struct world *w)
{
    w->links[1].burst_bytes = 1000;
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
    { burst, "platform.link.eth.burst: bytes pass at once, of which the formula" },
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
        cmocka_unit_test(faults_are_said_with_their_key),
        cmocka_unit_test(a_timeline_can_be_had),
    };

    return cmocka_run_group_tests_name("memory_plan_check", tests, NULL, NULL);
}
