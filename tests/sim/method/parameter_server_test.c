/* Parameter servers by hand: chains, links, barriers. */
#include "model/status.h"
#include "tests/draw.h"
#include "tests/sim/method/parameter_server_rig.h"
#include "tests/test.h"

#include <string.h>

/* One tensor, one worker: everything in a row. */
static struct rig chain(void)
{
    struct rig g = rig(1, 1);
    struct codec_spec codec = { .format = WIRE_RATIO,
                                .ratio = 4,
                                .header = 8,
                                .place = CODEC_ON_CPU,
                                .threads = 1,
                                .scale = 1,
                                .life = 1,
                                .encode = { .rate_Bps = 1e9, .latency_s = 5e-6 },
                                .decode = { .rate_Bps = 2e9, .latency_s = 7e-6 } };

    g.links[0].bandwidth_Bps = 1e10;
    g.links[0].latency_s = 1e-6;
    g.links[1].latency_s = 10e-6;
    g.platform.cpu.memory_Bps = 2e10;
    g.platform.cpu.memory_efficiency = 0.5;
    g.platform.network.message_bytes = 100;
    g.platform.network.message_s = 3e-6;
    of(&g)->push = of(&g)->pull = codec;
    of(&g)->pull.ratio = 8;
    of(&g)->pull.encode.rate_Bps = 4e9;
    of(&g)->pull.decode.rate_Bps = 8e9;
    return g;
}

static void a_chain_by_hand(void **state)
{
    struct rig g = chain();
    const double compute = 2 + 2, copy = 0.4 + 0.001, message = 0.003, sum = 1.2, update = 2;
    const double push = (1000008 + 100) / 1e6 + 0.02, pull = (500008 + 100) / 1e6 + 0.02;
    const double push_codec = 4 + 0.005 + 2 + 0.007, pull_codec = 1 + 0.005 + 0.5 + 0.007;

    (void)state;
    double want = compute + copy + push_codec + message + push + sum + update + pull_codec + message + pull + copy;
    exactly_ms("codec on the CPU", play(&g), want);
    exactly_ms("compute_ms", reading(&g, "compute_ms"), compute);
    exactly_ms("push_ms", reading(&g, "push_ms"), copy + message + push);
    exactly_ms("pull_ms", reading(&g, "pull_ms"), copy + message + pull);
    exactly_ms("encode_ms", reading(&g, "encode_ms"), 4.005 + 1.005);
    exactly_ms("decode_ms", reading(&g, "decode_ms"), 2.007 + 0.507);
    exactly_ms("aggregate_ms", reading(&g, "aggregate_ms"), sum);
    exactly_ms("update_ms", reading(&g, "update_ms"), update);
    exactly_ms("exposed_ms", reading(&g, "exposed_ms"), want - compute);
    near("push_bytes", reading(&g, "push_bytes"), 1000108, 0);
    near("pull_bytes", reading(&g, "pull_bytes"), 500108, 0);
    near("wire_ratio", reading(&g, "wire_ratio"), 8e6 / (1000108 + 500108), 1e-12);
    near("samples_per_s", reading(&g, "samples_per_s"), 1e3 / want, 1e-9);
    near("nic_utilisation", reading(&g, "nic_utilisation"), 1.000108 / want, 1e-9);
    near("server_nic_utilisation", reading(&g, "server_nic_utilisation"), 1.000108 / want, 1e-9);
    near("server_cpu_utilisation", reading(&g, "server_cpu_utilisation"), (sum + update) / want, 1e-9);
    near("worker_cpu_utilisation", reading(&g, "worker_cpu_utilisation"), (4.005 + 0.507) / want, 1e-9);
    near("gpu_utilisation", reading(&g, "gpu_utilisation"), compute / want, 1e-9);
    near("critical.gpu", reading(&g, "critical.gpu"), compute / want, 1e-9);
    near("critical.server-codec", reading(&g, "critical.server-codec"), (2.007 + 1.005) / want, 1e-9);
    near("critical.server-memory", reading(&g, "critical.server-memory"), (sum + update) / want, 1e-9);
    near("critical.worker-send", reading(&g, "critical.worker-send"), message / want, 1e-9);
    near("critical.eth", reading(&g, "critical.eth"), (push + pull) / want, 1e-9);

    /* On the GPU: one flow from there to the server and back, whose latency is of all links. */
    of(&g)->push.place = of(&g)->pull.place = CODEC_ON_GPU;
    want -= 2 * 0.4;
    exactly_ms("codec on the GPU", play(&g), want);
    near("the GPU codes, too", reading(&g, "gpu_utilisation"), (compute + 4.005 + 0.507) / want, 1e-9);
    near("the worker's CPU only sends", reading(&g, "worker_cpu_utilisation"), message / want, 1e-9);

    /* Push and pull each in their own place: one of the two copies remains. */
    of(&g)->push.place = CODEC_ON_CPU;
    of(&g)->pull.threads = 4;
    want += 0.4;
    exactly_ms("push from the CPU, pull onto the GPU", play(&g), want);
    near("the GPU decodes", reading(&g, "gpu_utilisation"), (compute + 0.507) / want, 1e-9);
    near("the CPU encodes, on one thread", reading(&g, "worker_cpu_utilisation"), 4.005 / want, 1e-9);

    /* Async: the update takes the gradient as it comes, without a sum. */
    of(&g)->mode = PS_ASYNC;
    exactly_ms("async", play(&g), want - sum);
    near("aggregate_ms", reading(&g, "aggregate_ms"), 0, 0);

    /* On one core, the gradient is in the host's memory from the start. */
    of(&g)->mode = PS_SYNC;
    of(&g)->device = COMPUTE_ON_CPU;
    of(&g)->push.place = of(&g)->pull.place = CODEC_ON_CPU;
    of(&g)->profile = (struct compute_profile){ .forward_s = 0.006, .backward_s = 0.010, .samples = 2, .scale = 1 };
    exactly_ms("on the CPU", play(&g), want - 0.4 - 2 * 0.001 - compute + 3 + 5);
    assert_true(isnan(reading_value(&g.r, "gpu_utilisation")));
}

static void steps_repeat(void **state)
{
    static const enum ps_barrier barriers[] = { PS_BARRIER_LAYER, PS_BARRIER_UPDATE, PS_BARRIER_STEP };

    (void)state;
    for (size_t i = 0; i < 4 * COUNT(barriers); i++) {
        struct rig g = rig(5, 3), h = g;
        g.links[1].latency_s = h.links[1].latency_s = i % 2 ? 3e-6 : 0;
        of(&g)->streams = of(&h)->streams = i % 4 / 2;
        of(&g)->barrier = of(&h)->barrier = barriers[i / 4];
        of(&h)->steps = 7;
        exactly_ms("one step or seven", play(&h), play(&g));
        near("compute", reading(&h, "compute_ms"), reading(&g, "compute_ms"), 1e-12);
        near("pushes", reading(&h, "push_ms"), reading(&g, "push_ms"), 1e-12);
    }
}

/* W workers, each with a link of its own, on one server's link. */
static void the_server_limits(void **state)
{
    (void)state;
    for (int64_t workers = 1; workers <= 9; workers += 2) {
        struct rig g = rig(1, workers);
        exactly_ms("all through the server's link", play(&g), 4 + 2 * 4 * (double)workers);
        near("half of the time each way", reading(&g, "server_nic_utilisation"),
             4 * (double)workers / (4 + 8 * (double)workers), 1e-9);
        near("nic_utilisation", reading(&g, "nic_utilisation"), 4 / (4 + 8 * (double)workers), 1e-9);
        near("exposed_ms", reading(&g, "exposed_ms"), 8 * (double)workers, 1e-9);
        near("samples_per_s", reading(&g, "samples_per_s"), 1e3 * (double)workers / (4 + 8 * (double)workers), 1e-9);
    }
}

static void directions_overlap(void **state)
{
    struct rig g = rig(2, 1);

    (void)state;
    /* Compute takes 4 + 4 ms forward, 8 + 4 backward; a push or pull takes 4. The last layer's pull falls together with
     * the first one's push: apart in a full-duplex link, on one wire in a half-duplex one. */
    g.platform.gpu.peak_flops = 0.5e9;
    exactly_ms("full duplex", play(&g), 8 + 4 + 4 + 4 + 4 + 4);
    g.links[1].duplex = DUPLEX_HALF;
    exactly_ms("half duplex", play(&g), 8 + 4 + 8 + 4 + 4 + 4);
    near("the wire", reading(&g, "nic_utilisation"), 16.0 / 32, 1e-9);
    g.links[1].duplex = DUPLEX_FULL;
    /* With barriers: backward 12, both pushes 8, both pulls 8 (one waits for no other), forward 8. */
    of(&g)->barrier = PS_BARRIER_STEP;
    exactly_ms("barriers", play(&g), 12 + 8 + 8 + 8);
    /* Pushes as they can: the last layer's is there when the first one's backward is done. Pulls share, and then
       forward. */
    of(&g)->barrier = PS_BARRIER_UPDATE;
    exactly_ms("pulls after all updates", play(&g), 8 + 4 + 4 + 8 + 8);
    of(&g)->barrier_s = 3e-3;
    exactly_ms("and after the barrier", play(&g), 8 + 4 + 4 + 3 + 8 + 8);
    of(&g)->mode = PS_ASYNC; /* knows no barrier of all */
    exactly_ms("none", play(&g), 8 + 4 + 4 + 4 + 4 + 4);
}

/* Two tensors that are ready at once share the link, or one goes after the other; then its pull meets the other's
 * push. */
static void streams_take_turns(void **state)
{
    struct rig g = rig(2, 1);

    (void)state;
    g.platform.gpu.peak_flops = 1e30;
    g.links[1].latency_s = 0.5e-3; /* twice: to the switch and from it */
    exactly_ms("shares", play(&g), 1 + 8 + 1 + 8);
    of(&g)->streams = 1;
    exactly_ms("turns", play(&g), 4 + 4 + 1 + 4 + 1);
    near("all is said to push", reading(&g, "push_ms"), 4 + 4 + 1, 1e-9);
    of(&g)->streams = 2;
    exactly_ms("two at once", play(&g), 1 + 8 + 1 + 8);
    of(&g)->streams = INT64_MAX;
    exactly_ms("any number", play(&g), 1 + 8 + 1 + 8);

    /* A barrier makes all ready at once: the last layer goes first, as its gradient was. Pushes of 4 and 8 ms, pulls of
     * half of that: 8, then 4 next to 4, then 2. */
    of(&g)->streams = 1;
    of(&g)->barrier = PS_BARRIER_STEP;
    of(&g)->pull = (struct codec_spec){
        .format = WIRE_RATIO, .ratio = 2, .place = CODEC_ON_GPU, .threads = 1, .scale = 1, .life = 1
    };
    g.links[1].latency_s = 0;
    g.layers[1].units = 2000;
    exactly_ms("the last layer first", play(&g), 8 + 4 + 2);
    g.platform.gpu.peak_flops = 1e15; /* and where layers do not compute in no time, as one */
    near("as it computes", play(&g), 8 + 4 + 2, 1e-5);
}

/* Two servers, one tensor each: two workers on one machine have half of a NIC each. */
static void a_shared_nic_halves(void **state)
{
    struct rig g = rig(2, 2);

    (void)state;
    g.platform.gpu.peak_flops = 1e15; /* 2 ns forward, 4 or 2 ns backward */
    g.platform.machines = 4;
    g.platform.gpu.count = 2;
    of(&g)->servers = 2;
    near("a machine each", play(&g), 2 * 8, 1e-5);
    of(&g)->workers_per_machine = 2;
    near("one machine", play(&g), 2 * 16, 1e-5);
    near("its link is busy", reading(&g, "nic_utilisation"), 0.5, 1e-5);
    near("the servers' are not", reading(&g, "server_nic_utilisation"), 0.25, 1e-5);
}

/* A server on the worker's own machine is reached without the network. */
static void colocated_servers(void **state)
{
    struct rig g = rig(2, 2);

    (void)state;
    g.platform.gpu.peak_flops = 1e15;
    g.platform.machines = 2;
    of(&g)->servers = 2;
    of(&g)->colocated = 1;
    /* Each worker sends one tensor to the other machine, and each server one back: 8 MB over each NIC each way. */
    double step = play(&g);
    near("one of two crosses", step, 2 * 4, 1e-4);
    near("traffic", reading(&g, "nic_utilisation") * step * 1e6, 8e6, 1e-9);
    near("all is counted", reading(&g, "push_bytes"), 8e6, 0);

    struct rig alone = rig(3, 1);
    alone.platform.machines = 1;
    alone.platform.nlinks = 1;
    alone.platform.network = (struct network_spec){ .topology = TOPOLOGY_SINGLE, .link = "", .uplink = "", .via = "" };
    of(&alone)->colocated = 1;
    /* 6 forward, 10 backward; at 1 TB/s a push or pull takes 4 us, and only the first layer's are waited for. */
    exactly_ms("one machine", play(&alone), 16 + 0.008);
    assert_true(isnan(reading_value(&alone.r, "nic_utilisation")));
}

/* More servers than there are workers, one of them idle: tensors go to the emptiest. */
static void placement(void **state)
{
    struct rig g = rig(4, 1);
    static const int64_t units[] = { 1000, 3000, 1000, 2000 }; /* 1, 3, 3 and 2 million weights */

    (void)state;
    for (size_t i = 0; i < 4; i++)
        g.layers[i].units = units[i];
    g.platform.gpu.peak_flops = 1e18;
    g.platform.machines = 4;
    of(&g)->servers = 3;
    play(&g);
    /* 3, 3, 2 + 1: the busiest server takes in 12 MB a step. */
    near("balanced", reading(&g, "server_nic_utilisation") * reading(&g, "step_ms") * 1e6, 12e6, 1e-9);
    near("all of them", reading(&g, "nic_utilisation") * reading(&g, "step_ms") * 1e6, 36e6, 1e-9);
}

/* Whatever the platform: to wait for less is never slower. */
static void layer_barriers_beat_step_barriers(void **state)
{
    uint64_t seed = 7;
    int faster = 0;

    (void)state;
    for (int i = 0; i < 40; i++) {
        struct rig g = rig(2 + draw(&seed) % 6, 1 + (int64_t)(draw(&seed) % 4));
        for (size_t k = 0; k < g.spec.nlayers; k++)
            g.layers[k].units = 100 + (int64_t)(draw(&seed) % 2000);
        g.links[1].bandwidth_Bps = 1e8 * (double)(1 + draw(&seed) % 50);
        g.links[1].latency_s = 1e-6 * (double)(draw(&seed) % 100);
        g.platform.cpu.memory_Bps = 1e9 * (double)(1 + draw(&seed) % 30);
        of(&g)->shared_pull = draw(&seed) % 2;
        of(&g)->push.place = of(&g)->pull.place = draw(&seed) % 2 ? CODEC_ON_CPU : CODEC_ON_GPU;
        double layer = play(&g);
        of(&g)->barrier = PS_BARRIER_STEP;
        double step = play(&g);
        if (layer > step * (1 + 1e-9))
            fail_msg("case %d: %.6f ms with a barrier for each layer, %.6f with one for all", i, layer, step);
        faster += layer < step * 0.99;
    }
    assert_true(faster > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_by_hand),
        cmocka_unit_test(steps_repeat),
        cmocka_unit_test(the_server_limits),
        cmocka_unit_test(directions_overlap),
        cmocka_unit_test(streams_take_turns),
        cmocka_unit_test(a_shared_nic_halves),
        cmocka_unit_test(colocated_servers),
        cmocka_unit_test(placement),
        cmocka_unit_test(layer_barriers_beat_step_barriers),
    };

    return cmocka_run_group_tests_name("parameter_server", tests, NULL, NULL);
}
