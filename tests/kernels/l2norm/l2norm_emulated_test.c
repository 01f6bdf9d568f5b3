/* The norm's device code on the processor, blocks and threads in several orders. */
#include "tests/emulation/emulation.h"
#include "tests/kernels/l2norm/l2norm_device.h"

enum { LARGEST = 40 * L2NORM_BLOCK + 1234 };

static void all_lengths(void **state)
{
    (void)state;
    lengths(LARGEST, 2);
}

static void layers_in_every_order(void **state)
{
    for (size_t o = 0; o < EMULATION_ORDERS; o++) {
        emulation_set_order(&emulation_orders[o]);
        all_layers(state);
        values_by_hand(state);
    }
}

static int run(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_by_hand),
        cmocka_unit_test(all_lengths),
        cmocka_unit_test(layers_in_every_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    return with_buffers(LARGEST, run);
}
