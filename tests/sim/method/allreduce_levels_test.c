/* What the levels 'symmetric' and 'analytic' accept they get right: a thousand random jobs, each played by flows and by
 * both, over all that an allreduce and its platform can be given. */

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "sim/method/method.h"
#include "tests/draw.h"
#include "tests/sanitized.h"
#include "tests/sim/network/clusters.h"
#include "tests/test.h"

enum { JOBS = 1000, MOST_LAYERS = 4 };

struct drawn {
    struct cluster cluster;
    struct gpu_pair peers[6];
    struct method method;
    struct model model;
    struct layer_spec layers[MOST_LAYERS];
    struct model_spec spec;
    int64_t batch;
};

static int64_t pick(uint64_t *seed, int64_t least, int64_t most)
{
    return least + (int64_t)(draw(seed) % (uint64_t)(most - least + 1));
}

static bool one_in(uint64_t *seed, int64_t n)
{
    return pick(seed, 1, n) == 1;
}

/* Log-uniform, and no round number. */
static double between(uint64_t *seed, double least, double most)
{
    return least * pow(most / least, (double)(draw(seed) >> 11) * 0x1p-53);
}

/* Sizes of which every number of ranks up to twelve divides most, or any. */
static void draw_model(uint64_t *seed, struct drawn *d)
{
    int64_t grain = one_in(seed, 3) ? 1 : 2 * 2 * 3 * 5 * 7, n = pick(seed, 1, MOST_LAYERS);
    char why[256];

    for (int64_t i = 0; i < n; i++)
        d->layers[i] = (struct layer_spec){ .kind = LAYER_FC, .units = grain * pick(seed, 1, 900 / grain) };
    d->spec = (struct model_spec){
        .name = "m", .channels = pick(seed, 1, 200), .height = 1, .width = 1, .layers = d->layers, .nlayers = (size_t)n
    };
    assert_int_equal(model_infer(&d->spec, &d->model, why, sizeof(why)), E_OK);
}

static void draw_hosts(uint64_t *seed, struct drawn *d)
{
    struct platform *p = &d->cluster.platform;

    p->cpu = (struct cpu_spec){ .sockets = 1,
                                .cores_per_socket = pick(seed, 4, 16),
                                .peak_flops = 1e12,
                                .efficiency = 0.5,
                                .memory_Bps = between(seed, 2e10, 2e11),
                                .memory_efficiency = 0.7,
                                .dma_read_Bps = one_in(seed, 8) ? between(seed, 5e9, 5e10) : 0,
                                .dma_write_Bps = one_in(seed, 8) ? between(seed, 5e9, 5e10) : 0,
                                .codec_speed = 1 };
    cluster_gpus(&d->cluster, pick(seed, 1, 4), 1);
    p->gpu = (struct gpu_spec){ .count = p->gpu.count,
                                .peak_flops = between(seed, 1e12, 1e13),
                                .memory_Bps = between(seed, 1e11, 1e12),
                                .memory_bytes = 16000000000,
                                .efficiency_convolution = 0.5,
                                .efficiency_fully_connected = 0.5,
                                .efficiency_memory = 0.8,
                                .launch_latency_s = between(seed, 1e-8, 1e-5),
                                .link = "pcie",
                                .peer_link = "" };
    struct link_spec *pcie = &d->cluster.links[p->nlinks - 1];
    pcie->bandwidth_Bps = between(seed, 1e9, 3e10);
    pcie->latency_s = between(seed, 1e-8, 2e-5);
    pcie->shared_by = pick(seed, 1, 4);
    pcie->duplex = one_in(seed, 5) ? DUPLEX_HALF : DUPLEX_FULL;
    pcie->efficiency_pageable = 0.5;
    if (one_in(seed, 3))
        cluster_link(&d->cluster, p->gpu.peer_link = "nvlink", between(seed, 1e10, 1e11), between(seed, 1e-8, 1e-5));
    for (int64_t pair = 0; *p->gpu.peer_link && one_in(seed, 2) && pair < 6; pair++) {
        static const int ends[6][2] = { { 0, 1 }, { 2, 1 }, { 2, 3 }, { 0, 2 }, { 3, 0 }, { 1, 3 } };
        p->gpu.peers = d->peers;
        if (ends[pair][0] < p->gpu.count && ends[pair][1] < p->gpu.count)
            d->peers[p->gpu.npeers++] = (struct gpu_pair){ ends[pair][0], ends[pair][1], pick(seed, 1, 3) };
    }
    if (one_in(seed, 6)) {
        pcie->above = "root";
        cluster_link(&d->cluster, "root", between(seed, 1e9, 6e10), between(seed, 1e-8, 1e-6))->shared_by =
            pick(seed, 1, 2);
    }
}

static void draw_network(uint64_t *seed, struct drawn *d)
{
    struct platform *p = &d->cluster.platform;
    int64_t machines = one_in(seed, 5) ? 1 : pick(seed, 2, 12);

    cluster_make(&d->cluster,
                 machines == 1      ? TOPOLOGY_SINGLE
                 : one_in(seed, 12) ? TOPOLOGY_TREE
                                    : TOPOLOGY_STAR,
                 machines, pick(seed, 1, 4));
    if (machines > 1) {
        struct link_spec *eth = &d->cluster.links[0];
        eth->bandwidth_Bps = between(seed, 1e8, 2e10);
        eth->latency_s = between(seed, 1e-8, 5e-5);
        eth->duplex = one_in(seed, 4) ? DUPLEX_HALF : DUPLEX_FULL;
        eth->efficiency_wire = between(seed, 0.7, 1);
    }
    draw_hosts(seed, d);
    if (machines > 1 && one_in(seed, 4))
        p->network.via = "pcie";
    if (machines > 1 && one_in(seed, 3))
        p->network.nics = pick(seed, 1, p->gpu.count);
    if (one_in(seed, 2)) {
        p->network.message_bytes = (double)pick(seed, 0, 5000);
        p->network.message_s = between(seed, 1e-9, 1e-5);
    }
}

static void draw_codec(uint64_t *seed, struct codec_spec *c, int64_t cores)
{
    static const enum wire_format formats[] = { WIRE_NONE,  WIRE_NONE,  WIRE_FP16, WIRE_8BIT,
                                                WIRE_RATIO, WIRE_RATIO, WIRE_DCT,  WIRE_LOCAL };

    *c = (struct codec_spec){ .format = formats[draw(seed) % COUNT(formats)],
                              .ratio = between(seed, 1, 50),
                              .header = pick(seed, 0, 64),
                              .density = between(seed, 1e-3, 0.5),
                              .bits = 1,
                              .steps = pick(seed, 1, 3),
                              .aggregation = one_in(seed, 2) ? AGGREGATE_REDUCE : AGGREGATE_GATHER,
                              .place = one_in(seed, 3) ? CODEC_ON_CPU : CODEC_ON_GPU,
                              .threads = pick(seed, 1, cores),
                              .scale = 1,
                              .life = 1,
                              .min_values = one_in(seed, 2) ? pick(seed, 0, 100000) : 0 };
    c->encode = (struct codec_cost){ .rate_Bps = between(seed, 1e9, 1e11), .latency_s = between(seed, 1e-8, 1e-5) };
    c->decode = (struct codec_cost){ .rate_Bps = between(seed, 1e9, 1e11), .latency_s = between(seed, 1e-8, 1e-5) };
}

static void draw_job(uint64_t *seed, struct drawn *d)
{
    struct allreduce *a = &d->method.allreduce;
    struct platform *p = &d->cluster.platform;

    memset(d, 0, sizeof(*d));
    draw_network(seed, d);
    draw_model(seed, d);
    d->method.kind = METHOD_ALLREDUCE;
    a->algorithm = (enum collective_algorithm)(draw(seed) % COLLECTIVE_MEASURED);
    a->device = one_in(seed, 6) ? COMPUTE_ON_CPU : COMPUTE_ON_GPU;
    a->workers_per_machine = one_in(seed, 2) && p->machines > 1 ? 1 : pick(seed, 1, p->gpu.count);
    int64_t machines = pick(seed, p->machines > 1 ? 2 : 1, p->machines), left = one_in(seed, 15);
    a->workers = a->workers_per_machine * machines - (left && a->workers_per_machine > 1);
    a->bucket_bytes = one_in(seed, 3) ? 0 : (int64_t)between(seed, 1e5, 4e6);
    a->order = (enum bucket_order)pick(seed, 0, 2);
    a->overlap = !one_in(seed, 3);
    a->streams = one_in(seed, 2) ? 1 : pick(seed, 2, 4);
    a->local_steps = one_in(seed, 2) ? 1 : pick(seed, 2, 3);
    a->steps = pick(seed, 1, 4);
    a->update_bytes = 20;
    a->computing_share = 1;
    a->offload_share = a->device == COMPUTE_ON_GPU && one_in(seed, 8) ? between(seed, 0.01, 1) : 0;
    a->pinned = one_in(seed, 2);
    a->profile.scale = 1;
    draw_codec(seed, &a->gradients, p->cpu.cores_per_socket);
    if (a->device == COMPUTE_ON_CPU)
        a->gradients.place = CODEC_ON_CPU;
    d->batch = a->workers * pick(seed, 1, 64) + (one_in(seed, 15) ? 1 : 0);
}

static int play(struct drawn *d, enum collective_level level, struct readings *r, char *why, size_t nwhy)
{
    struct job j = { &d->cluster.platform, &d->model, &d->method, d->batch };

    d->method.allreduce.level = level;
    int rc = method_check(&j, why, nwhy), played = method_play(&j, r, NULL, why, nwhy);

    assert_int_equal(rc, played); /* what is wrong is known before anything is played */
    return rc;
}

static void compare(const struct drawn *d, int job, const char *level, const struct readings *got,
                    const struct readings *want)
{
    static const char *const names[] = { "step_ms",    "samples_per_s", "comm_ms",    "compute_ms", "exposed_ms",
                                         "encode_ms",  "decode_ms",     "update_ms",  "offload_ms", "sent_bytes",
                                         "wire_ratio", "scaling",       "state_bytes" };
    double step_ms = reading_value(want, "step_ms");

    for (size_t i = 0; i < COUNT(names); i++) {
        double a = reading_value(got, names[i]), b = reading_value(want, names[i]);
        double scale = strstr(names[i], "_ms") ? step_ms : b;
        if (!(fabs(a - b) <= 1e-9 * fabs(scale)))
            fail_msg("job %d (algorithm %d, %lld workers, %lld a machine): %s is %.12g by %s, %.12g by flows", job,
                     (int)d->method.allreduce.algorithm, (long long)d->method.allreduce.workers,
                     (long long)d->method.allreduce.workers_per_machine, names[i], a, level, b);
    }
}

enum kind { AS_DRAWN, TWO_ROUNDS, SCATTERED };

static void bend(struct codec_spec *c, int job, enum kind kind)
{
    if (kind == TWO_ROUNDS) {
        c->format = WIRE_POWERSGD;
        c->rank = 1 + job % 6;
    }
    if (kind == SCATTERED) {
        c->format = job % 3 ? WIRE_RATIO : WIRE_8BIT;
        c->aggregation = AGGREGATE_SCATTER;
    }
}

/* Jobs of these seeds: as drawn, or with a codec whose payloads are added up in two rounds, or scattered. */
static void levels_agree(const uint64_t *seeds, int nseeds, enum kind kind)
{
    static const char *const levels[] = { "flows", "symmetric", "analytic" };
    int accepted[3] = { 0 }, by_algorithm[3][COLLECTIVE_MEASURED] = { { 0 } }, jobs = JOBS * nseeds;
    uint64_t seed = 0;

    for (int job = 0; job < jobs; job++) {
        struct drawn d;
        struct readings r[3];
        char why[512] = "";
        if (job % JOBS == 0)
            seed = seeds[job / JOBS];
        draw_job(&seed, &d);
        bend(&d.method.allreduce.gradients, job, kind);
        for (int level = 0; level < 3; level++) {
            r[level].n = 0;
            int rc = play(&d, (enum collective_level)level, &r[level], why, sizeof(why));
            if (rc && !level)
                break; /* nothing to compare with: hierarchical, with a machine that has fewer */
            if (rc && !strchr(why, ':'))
                fail_msg("job %d: %d without a key: %s", job, rc, why);
            accepted[level] += !rc;
            by_algorithm[level][d.method.allreduce.algorithm] += !rc && d.method.allreduce.workers > 2;
            if (!rc && level)
                compare(&d, job, levels[level], &r[level], &r[0]);
        }
        model_free(&d.model);
    }
    print_message("%d by flows, %d by symmetry, %d in closed form\n", accepted[0], accepted[1], accepted[2]);
    assert_true(accepted[0] > jobs * 9 / 10);
    assert_true(accepted[1] > (kind ? jobs / 3 : jobs / 2));
    assert_true(accepted[2] > (kind ? jobs / 10 : jobs / 4));
    for (int i = 0; i < COLLECTIVE_MEASURED && !kind; i++)
        assert_true(by_algorithm[1][i] > 30 && by_algorithm[2][i] > 10);
}

static void what_is_accepted_is_right(void **state)
{
    /* The first one draws most of what can go wrong; the others who of a machine's workers is first where they differ,
     * and which of them its codec serves first. */
    static const uint64_t seeds[] = { 17, 6, 9 };

    (void)state;
    levels_agree(seeds, SANITIZED ? 1 : COUNT(seeds), AS_DRAWN);
}

static void what_is_accepted_of_two_rounds_is_right(void **state)
{
    static const uint64_t seeds[] = { 17, 6, 9 };

    (void)state;
    levels_agree(seeds, SANITIZED ? 1 : COUNT(seeds), TWO_ROUNDS);
}

static void what_is_accepted_of_parts_is_right(void **state)
{
    /* The second one draws workers that come to sum up their parts at different times. */
    static const uint64_t seeds[] = { 17, 104, 9 };

    (void)state;
    levels_agree(seeds, SANITIZED ? 1 : COUNT(seeds), SCATTERED);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(what_is_accepted_is_right),
                                        cmocka_unit_test(what_is_accepted_of_two_rounds_is_right),
                                        cmocka_unit_test(what_is_accepted_of_parts_is_right) };

    return cmocka_run_group_tests_name("allreduce levels", tests, NULL, NULL);
}
