/* What a user can get wrong with data-parallel jobs is refused with its key, and what a level would get wrong. */
#include "tests/sim/method/allreduce_rig.h"

#include <math.h>

/* A row: how the reason begins, and what spoils the job 'a' of the world 'w'. */
#define REFUSED(want, ...)                         \
    do {                                           \
        struct world w;                            \
        struct allreduce *a = &w.method.allreduce; \
        (void)a;                                   \
        world_new(&w);                             \
        __VA_ARGS__;                               \
        is_refused(&w, want);                      \
    } while (0)

static void nonsense_is_refused_by_key(void **state)
{
    (void)state;
    REFUSED("method.workers: expected 1", a->workers = 0);
    REFUSED("method.workers: 80 workers need 80 GPUs, the platform has 64 (4 on each of 16 machines)",
            a->workers = w.batch = 80);
    REFUSED("method.workers: 40 workers, 1 on a machine, need 40 machines, the platform has 16", a->workers = 40);
    REFUSED("method.workers_per_machine: 8 workers on a machine need as many GPUs, it has 4",
            a->workers_per_machine = 8, a->workers = 16);
    REFUSED("batch: 3 samples are fewer than the 4 workers", w.batch = 3);
    REFUSED("method.algorithm: hierarchical", a->workers = 6, a->workers_per_machine = 4,
            a->algorithm = COLLECTIVE_HIERARCHICAL);
    REFUSED("method.device: workers compute on GPUs", w.platform.gpu.count = 0);
    REFUSED("method.gradients.place: the codec is to run on GPUs, the platform has none", w.platform.gpu.count = 0,
            w.platform.gpu.link = w.platform.gpu.peer_link = "", w.platform.nlinks = 1, a->device = COMPUTE_ON_CPU,
            a->gradients = ratio(2, AGGREGATE_REDUCE, CODEC_ON_GPU, 1e9));
    REFUSED("method.gradients.place: the codec is to run on GPUs, the workers", a->device = COMPUTE_ON_CPU,
            a->gradients = ratio(2, AGGREGATE_REDUCE, CODEC_ON_GPU, 1e9));
    REFUSED("method.gradients.threads: expected 1 to a machine's 16 cores, got 99",
            a->gradients = ratio(2, AGGREGATE_REDUCE, CODEC_ON_CPU, 1e9), a->gradients.threads = 99);
    REFUSED("method.gradients.density", a->gradients = ratio(2, AGGREGATE_REDUCE, CODEC_ON_GPU, 1e9),
            a->gradients.format = WIRE_SPARSIFY, a->gradients.density = 2);
    REFUSED("method.profile.forward", a->profile.forward_s = -1);
    REFUSED("platform.gpu.peak: the roofline needs", a->profile.samples = 0,
            a->profile.forward_s = a->profile.backward_s = 0, w.platform.gpu.peak_flops = 0);
    REFUSED("method.unevenness: expected 0 to 1", a->unevenness = 1.5);
    REFUSED("method.unevenness: with method.gradients.format: none", a->unevenness = 0.5);
    REFUSED("method.unevenness: the last worker would send more than all values: expected at most 0.25",
            a->gradients = ratio(2, AGGREGATE_REDUCE, CODEC_ON_GPU, 1e9), a->gradients.format = WIRE_SPARSIFY,
            a->gradients.density = 0.8, a->unevenness = 0.5);
    REFUSED("method.order: workers that send", a->gradients = ratio(2, AGGREGATE_REDUCE, CODEC_ON_GPU, 1e9),
            a->gradients.format = WIRE_SPARSIFY, a->gradients.density = 0.1, a->unevenness = 0.5,
            a->order = BUCKET_SIZE);
    REFUSED("method.unevenness: workers send different amounts, and method.level: symmetric",
            a->gradients = ratio(2, AGGREGATE_REDUCE, CODEC_ON_GPU, 1e9), a->gradients.format = WIRE_SPARSIFY,
            a->gradients.density = 0.1, a->unevenness = 0.5, a->level = COLLECTIVE_SYMMETRIC);
    REFUSED("method.offload_share: expected 0 to 1", a->offload_share = 1.5);
    REFUSED("method.offload_share: workers that compute on CPUs", a->offload_share = 0.5, a->device = COMPUTE_ON_CPU);
    REFUSED("method.bucket", a->bucket_bytes = -1);
    REFUSED("method.steps", a->steps = 0);
    REFUSED("method.local_steps", a->local_steps = 0);
    REFUSED("method.rings: expected 1 to 1024", a->rings = -1);
    REFUSED("method.rings: only the algorithm ring", a->rings = 2, a->algorithm = COLLECTIVE_TREE);
    REFUSED("method.rings: only the algorithm ring", a->rings = 2, a->level = COLLECTIVE_SYMMETRIC);
    REFUSED("method.streams", a->streams = 0);
    REFUSED("platform.gpu.efficiency.memory", w.platform.gpu.efficiency_memory = NAN);
    REFUSED("platform.link.pcie.efficiency.pageable", a->offload_share = 1, a->pinned = 0,
            w.links[1].efficiency_pageable = 0);
    REFUSED("platform.network.link", w.platform.network.link = "string");
}

static void fusion_is_refused_by_key(void **state)
{
    (void)state;
    REFUSED("method.cycle_time: expected 0", a->cycle_s = -1);
    REFUSED("method.computing_share: expected more", a->computing_share = 0);
    REFUSED("method.computing_share: rates", a->computing_share = 0.5, a->level = COLLECTIVE_ANALYTIC);
    REFUSED("method.update_bytes: ", a->update_bytes = -1);
    REFUSED("method.start_time: expected 0", a->start_s = NAN);
    REFUSED("method.start_time_per_worker: expected 0", a->start_per_worker_s = 4000);
    REFUSED("method.merge_bandwidth: expected 0", a->merge_Bps = -1);
    REFUSED("method.merge_bandwidth: method.merge_start needs", a->merge_start_s = 1);
    REFUSED("method.merge_bandwidth: method.cycle_time decides", a->merge_Bps = 1, a->cycle_s = 1);
    REFUSED("method.partition: expected", a->partition_bytes = 2);
    REFUSED("method.partition: codecs", a->partition_bytes = 4,
            a->gradients = ratio(2, AGGREGATE_REDUCE, CODEC_ON_GPU, 1e9));
    REFUSED("method.merge_least: only", a->merge_least_bytes = 1);
    REFUSED("method.merge_bandwidth: without method.overlap", a->merge_Bps = 1, a->overlap = 0);
    REFUSED("method.cycle_time: without method.overlap", a->cycle_s = 1, a->overlap = 0);
    REFUSED("method.barrier_time: only with method.barrier: step", a->barrier_s = 1);
    REFUSED("method.unevenness: workers that do not wait", a->start_s = 1,
            a->gradients = ratio(2, AGGREGATE_REDUCE, CODEC_ON_GPU, 1e9), a->gradients.format = WIRE_SPARSIFY,
            a->gradients.density = 0.1, a->unevenness = 0.5);
}

static void levels_refuse_what_they_would_get_wrong(void **state)
{
    (void)state;
    REFUSED("method.level: symmetric takes machines for alike, which", a->level = COLLECTIVE_SYMMETRIC,
            w.platform.network = (struct network_spec){ .topology = TOPOLOGY_TORUS, .link = "eth", .width = 4 });
    REFUSED("method.level: analytic takes machines for alike, and 6", a->level = COLLECTIVE_ANALYTIC, a->workers = 6,
            a->workers_per_machine = 4, w.batch = 60);
    REFUSED("platform.link.eth.burst: what passes at once depends on", a->level = COLLECTIVE_SYMMETRIC,
            w.links[0].burst_bytes = 1);
    REFUSED("batch: 130 samples do not divide evenly among 4", a->level = COLLECTIVE_SYMMETRIC, w.batch = 130);
    REFUSED("method.level: with 4 workers on a machine", a->level = COLLECTIVE_SYMMETRIC, a->workers = 16,
            a->workers_per_machine = 4, a->algorithm = COLLECTIVE_TREE);
    REFUSED("method.streams", a->level = COLLECTIVE_ANALYTIC, a->streams = 2);
    REFUSED("method.offload_share: the closed forms", a->level = COLLECTIVE_ANALYTIC, a->offload_share = 0.5);
    REFUSED("method.level: ", a->workers = w.batch = 40000, w.platform.machines = 40000, a->bucket_bytes = 100);
    REFUSED("method.gradients.place: copies", a->level = COLLECTIVE_ANALYTIC,
            a->gradients = ratio(2, AGGREGATE_REDUCE, CODEC_ON_CPU, 1e9), w.platform.network.via = "pcie");
    REFUSED("method.gradients.place: workers of one machine", a->level = COLLECTIVE_ANALYTIC,
            a->gradients = ratio(2, AGGREGATE_REDUCE, CODEC_ON_CPU, 1e9), a->workers_per_machine = 4);
    REFUSED("method.gradients.place: workers of one machine come to its codec in an order",
            a->level = COLLECTIVE_SYMMETRIC, a->gradients = ratio(2, AGGREGATE_REDUCE, CODEC_ON_CPU, 1e9),
            a->workers_per_machine = 2);
    REFUSED("method.level: symmetric takes workers for alike, but the 18000000 bytes of bucket 1 do not divide evenly "
            "among 7, and what workers send and receive shares links: expected flows",
            a->level = COLLECTIVE_SYMMETRIC, a->workers = 7, w.batch = 70, a->bucket_bytes = 1000000000,
            w.links[0].duplex = DUPLEX_HALF);
    REFUSED("method.level: symmetric takes workers for alike, but those of halvings among 6 are not, and "
            "method.streams lets",
            a->level = COLLECTIVE_SYMMETRIC, a->workers = 6, w.batch = 60, a->streams = 2,
            a->algorithm = COLLECTIVE_HALVING_DOUBLING);
    REFUSED("method.level: symmetric takes workers for alike, but those of a tree are not, and method.overlap",
            a->level = COLLECTIVE_SYMMETRIC, a->bucket_bytes = 0, a->algorithm = COLLECTIVE_TREE);
    REFUSED(
        "method.level: analytic takes workers for alike, but their messages take different times, and method.overlap",
        a->level = COLLECTIVE_ANALYTIC, a->bucket_bytes = 0, a->workers_per_machine = 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nonsense_is_refused_by_key),
        cmocka_unit_test(fusion_is_refused_by_key),
        cmocka_unit_test(levels_refuse_what_they_would_get_wrong),
    };
    return cmocka_run_group_tests_name("allreduce_check", tests, NULL, NULL);
}
