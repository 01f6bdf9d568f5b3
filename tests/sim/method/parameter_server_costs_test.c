/* Parameter servers: bytes, codecs, batches and machines. */
#include "model/status.h"
#include "tests/sim/method/parameter_server_rig.h"

#include <string.h>

static int64_t framed(int64_t bytes)
{
    return bytes + 70;
}

static void bytes_are_the_codecs(void **state)
{
    static const struct codec_spec codecs[] = {
        { .format = WIRE_NONE },
        { .format = WIRE_FP16 },
        { .format = WIRE_8BIT },
        { .format = WIRE_3LC_QUARTIC },
        { .format = WIRE_3LC, .bits = 0.3 },
        { .format = WIRE_1BIT },
        { .format = WIRE_SPARSIFY, .density = 0.05 },
        { .format = WIRE_DCT, .density = 0.01 },
        { .format = WIRE_DCT_MP, .density = 0.01 },
        { .format = WIRE_RATIO, .ratio = 100, .header = 4 },
        { .format = WIRE_SPARSIFY, .density = 0.25, .min_values = 2000 },
        { .format = WIRE_8BIT, .min_values = 1 << 30 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(codecs); i++)
        for (size_t k = 0; k < COUNT(codecs); k += 3) {
            struct rig g = rig(2, 2);
            const struct codec_spec *push = &of(&g)->push, *pull = &of(&g)->pull;
            of(&g)->push = codecs[i];
            of(&g)->pull = codecs[k];
            of(&g)->push.threads = of(&g)->pull.threads = of(&g)->push.life = of(&g)->pull.life = 1;
            of(&g)->push.scale = of(&g)->pull.scale = 1;
            g.layers[1].bias = 1;
            g.platform.network.message_bytes = 70;
            play(&g);
            /* Layers of 1000 x 1000 without and with a bias; small tensors go as they are. */
            int64_t n[] = { 1000000, 1000000, 1000 }, row[] = { 1000, 1000, 0 }, want_push = 0, want_pull = 0;
            for (size_t t = 0; t < COUNT(n); t++) {
                want_push +=
                    framed(codec_spec_codes(push, n[t]) ? codec_spec_wire_bytes(push, n[t], row[t]) : 4 * n[t]);
                want_pull +=
                    framed(codec_spec_codes(pull, n[t]) ? codec_spec_wire_bytes(pull, n[t], row[t]) : 4 * n[t]);
            }
            near("push", reading(&g, "push_bytes"), (double)want_push, 0);
            near("pull", reading(&g, "pull_bytes"), (double)want_pull, 0);
            double crossed = reading(&g, "server_nic_utilisation") * reading(&g, "step_ms") * 1e6;
            near("what the server's link carries", crossed, 2 * (double)(want_push > want_pull ? want_push : want_pull),
                 1e-9);
            near("wire_ratio", reading(&g, "wire_ratio"), 8 * 2001000 / (double)(want_push + want_pull), 1e-12);
        }
}

static void state_of_codecs(void **state)
{
    struct rig g = rig(1, 4);

    (void)state;
    of(&g)->push = of(&g)->pull =
        (struct codec_spec){ .format = WIRE_3LC, .bits = 1, .threads = 1, .scale = 1, .life = 1 };
    play(&g);
    near("a worker's, and a quarter of the server's", reading(&g, "state_bytes"), 4e6 + 1e6, 0);
    of(&g)->shared_pull = 0;
    play(&g);
    near("one for each worker", reading(&g, "state_bytes"), 4e6 + 4e6, 0);
}

/* The server encodes once for all, or once for each, on so many threads. */
static void encoding_for_all(void **state)
{
    struct rig g = rig(1, 4);

    (void)state;
    of(&g)->pull = (struct codec_spec){ .format = WIRE_RATIO,
                                        .ratio = 1e6,
                                        .place = CODEC_ON_CPU,
                                        .threads = 1,
                                        .scale = 1,
                                        .life = 1,
                                        .encode = { .rate_Bps = 4e9 } };
    g.links[0].bandwidth_Bps = g.links[1].bandwidth_Bps = 1e18;
    near("once", play(&g), 4 + 1, 1e-6);
    of(&g)->shared_pull = 0;
    near("four times", play(&g), 4 + 4, 1e-6);
    of(&g)->pull.threads = 2;
    near("by two threads", play(&g), 4 + 2, 1e-6);
    of(&g)->pull.threads = 16;
    near("by all", play(&g), 4 + 1, 1e-6);
}

/* k steps and one exchange; as a codec, the same bytes on average. */
static void local_steps(void **state)
{
    struct rig one = rig(1, 1);
    double exchange = play(&one) - 4;

    (void)state;
    for (int64_t k = 2; k <= 5; k++) {
        struct rig g = rig(1, 1), codec = g;
        of(&g)->local_steps = k;
        of(&g)->steps = 7; /* rounded up to whole rounds */
        exactly_ms("k computations, one exchange", play(&g), 4 + exchange / (double)k);
        near("bytes", reading(&g, "push_bytes"), 4e6 / (double)k, 1e-12);
        near("wire_ratio", reading(&g, "wire_ratio"), (double)k, 1e-12);
        near("link", reading(&g, "nic_utilisation") * reading(&g, "step_ms"), 4 / (double)k, 1e-9);
        exactly_ms("compute", reading(&g, "compute_ms"), 4);
        of(&g)->steps = 1;
        exactly_ms("one round at least", play(&g), 4 + exchange / (double)k);

        of(&codec)->push = of(&codec)->pull =
            (struct codec_spec){ .format = WIRE_LOCAL, .steps = k, .threads = 1, .scale = 1, .life = 1 };
        g.platform.network.message_bytes = codec.platform.network.message_bytes = 1000;
        g.platform.network.message_s = codec.platform.network.message_s = 1e-3;
        play(&g);
        play(&codec);
        near("the codec's average", reading(&codec, "push_bytes"),
             (double)(codec_spec_wire_bytes(&of(&codec)->push, 1000000, 1000) + (1000 + k - 1) / k), 0);
        near("much the same", reading(&codec, "push_bytes"), reading(&g, "push_bytes"), 1e-4);
        near("its step", reading(&codec, "step_ms"), reading(&g, "step_ms"), 1e-4);
    }
}

/* What computes nothing waits for nothing; shares of a measured time go by FLOPs. */
static void layers_without_parameters(void **state)
{
    struct rig g = rig(1, 2);
    static const struct layer_spec list[] = {
        { .kind = LAYER_RELU }, { .kind = LAYER_FC, .units = 1000 },           { .kind = LAYER_BATCHNORM },
        { .kind = LAYER_RELU }, { .kind = LAYER_FC, .units = 500, .bias = 1 }, { .kind = LAYER_SOFTMAX }
    };
    char why[256];

    (void)state;
    memcpy(g.layers, list, sizeof(list));
    g.spec.nlayers = COUNT(list);
    play(&g);
    near("four tensors and a bias", reading(&g, "push_bytes"), 4 * (1e6 + 2 * 1000 + 5e5 + 500), 0);
    near("compute", reading(&g, "compute_ms"), 2 + 1 + 2 + 2, 1e-3);
    of(&g)->profile = (struct compute_profile){ .forward_s = 0.010, .backward_s = 0.030, .samples = 1, .scale = 1 };
    play(&g);
    near("a profile's sum", reading(&g, "compute_ms"), 40, 1e-9);

    /* Nothing to exchange at all. */
    g.bare = 1;
    for (enum ps_mode mode = PS_SYNC; mode <= PS_ASYNC; mode++) {
        of(&g)->mode = mode;
        near("no parameters", play(&g), 40, 1e-9);
        near("no bytes", reading(&g, "push_bytes"), 0, 0);
        near("no ratio", reading(&g, "wire_ratio"), 1, 0);
    }
    of(&g)->profile = (struct compute_profile){ .scale = 1 };
    assert_int_equal(try_play(&g, NULL, why, sizeof(why)), E_INVAL);
    assert_non_null(strstr(why, "model: "));
}

/* 7 samples on 3 workers are 3, 2 and 2. */
static void uneven_batches(void **state)
{
    struct rig g = rig(1, 3);

    (void)state;
    g.links[1].bandwidth_Bps = 1e18;
    g.links[0].bandwidth_Bps = 1e18;
    g.job.batch = 7;
    near("the slowest", play(&g), 3 * 4, 1e-6);
    near("gpu_utilisation", reading(&g, "gpu_utilisation"), 7.0 / 9, 1e-6);
    of(&g)->mode = PS_ASYNC;
    of(&g)->steps = 40;
    of(&g)->pull = (struct codec_spec){
        .format = WIRE_RATIO, .ratio = 4, .place = CODEC_ON_GPU, .threads = 1, .scale = 1, .life = 1
    };
    play(&g);
    /* 3 samples in 12 ms, and twice 2 in 8: then 4 MB out. */
    near("the busiest link", reading(&g, "nic_utilisation"), 4e6 / 8e-3 / 1e18, 1e-6);
    near("each for itself", reading(&g, "samples_per_s"), 750, 1e-6);
}

static void machines_on_cpus(void **state)
{
    struct rig g = rig(1, 4);

    (void)state;
    g.platform.gpu = (struct gpu_spec){ .link = "", .peer_link = "" };
    g.platform.links = g.links + 1;
    g.links[0] = g.links[1];
    g.platform.nlinks = 1;
    g.platform.cpu.cores_per_socket = 2;
    g.links[0].bandwidth_Bps = 1e18;
    of(&g)->device = COMPUTE_ON_CPU;
    of(&g)->workers_per_machine = 4;
    of(&g)->profile = (struct compute_profile){ .forward_s = 0.001, .backward_s = 0.003, .samples = 1, .scale = 1 };
    near("four workers take turns on two cores", play(&g), 8, 1e-6);
    near("both cores are busy", reading(&g, "worker_cpu_utilisation"), 1, 1e-6);
}

static void huge_and_tiny(void **state)
{
    struct rig g = rig(1, 1);
    char why[256];

    (void)state;
    g.spec.channels = 1 << 24;
    g.layers[0].units = 1 << 20;
    g.links[1].bandwidth_Bps = 1e10;
    g.platform.gpu.peak_flops = 1e15;
    /* 2^44 weights: 70 TB each way, two hours of the link. */
    double bytes = 4 * 0x1p44;
    near("huge", play(&g), 2 * 2 * 0x1p44 / 1e12 + 2 * bytes / 1e7, 1e-9);
    g.links[1].bandwidth_Bps = 1e3;
    assert_int_equal(try_play(&g, NULL, why, sizeof(why)), E_RANGE);
    g.spec.nlayers = 8;
    for (int i = 0; i < 8; i++)
        g.layers[i] = (struct layer_spec){ .kind = LAYER_FC, .units = i % 2 ? 1 << 24 : 1 << 23 };
    of(&g)->steps = 200;
    assert_int_equal(try_play(&g, NULL, why, sizeof(why)), E_INVAL);
    assert_non_null(strstr(why, "model: "));

    struct rig one = rig(1, 1);
    one.spec.channels = 1;
    one.layers[0].units = 1;
    exactly_ms("one weight", play(&one), 4e-6 + 8e-6);
}

static void mesh_and_tree(void **state)
{
    struct rig g = rig(1, 3);

    (void)state;
    g.platform.network.topology = TOPOLOGY_MESH;
    g.platform.network.width = 4;
    /* A row of four: all pushes cross the last hop to the server, all pulls the first hop back. */
    exactly_ms("a row", play(&g), 4 + 2 * 12);
    assert_true(isnan(reading_value(&g.r, "nic_utilisation")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_the_codecs),
        cmocka_unit_test(state_of_codecs),
        cmocka_unit_test(encoding_for_all),
        cmocka_unit_test(local_steps),
        cmocka_unit_test(layers_without_parameters),
        cmocka_unit_test(uneven_batches),
        cmocka_unit_test(machines_on_cpus),
        cmocka_unit_test(huge_and_tiny),
        cmocka_unit_test(mesh_and_tree),
    };

    return cmocka_run_group_tests_name("parameter_server_costs", tests, NULL, NULL);
}
