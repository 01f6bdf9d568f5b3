/* Payloads that are scattered: each worker decodes, sums and encodes one part of all of them. */
#include "tests/sim/method/allreduce_rig.h"

#include <stdio.h>

#include "sim/method/report.h"

enum { WHOLE = 100000000 }; /* a bucket of everything: 4.5 M values */

/* No latency, one bucket after the backward pass, a codec on the GPU that takes 18 ms for all values. */
static void scattered_world(struct world *w)
{
    world_new(w);
    w->links[0].latency_s = w->links[1].latency_s = 0;
    w->method.allreduce.overlap = false;
    w->method.allreduce.bucket_bytes = WHOLE;
    w->method.allreduce.gradients = ratio(10, AGGREGATE_SCATTER, CODEC_ON_GPU, 1e9);
}

/* Four workers: parts of 4.5 MB in fp32 and 0.45 MB on the wire at 1 GB/s. Three of 0.45 ms there, three back; encoded
 * are 18 MB and 4.5 MB, decoded twice 13.5 MB. */
static void a_step_by_hand(void **state)
{
    struct world w;

    (void)state;
    scattered_world(&w);
    struct readings r = play(&w);
    near("comm", reading_value(&r, "comm_ms"), 2 * 3 * 0.45, 1e-12);
    near("encode", reading_value(&r, "encode_ms"), 18 + 4.5, 1e-12);
    near("decode", reading_value(&r, "decode_ms"), 2 * 13.5, 1e-12);
    near("step", reading_value(&r, "step_ms"), 30 + update_ms + 2.7 + 22.5 + 27, 1e-10);
    near("sent", reading_value(&r, "sent_bytes"), 2 * 3 * 450000, 1e-12);
    near("ratio", reading_value(&r, "wire_ratio"), 10, 1e-12);
    near("bound", reading_value(&r, "closed_form_ms"), 10 + 20, 1e-9); /* 2 x 1.8 ms are hidden */
    /* A call and a message have their latency: 4 + 1 parts encoded, 3 + 3 decoded and sent, over two links. */
    w.links[0].latency_s = 7e-6;
    w.method.allreduce.gradients.encode.latency_s = 11e-6;
    w.method.allreduce.gradients.decode.latency_s = 13e-6;
    near("latencies", get(&w, "step_ms") - reading_value(&r, "step_ms"), 12 * 7e-3 + 5 * 11e-3 + 6 * 13e-3, 1e-9);
    model_free(&w.model);
}

/* To the picosecond: 4 500 000 values in 7 parts are 642 858 each, of which 6 are filled up; and 78 bytes a message,
 * 12 a part. */
static void uneven_parts_are_filled_up(void **state)
{
    struct world w;

    (void)state;
    scattered_world(&w);
    w.method.allreduce.workers = 7;
    w.batch = 7 * 32;
    w.platform.network.message_bytes = 78;
    w.method.allreduce.gradients.header = 12;
    w.method.allreduce.gradients.ratio = 4; /* a byte a value */
    struct readings r = play(&w);
    assert_true(reading_value(&r, "sent_bytes") == 12 * (642858 + 12));
    near("comm", reading_value(&r, "comm_ms"), 12 * (642858 + 12 + 78) * 1e-6, 1e-12);
    near("encode", reading_value(&r, "encode_ms"), 8 * 642858 * 4 * 1e-6, 1e-12);
    near("decode", reading_value(&r, "decode_ms"), 12 * 642858 * 4 * 1e-6, 1e-12);
    model_free(&w.model);
}

/* What crosses a NIC is what a worker sends, and a step takes as long, at every level. */
static void bytes_are_conserved(void **state)
{
    struct world w;

    (void)state;
    scattered_world(&w);
    w.method.allreduce.overlap = true;
    w.method.allreduce.bucket_bytes = 0;
    for (int64_t n = 2; n <= 9; n++) {
        w.method.allreduce.workers = n;
        w.batch = 32 * n;
        w.method.allreduce.level = COLLECTIVE_FLOWS;
        double step_ms = get(&w, "step_ms");
        for (int level = COLLECTIVE_FLOWS; level <= COLLECTIVE_ANALYTIC; level++) {
            w.method.allreduce.level = (enum collective_level)level;
            struct readings r = play(&w);
            double carried_B = reading_value(&r, "nic_utilisation") * reading_value(&r, "step_ms") * 1e-3 * 1e9;
            near("step", reading_value(&r, "step_ms"), step_ms, 1e-12);
            near("carried", carried_B, reading_value(&r, "sent_bytes"), 1e-9);
        }
    }
    model_free(&w.model);
}

static void one_worker_and_two(void **state)
{
    struct world w;

    (void)state;
    scattered_world(&w);
    w.method.allreduce.workers = 1;
    w.batch = 32;
    struct readings r = play(&w);
    near("alone", reading_value(&r, "step_ms"), 30 + update_ms, 1e-9);
    assert_true(reading_value(&r, "sent_bytes") == 0 && reading_value(&r, "encode_ms") == 0);
    /* Two: half there, half back. */
    w.method.allreduce.workers = 2;
    w.batch = 64;
    r = play(&w);
    near("two", reading_value(&r, "comm_ms"), 2 * 0.9, 1e-12);
    near("decoded", reading_value(&r, "decode_ms"), 18, 1e-12);
    near("encoded", reading_value(&r, "encode_ms"), 27, 1e-12);
    model_free(&w.model);
}

/* What a worker sends grows to twice the payload and no further, where a gather's grows with the workers. */
static void it_beats_a_gather_from_three_workers_on(void **state)
{
    struct world w;

    (void)state;
    scattered_world(&w);
    w.platform.machines = 64;
    for (int64_t n = 2; n <= 64; n *= 2) {
        w.method.allreduce.workers = n;
        w.batch = 8 * n;
        w.method.allreduce.gradients.aggregation = AGGREGATE_SCATTER;
        double scattered = get(&w, "sent_bytes"), decoded_ms = get(&w, "decode_ms");
        near("scattered", scattered, 2 * (double)(n - 1) / (double)n * 1.8e6, 1e-4);
        near("decoded", decoded_ms, 2 * (double)(n - 1) / (double)n * 18, 1e-4);
        w.method.allreduce.gradients.aggregation = AGGREGATE_GATHER;
        near("gathered", get(&w, "sent_bytes"), (double)(n - 1) * 1.8e6, 1e-9);
        assert_true(n > 2 ? scattered < get(&w, "sent_bytes") : scattered == get(&w, "sent_bytes"));
        w.method.allreduce.gradients.aggregation = AGGREGATE_REDUCE;
        near("reduced", get(&w, "sent_bytes"), scattered, 1e-4);
    }
    model_free(&w.model);
}

/* Tensors of 1, 2, 1 and 0.5 M values: the smallest is all-reduced as fp32, before the others are scattered. */
static void small_tensors_are_reduced(void **state)
{
    struct world w;

    (void)state;
    scattered_world(&w);
    w.method.allreduce.gradients.min_values = 600000;
    struct readings r = play(&w);
    near("sent", reading_value(&r, "sent_bytes"), 6 * 400000 + 6 * 0.5e6, 1e-12);
    near("comm", reading_value(&r, "comm_ms"), 6 * 0.4 + 6 * 0.5, 1e-12);
    near("encode", reading_value(&r, "encode_ms"), 16 + 4, 1e-12);
    /* Parts of eight workers are smaller than that, and coded all the same. */
    w.method.allreduce.workers = 8;
    w.batch = 8 * 32;
    r = play(&w);
    near("eight send", reading_value(&r, "sent_bytes"), 14 * 250000 + 14 * 0.2e6, 1e-12);
    near("eight encode", reading_value(&r, "encode_ms"), 9 * 2, 1e-12);
    w.method.allreduce.workers = 4;
    w.batch = 4 * 32;
    w.method.allreduce.gradients.min_values = WHOLE; /* nothing is coded */
    r = play(&w);
    near("all sent", reading_value(&r, "sent_bytes"), 6 * 4.5e6, 1e-12);
    assert_true(reading_value(&r, "encode_ms") == 0 && reading_value(&r, "decode_ms") == 0);
    model_free(&w.model);
}

/* On the CPU: a copy out, four parts on two threads; three parts on two, two there and back; one by itself; a copy. */
static void parts_share_threads(void **state)
{
    struct world w;

    (void)state;
    scattered_world(&w);
    w.method.allreduce.gradients.place = CODEC_ON_CPU;
    double copy_ms = 18e6 / 12e9 * 1e3;
    struct readings r = play(&w);
    near("encode", reading_value(&r, "encode_ms"), copy_ms + 2 * 4.5 + 4.5, 1e-9);
    near("decode", reading_value(&r, "decode_ms"), copy_ms + 2 * 2 * 4.5, 1e-9);
    near("step", reading_value(&r, "step_ms"), 30 + update_ms + 2 * copy_ms + 13.5 + 18 + 2.7, 1e-9);
    w.method.allreduce.gradients.threads = 4;
    near("four threads", get(&w, "encode_ms"), copy_ms + 2 * 4.5, 1e-9);
    near("three of them", get(&w, "decode_ms"), copy_ms + 2 * 4.5, 1e-9);
    model_free(&w.model);
}

/* Two workers on each of two machines, who share its NIC: in step 1 one of two messages of a machine crosses, in step 2
 * both do, in step 3 one. Within a machine over NVLink. Then a ring of three steps, in which one crosses. */
static void messages_within_a_machine_are_faster(void **state)
{
    struct world w;

    (void)state;
    scattered_world(&w);
    w.method.allreduce.workers_per_machine = 2;
    w.links[2].latency_s = 0;
    near("comm", get(&w, "comm_ms"), (1 + 2 + 1 + 3) * 0.45, 1e-9);
    model_free(&w.model);
}

/* With overlap the work on parts waits for the GPU's backward pass, and the next bucket for its end. */
static void work_on_parts_competes(void **state)
{
    struct world w;

    (void)state;
    scattered_world(&w);
    double apart_ms = get(&w, "step_ms");
    w.method.allreduce.bucket_bytes = 0;
    w.method.allreduce.overlap = true;
    double step_ms = get(&w, "step_ms");
    /* All that the GPU does, and at most the last bucket's messages: the first tensor's are hidden. */
    assert_true(step_ms >= 30 + update_ms + 49.5 && step_ms < apart_ms);
    w.links[0].bandwidth_Bps = w.links[1].bandwidth_Bps = 1e18;
    near("free network", get(&w, "step_ms"), 30 + update_ms + 49.5, 1e-6);
    model_free(&w.model);
}

/* Every second step exchanges; nothing else changes. */
static void local_steps_spread_it(void **state)
{
    struct world w;

    (void)state;
    scattered_world(&w);
    w.method.allreduce.local_steps = 2;
    struct readings r = play(&w);
    near("sent", reading_value(&r, "sent_bytes"), 3 * 450000, 1e-12);
    near("step", reading_value(&r, "step_ms"), 30 + update_ms + (2.7 + 49.5) / 2, 1e-9);
    model_free(&w.model);
}

/* 8 bytes for each of five streams that draws; nothing where nothing is kept. */
static void formats_that_are_gathered_may_be_scattered(void **state)
{
    struct world w;

    (void)state;
    scattered_world(&w);
    w.method.allreduce.gradients.format = WIRE_QSGD;
    w.method.allreduce.gradients.levels = 127;
    struct readings r = play(&w);
    near("sent", reading_value(&r, "sent_bytes"), 6 * (64 + 4 + 1125000), 1e-12);
    near("state", reading_value(&r, "state_bytes"), 5 * 8, 1e-12);
    w.method.allreduce.gradients.aggregation = AGGREGATE_REDUCE; /* its own: gathered */
    near("gathered", get(&w, "sent_bytes"), 3 * (64 + 4 + 4.5e6) + 3 * 3 * 68, 1e-12);
    model_free(&w.model);
}

#define REFUSED(want, ...)                         \
    do {                                           \
        struct world w;                            \
        struct allreduce *a = &w.method.allreduce; \
        scattered_world(&w);                       \
        __VA_ARGS__;                               \
        is_refused(&w, want);                      \
    } while (0)

static void what_has_no_parts_is_refused(void **state)
{
    (void)state;
    REFUSED("method.gradients.aggregation: a sum of what sparsify keeps", a->gradients.format = WIRE_SPARSIFY,
            a->gradients.density = 0.1);
    REFUSED("method.gradients.aggregation: payloads of fp16 add up", a->gradients.format = WIRE_FP16);
    REFUSED("method.unevenness: with method.gradients.format: ratio", a->unevenness = 0.5);
    REFUSED("method.gradients.aggregation: in each step", a->workers_per_machine = 2, a->level = COLLECTIVE_SYMMETRIC);
    REFUSED("method.gradients.aggregation: in each step", a->workers_per_machine = 4, a->level = COLLECTIVE_ANALYTIC);
    REFUSED("method.gradients.aggregation: parts go from all", a->algorithm = COLLECTIVE_MEASURED,
            w.platform.collective.bandwidth_Bps = 1e9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_by_hand),
        cmocka_unit_test(uneven_parts_are_filled_up),
        cmocka_unit_test(bytes_are_conserved),
        cmocka_unit_test(one_worker_and_two),
        cmocka_unit_test(it_beats_a_gather_from_three_workers_on),
        cmocka_unit_test(small_tensors_are_reduced),
        cmocka_unit_test(parts_share_threads),
        cmocka_unit_test(messages_within_a_machine_are_faster),
        cmocka_unit_test(work_on_parts_competes),
        cmocka_unit_test(local_steps_spread_it),
        cmocka_unit_test(formats_that_are_gathered_may_be_scattered),
        cmocka_unit_test(what_has_no_parts_is_refused),
    };

    return cmocka_run_group_tests_name("allreduce, scattered", tests, NULL, NULL);
}
