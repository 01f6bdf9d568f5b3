/* The norm on the device at hand. Exit 77 without one. */
#ifdef NW_CUDA
#include "tests/kernels/l2norm/l2norm_device.h"

enum { LARGEST = 8193 * L2NORM_BLOCK + 1234 /* past one turn of every warp */ };

static void all_lengths(void **state)
{
    (void)state;
    lengths(LARGEST, 16);
}

static int run(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_by_hand),
        cmocka_unit_test(all_lengths),
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
    return with_buffers(LARGEST, run);
}
#else
#include <stdio.h>

int main(void)
{
    puts("skipped: built without CUDA");
    return 77;
}
#endif
