/* ADT on the device at hand. Exit 77 without one. */
#ifdef NW_CUDA
#include "tests/kernels/adt/adt_device.h"

static void nothing_before(size_t n)
{
    (void)n;
}

static void all_lengths_and_alignments(void **state)
{
    (void)state;
    lengths_and_alignments(SLOTS, nothing_before);
}

static void many_blocks(void **state)
{
    (void)state;
    large((1 << 22) + 37);
}

/* A launch that cannot work must be seen: otherwise no_error() proves nothing. */
static void errors_are_seen(void **state)
{
    (void)state;
    assert_null(device_error());
    assert_null(device_alloc((size_t)1 << 60));
    assert_non_null(device_error());
    assert_null(device_error());
}

static int run(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_seen),
        cmocka_unit_test(all_lengths_and_alignments),
        cmocka_unit_test(many_blocks),
        cmocka_unit_test(all_layers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    const char *why;

    if (!device_present(&why) || !usable_cuda()) {
        printf("skipped: no device to test on: %s\n", *why ? why : "this build has no code for the device here");
        return 77;
    }
    printf("on %s\n", device_name());
    return with_buffers(run);
}
#else
#include <stdio.h>

int main(void)
{
    puts("skipped: built without CUDA");
    return 77;
}
#endif
