/* model_parallel: iterations small enough to add up by hand. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/status.h"
#include "tests/sim/method/model_parallel_rig.h"
#include "tests/test.h"

/* One stage, one server, one thread: 9 ms of computing; 500 x 500 weights are 1 MB: 1 ms there and 1 ms back; the
 * update moves 20 bytes a weight, 5 MB at 10 GB/s. Two links of 10 us on each way. */
static void one_thread_alone(void **state)
{
    static const enum mp_schedule schedules[] = { MP_HOGWILD, MP_GPIPE };
    struct rig r;

    (void)state;
    set_up(&r, 1, 500);
    r.links[0].latency_s = 1e-5;
    for (size_t i = 0; i < COUNT(schedules); i++) {
        r.mp->schedule = schedules[i];
        /* GPipe: all four cores compute one micro-batch. */
        double compute = schedules[i] == MP_GPIPE ? 9.0 / 4 : 9;
        struct readings got = play(&r);
        near(&got, "step_ms", compute + 1 + 0.5 + 1 + 4 * 0.01, exact, "alone");
        near(&got, "iteration_ms", compute + 2.54, exact, "alone");
        near(&got, "compute_ms", compute, exact, "alone");
        near(&got, "push_ms", 1.02, exact, "alone");
        near(&got, "pull_ms", 1.02, exact, "alone");
        near(&got, "update_ms", 0.5, exact, "alone");
        near(&got, "push_bytes", 1e6, exact, "alone");
        near(&got, "pull_bytes", 1e6, exact, "alone");
        near(&got, "activation_bytes", 0, exact, "alone");
        near(&got, "samples_per_s", 10 / (compute + 2.54) * 1e3, exact, "alone");
        near(&got, "nic_utilisation", 1 / (compute + 2.54), exact, "alone");
        near(&got, "server_nic_utilisation", 1 / (compute + 2.54), exact, "alone");
        near(&got, "server_memory_utilisation", 0.5 / (compute + 2.54), exact, "alone");
        near(&got, "cpu_utilisation", (schedules[i] == MP_GPIPE ? compute : 9.0 / 4) / (compute + 2.54), exact,
             "alone");
    }
    r.mp->schedule = MP_HOGWILD;
    r.links[0].duplex = DUPLEX_HALF; /* both ways over one wire */
    struct readings got = play(&r);
    near(&got, "nic_utilisation", 2 / 11.54, exact, "half duplex");
    near(&got, "server_nic_utilisation", 2 / 11.54, exact, "half duplex");
    near(&got, "nic_mean_utilisation", 2 / 11.54, exact, "half duplex");
    r.links[0].duplex = DUPLEX_FULL;
    r.mp->steps = 1;
    got = play(&r);
    near(&got, "step_ms", 11.54, exact, "one step");
    model_free(&r.model);
}

/* Two stages of 1000 x 1000 and everything coded. Activations: 10 rows of 1000, a tenth of each kept:
 *   forward   64 + 10 x 100 x 8 = 8064 B; select 40 us at 1 GB/s, encode 20 us, decode 10 us
 *   back      64 + 10 x 100 x 4 = 4064 B under the known mask: encode 20 us, decode 10 us
 * Push of a layer: 64 + 16 + 10000 x 8 = 80080 B of 1e6 weights at 1 %; select 4 ms / 4 (L = 4), encode 2, decode 1 ms.
 * Update 2 ms. Pull 4e6 B as they are. Stage 0 ends last: its exchange is what the thread waits for. */
static void two_stages_coded(void **state)
{
    struct rig r;

    (void)state;
    set_up(&r, 2, 1000);
    r.mp->stages = 2;
    r.mp->servers = 2;
    r.mp->activations = sparse(WIRE_DCT_MP, 0.1);
    r.mp->push = sparse(WIRE_DCT, 0.01);
    r.mp->push.life = 4;
    r.mp->mask_known = 1;
    r.platform.network.message_bytes = 100;
    r.platform.network.message_s = 3e-6;
    double message = 0.003 + 1e-4; /* 100 B at 1 GB/s: 0.1 us */
    double forward = 0.04 + 0.02 + 0.008064 + message + 0.01, back = 0.02 + 0.004064 + message + 0.01;
    double push = 1 + 2 + 0.08008 + message + 1, pull = 4 + message;
    struct readings got = play(&r);
    near(&got, "step_ms", 9 + forward + back + push + 2 + pull, exact, "two stages");
    near(&got, "activation_bytes", 8064 + 4064 + 200, exact, "two stages");
    near(&got, "push_bytes", 2 * 80180, exact, "two stages");
    near(&got, "pull_bytes", 2 * 4000100, exact, "two stages");
    near(&got, "select_ms", 0.04 + 2, exact, "two stages");
    near(&got, "encode_ms", 0.02 + 0.02 + 2 * 2, exact, "two stages");
    near(&got, "decode_ms", 0.01 + 0.01 + 2 * 1, exact, "two stages");

    /* Without the mask the gradient is selected too, and its indices travel; a bitmap of 1000 bits is 128 bytes a
       row. */
    r.mp->mask_known = 0;
    got = play(&r);
    near(&got, "activation_bytes", 2 * 8064 + 200, exact, "no mask");
    near(&got, "select_ms", 2 * 0.04 + 2, exact, "no mask");
    r.mp->activations.indices = 0;
    got = play(&r);
    near(&got, "activation_bytes", 2 * (64 + 10 * (128 + 400)) + 200, exact, "bitmaps");
    model_free(&r.model);
}

/* What a stage exchanges with the servers besides: in before it computes, out after. */
static void further_traffic(void **state)
{
    struct rig r;

    (void)state;
    set_up(&r, 1, 100);          /* 40 kB: 0.04 ms each way, update 0.02 ms */
    r.mp->sample_in_bytes = 2e5; /* 2 ms for 10 */
    r.mp->sample_out_bytes = 3e5;
    struct readings got = play(&r);
    /* Push goes first over the one connection, then 3 ms of rows. */
    near(&got, "step_ms", 2 + 9 + 0.04 + 3, exact, "rows");
    near(&got, "sample_bytes", 5e6, exact, "rows");

    r.model.layers[0].sparse_values = 1000; /* an embedding reads its rows from a server: 40 kB in, 40 kB out */
    got = play(&r);
    near(&got, "step_ms", 2.04 + 9 + 0.04 + 3.04, exact, "embedding");
    near(&got, "sample_bytes", 5e6 + 8e4, exact, "embedding");

    /* GPipe, two micro-batches of 1 ms in, 1.5 out, 0.375 forward, 0.75 backward on four cores:
     * forward 1..1.375, 2..2.375; backward ..3.125, ..3.875; out ..4.625, ..6.125; then the exchange. */
    r.model.layers[0].sparse_values = 0;
    r.mp->schedule = MP_GPIPE;
    r.mp->micro_batches = 2;
    got = play(&r);
    near(&got, "step_ms", 6.125 + 0.04 + 0.02 + 0.04, exact, "rows of micro-batches");
    near(&got, "sample_bytes", 5e6, exact, "rows of micro-batches");
    r.mp->schedule = MP_HOGWILD;

    /* Two stages take theirs from two servers: 2 ms, of either. */
    model_free(&r.model);
    set_up(&r, 2, 100);
    r.mp->stages = r.mp->servers = 2;
    r.mp->sample_in_bytes = 2e5;
    r.mp->threads = 32;
    r.mp->steps = 10;
    got = play(&r);
    near(&got, "step_ms", 2.04, 0.01, "two servers of rows");
    model_free(&r.model);
}

/* Equal stages, free links and updates: (S - 1) / (M + S - 1) of the time is a bubble. */
static void gpipe_bubble(void **state)
{
    struct rig r;

    (void)state;
    for (int stages = 1; stages <= 8; stages++)
        for (int micro = 1; micro <= 16; micro += micro < 4 ? 1 : 4) {
            char what[64];
            snprintf(what, sizeof(what), "%d stages, %d micro-batches", stages, micro);
            set_up(&r, stages, 64);
            r.links[0].bandwidth_Bps = 1e18;
            r.platform.cpu.memory_Bps = 1e18;
            r.mp->schedule = MP_GPIPE;
            r.mp->stages = stages;
            r.mp->servers = stages % 2; /* the exchange is as free as an update in place */
            r.mp->micro_batches = micro;
            r.mp->profile.samples = r.job.batch = 5040 * micro;
            struct readings got = play(&r);
            double slots = micro + stages - 1;
            if (fabs(reading_value(&got, "bubble_share") - (stages - 1) / slots) > 1e-6)
                fail_msg("%s: the bubble is %g", what, reading_value(&got, "bubble_share"));
            near(&got, "step_ms", slots * 9 / 4 / stages / micro, 1e-6, what);
            model_free(&r.model);
        }
}

/* 7 samples in 3 micro-batches are 3, 2 and 2. One stage: 0.9 ms a sample over 4 cores; and two stages, by hand:
 * forward 3, 2, 2 then backward 2, 2, 3, in units of 1/2 of a sample's 0.3 (forward) and 0.6 ms, over 4 cores. */
static void uneven_micro_batches(void **state)
{
    struct rig r;

    (void)state;
    set_up(&r, 2, 64);
    r.links[0].bandwidth_Bps = 1e18;
    r.platform.cpu.memory_Bps = 1e18;
    r.mp->schedule = MP_GPIPE;
    r.mp->micro_batches = 3;
    r.job.batch = 7;
    struct readings got = play(&r);
    near(&got, "step_ms", 7 * 0.9 / 4, 1e-6, "one stage");
    r.mp->stages = 2;
    got = play(&r);
    /* Forward: stage 1 works 3..6, 6..8, 8..10; backward in units twice as long: stage 1 10..14..18..24, stage 0
     * 14..18, 18..22, 24..30. */
    near(&got, "step_ms", 30 * 0.15 / 4, 1e-6, "two stages");
    near(&got, "activation_bytes", 2 * 7 * 64 * 4, exact, "two stages");
    r.job.batch = 3;
    r.mp->micro_batches = 3;
    got = play(&r);
    near(&got, "step_ms", 4 * 0.9 / 2 / 4, 1e-6, "one sample each");
    model_free(&r.model);
}

/* Three trainers, one stage: their pushes of 1 MB meet at the server, 3 ms; the update moves 16 + 3 x 4 bytes a weight;
 * the pulls leave together, 3 ms. Nothing is hidden. */
static void gpipe_sums_all_trainers(void **state)
{
    struct rig r;

    (void)state;
    set_up(&r, 1, 500);
    r.mp->schedule = MP_GPIPE;
    r.mp->trainers = 3;
    struct readings got = play(&r);
    near(&got, "step_ms", 9.0 / 4 + 3 + 0.7 + 3, exact, "three trainers");
    near(&got, "samples_per_s", 30 / 8.95 * 1e3, exact, "three trainers");
    near(&got, "push_bytes", 1e6, exact, "three trainers");
    near(&got, "nic_utilisation", 1 / 8.95, exact, "three trainers");
    near(&got, "server_nic_utilisation", 3 / 8.95, exact, "three trainers");
    model_free(&r.model);
}

/* A GPU with a codec on the CPU: gradient to the host (4 MB over 2 GB/s: 2 ms), select, encode, send, decode, update,
 * pull, and, uncoded, straight to the GPU over both links. */
static void gpu_and_cpu_codec(void **state)
{
    struct rig r;

    (void)state;
    set_up(&r, 1, 1000);
    r.links[1] = r.links[0];
    r.links[1].name = "pcie";
    r.links[1].efficiency_wire = 1;
    r.platform.nlinks = 2;
    r.platform.gpu = (struct gpu_spec){ .count = 1,
                                        .peak_flops = 1e12,
                                        .memory_Bps = 1e11,
                                        .efficiency_convolution = 1,
                                        .efficiency_fully_connected = 1,
                                        .efficiency_memory = 1,
                                        .link = "pcie",
                                        .peer_link = "" };
    r.mp->device = COMPUTE_ON_GPU;
    r.mp->push = sparse(WIRE_DCT, 0.01);
    struct readings got = play(&r);
    near(&got, "step_ms", 9 + 2 + 4 + 2 + 0.08008 + 1 + 2 + 4, exact, "cpu codec");
    near(&got, "copy_ms", 2, exact, "cpu codec");
    near(&got, "gpu_utilisation", 9 / 24.08008, exact, "cpu codec");
    r.mp->pull = (struct codec_spec){ .format = WIRE_BF16, .place = CODEC_ON_CPU, .threads = 1, .scale = 1, .life = 1 };
    got = play(&r); /* 64 + 2e6 bytes over the network, then 4 MB to the GPU */
    near(&got, "step_ms", 9 + 2 + 4 + 2 + 0.08008 + 1 + 2 + 2.000064 + 2, exact, "cpu codec of pulls");
    near(&got, "copy_ms", 4, exact, "cpu codec of pulls");
    r.mp->pull.format = WIRE_NONE;
    r.mp->push.place = CODEC_ON_GPU;
    got = play(&r);
    near(&got, "step_ms", 9 + 4 + 2 + 0.08008 + 1 + 2 + 4, exact, "gpu codec");
    near(&got, "copy_ms", 0, exact, "gpu codec");
    near(&got, "gpu_utilisation", 15 / 22.08008, exact, "gpu codec");
    r.mp->servers = 0; /* 20 bytes a weight through the GPU's memory */
    got = play(&r);
    near(&got, "step_ms", 9 + 20e6 / 1e8, exact, "update on the GPU");
    r.mp->device = COMPUTE_ON_CPU;
    r.mp->push.place = CODEC_ON_CPU;
    got = play(&r);
    near(&got, "step_ms", 9 + 20e6 / 1e7, exact, "update on the CPU");
    r.mp->schedule = MP_GPIPE;
    got = play(&r);
    near(&got, "step_ms", 9.0 / 4 + 20e6 / 1e7, exact, "update of all cores");
    model_free(&r.model);
}

/* parameter_scale and activation_scale count values, rounded for each tensor and row. */
static void scales(void **state)
{
    struct rig r;

    (void)state;
    set_up(&r, 2, 5);
    r.mp->stages = 2;
    r.mp->parameter_scale = 0.5;  /* 25 -> 13 */
    r.mp->activation_scale = 1.5; /* 5 -> 8 */
    struct readings got = play(&r);
    near(&got, "push_bytes", 2 * 13 * 4, exact, "scaled");
    near(&got, "pull_bytes", 2 * 13 * 4, exact, "scaled");
    near(&got, "activation_bytes", 2 * 10 * 8 * 4, exact, "scaled");
    r.mp->parameter_scale = 0; /* nothing to exchange */
    got = play(&r);
    near(&got, "push_bytes", 0, exact, "scaled");
    model_free(&r.model);
}

/* Servers beyond one a layer: 7 hold two layers in three parts each, one is left over. 501 x 501 values are 83667 a
 * part. */
static void layers_in_parts(void **state)
{
    struct rig r;

    (void)state;
    set_up(&r, 2, 501);
    r.mp->servers = 7;
    r.mp->push = sparse(WIRE_DCT, 0.01); /* 837 of 83667 */
    r.mp->push.encode.rate_Bps = r.mp->push.decode.rate_Bps = r.mp->push.select_rate_Bps = 0;
    struct readings got = play(&r);
    near(&got, "push_bytes", 2 * 3 * (80 + 837 * 8), exact, "parts");
    near(&got, "pull_bytes", 2 * 501 * 501 * 4, exact, "parts");
    /* All pushes leave at once and share the link; then updates, 20 x 83667 bytes at 10 GB/s, all at once; then
       pulls. */
    double push = 6 * 6776 / 1e6, update = 20 * 83667 / 1e7, pull = 6 * 83667 * 4 / 1e6;
    near(&got, "step_ms", 9 + push + update + pull, 1e-9, "parts");
    near(&got, "server_memory_utilisation", 6.0 / 7 * update / (9 + push + update + pull), 1e-9, "parts");
    model_free(&r.model);
}

/* A norm's scales and shifts are two tensors: with 8 bits, each has 64 + 4 bytes besides. */
static void tensors_of_kinds(enum layer_kind full, enum layer_kind norm, struct shape input)
{
    struct rig r;
    struct model_spec spec = { .name = "m", .channels = input.channels, .height = input.height, .width = input.width };
    char why[200];

    set_up(&r, 1, 10);
    model_free(&r.model);
    r.layers[0] = (struct layer_spec){ .kind = full, .units = 20, .bias = 1 };
    r.layers[1] = (struct layer_spec){ .kind = norm };
    spec.layers = r.layers;
    spec.nlayers = 2;
    assert_int_equal(model_infer(&spec, &r.model, why, sizeof(why)), E_OK);
    r.mp->push = (struct codec_spec){ .format = WIRE_8BIT, .place = CODEC_ON_CPU, .threads = 1, .scale = 1, .life = 1 };
    r.mp->push.min_values = 20;
    r.platform.network.message_bytes = 1000; /* of a layer, not of a tensor */
    struct readings got = play(&r);
    near(&got, "push_bytes", 200 + 68 + 20 + 68 + 2 * (20 + 68) + 2000, exact, "tensors");
    near(&got, "pull_bytes", 4 * (200 + 20 + 40) + 2000, exact, "tensors");
    r.mp->push.min_values = 21;
    got = play(&r);
    near(&got, "push_bytes", 200 + 68 + 4 * 60 + 2000, exact, "tensors too small to code");
    model_free(&r.model);
}

static void tensors_of_a_layer(void **state)
{
    (void)state;
    tensors_of_kinds(LAYER_FC, LAYER_BATCHNORM, (struct shape){ 10, 1, 1 });
    tensors_of_kinds(LAYER_LINEAR, LAYER_LAYERNORM, (struct shape){ 1, 1, 10 });
}

/* The spans of a timeline say what they are and where. */
static void timeline_of_an_iteration(void **state)
{
    struct rig r;
    struct timeline t = { 0 };
    struct readings out = { .n = 0 };
    char why[200];
    int pushes = 0, forwards = 0;

    (void)state;
    set_up(&r, 2, 50);
    r.mp->stages = 2;
    assert_int_equal(model_parallel_play(&r.job, &out, &t, why, sizeof(why)), E_OK);
    for (size_t i = 0; i < t.nspans; i++) {
        pushes += !strcmp(t.spans[i].name, "push fc2");
        forwards += !strcmp(t.spans[i].name, "forward stage 1");
    }
    assert_int_equal(pushes, 6); /* two to warm up, three, one more */
    assert_int_equal(forwards, 6);
    timeline_free(&t);
    model_free(&r.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_thread_alone),         cmocka_unit_test(two_stages_coded),
        cmocka_unit_test(further_traffic),          cmocka_unit_test(gpipe_bubble),
        cmocka_unit_test(uneven_micro_batches),     cmocka_unit_test(gpipe_sums_all_trainers),
        cmocka_unit_test(gpu_and_cpu_codec),        cmocka_unit_test(scales),
        cmocka_unit_test(layers_in_parts),          cmocka_unit_test(tensors_of_a_layer),
        cmocka_unit_test(timeline_of_an_iteration),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
