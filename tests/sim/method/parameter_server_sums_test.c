/* GPUs of a machine that sum before they push, by hand: a layer has 4 MB of gradients, computes 2 ms forward and 4 ms
 * backward (the first one 2 ms); GPUs' links carry 2 MB in a millisecond, machines' links 1 MB. */
#include "tests/sim/method/parameter_server_rig.h"
#include "tests/test.h"

#include <string.h>

static struct rig machines(int64_t n, int64_t gpus)
{
    struct rig g = rig(1, n * gpus);

    g.links[0].bandwidth_Bps = 2e9;
    g.platform.gpu.count = of(&g)->workers_per_machine = gpus;
    of(&g)->machine_sums = 1;
    return g;
}

/* Half of a ring moves 3 of 4 shares; then each GPU copies its share. */
static void a_machine_sends_once(void **state)
{
    const double ring = 1.5, copy = 0.5;
    struct rig g = machines(2, 4);

    (void)state;
    exactly_ms("two machines", play(&g), 4 + 2 * (ring + copy + 8));
    near("of a machine", reading(&g, "push_bytes"), 4e6, 0);
    near("of all GPUs", reading(&g, "samples_per_s"), 8e3 / (4 + 2 * (ring + copy + 8)), 1e-9);
    near("their time", reading(&g, "gpu_utilisation"), 4 / (4 + 2 * (ring + copy + 8)), 1e-9);
    of(&g)->machine_sums = 0;
    exactly_ms("each GPU by itself", play(&g), 4 + 2 * 32);
}

static void a_machine_alone_pushes_nothing(void **state)
{
    struct rig g = machines(1, 4);

    (void)state;
    g.platform.cpu.memory_Bps = 1e10;
    exactly_ms("alone", play(&g), 4 + 2 * 1.5 + 2); /* the server's update */
    near("bytes", reading(&g, "push_bytes"), 0, 0);
    near("the server's link", reading(&g, "server_nic_utilisation"), 0, 0);
    of(&g)->barrier = PS_BARRIER_STEP;
    of(&g)->updates_on_workers = 1;
    g.platform.gpu.memory_Bps = 1e11;
    exactly_ms("updates", play(&g), 4 + 2 * 1.5 + 0.2);
    of(&g)->workers = of(&g)->workers_per_machine = 1;
    g.job.batch = 1;
    exactly_ms("one GPU", play(&g), 4 + 0.2);
}

/* Rings of a machine take turns, and each has to start. */
static void rings_take_turns(void **state)
{
    struct rig g = machines(1, 4);

    (void)state;
    of(&g)->ring_start_s = 0.25e-3;
    exactly_ms("a tensor", play(&g), 4 + 2 * (0.25 + 1.5));
    of(&g)->barrier = PS_BARRIER_STEP;
    of(&g)->partition_bytes = 1000000;
    exactly_ms("four parts", play(&g), 4 + 8 * (0.25 + 0.375));
}

/* What a GPU sends in a ring and what it copies to the host share a direction of its link: the second tensor's ring
 * runs at half the rate while the first one is copied. */
static void rings_and_copies_share_links(void **state)
{
    struct rig g = machines(2, 2);

    (void)state;
    of(&g)->partition_bytes = 2000000; /* rings and copies of 1 MB, 0.5 ms */
    of(&g)->barrier = PS_BARRIER_STEP;
    g.links[1].bandwidth_Bps = 1e15;
    /* 0.5 the first sum; 1 the second one and the first one's copy; 0.5 the copies of the first one back and of the
     * second one out, in opposite directions; 1 the first one's ring and the second one's copy back; 0.5 its ring. */
    near("shared", play(&g), 4 + 0.5 + 1 + 0.5 + 1 + 0.5, 1e-5);
}

static void updates_take_what_they_move(void **state)
{
    struct rig g = rig(1, 1);

    (void)state;
    g.platform.cpu.memory_Bps = 1e10;
    exactly_ms("20 bytes", play(&g), 4 + 8 + 1.2 + 2);
    of(&g)->update_bytes = 80;
    exactly_ms("80 bytes", play(&g), 4 + 8 + 1.2 + 8);
}

/* The ring of the first tensor, 1.5 ms, meets 2 ms of the backward pass at a quarter of the rate: 0.5 ms of it
 * are done by then. The second one comes after it. */
static void computing_slows_rings(void **state)
{
    struct rig g = machines(1, 4);

    (void)state;
    g.spec.nlayers = 2;
    g.layers[1] = g.layers[0];
    of(&g)->barrier = PS_BARRIER_PULLS;
    exactly_ms("as fast as ever", play(&g), 8 + 4 * 1.5);
    of(&g)->computing_share = 0.25;
    exactly_ms("slower", play(&g), 10 + 1 + 3 * 1.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_machine_sends_once),  cmocka_unit_test(a_machine_alone_pushes_nothing),
        cmocka_unit_test(rings_take_turns),      cmocka_unit_test(rings_and_copies_share_links),
        cmocka_unit_test(computing_slows_rings), cmocka_unit_test(updates_take_what_they_move),
    };
    return cmocka_run_group_tests_name("parameter_server_sums", tests, NULL, NULL);
}
