/* Tensors that travel in parts, and what the forward pass waits for, by hand: a layer has 4 MB of gradients,
 * computes 2 ms forward and 4 ms backward (the first one 2 ms); links carry 1 MB in a millisecond. */
#include "tests/sim/method/parameter_server_rig.h"
#include "tests/test.h"

#include <string.h>

/* One worker: a part is pulled while the next one is pushed. */
static void parts_are_pipelined(void **state)
{
    static const struct {
        int64_t bytes;
        double want_ms; /* after the backward pass */
    } rows[] = { { 0, 8 }, { 4000000, 8 }, { 5000000, 8 }, { 2000000, 6 }, { 1000000, 5 }, { 3000000, 7 } };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct rig g = rig(1, 1);
        of(&g)->streams = 1;
        of(&g)->partition_bytes = rows[i].bytes;
        exactly_ms("one tensor", play(&g), 4 + rows[i].want_ms);
        near("nothing is lost", reading(&g, "push_bytes"), 4e6, 0);
    }
}

/* Two workers, two servers: each server has half of a tensor that was cut. */
static void parts_are_spread(void **state)
{
    struct rig g = rig(1, 2);

    (void)state;
    g.platform.machines = 4;
    of(&g)->servers = 2;
    exactly_ms("whole", play(&g), 4 + 8 + 8);
    of(&g)->partition_bytes = 2000000;
    exactly_ms("halves", play(&g), 4 + 4 + 4);
}

static void merged_tensors_are_one(void **state)
{
    struct rig g = rig(2, 1);

    (void)state;
    of(&g)->barrier = PS_BARRIER_STEP;
    of(&g)->streams = 1;
    exactly_ms("tensors", play(&g), 10 + 8 + 4);
    of(&g)->merged = 1;
    exactly_ms("merged", play(&g), 10 + 8 + 8);
    near("bytes", reading(&g, "push_bytes"), 8e6, 0);
    of(&g)->partition_bytes = 1000000;
    exactly_ms("cut", play(&g), 10 + 8 + 1);
    of(&g)->partition_bytes = 3000000; /* across the tensors: 2 MB, the last, then 3 and 3 */
    exactly_ms("3 MB", play(&g), 10 + 8 + 3);
}

/* The last layer is four times as wide: its tensor, 16 MB, comes back after that of the first layer, which could
 * compute before. */
static void forward_waits_for_all_pulls(void **state)
{
    struct rig g = rig(2, 1);

    (void)state;
    g.layers[1].units = 4000;
    exactly_ms("layer", play(&g), 60);
    of(&g)->barrier = PS_BARRIER_PULLS;
    exactly_ms("pulls", play(&g), 62);
    of(&g)->barrier = PS_BARRIER_STEP;
    exactly_ms("step", play(&g), 28 + 20 + 16);
}

/* Parts of 1 MB, one at a time. The first layer's are ready 2 ms after the second's, when the third of these goes: they
 * overtake the fourth, which the first layer need not wait for. */
static void needed_parts_go_first(void **state)
{
    struct rig g = rig(2, 1);

    (void)state;
    of(&g)->streams = 1;
    of(&g)->partition_bytes = 1000000;
    exactly_ms("as they are ready", play(&g), 8 + 8 + 1);
    of(&g)->order = PS_ORDER_FORWARD;
    exactly_ms("the first layer first", play(&g), 8 + 7 + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_pipelined),         cmocka_unit_test(parts_are_spread),
        cmocka_unit_test(merged_tensors_are_one),      cmocka_unit_test(needed_parts_go_first),
        cmocka_unit_test(forward_waits_for_all_pulls),
    };
    return cmocka_run_group_tests_name("parameter_server_parts", tests, NULL, NULL);
}
