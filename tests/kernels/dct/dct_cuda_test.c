/* The device's codec "dct" against the reference, bit for bit: on a device (exit 77 without one) and, built with
 * NW_EMULATED, without. */
#include "kernels/dct/dct.h"
#include "tests/kernels/device/codec_device.h"

#if defined(NW_CUDA) || defined(NW_EMULATED)

static void steps(void **state)
{
    static const struct codec_device dct = { &codec_dct, dct_compress_cuda, dct_decompress_cuda };
    static const size_t lengths[] = { 0, 1, 2, 40, 65, 1000, 4097, 9000 };
    static const struct codec_params params[] = { { { 0.95, 3 } }, { { 0.5, 1 } },        { { 0, 2 } },
                                                  { { 1, 2 } },    { { 0.95, 2, 2, 7 } }, { { 0.9, 9, 1, 1e15 } } };

    (void)state;
    for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++)
        for (size_t p = 0; p < sizeof(params) / sizeof(*params); p++)
            codec_device_steps(&dct, lengths[i], &params[p], (int)((i + p) % 4), p ? 3 : 5,
                               p == 0 && lengths[i] < 2000);
}

/* Long enough for the threshold to be sampled. */
static void long_steps(void **state)
{
    static const struct codec_device dct = { &codec_dct, dct_compress_cuda, dct_decompress_cuda };
    const struct codec_params p = { { 0.98, 2 } };

    (void)state;
    codec_device_steps(&dct, (1 << 17) + 5, &p, 0, 3, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps),
        cmocka_unit_test(long_steps),
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
