/* Data-parallel steps: small ones added up by hand, the three levels against each other, and what must hold for any. */
#include "tests/sim/method/allreduce_rig.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/method/report.h"
#include "tests/draw.h"
#include "tests/test.h"

/* --- One worker, and steps by hand. ------------------------------------------------------------------------------- */

static void one_worker_talks_to_nobody(void **state)
{
    struct world w;

    (void)state;
    world_new(&w);
    w.method.allreduce.workers = 1;
    w.batch = 32;
    w.method.allreduce.gradients.format = WIRE_1BIT; /* not used */
    w.method.allreduce.gradients.encode.rate_Bps = 1;
    for (int level = 0; level < 3; level++) {
        w.method.allreduce.level = (enum collective_level)level;
        struct readings r = play(&w);
        near("step", reading_value(&r, "step_ms"), 30 + update_ms, 1e-9);
        near("samples", reading_value(&r, "samples_per_s"), 32e3 / (30 + update_ms), 1e-9);
        assert_true(reading_value(&r, "comm_ms") == 0 && reading_value(&r, "sent_bytes") == 0);
        near("closed form", reading_value(&r, "closed_form_ms"), 30, 1e-9);
        near("scaling", reading_value(&r, "scaling"), 1, 1e-9);
        near("wire ratio", reading_value(&r, "wire_ratio"), 1, 0);
        near("gpu", reading_value(&r, "gpu_utilisation"), 1, 1e-9);
    }
    model_free(&w.model);
}

/* One bucket, nothing overlaps: forward, backward, a ring of 18 MB over 1 GB/s, update. Four ranks: 6 steps of a
 * quarter. */
static void serial_step_by_hand(void **state)
{
    struct world w;

    (void)state;
    world_new(&w);
    w.method.allreduce.overlap = 0;
    w.method.allreduce.bucket_bytes = 1000000000;
    for (int level = 0; level < 3; level++) {
        w.method.allreduce.level = (enum collective_level)level;
        struct readings r = play(&w);
        double comm_ms = 6 * (18e6 / 4 / 1e9 * 1e3 + 20e-3); /* latency: PCIe, two of Ethernet, PCIe */
        near("step", reading_value(&r, "step_ms"), 30 + comm_ms + update_ms, 1e-9);
        near("comm", reading_value(&r, "comm_ms"), comm_ms, 1e-9);
        near("compute", reading_value(&r, "compute_ms"), 30, 1e-9);
        near("exposed", reading_value(&r, "exposed_ms"), comm_ms + update_ms, 1e-9);
        near("update", reading_value(&r, "update_ms"), update_ms, 1e-9);
        near("sent", reading_value(&r, "sent_bytes"), 6 * 4.5e6, 0);
        near("closed form", reading_value(&r, "closed_form_ms"), 10 + 36, 1e-9);
        near("nic", reading_value(&r, "nic_utilisation"), 27 / (30 + comm_ms + update_ms), 1e-6);
        near("scaling", reading_value(&r, "scaling"), (30 + update_ms) / (30 + comm_ms + update_ms), 1e-9);
        double critical = 0;
        for (size_t i = 0; i < r.n; i++)
            critical += strncmp(r.list[i].name, "critical.", 9) ? 0 : r.list[i].value;
        near("critical", critical, 1, 1e-9);
        near("critical.eth", reading_value(&r, "critical.eth"), comm_ms / (30 + comm_ms + update_ms), 1e-9);
    }
    model_free(&w.model);
}

/* Up once, and down to one child or two, in two trees of half the vector. */
static void tree_sends_its_vector_twice_at_most(void **state)
{
    struct world w;

    (void)state;
    world_new(&w);
    w.method.allreduce.algorithm = COLLECTIVE_TREE;
    w.method.allreduce.bucket_bytes = 1000000000;
    struct readings r = play(&w);
    assert_in_range(reading_value(&r, "sent_bytes"), 18000000, 36000000);
    model_free(&w.model);
}

/* The roofline where no profile is given, on GPU and on CPU. */
static void roofline_by_hand(void **state)
{
    struct world w;

    (void)state;
    world_new(&w);
    w.method.allreduce.workers = 1;
    w.method.allreduce.profile = (struct compute_profile){ .scale = 2 };
    w.batch = 16;
    /* Memory-bound: forward moves weights, inputs, outputs; backward the same twice, once for the first layer. */
    double moved = 0;
    for (size_t i = 0; i < 4; i++) {
        const struct layer *l = &w.model.layers[i];
        moved += (i ? 3 : 2) * (16.0 * (double)(l->in.channels + l->out.channels) + (double)l->weights);
    }
    near("GPU", get(&w, "step_ms"), 2 * moved * 4 / 250e9 * 1e3 + update_ms, 1e-6);
    /* 16 cores, a sample each, a sixteenth of the peak and of the memory each: compute-bound by 5 FLOPs a byte. */
    w.method.allreduce.device = COMPUTE_ON_CPU;
    w.platform.cpu.memory_Bps = 1e13;
    double flops = 0;
    for (size_t i = 0; i < 4; i++)
        flops += (double)(w.model.layers[i].flops_forward + w.model.layers[i].flops_backward);
    near("CPU", get(&w, "step_ms"), 2 * flops / (1e12 / 16) / 0.5 * 1e3 + 90e6 / 8e12 * 1e3, 1e-6);
    w.method.allreduce.profile =
        (struct compute_profile){ .forward_s = 1e-3, .backward_s = 2e-3, .samples = 1, .scale = 1 };
    near("CPU, measured", get(&w, "step_ms"), 3 + 90e6 / 8e12 * 1e3, 1e-9);
    w.batch = 17; /* one core has two */
    near("CPU, measured", get(&w, "step_ms"), 6 + 90e6 / 8e12 * 1e3, 1e-9);
    model_free(&w.model);
}

/* A measured step has its update in it: one worker takes as long as was measured, whatever the update takes. */
static void a_measured_step_is_the_step_of_one_worker(void **state)
{
    struct world w;

    (void)state;
    world_new(&w);
    w.method.allreduce.workers = 1;
    w.method.allreduce.bucket_bytes = 1000000000;
    w.method.allreduce.profile = (struct compute_profile){
        .step_s = 40e-3, .samples = 8, .scale = 1, .second = { .step_s = 60e-3, .samples = 16 }
    };
    w.batch = 12;
    for (int slow = 0; slow < 2; slow++) {
        w.platform.gpu.memory_Bps /= 1 + slow;
        near("step", get(&w, "step_ms"), 50, 1e-9);
        near("update", get(&w, "update_ms"), (1 + slow) * update_ms, 1e-9);
    }
    w.platform.gpu.memory_Bps = 1e9; /* an update that is longer than what was measured leaves no time to compute */
    near("no passes", get(&w, "compute_ms"), 0, 1e-9);
    model_free(&w.model);
}

/* --- The three levels. -------------------------------------------------------------------------------------------- */

/* Everything that is alike at all levels, on random jobs. */
static void levels_agree(void **state)
{
    static const char *const names[] = { "step_ms",        "comm_ms",     "compute_ms", "exposed_ms",
                                         "encode_ms",      "decode_ms",   "update_ms",  "sent_bytes",
                                         "closed_form_ms", "state_bytes", "scaling",    "wire_ratio" };
    uint64_t seed = 4;
    int played = 0;

    (void)state;
    for (int i = 0; i < 400; i++) {
        struct world w;
        world_new(&w);
        struct allreduce *a = &w.method.allreduce;
        a->algorithm = (enum collective_algorithm)(draw(&seed) % COLLECTIVE_MEASURED);
        a->workers_per_machine = (int64_t[]){ 1, 1, 2, 4 }[draw(&seed) % 4];
        a->workers = a->workers_per_machine * (int64_t)(1 + draw(&seed) % 6);
        a->bucket_bytes = (int64_t[]){ 0, 3000000, 5000000, 100000000 }[draw(&seed) % 4];
        a->order = (enum bucket_order)(draw(&seed) % 3);
        a->overlap = draw(&seed) % 4 > 0;
        a->local_steps = 1 + (int64_t)(draw(&seed) % 2);
        a->steps = 1 + (int64_t)(draw(&seed) % 3);
        a->gradients.format = (enum wire_format[]){ WIRE_NONE, WIRE_FP16, WIRE_1BIT, WIRE_RATIO }[draw(&seed) % 4];
        a->gradients.aggregation = draw(&seed) % 2 ? AGGREGATE_REDUCE : AGGREGATE_GATHER;
        a->gradients.ratio = 5;
        a->gradients.place = draw(&seed) % 2 ? CODEC_ON_GPU : CODEC_ON_CPU;
        a->gradients.threads = 1 + (int64_t)(draw(&seed) % 4);
        a->gradients.encode.rate_Bps = a->gradients.decode.rate_Bps = 3e9;
        a->gradients.min_values = draw(&seed) % 2 ? 600000 : 0;
        w.batch = a->workers * 8;
        w.links[0].bandwidth_Bps = 0.1e9 * (double)(1 + draw(&seed) % 100);
        struct readings r[3];
        a->level = COLLECTIVE_FLOWS;
        r[0] = play(&w);
        double step_ms = reading_value(&r[0], "step_ms"), nic = reading_value(&r[0], "nic_utilisation");
        for (int level = 1; level < 3; level++) {
            char why[512];
            struct job j = { &w.platform, &w.model, &w.method, w.batch };
            a->level = (enum collective_level)level;
            if (method_check(&j, why, sizeof(why)))
                continue; /* allreduce_levels_test.c: nothing wrong is accepted */
            r[level] = play(&w);
            for (size_t k = 0; k < COUNT(names); k++) {
                double got = reading_value(&r[level], names[k]), want = reading_value(&r[0], names[k]);
                if (!(fabs(got - want) <= 1e-9 * (strstr(names[k], "_ms") ? step_ms : fabs(want))))
                    fail_msg(
                        "job %d (algorithm %d, %lld workers by %lld, format %d): %s at level %d is %.12g, not %.12g", i,
                        (int)a->algorithm, (long long)a->workers, (long long)a->workers_per_machine,
                        (int)a->gradients.format, names[k], level, got, want);
            }
            /* A tree's ranks send unequally: the longest path is not the busiest rank. */
            near("nic", reading_value(&r[level], "nic_utilisation"), nic,
                 a->algorithm == COLLECTIVE_TREE || a->algorithm == COLLECTIVE_HALVING_DOUBLING ? 1 : 1e-4);
            played++;
        }
        assert_true(nic <= 1 + 1e-9);
        model_free(&w.model);
    }
    assert_true(played > 400);
}

/* Half duplex: what a worker sends and what it receives share the wire, so one worker cannot stand for all. */
static void half_duplex_by_symmetry(void **state)
{
    struct world w;

    (void)state;
    world_new(&w);
    w.links[0].duplex = DUPLEX_HALF;
    w.links[0].bandwidth_Bps = 0.5e9;
    w.method.allreduce.bucket_bytes = 4000000;
    double flows = get(&w, "step_ms"), full;
    for (int level = 1; level < 3; level++) {
        w.method.allreduce.level = (enum collective_level)level;
        near("step", get(&w, "step_ms"), flows, 1e-9);
    }
    w.links[0].duplex = DUPLEX_FULL;
    full = get(&w, "step_ms");
    assert_true(flows > 1.5 * full);
    model_free(&w.model);
}

/* --- Overlap. ----------------------------------------------------------------------------------------------------- */

/* Many small layers of equal size: step = forward + max(backward, communication), to the grain of a layer. */
static void overlap_emerges(void **state)
{
    static struct layer_spec many[200];
    struct world w;

    (void)state;
    world_new(&w);
    for (size_t i = 0; i < COUNT(many); i++)
        many[i] = (struct layer_spec){ .kind = LAYER_FC, .units = 1000 };
    world_model(&w, many, COUNT(many));
    w.links[0].latency_s = w.links[1].latency_s = w.links[2].latency_s = 0;
    w.platform.gpu.memory_Bps = 1e16; /* updates free of charge */
    w.method.allreduce.algorithm = COLLECTIVE_IDEAL;
    w.method.allreduce.profile.forward_s = 0.5;
    w.method.allreduce.profile.backward_s = 1;
    for (double Bps = 0.1e9; Bps < 20e9; Bps *= 1.7) {
        w.links[0].bandwidth_Bps = Bps;
        double comm_ms = 2 * 800e6 / (0.8 * Bps) * 1e3, want = 500 + fmax(1000, comm_ms), got = get(&w, "step_ms");
        assert_true(got >= want * (1 - 1e-9));
        /* The first bucket waits for its layer's pass, and the last is alone on its way. */
        assert_true(got <= want + (1000 + comm_ms) / 200 + 1e-6);
        near("closed form", get(&w, "closed_form_ms"), want, 1e-9);
        w.method.allreduce.overlap = 0;
        near("serial", get(&w, "step_ms"), 1500 + comm_ms, 1e-6);
        w.method.allreduce.overlap = 1;
        /* Sent in the order in which the next forward pass needs it, the exchange reaches into that pass. */
        w.method.allreduce.order = BUCKET_FORWARD;
        double forward = get(&w, "step_ms");
        assert_true(forward <= got + 1e-6);
        if (comm_ms > 1000 && comm_ms < 1400)
            assert_true(forward < 1500 + 0.05 * 1500);
        w.method.allreduce.order = BUCKET_BACKWARD;
    }
    model_free(&w.model);
}

/* Buckets of 1, 0.5 ... M weights that are all ready: who goes first. */
static void order_is_chosen_when_a_place_is_free(void **state)
{
    static const struct {
        enum bucket_order order;
        const char *names[4]; /* as they travel, in one measured step */
    } cases[] = {
        /* fc4 (0.5 M) sets out at once; while it travels all others become ready */
        { BUCKET_BACKWARD, { "bucket 1", "bucket 2", "bucket 3", "bucket 4" } },
        { BUCKET_FORWARD, { "bucket 1", "bucket 4", "bucket 3", "bucket 2" } },
        { BUCKET_SIZE, { "bucket 1", "bucket 4", "bucket 2", "bucket 3" } },
    };
    static struct layer_spec layers[] = { { .kind = LAYER_FC, .units = 800 },
                                          { .kind = LAYER_FC, .units = 2000 },
                                          { .kind = LAYER_FC, .units = 500 },
                                          { .kind = LAYER_FC, .units = 1000 } };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int overlap = 0; overlap < 2; overlap++) {
            struct world w;
            world_new(&w);
            world_model(&w, layers, COUNT(layers)); /* 0.8, 1.6, 1.0, 0.5 M weights */
            w.method.allreduce.order = cases[i].order;
            w.method.allreduce.overlap = (bool)overlap;
            w.method.allreduce.algorithm = COLLECTIVE_IDEAL;
            w.method.allreduce.level = COLLECTIVE_ANALYTIC;
            w.method.allreduce.steps = 1;
            w.method.allreduce.profile.backward_s = 1e-3;
            struct job j = { &w.platform, &w.model, &w.method, w.batch };
            struct timeline t = { 0 };
            struct readings r;
            char why[256];
            assert_int_equal(method_play(&j, &r, &t, why, sizeof(why)), E_OK);
            const char *serial[3][4] = { { "bucket 1", "bucket 2", "bucket 3", "bucket 4" },
                                         { "bucket 4", "bucket 3", "bucket 2", "bucket 1" },
                                         { "bucket 1", "bucket 4", "bucket 2", "bucket 3" } };
            size_t k = 0;
            for (size_t s = 0; s < t.nspans && k < 4; s++)
                if (!strncmp(t.spans[s].name, "exchange ", 9))
                    assert_string_equal(t.spans[s].name + 9, overlap ? cases[i].names[k++] : serial[i][k++]);
            assert_int_equal(k, 4);
            timeline_free(&t);
            model_free(&w.model);
        }
}

/* Two buckets at once share the links, and one latency hides behind the other's bytes. */
static void streams_hide_latency(void **state)
{
    struct world w;

    (void)state;
    world_new(&w);
    w.links[0].latency_s = 2e-3;
    w.method.allreduce.profile.backward_s = 1e-3;
    double one = get(&w, "step_ms"), before = one;
    for (int64_t streams = 2; streams <= 4; streams++) {
        w.method.allreduce.streams = streams;
        w.method.allreduce.level = COLLECTIVE_FLOWS;
        double flows = get(&w, "step_ms");
        w.method.allreduce.level = COLLECTIVE_SYMMETRIC;
        near("symmetric", get(&w, "step_ms"), flows, 1e-9);
        assert_true(flows < before);
        before = flows;
    }
    assert_true(before < 0.5 * one);
    model_free(&w.model);
}

/* --- Codecs. ------------------------------------------------------------------------------------------------------ */

/* --- What must hold for any. -------------------------------------------------------------------------------------- */

static void same_job_same_bits(void **state)
{
    struct world w;

    (void)state;
    world_new(&w);
    w.method.allreduce.workers = 7;
    w.batch = 100; /* two workers have a sample more */
    w.method.allreduce.streams = 3;
    w.method.allreduce.bucket_bytes = 3000000;
    w.method.allreduce.gradients = ratio(3, AGGREGATE_GATHER, CODEC_ON_GPU, 3e9);
    struct readings a = play(&w), b = play(&w);
    assert_int_equal(a.n, b.n);
    for (size_t i = 0; i < a.n; i++) {
        assert_string_equal(a.list[i].name, b.list[i].name);
        assert_memory_equal(&a.list[i].value, &b.list[i].value, sizeof(double));
    }
    /* The worker with the larger share sets the pace. */
    near("compute", reading_value(&a, "compute_ms"), 30.0 * 15 / 32, 1e-2);
    for (size_t i = 0; i < a.n; i++) {
        bool known = false;
        for (size_t k = 0; method_readings[k]; k++) {
            size_t n = strlen(method_readings[k]);
            known |= !strcmp(method_readings[k], a.list[i].name) ||
                     (method_readings[k][n - 1] == '.' && !strncmp(method_readings[k], a.list[i].name, n));
        }
        if (!known)
            fail_msg("%s is not among method_readings", a.list[i].name);
    }
    model_free(&w.model);
}

/* More of anything that can only help never makes a step longer. */
static void faster_is_never_slower(void **state)
{
    uint64_t seed = 9;

    (void)state;
    for (int i = 0; i < 60; i++) {
        struct world w;
        world_new(&w);
        struct allreduce *a = &w.method.allreduce;
        a->algorithm = (enum collective_algorithm)(draw(&seed) % COLLECTIVE_MEASURED);
        a->bucket_bytes = (int64_t)(draw(&seed) % 10) * 1000000;
        w.links[0].bandwidth_Bps = 1e8 * (double)(1 + draw(&seed) % 50);
        double slow = get(&w, "step_ms");
        w.links[0].bandwidth_Bps *= 2;
        double fast = get(&w, "step_ms");
        assert_true(fast <= slow * (1 + 1e-9));
        assert_true(fast >= 30 * (1 - 1e-9));
        w.links[0].latency_s = 0;
        assert_true(get(&w, "step_ms") <= fast * (1 + 1e-9));
        model_free(&w.model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_worker_talks_to_nobody),
        cmocka_unit_test(serial_step_by_hand),
        cmocka_unit_test(tree_sends_its_vector_twice_at_most),
        cmocka_unit_test(roofline_by_hand),
        cmocka_unit_test(a_measured_step_is_the_step_of_one_worker),
        cmocka_unit_test(levels_agree),
        cmocka_unit_test(half_duplex_by_symmetry),
        cmocka_unit_test(overlap_emerges),
        cmocka_unit_test(order_is_chosen_when_a_place_is_free),
        cmocka_unit_test(streams_hide_latency),
        cmocka_unit_test(same_job_same_bits),
        cmocka_unit_test(faster_is_never_slower),
    };
    return cmocka_run_group_tests_name("allreduce", tests, NULL, NULL);
}
