/* Data-parallel steps whose exchange takes as long as the platform's library was measured to take. */
#include "tests/sim/method/allreduce_rig.h"

#include <string.h>

/* 10 GB/s on the bus, 1 us a step, 10 us a collective. */
static void measured_world(struct world *w)
{
    world_new(w);
    w->method.allreduce.algorithm = COLLECTIVE_MEASURED;
    w->platform.collective = (struct measured){
        .launch_s = 10e-6, .latency_s = 1e-6, .bandwidth_Bps = 10e9, .bandwidth_at_bytes = 1e9, .exponent = 1
    };
}

static const enum collective_level levels[] = { COLLECTIVE_FLOWS, COLLECTIVE_ANALYTIC };

/* One bucket of 18 MB, nothing overlaps, four workers: 10 + 6 us and 1.5 x 1.8 ms. */
static void serial_step_by_hand(void **state)
{
    const double comm_ms = 0.016 + 2.7, gather_ms = 0.013 + 0.75 * 4 * 0.18;

    (void)state;
    for (size_t i = 0; i < COUNT(levels); i++) {
        struct world w;
        measured_world(&w);
        w.method.allreduce.overlap = 0;
        w.method.allreduce.bucket_bytes = 1000000000;
        w.method.allreduce.level = levels[i];
        struct readings r = play(&w);
        near("step", reading_value(&r, "step_ms"), 30 + comm_ms + update_ms, 1e-9);
        near("comm", reading_value(&r, "comm_ms"), comm_ms, 1e-9);
        near("sent", reading_value(&r, "sent_bytes"), 27e6, 0);
        near("ratio", reading_value(&r, "wire_ratio"), 1, 0);
        near("critical", reading_value(&r, "critical.collective"), comm_ms / (30 + comm_ms + update_ms), 1e-9);
        near("nic", reading_value(&r, "nic_utilisation"), 27 / (30 + comm_ms + update_ms), 1e-6);
        /* Payloads of a tenth, gathered: each of the four ends with 7.2 MB. */
        w.method.allreduce.gradients = ratio(10, AGGREGATE_GATHER, CODEC_ON_GPU, 1e15);
        near("gathered", get(&w, "comm_ms"), gather_ms, 1e-4);
        model_free(&w.model);
    }
}

/* NCCL's own way for a bucket of 18 MB among four workers: a ring of 6 steps over NICs of 1 GB/s, or, with two on
 * each machine, of 2 over NICs and 4 over NVLink; 1.4 times that, and 1.5 x 18 ms. */
static void nccl_chooses_for_a_bucket(void **state)
{
    static const double comm_ms[] = { 1.4e-3 * (8.4 + 6 * 14) + 27, 1.4e-3 * (8.4 + 4 * 3.4 + 2 * 14) + 27 };

    (void)state;
    for (size_t i = 0; i < COUNT(levels); i++)
        for (size_t k = 0; k < COUNT(comm_ms); k++) {
            struct world w;
            measured_world(&w);
            w.platform.collective.launch_s = w.platform.collective.latency_s = 0;
            w.platform.collective.nccl = (struct nccl){ .generation = NCCL_AMPERE };
            w.method.allreduce.overlap = 0;
            w.method.allreduce.bucket_bytes = 1000000000;
            w.method.allreduce.level = levels[i];
            w.method.allreduce.workers_per_machine = (int64_t)k + 1;
            near("comm", get(&w, "comm_ms"), comm_ms[k], 1e-9);
            model_free(&w.model);
        }
}

/* A table counts before the model; small buckets between its rows. */
static void table_by_hand(void **state)
{
    struct measured_row rows[] = { { COLLECTIVE_ALLREDUCE, 4, 1000, 1e-3 },
                                   { COLLECTIVE_ALLREDUCE, 4, 36001000, 5e-3 } };
    struct world w;

    (void)state;
    measured_world(&w);
    w.method.allreduce.overlap = 0;
    w.method.allreduce.bucket_bytes = 1000000000;
    w.platform.collective.rows = rows;
    w.platform.collective.nrows = COUNT(rows);
    near("half way but 1 kB", get(&w, "comm_ms"), 3 - 4.0 / 36000, 1e-9);
    model_free(&w.model);
}

/* Buckets that overlap the backward pass, several workers on a machine, every order, local steps: the levels agree. */
static void levels_agree(void **state)
{
    uint64_t seed = 5;

    (void)state;
    for (int job = 0; job < 200; job++) {
        struct world w;
        measured_world(&w);
        struct allreduce *a = &w.method.allreduce;
        a->workers_per_machine = 1 + (int64_t)(draw(&seed) % 4);
        a->workers = a->workers_per_machine * (1 + (int64_t)(draw(&seed) % 4));
        a->overlap = draw(&seed) % 4 > 0;
        a->order = (enum bucket_order)(draw(&seed) % 3);
        a->bucket_bytes = (int64_t)(draw(&seed) % 20000000);
        a->local_steps = 1 + (int64_t)(draw(&seed) % 2);
        w.batch = a->workers * (1 + (int64_t)(draw(&seed) % 64));
        w.platform.collective.bandwidth_Bps = 1e8 * (double)(1 + draw(&seed) % 100);
        if (draw(&seed) % 2)
            a->gradients = ratio(3, draw(&seed) % 2 ? AGGREGATE_GATHER : AGGREGATE_REDUCE, CODEC_ON_GPU, 1e10);
        w.platform.collective.nccl = (struct nccl){ .generation = (enum nccl_generation)(draw(&seed) % 5) };
        double flows_ms = get(&w, "step_ms"), comm_ms = get(&w, "comm_ms");
        a->level = COLLECTIVE_ANALYTIC;
        near("step", get(&w, "step_ms"), flows_ms, 1e-9);
        near("comm", get(&w, "comm_ms"), comm_ms, 1e-9);
        model_free(&w.model);
    }
}

#define REFUSED(want, ...)                         \
    do {                                           \
        struct world w;                            \
        struct allreduce *a = &w.method.allreduce; \
        (void)a;                                   \
        measured_world(&w);                        \
        __VA_ARGS__;                               \
        is_refused(&w, want);                      \
    } while (0)

static void what_it_knows_nothing_of_is_refused(void **state)
{
    struct measured_row row = { COLLECTIVE_ALLREDUCE, 4, 1000, 1e-3 };

    (void)state;
    REFUSED("method.level: symmetric plays the steps", a->level = COLLECTIVE_SYMMETRIC);
    REFUSED("method.streams: buckets on the way at once", a->streams = 2);
    REFUSED("method.offload_share: copies share links", a->offload_share = 0.5);
    REFUSED("method.unevenness: workers send different", a->gradients = ratio(2, AGGREGATE_GATHER, CODEC_ON_GPU, 1e9),
            a->gradients.format = WIRE_SPARSIFY, a->unevenness = 0.5);
    REFUSED("platform.collective.bandwidth: expected a rate above 0", w.platform.collective.bandwidth_Bps = 0);
    REFUSED("platform.collective.exponent: expected 1 where nccl", w.platform.collective.exponent = 2,
            w.platform.collective.nccl.generation = NCCL_HOPPER);
    REFUSED("platform.collective.launch", w.platform.collective.launch_s = -1);
    REFUSED("platform.collective.table: expected rows of all-gather among 4 ranks",
            w.platform.collective.bandwidth_Bps = 0, w.platform.collective.rows = &row, w.platform.collective.nrows = 1,
            a->gradients = ratio(2, AGGREGATE_GATHER, CODEC_ON_GPU, 1e9));
    struct world w;
    struct job j = { &w.platform, &w.model, &w.method, 128 };
    struct task_graph *graph = NULL;
    char why[512] = "";
    measured_world(&w);
    assert_int_equal(method_graph(&j, graph, why, sizeof(why)), E_INVAL);
    assert_non_null(strstr(why, "method.algorithm: expected one that sums"));
    model_free(&w.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(serial_step_by_hand),
        cmocka_unit_test(nccl_chooses_for_a_bucket),
        cmocka_unit_test(table_by_hand),
        cmocka_unit_test(levels_agree),
        cmocka_unit_test(what_it_knows_nothing_of_is_refused),
    };

    return cmocka_run_group_tests_name("allreduce_measured", tests, NULL, NULL);
}
