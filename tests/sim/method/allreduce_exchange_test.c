/* Codecs, local steps, shared links and machines, framing: what a bucket meets on its way. */
#include "tests/sim/method/allreduce_rig.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/method/report.h"

/* A codec on the GPU takes the stream's time, so that even a free network does not make it free. */
static void codec_on_the_gpu_competes(void **state)
{
    struct world w;

    (void)state;
    world_new(&w);
    w.links[0].bandwidth_Bps = 1e15;
    w.links[1].bandwidth_Bps = 1e15;
    w.links[0].latency_s = w.links[1].latency_s = 0;
    near("uncoded", get(&w, "step_ms"), 30 + update_ms, 1e-3);
    w.method.allreduce.gradients = ratio(10, AGGREGATE_REDUCE, CODEC_ON_GPU, 3e9);
    struct readings r = play(&w);
    double coding_ms = 18e6 / 3e9 * 1e3;
    near("step", reading_value(&r, "step_ms"), 30 + update_ms + 2 * coding_ms, 1e-3);
    near("encode", reading_value(&r, "encode_ms"), coding_ms, 1e-9);
    near("decode", reading_value(&r, "decode_ms"), coding_ms, 1e-9);
    near("ratio", reading_value(&r, "wire_ratio"), 10, 1e-5);
    near("busy", reading_value(&r, "gpu_utilisation"), 1, 1e-3);
    w.method.allreduce.gradients.scale = 2;
    near("twice as fast", get(&w, "step_ms"), 30 + update_ms + coding_ms, 1e-3);
    /* Gathered: each of the four payloads is decoded. */
    w.method.allreduce.gradients = ratio(10, AGGREGATE_GATHER, CODEC_ON_GPU, 3e9);
    near("gathered", get(&w, "step_ms"), 30 + update_ms + 5 * coding_ms, 1e-3);
    model_free(&w.model);
}

/* On the CPU it runs next to the backward pass, on as many threads as there are, after a copy over the GPU's link. */
static void codec_on_the_cpu_runs_beside(void **state)
{
    struct world w;

    (void)state;
    world_new(&w);
    w.links[0].bandwidth_Bps = 1e15;
    w.links[0].latency_s = w.links[1].latency_s = 0;
    w.method.allreduce.bucket_bytes = 100000000; /* one bucket of four tensors */
    w.method.allreduce.gradients = ratio(10, AGGREGATE_REDUCE, CODEC_ON_CPU, 3e9);
    /* 1, 2, 1, 0.5 M values; two threads take 0.5 and 1, then 2 and 1: 0.5 + 2 of 4.5 M. */
    double copy_ms = 18e6 / 12e9 * 1e3, coding_ms = 2.5 * 4e6 / 3e9 * 1e3;
    struct readings r = play(&w);
    near("encode", reading_value(&r, "encode_ms"), copy_ms + coding_ms, 1e-6);
    near("step", reading_value(&r, "step_ms"), 30 + update_ms + 2 * (copy_ms + coding_ms), 1e-3);
    w.method.allreduce.gradients.threads = 4;
    near("four threads", get(&w, "encode_ms"), copy_ms + 2 * 4e6 / 3e9 * 1e3, 1e-6);
    w.method.allreduce.gradients.threads = 1;
    near("one thread", get(&w, "encode_ms"), copy_ms + 4.5 * 4e6 / 3e9 * 1e3, 1e-6);
    /* Two workers on a machine share its threads; their copies go over links of their own. */
    double alone = get(&w, "step_ms");
    w.method.allreduce.workers_per_machine = 2;
    /* The second to decode is then the second to encode: one of the two waits is hidden. */
    near("two workers", get(&w, "step_ms"), alone + 4.5 * 4e6 / 3e9 * 1e3, 1e-3);
    /* On CPUs nothing is copied. */
    w.method.allreduce.device = COMPUTE_ON_CPU;
    near("no GPU", get(&w, "encode_ms"), 4.5 * 4e6 / 3e9 * 1e3, 1e-6);
    model_free(&w.model);
}

/* Two workers, of which one sends three times as much as the other: a step takes longer than where both
 * send as much on average. */
static void uneven_payloads_are_waited_for(void **state)
{
    struct world w;

    (void)state;
    world_new(&w);
    w.links[0].latency_s = w.links[1].latency_s = 0;
    w.method.allreduce.workers = 2;
    w.method.allreduce.overlap = false;
    w.method.allreduce.bucket_bytes = 100000000;
    w.method.allreduce.gradients = (struct codec_spec){
        .format = WIRE_SPARSIFY, .density = 0.2, .place = CODEC_ON_GPU, .threads = 1, .scale = 1, .life = 1
    };
    struct readings even = play(&w);
    w.method.allreduce.unevenness = 0.5;
    struct readings uneven = play(&w);
    /* values of 4 bytes besides the bitmap and headers: 0.3 and 0.1 of 4.5 M instead of 0.2 */
    near("sent", reading_value(&uneven, "sent_bytes") - reading_value(&even, "sent_bytes"), 0.1 * 4.5e6 * 4, 1e-3);
    assert_true(reading_value(&uneven, "step_ms") > reading_value(&even, "step_ms"));
    w.method.allreduce.unevenness = 0.25;
    double less_ms = get(&w, "step_ms");
    assert_true(less_ms > reading_value(&even, "step_ms") && less_ms < reading_value(&uneven, "step_ms"));
    model_free(&w.model);
}

/* With the payloads gathered, both the wire and the decoding grow with the workers; reduced they do not. */
static void gather_grows_with_workers(void **state)
{
    struct world w;

    (void)state;
    world_new(&w);
    w.platform.machines = 64;
    w.links[0].latency_s = w.links[1].latency_s = 0;
    for (int64_t n = 2; n <= 64; n *= 2) {
        w.method.allreduce.workers = n;
        w.batch = 8 * n;
        w.method.allreduce.gradients = ratio(10, AGGREGATE_GATHER, CODEC_ON_GPU, 100e9);
        struct readings r = play(&w);
        near("sent", reading_value(&r, "sent_bytes"), (double)(n - 1) * 1.8e6, 1e-5);
        near("comm", reading_value(&r, "comm_ms"), (double)(n - 1) * 1.8, 1e-5);
        near("decode", reading_value(&r, "decode_ms"), (double)n * 18e6 / 100e9 * 1e3, 1e-9);
        near("ratio", reading_value(&r, "wire_ratio"), 2 * 18.0 / (1.8 * (double)n), 1e-4);
        w.method.allreduce.gradients.aggregation = AGGREGATE_REDUCE;
        r = play(&w);
        near("reduced", reading_value(&r, "comm_ms"), 2 * 1.8 * (double)(n - 1) / (double)n, 1e-4);
        near("decode", reading_value(&r, "decode_ms"), 18e6 / 100e9 * 1e3, 1e-9);
    }
    model_free(&w.model);
}

/* Two factors of rank 2 of 4500 rows and 4500 columns, and four headers: their bytes, and the latencies of two
 * all-reduces. */
static void factors_travel_in_two_rounds(void **state)
{
    const double first = 4 * 64 + 4 * 2 * 4500, second = 4 * 2 * 4500;
    double of_one_ms, of_two_ms;
    struct world w;

    (void)state;
    world_new(&w);
    w.method.allreduce.overlap = 0;
    w.method.allreduce.bucket_bytes = 100000000;
    w.method.allreduce.gradients.format = WIRE_POWERSGD;
    w.method.allreduce.gradients.rank = 2;
    near("sent", get(&w, "sent_bytes"), 2 * 3 / 4.0 * (first + second), 1e-12);
    near("ratio", get(&w, "wire_ratio"), 18e6 / (first + second), 1e-12);
    near("state", get(&w, "state_bytes"), 18e6 + second + 4 * 8, 1e-12);
    of_two_ms = get(&w, "comm_ms");
    w.method.allreduce.gradients.format = WIRE_RATIO;
    w.method.allreduce.gradients.ratio = 18e6 / (first + second);
    of_one_ms = get(&w, "comm_ms");
    for (size_t i = 0; i < COUNT(w.links); i++)
        w.links[i].latency_s = 0;
    near("latencies", of_two_ms - of_one_ms, of_one_ms - get(&w, "comm_ms"), 1e-4);
    model_free(&w.model);
}

/* Tensors below the codec's least size travel as fp32, reduced, whatever the codec is. */
static void small_tensors_are_left_alone(void **state)
{
    struct world w;

    (void)state;
    world_new(&w);
    w.method.allreduce.bucket_bytes = 100000000;
    w.method.allreduce.gradients = ratio(10, AGGREGATE_GATHER, CODEC_ON_GPU, 100e9);
    w.method.allreduce.gradients.min_values = 1500000;
    struct readings r = play(&w);
    near("sent", reading_value(&r, "sent_bytes"), 3 * 0.8e6 + 6 * 2.5e6, 1e-9);
    near("decode", reading_value(&r, "decode_ms"), 4 * 8e6 / 100e9 * 1e3, 1e-9);
    near("state", reading_value(&r, "state_bytes"),
         (double)codec_spec_state_bytes(&w.method.allreduce.gradients, 2000000, 0), 0);
    model_free(&w.model);
}

/* Every k steps: a k-th of the bytes; and the codec of that name is the same. */
static void local_steps_exchange_less_often(void **state)
{
    struct world w;

    (void)state;
    world_new(&w);
    w.method.allreduce.overlap = 0;
    w.method.allreduce.bucket_bytes = 100000000;
    struct readings every = play(&w), rare, codec;
    w.method.allreduce.local_steps = 3;
    rare = play(&w);
    near("sent", reading_value(&rare, "sent_bytes") * 3, reading_value(&every, "sent_bytes"), 1e-9);
    near("comm", reading_value(&rare, "comm_ms") * 3, reading_value(&every, "comm_ms"), 1e-9);
    near("step", reading_value(&rare, "step_ms"), 30 + update_ms + reading_value(&every, "comm_ms") / 3, 1e-9);
    near("ratio", reading_value(&rare, "wire_ratio"), 3, 1e-9);
    near("nic", reading_value(&rare, "nic_utilisation"),
         reading_value(&every, "sent_bytes") / 3 / 1e9 / (reading_value(&rare, "step_ms") / 1e3), 1e-6);
    w.method.allreduce.local_steps = 1;
    w.method.allreduce.gradients.format = WIRE_LOCAL;
    w.method.allreduce.gradients.steps = 3;
    codec = play(&w);
    near("codec", reading_value(&codec, "step_ms"), reading_value(&rare, "step_ms"), 1e-5);
    model_free(&w.model);
}

/* --- Links shared by everything. ---------------------------------------------------------------------------------- */

/* Offload and collective over one GPU's link: alone each takes its time, together they slow each other. */
static void offload_and_network_share_a_root(void **state)
{
    static struct layer_spec wide[] = { { .kind = LAYER_FC, .units = 1000 },
                                        { .kind = LAYER_RELU },
                                        { .kind = LAYER_FC, .units = 1000 } };
    struct world w;

    (void)state;
    world_new(&w);
    world_model(&w, wide, COUNT(wide));
    struct allreduce *a = &w.method.allreduce;
    a->algorithm = COLLECTIVE_IDEAL;
    a->bucket_bytes = 100000000;
    w.links[0].latency_s = w.links[1].latency_s = w.links[2].latency_s = 0;
    w.links[0].bandwidth_Bps = 12e9 / 0.8; /* as fast as PCIe */
    a->profile = (struct compute_profile){ .forward_s = 1e-3, .backward_s = 0, .samples = 4000, .scale = 1 };
    w.batch = 4 * 4000;
    double comm_ms = 2 * 8e6 / 12e9 * 1e3, offload_ms = 3 * 4e3 * 4000 / 12e9 * 1e3;
    near("network alone", get(&w, "comm_ms"), comm_ms, 1e-6);
    a->offload_share = 1;
    for (int level = 0; level < 2; level++) {
        a->level = (enum collective_level)level;
        struct readings r = play(&w);
        /* All layers out (the last one's copy begins when its forward pass ends) and back. */
        assert_true(reading_value(&r, "offload_ms") >= 2 * offload_ms * (1 - 1e-9));
        near("comm", reading_value(&r, "comm_ms"), comm_ms, 1e-6); /* backward is over: nothing else on the link */
        assert_true(reading_value(&r, "step_ms") > 1 + 2 * offload_ms);
    }
    /* One bucket a tensor: the second layer's gradients travel while the first one's activations are fetched. */
    a->bucket_bytes = 0;
    double both[2];
    for (int level = 0; level < 2; level++) {
        a->level = (enum collective_level)level;
        struct readings r = play(&w);
        both[level] = reading_value(&r, "step_ms");
        assert_true(reading_value(&r, "comm_ms") > 1.2 * comm_ms);
    }
    near("symmetric", both[1], both[0], 1e-9);
    /* Pageable memory takes twice as long. */
    double pinned = both[0];
    a->pinned = 0;
    assert_true(get(&w, "step_ms") > pinned + 1.5 * offload_ms);
    a->pinned = 1;
    /* Half of the activations, half the time. */
    a->offload_share = 0.5;
    assert_true(get(&w, "offload_ms") < 0.7 * 2 * offload_ms);
    /* With all of a step's copies hidden behind compute, only the link's users notice. */
    a->offload_share = 1;
    a->profile.forward_s = a->profile.backward_s = 1;
    near("hidden", get(&w, "step_ms"), 2000 + 2 * 1e6 * 20 / 400e9 * 1e3, 0.01);
    model_free(&w.model);
}

/* Two workers of a machine on one PCIe switch, one NIC: by symmetry as by flows, where the bytes divide evenly. */
static void workers_share_a_machine(void **state)
{
    static const enum collective_algorithm algorithms[] = { COLLECTIVE_RING, COLLECTIVE_HIERARCHICAL, COLLECTIVE_BOUND,
                                                            COLLECTIVE_IDEAL };
    int played = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(algorithms); i++)
        for (int nvlink = 0; nvlink < 2; nvlink++)
            for (int64_t shared = 1; shared <= 4; shared *= 2)
                for (int offload = 0; offload < 2; offload++) {
                    struct world w;
                    double step[2];
                    world_new(&w);
                    w.links[1].shared_by = shared;
                    if (!nvlink) {
                        w.platform.gpu.peer_link = "";
                        w.platform.nlinks = 2;
                    }
                    w.method.allreduce.algorithm = algorithms[i];
                    w.method.allreduce.workers = 16;
                    w.method.allreduce.workers_per_machine = 4;
                    w.method.allreduce.offload_share = offload ? 1 : 0;
                    w.batch = 16 * 32;
                    for (int level = 0; level < 2; level++) {
                        w.method.allreduce.level = (enum collective_level)level;
                        step[level] = get(&w, "step_ms");
                    }
                    near("symmetric", step[1], step[0], 1e-9);
                    /* Without latency the slowest hop is all that counts, whatever links the hops share. */
                    for (int k = 0; k < 3; k++)
                        w.links[k].latency_s = 0;
                    /* ... but workers who overlap wait for each other, which a closed form does not see. */
                    w.method.allreduce.overlap = 0;
                    for (int level = 0; level < 3 && !offload; level += 2) {
                        struct job j = { &w.platform, &w.model, &w.method, w.batch };
                        char why[512];
                        w.method.allreduce.level = (enum collective_level)level;
                        if (level && method_check(&j, why, sizeof(why)))
                            continue;
                        step[level / 2] = get(&w, "step_ms");
                        played += level / 2;
                        near("analytic", step[level / 2], step[0], 1e-9);
                    }
                    model_free(&w.model);
                }
    assert_true(played >= 8);
}

/* A tensor that no longer fits begins the next bucket; one larger than a bucket is one. Backward: 0.5, 1, 2, 1 M
 * values. */
static void buckets_fill_in_the_order_of_the_backward_pass(void **state)
{
    static const struct {
        int64_t bytes;
        double first_MB[4];
    } cases[] = { { 0, { 2, 4, 8, 4 } },   { 4000000, { 2, 4, 8, 4 } }, { 6000000, { 6, 8, 4 } },
                  { 12000000, { 6, 12 } }, { 14000000, { 14, 4 } },     { 18000000, { 18 } } };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct world w;
        struct timeline t = { 0 };
        struct readings r;
        char why[256];
        size_t k = 0;
        world_new(&w);
        w.links[0].latency_s = w.links[1].latency_s = w.links[2].latency_s = 0;
        w.method.allreduce.algorithm = COLLECTIVE_IDEAL;
        w.method.allreduce.level = COLLECTIVE_ANALYTIC;
        w.method.allreduce.overlap = 0;
        w.method.allreduce.bucket_bytes = cases[i].bytes;
        struct job j = { &w.platform, &w.model, &w.method, w.batch };
        assert_int_equal(method_play(&j, &r, &t, why, sizeof(why)), E_OK);
        for (size_t s = 0; s < t.nspans && k < 4 && cases[i].first_MB[k] > 0; s++)
            if (!strncmp(t.spans[s].name, "exchange ", 9))
                near("bucket", (double)(t.spans[s].end_ps - t.spans[s].start_ps), 2 * cases[i].first_MB[k++] * 1e9,
                     1e-9);
        near("all", reading_value(&r, "comm_ms"), 36, 1e-9);
        timeline_free(&t);
        model_free(&w.model);
    }
}

/* Without overlap nothing of the next step begins before all is updated, whatever goes first. */
static void serial_is_serial_in_any_order(void **state)
{
    struct world w;

    (void)state;
    world_new(&w);
    w.method.allreduce.overlap = 0;
    for (int order = 0; order < 3; order++) {
        w.method.allreduce.order = (enum bucket_order)order;
        struct readings r = play(&w);
        near("step", reading_value(&r, "step_ms"), 30 + reading_value(&r, "comm_ms") + 20 * 0.5e6 / 400e9 * 1e3, 0.01);
        assert_true(reading_value(&r, "step_ms") >= 30 + reading_value(&r, "comm_ms"));
    }
    model_free(&w.model);
}

/* Each message has its framing and takes its time, between machines alone. */
static void messages_have_framing(void **state)
{
    static const enum collective_level levels[] = { COLLECTIVE_FLOWS, COLLECTIVE_SYMMETRIC, COLLECTIVE_ANALYTIC };
    struct world w;

    (void)state;
    world_new(&w);
    w.links[0].latency_s = w.links[1].latency_s = w.links[2].latency_s = 0;
    w.platform.network.message_bytes = 1000000;
    w.platform.network.message_s = 3e-3;
    w.method.allreduce.bucket_bytes = 100000000;
    for (size_t i = 0; i < COUNT(levels); i++) {
        w.method.allreduce.workers_per_machine = 1;
        w.method.allreduce.level = levels[i];
        near("between", get(&w, "comm_ms"), 6 * (4.5 + 1 + 3), 1e-9);
        w.method.allreduce.workers_per_machine = 4;
        near("within", get(&w, "comm_ms"), 6 * 4.5e6 / 50e9 * 1e3, 1e-9);
    }
    model_free(&w.model);
}

/* Four payloads of one tensor: as many threads decode them at once. */
static void threads_share_payloads(void **state)
{
    struct world w;

    (void)state;
    world_new(&w);
    w.links[0].latency_s = w.links[1].latency_s = 0;
    w.links[1].bandwidth_Bps = 1e15;
    static struct layer_spec one[] = { { .kind = LAYER_FC, .units = 1000 } };
    world_model(&w, one, 1);
    for (int64_t threads = 1; threads <= 8; threads *= 2) {
        w.method.allreduce.gradients = ratio(10, AGGREGATE_GATHER, CODEC_ON_CPU, 1e9);
        w.method.allreduce.gradients.threads = threads;
        near("decode", get(&w, "decode_ms"), 4 * (threads < 4 ? 4.0 / (double)threads : 1), 1e-3);
    }
    model_free(&w.model);
}

/* With a network that is no limit, as many workers are as fast as each alone, offload and all. */
static void scaling_is_against_one_alone(void **state)
{
    struct world w;

    (void)state;
    world_new(&w);
    w.links[0].bandwidth_Bps = 1e15;
    w.links[0].latency_s = 0;
    w.method.allreduce.offload_share = 1;
    w.links[1].bandwidth_Bps = 1e7; /* the copies set the pace */
    w.links[1].efficiency_to_host = 1;
    double step = get(&w, "step_ms");
    assert_true(step > 2 * 30);
    w.method.allreduce.workers = 1;
    w.batch = 32;
    double alone = get(&w, "step_ms");
    near("alone", get(&w, "scaling"), 1, 1e-12);
    w.method.allreduce.workers = 4;
    w.batch = 128;
    near("scaling", get(&w, "scaling"), alone / step, 1e-9);
    w.method.allreduce.offload_share = 0;
    w.links[1].bandwidth_Bps = 12e9;
    step = get(&w, "step_ms");
    near("scaling", get(&w, "scaling"), (30 + update_ms) / step, 1e-9);
    model_free(&w.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codec_on_the_gpu_competes),
        cmocka_unit_test(codec_on_the_cpu_runs_beside),
        cmocka_unit_test(uneven_payloads_are_waited_for),
        cmocka_unit_test(gather_grows_with_workers),
        cmocka_unit_test(factors_travel_in_two_rounds),
        cmocka_unit_test(small_tensors_are_left_alone),
        cmocka_unit_test(local_steps_exchange_less_often),
        cmocka_unit_test(offload_and_network_share_a_root),
        cmocka_unit_test(workers_share_a_machine),
        cmocka_unit_test(buckets_fill_in_the_order_of_the_backward_pass),
        cmocka_unit_test(serial_is_serial_in_any_order),
        cmocka_unit_test(messages_have_framing),
        cmocka_unit_test(threads_share_payloads),
        cmocka_unit_test(scaling_is_against_one_alone),
    };
    return cmocka_run_group_tests_name("allreduce_exchange", tests, NULL, NULL);
}
