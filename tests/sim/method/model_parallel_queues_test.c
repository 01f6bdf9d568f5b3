/* model_parallel: what many threads must reach, and what holds for any job. */

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/status.h"
#include "tests/draw.h"
#include "tests/sim/method/model_parallel_rig.h"
#include "tests/test.h"

/* With threads enough, the busiest of what an iteration demands sets the pace: its demand is the time between
 * iterations. Two stages of 1 MB of weights each, and 10 rows of 500 values (20 kB) between them. In the third case
 * indices go along forward and pulls are empty, so that stage 0's way out is the busiest: 4 ms of activations, 1 of
 * pushes. (Were stage 1's way in about as busy, the flow that crosses both would often leave one of them half used.) */
static void many_threads_fill_the_bottleneck(void **state)
{
    static const struct {
        const char *what, *full;
        double memory_Bps, profile_scale;
        int64_t servers;
        bool wide;
        double demand_ms;
    } cases[] = {
        { "the server's NIC", "server_nic_utilisation", 40e9, 1, 1, 0, 2 },
        { "the servers' memories", "server_memory_utilisation", 1e9, 1, 2, 0, 10 },
        { "a stage's NIC", "nic_utilisation", 40e9, 1, 2, 1, 5 },
        { "the stages' cores", "cpu_utilisation", 40e9, 10, 2, 0, 11.25 }, /* 45 ms over 4 cores */
    };
    struct rig r;

    (void)state;
    set_up(&r, 2, 500);
    r.mp->stages = 2;
    r.mp->steps = 20;
    for (size_t i = 0; i < COUNT(cases); i++) {
        r.platform.cpu.memory_Bps = cases[i].memory_Bps;
        r.mp->profile.scale = cases[i].profile_scale;
        r.mp->servers = cases[i].servers;
        r.mp->activation_scale = cases[i].wide ? 100 : 1;
        if (cases[i].wide) {
            r.mp->activations = sparse(WIRE_DCT_MP, 1);
            r.mp->activations.encode.rate_Bps = r.mp->activations.decode.rate_Bps = 0;
            r.mp->activations.select_rate_Bps = 0;
            r.mp->mask_known = 1;
            r.mp->pull = r.mp->activations;
            r.mp->pull.density = 0;
        } else {
            r.mp->activations.format = r.mp->pull.format = WIRE_NONE;
        }
        r.mp->threads = 48;
        struct readings got = play(&r);
        near(&got, "step_ms", cases[i].demand_ms, 0.01, cases[i].what);
        near(&got, cases[i].full, 1, 0.01, cases[i].what);
        near(&got, "iteration_ms", 48 * cases[i].demand_ms, 0.01, cases[i].what); /* Little */
        /* One thread: computing, activations there and back, and stage 0's exchange, one after another; what goes back
         * shares the link with stage 1's push, 1 ms. Headers are 64 bytes. */
        r.mp->threads = 1;
        got = play(&r);
        double forward = cases[i].wide ? 4 : 0.02, back = cases[i].wide ? 2 : 0.02, pull = cases[i].wide ? 0 : 1;
        double demands = 9 * cases[i].profile_scale + forward + back + fmin(back, 1) + 1 + pull;
        near(&got, "step_ms", demands + 5e9 / (cases[i].memory_Bps / 2), 1e-4, cases[i].what);
    }
    model_free(&r.model);
}

/* Two trainers of twelve stages whose threads all meet at four servers: 5 layers of 12 MB pass each of them in and out
 * a step. Threads that once arrive together must not go on in step, or the ways in and out would be busy in turn. */
static void threads_do_not_march_in_step(void **state)
{
    struct rig r;

    (void)state;
    set_up(&r, 12, 1000);
    r.mp->stages = 12;
    r.mp->trainers = 2;
    r.mp->servers = 4;
    r.mp->threads = 32;
    r.mp->steps = 10;
    r.mp->parameter_scale = 3;
    r.mp->profile.scale = 4;
    r.platform.cpu.memory_Bps = 400e9;
    struct readings got = play(&r);
    near(&got, "step_ms", 2 * 3 * 12, 0.01, "in step");
    near(&got, "server_nic_utilisation", 1, 0.01, "in step");
    model_free(&r.model);
}

/* Messages of one pair of machines follow each other, those of different pairs do not wait: with 2 ms from machine to
 * machine and next to no bytes, each connection passes one message in 2 ms, of three stages and one server. */
static void connections(void **state)
{
    struct rig r;

    (void)state;
    set_up(&r, 3, 2);
    r.links[0].latency_s = 1e-3;
    r.mp->stages = 3;
    r.mp->threads = 64;
    r.mp->steps = 10;
    r.mp->profile.scale = 0.1;
    struct readings got = play(&r);
    near(&got, "step_ms", 2, 0.01, "connections");
    model_free(&r.model);
}

/* Two trainers in a row of machines 0 - 1 - 2: the server is two hops of 10 ms from the first and one from the second,
 * which is twice as fast; its last iterations alone are not counted. */
static void unlike_trainers(void **state)
{
    struct rig r;

    (void)state;
    set_up(&r, 1, 10);
    r.platform.machines = 3;
    r.platform.network.topology = TOPOLOGY_MESH;
    r.platform.network.width = 3;
    r.links[0].latency_s = 1e-2;
    r.mp->trainers = 2;
    r.mp->steps = 20;
    r.mp->profile.scale = 0.1;
    struct readings got = play(&r);
    double far = 0.9 + 40, near_by = 0.9 + 20;
    near(&got, "samples_per_s", 1e4 / far + 1e4 / near_by, 0.01, "unlike trainers");
    near(&got, "nic_utilisation", 0, exact, "a mesh has no NICs");
    r.mp->steps = 1; /* when the second has done its four, the first is in its third */
    char why[300] = "";
    assert_int_equal(model_parallel_play(&r.job, &got, NULL, why, sizeof(why)), E_INVAL);
    assert_non_null(strstr(why, "method.steps: 1 are too few"));
    model_free(&r.model);
}

/* Compression pays where links are the bottleneck, and not where cores are. */
static void what_compression_buys(void **state)
{
    struct rig r;

    (void)state;
    for (int bound_by_cores = 0; bound_by_cores < 2; bound_by_cores++) {
        set_up(&r, 4, 500);
        r.mp->stages = 4;
        r.mp->servers = 2;
        r.mp->trainers = 2;
        r.mp->threads = 32;
        r.mp->steps = 10;
        r.mp->profile.scale = bound_by_cores ? 40 : 1;
        struct readings plain = play(&r);
        r.mp->push = r.mp->pull = sparse(WIRE_DCT, 0.05);
        r.mp->push.life = r.mp->pull.life = 1000;
        r.mp->activations = sparse(WIRE_DCT_MP, 0.1);
        r.mp->mask_known = 1;
        struct readings coded = play(&r);
        double gain = reading_value(&plain, "step_ms") / reading_value(&coded, "step_ms");
        if (bound_by_cores ? gain > 1.0001 : gain < 2)
            fail_msg("%s: %g times as fast", bound_by_cores ? "cores" : "links", gain);
        r.mp->push.life = r.mp->pull.life = 1; /* exact top-K every time */
        struct readings exact_topk = play(&r);
        if (bound_by_cores && !(reading_value(&exact_topk, "step_ms") > 1.02 * reading_value(&coded, "step_ms")))
            fail_msg("selecting each time costs nothing");
        model_free(&r.model);
    }
}

static double below(uint64_t *seed, double top)
{
    return (double)(draw(seed) >> 11) * 0x1p-53 * top;
}

/* Whatever the numbers: nothing is used more than wholly, no pace beats the largest demand or one thread's, bytes are
 * those that the cuts and layers have, and the same job gives the same readings. */
static void bounds_and_determinism(void **state)
{
    uint64_t seed = 20;
    struct rig r;

    (void)state;
    for (int round = 0; round < 60; round++) {
        char what[80];
        int layers = 1 + (int)(draw(&seed) % 5);
        int64_t width = 20 + (int64_t)(draw(&seed) % 300);
        set_up(&r, layers, width);
        r.mp->stages = 1 + (int64_t)(draw(&seed) % (uint64_t)layers);
        r.mp->trainers = 1 + (int64_t)(draw(&seed) % 3);
        r.mp->servers = 1 + (int64_t)(draw(&seed) % 3);
        r.mp->threads = 1 + (int64_t)(draw(&seed) % 24);
        r.mp->steps = 8;
        r.mp->schedule = draw(&seed) % 2 ? MP_HOGWILD : MP_GPIPE;
        r.mp->micro_batches = 1 + (int64_t)(draw(&seed) % 4);
        r.mp->profile.scale = below(&seed, 0.5);
        r.mp->sample_in_bytes = below(&seed, 1000);
        r.links[0].latency_s = below(&seed, 1e-4);
        r.links[0].duplex = draw(&seed) % 2 ? DUPLEX_FULL : DUPLEX_HALF;
        if (draw(&seed) % 2) {
            r.mp->push = sparse(WIRE_DCT, 0.1);
            r.mp->activations = sparse(WIRE_DCT_MP, below(&seed, 1));
        }
        snprintf(what, sizeof(what), "round %d", round);
        struct readings a = play(&r), b = play(&r);
        assert_int_equal(a.n, b.n);
        for (size_t i = 0; i < a.n; i++) {
            if (memcmp(&a.list[i].value, &b.list[i].value, sizeof(double)) || !isfinite(a.list[i].value) ||
                a.list[i].value < 0)
                fail_msg("%s: %s is %g, then %g", what, a.list[i].name, a.list[i].value, b.list[i].value);
            if (!strcmp(a.list[i].unit, "share") && a.list[i].value > 1.02)
                fail_msg("%s: %s is %g", what, a.list[i].name, a.list[i].value);
        }
        double iterations = r.mp->schedule == MP_GPIPE ? 1 : (double)r.mp->threads;
        near(&a, "iteration_ms", reading_value(&a, "step_ms") * iterations, 0.05, what); /* Little */
        near(&a, "pull_bytes", 4.0 * (double)(width * width) * layers, exact, what);
        if (r.mp->activations.format == WIRE_NONE)
            near(&a, "activation_bytes", 8.0 * 10 * (double)(width * (r.mp->stages - 1)), exact, what);
        near(&a, "compute_ms", 9 * r.mp->profile.scale / (r.mp->schedule == MP_GPIPE ? 4 : 1), 1e-6, what);
        model_free(&r.model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_threads_fill_the_bottleneck),
        cmocka_unit_test(threads_do_not_march_in_step),
        cmocka_unit_test(connections),
        cmocka_unit_test(unlike_trainers),
        cmocka_unit_test(what_compression_buys),
        cmocka_unit_test(bounds_and_determinism),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
