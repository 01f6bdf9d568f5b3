/* The device's codec "sparsify" against the reference, bit for bit: on a device (exit 77 without one) and, built with
 * NW_EMULATED, without. */
#include "kernels/sparsify/sparsify.h"
#include "tests/kernels/device/codec_device.h"

#if defined(NW_CUDA) || defined(NW_EMULATED)

static void steps(void **state)
{
    static const struct codec_device sparsify = { &codec_sparsify, sparsify_compress_cuda, sparsify_decompress_cuda };
    static const size_t lengths[] = { 0, 1, 2, 40, 65, 1000, 4096, 4097, 9000, 70001 };
    static const struct codec_params params[] = { { { 0.05 } }, { { 0.25 } }, { { 0 } }, { { 1 } } };

    (void)state;
    for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++)
        for (size_t p = 0; p < 4; p++)
            codec_device_steps(&sparsify, lengths[i], &params[p], (int)((i + p) % 4), 2, p == 0 && lengths[i] < 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps),
    };
    const char *why;

    if (!device_present(&why) || !usable_cuda()) {
        printf("skipped: no device to test on: %s\n", *why ? why : "this build has no code for the device here");
        return 77;
    }
    printf("on %s\n", device_name());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
    printf("skipped: built without CUDA\n");
    return 77;
}
#endif
