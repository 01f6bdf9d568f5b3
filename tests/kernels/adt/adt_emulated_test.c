/* ADT's device code on the processor, blocks and threads in several orders. Alignments repeat every 16 bytes there. */
#include "tests/emulation/emulation.h"
#include "tests/kernels/adt/adt_device.h"

static void another_order(size_t n)
{
    emulation_set_order(&emulation_orders[n % EMULATION_ORDERS]);
}

static void all_lengths_and_alignments(void **state)
{
    (void)state;
    lengths_and_alignments(17, another_order);
}

static void many_blocks(void **state)
{
    (void)state;
    large(3 * ADT_CHUNK + 37);
}

static void layers_in_every_order(void **state)
{
    for (size_t o = 0; o < EMULATION_ORDERS; o++) {
        another_order(o);
        all_layers(state);
    }
}

static int run(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_lengths_and_alignments),
        cmocka_unit_test(many_blocks),
        cmocka_unit_test(layers_in_every_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    return with_buffers(run);
}
