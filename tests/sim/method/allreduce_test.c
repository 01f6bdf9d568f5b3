/* Data-parallel steps: small ones added up by hand, what must hold for any, and the three levels against each other. */
#include "tests/sim/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "sim/method/report.h"
#include "sim/method/method.h"

/* Machines on a star, each with GPUs on a PCIe link of their own (or shared), NVLink between them on request. */
struct world {
    struct link_spec links[3];
    struct platform platform;
    struct method method;
    struct model model;
    int64_t batch;
};

static struct layer_spec four[] = { { .kind = LAYER_FC, .units = 1000 },
                                    { .kind = LAYER_FC, .units = 2000 },
                                    { .kind = LAYER_FC, .units = 500 },
                                    { .kind = LAYER_FC, .units = 1000 } };

static void world_model(struct world *w, const struct layer_spec *layers, size_t n)
{
    struct model_spec spec = {
        .name = "m", .channels = 1000, .height = 1, .width = 1, .layers = (struct layer_spec *)layers, .nlayers = n
    };
    char why[256];

    model_free(&w->model);
    assert_int_equal(model_infer(&spec, &w->model, why, sizeof(why)), E_OK);
}

/* Four layers of 1, 2, 1 and 0.5 M weights; a forward pass of 10 ms, a backward pass of 20. */
static void world_new(struct world *w)
{
    memset(w, 0, sizeof(*w));
    w->links[0] = (struct link_spec){ .name = "eth",
                                      .bandwidth_Bps = 1.25e9,
                                      .latency_s = 5e-6,
                                      .shared_by = 1,
                                      .efficiency_to_device = 1,
                                      .efficiency_to_host = 1,
                                      .efficiency_wire = 0.8,
                                      .efficiency_pageable = 0.5 };
    w->links[1] = w->links[2] = w->links[0];
    w->links[1].name = "pcie";
    w->links[1].bandwidth_Bps = 12e9;
    w->links[2].name = "nvlink";
    w->links[2].bandwidth_Bps = 50e9;
    w->platform = (struct platform){ .name = "p",
                                     .peak_flops = 1e13,
                                     .compute_scale = 1,
                                     .machines = 16,
                                     .cpu = { .sockets = 2,
                                              .cores_per_socket = 8,
                                              .peak_flops = 1e12,
                                              .efficiency = 0.5,
                                              .memory_Bps = 100e9,
                                              .memory_efficiency = 0.8,
                                              .codec_speed = 1 },
                                     .gpu = { .count = 4,
                                              .peak_flops = 1e13,
                                              .memory_Bps = 500e9,
                                              .memory_bytes = 16000000000,
                                              .efficiency_convolution = 0.5,
                                              .efficiency_fully_connected = 0.5,
                                              .efficiency_memory = 0.8,
                                              .link = "pcie",
                                              .peer_link = "nvlink" },
                                     .network = { .topology = TOPOLOGY_STAR, .link = "eth" },
                                     .links = w->links,
                                     .nlinks = 3 };
    w->method = (struct method){
        .kind = METHOD_ALLREDUCE,
        .allreduce = { .workers = 4,
                       .workers_per_machine = 1,
                       .overlap = 1,
                       .streams = 1,
                       .local_steps = 1,
                       .steps = 2,
                       .pinned = 1,
                       .gradients = { .steps = 1,
                                      .life = 1,
                                      .scale = 1,
                                      .threads = 1,
                                      .ratio = 1,
                                      .density = 0.1,
                                      .bits = 1 },
                       .profile = { .forward_s = 10e-3, .backward_s = 20e-3, .samples = 32, .scale = 1 } }
    };
    w->batch = 128;
    world_model(w, four, COUNT(four));
}

static struct readings play(const struct world *w)
{
    struct job j = { &w->platform, &w->model, &w->method, w->batch };
    struct readings r = { .n = 0 };
    char why[512] = "";

    int rc = method_play(&j, &r, NULL, why, sizeof(why));
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
    if (!(fabs(got - want) <= relative * fabs(want)))
        fail_msg("%s: %.12g, not %.12g", what, got, want);
}

static const double update_ms = 4.5e6 * 20 / 400e9 * 1e3;

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

/* One bucket, nothing overlaps: forward, backward, a ring of 18 MB over 1 GB/s, update. Four ranks: 6 steps of a quarter. */
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
        a->algorithm = (enum collective_algorithm)(draw(&seed) % COLLECTIVE_ALGORITHMS);
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
            w.method.allreduce.overlap = (_Bool)overlap;
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

static struct codec_spec ratio(double ratio_, enum codec_class_of class_, enum codec_place place, double rate_Bps)
{
    return (struct codec_spec){ .format = WIRE_RATIO,
                                .ratio = ratio_,
                                .aggregation = class_,
                                .place = place,
                                .threads = 2,
                                .steps = 1,
                                .life = 1,
                                .scale = 1,
                                .encode = { .rate_Bps = rate_Bps },
                                .decode = { .rate_Bps = rate_Bps } };
}

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

/* On the CPU it runs beside the backward pass, on as many threads as there are, after a copy over the GPU's link. */
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
         (double)codec_spec_state_bytes(&w.method.allreduce.gradients, 2000000), 0);
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

/* A tensor that no longer fits begins the next bucket; one larger than a bucket is one. Backward: 0.5, 1, 2, 1 M values. */
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
        _Bool known = 0;
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
        a->algorithm = (enum collective_algorithm)(draw(&seed) % COLLECTIVE_ALGORITHMS);
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

static void nonsense_is_refused_by_key(void **state)
{
    static const char *const want[] = {
        "method.workers: expected 1",
        "method.workers: 80 workers need 80 GPUs, the platform has 64 (4 on each of 16 machines)",
        "method.workers: 40 workers, 1 on a machine, need 40 machines, the platform has 16",
        "method.workers_per_machine: 8 workers on a machine need as many GPUs, it has 4",
        "batch: 3 samples are fewer than the 4 workers",
        "method.algorithm: hierarchical",
        "method.device: workers compute on GPUs",
        "method.gradients.place: the codec is to run on GPUs, the platform has none",
        "method.gradients.place: the codec is to run on GPUs, the workers",
        "method.gradients.threads: expected 1 to a machine's 16 cores, got 99",
        "method.gradients.density",
        "method.profile.forward",
        "platform.gpu.peak: the roofline needs",
        "method.level: symmetric takes machines for alike, which",
        "method.level: analytic takes machines for alike, and 6",
        "batch: 130 samples do not divide evenly among 4",
        "method.level: with 4 workers on a machine",
        "method.streams",
        "method.offload_share: the closed forms",
        "method.offload_share: expected 0 to 1",
        "method.offload_share: workers that compute on CPUs",
        "method.bucket",
        "method.steps",
        "method.local_steps",
        "method.streams",
        "platform.gpu.efficiency.memory",
        "platform.link.pcie.efficiency.pageable",
        "platform.network.link",
        "method.level: ",
        "method.gradients.place: copies",
        "method.gradients.place: workers of one machine",
        "method.gradients.place: workers of one machine come to its codec in an order",
        "method.level: symmetric takes workers for alike, but the 18000000 bytes of bucket 1 do not divide evenly among 7, "
        "and what workers send and receive shares links: expected flows",
        "method.level: symmetric takes workers for alike, but those of halvings among 6 are not, and method.streams lets",
        "method.level: symmetric takes workers for alike, but those of a tree are not, and method.overlap",
        "method.level: analytic takes workers for alike, but their messages take different times, and method.overlap",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(want); i++) {
        struct world w;
        char why[512] = "";
        world_new(&w);
        struct allreduce *a = &w.method.allreduce;
        switch (i) {
        case 0: a->workers = 0; break;
        case 1: a->workers = w.batch = 80; break;
        case 2: a->workers = 40; break;
        case 3: a->workers_per_machine = 8, a->workers = 16; break;
        case 4: w.batch = 3; break;
        case 5: a->workers = 6, a->workers_per_machine = 4, a->algorithm = COLLECTIVE_HIERARCHICAL; break;
        case 6: w.platform.gpu.count = 0; break;
        case 7:
            w.platform.gpu.count = 0, w.platform.gpu.link = w.platform.gpu.peer_link = "", w.platform.nlinks = 1,
            a->device = COMPUTE_ON_CPU, a->gradients = ratio(2, AGGREGATE_REDUCE, CODEC_ON_GPU, 1e9);
            break;
        case 8: a->device = COMPUTE_ON_CPU, a->gradients = ratio(2, AGGREGATE_REDUCE, CODEC_ON_GPU, 1e9); break;
        case 9: a->gradients = ratio(2, AGGREGATE_REDUCE, CODEC_ON_CPU, 1e9), a->gradients.threads = 99; break;
        case 10:
            a->gradients = ratio(2, AGGREGATE_REDUCE, CODEC_ON_GPU, 1e9), a->gradients.format = WIRE_SPARSIFY,
            a->gradients.density = 2;
            break;
        case 11: a->profile.forward_s = -1; break;
        case 12:
            a->profile.samples = 0, a->profile.forward_s = a->profile.backward_s = 0, w.platform.gpu.peak_flops = 0;
            break;
        case 13:
            a->level = COLLECTIVE_SYMMETRIC,
            w.platform.network = (struct network_spec){ .topology = TOPOLOGY_TORUS, .link = "eth", .width = 4 };
            break;
        case 14: a->level = COLLECTIVE_ANALYTIC, a->workers = 6, a->workers_per_machine = 4, w.batch = 60; break;
        case 15: a->level = COLLECTIVE_SYMMETRIC, w.batch = 130; break;
        case 16:
            a->level = COLLECTIVE_SYMMETRIC, a->workers = 16, a->workers_per_machine = 4,
            a->algorithm = COLLECTIVE_TREE;
            break;
        case 17: a->level = COLLECTIVE_ANALYTIC, a->streams = 2; break;
        case 18: a->level = COLLECTIVE_ANALYTIC, a->offload_share = 0.5; break;
        case 19: a->offload_share = 1.5; break;
        case 20: a->offload_share = 0.5, a->device = COMPUTE_ON_CPU; break;
        case 21: a->bucket_bytes = -1; break;
        case 22: a->steps = 0; break;
        case 23: a->local_steps = 0; break;
        case 24: a->streams = 0; break;
        case 25: w.platform.gpu.efficiency_memory = NAN; break;
        case 26: a->offload_share = 1, a->pinned = 0, w.links[1].efficiency_pageable = 0; break;
        case 27: w.platform.network.link = "string"; break;
        case 28: a->workers = w.batch = 40000, w.platform.machines = 40000, a->bucket_bytes = 100; break;
        case 29:
            a->level = COLLECTIVE_ANALYTIC, a->gradients = ratio(2, AGGREGATE_REDUCE, CODEC_ON_CPU, 1e9);
            w.platform.network.via = "pcie";
            break;
        case 30:
            a->level = COLLECTIVE_ANALYTIC, a->gradients = ratio(2, AGGREGATE_REDUCE, CODEC_ON_CPU, 1e9);
            a->workers_per_machine = 4;
            break;
        case 31:
            a->level = COLLECTIVE_SYMMETRIC, a->gradients = ratio(2, AGGREGATE_REDUCE, CODEC_ON_CPU, 1e9);
            a->workers_per_machine = 2;
            break;
        case 32:
            a->level = COLLECTIVE_SYMMETRIC, a->workers = 7, w.batch = 70, a->bucket_bytes = 1000000000;
            w.links[0].duplex = DUPLEX_HALF;
            break;
        case 33:
            a->level = COLLECTIVE_SYMMETRIC, a->workers = 6, w.batch = 60, a->streams = 2;
            a->algorithm = COLLECTIVE_HALVING_DOUBLING;
            break;
        case 34: a->level = COLLECTIVE_SYMMETRIC, a->bucket_bytes = 0, a->algorithm = COLLECTIVE_TREE; break;
        default: a->level = COLLECTIVE_ANALYTIC, a->bucket_bytes = 0, a->workers_per_machine = 2; break;
        }
        struct job j = { &w.platform, &w.model, &w.method, w.batch };
        struct readings r = { .n = 0 };
        assert_int_equal(method_check(&j, why, sizeof(why)), E_INVAL);
        if (strncmp(why, want[i], strlen(want[i])) != 0)
            fail_msg("%zu: '%s' does not begin with '%s'", i, why, want[i]);
        assert_int_equal(method_play(&j, &r, NULL, why, sizeof(why)), E_INVAL);
        assert_int_equal(r.n, 0);
        model_free(&w.model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_worker_talks_to_nobody),
        cmocka_unit_test(serial_step_by_hand),
        cmocka_unit_test(roofline_by_hand),
        cmocka_unit_test(levels_agree),
        cmocka_unit_test(half_duplex_by_symmetry),
        cmocka_unit_test(overlap_emerges),
        cmocka_unit_test(order_is_chosen_when_a_place_is_free),
        cmocka_unit_test(streams_hide_latency),
        cmocka_unit_test(codec_on_the_gpu_competes),
        cmocka_unit_test(codec_on_the_cpu_runs_beside),
        cmocka_unit_test(gather_grows_with_workers),
        cmocka_unit_test(small_tensors_are_left_alone),
        cmocka_unit_test(local_steps_exchange_less_often),
        cmocka_unit_test(offload_and_network_share_a_root),
        cmocka_unit_test(workers_share_a_machine),
        cmocka_unit_test(buckets_fill_in_the_order_of_the_backward_pass),
        cmocka_unit_test(serial_is_serial_in_any_order),
        cmocka_unit_test(messages_have_framing),
        cmocka_unit_test(threads_share_payloads),
        cmocka_unit_test(scaling_is_against_one_alone),
        cmocka_unit_test(same_job_same_bits),
        cmocka_unit_test(faster_is_never_slower),
        cmocka_unit_test(nonsense_is_refused_by_key),
    };
    return cmocka_run_group_tests_name("allreduce", tests, NULL, NULL);
}
