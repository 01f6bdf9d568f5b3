/* The device's fused multiply-add against the reference, bit for bit: on a device (exit 77 without one) and, built with
 * NW_EMULATED, without. */
#include "kernels/fma/fma.h"
#include "tests/kernels/device/device_buffer.h"

#if defined(NW_CUDA) || defined(NW_EMULATED)

static void check(enum fma_mode mode, size_t n, size_t offset)
{
    static const uint32_t special[] = { 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345,
                                        0x7f800001, 0x00000001, 0x807fffff, 0x7f7fffff, 0x3f808000 };
    const struct fma_impl *reference = fma_impls;
    float *x[3], *want = malloc(4 * n + 4), *got = malloc(4 * n + 4);
    struct buffer r[3], d = buffer_make(4 * n, 4 * offset);
    uint32_t h = (uint32_t)n * 77 + mode;

    while (strcmp(reference->impl.name, "scalar"))
        reference++;
    for (int k = 0; k < 3; k++) {
        x[k] = malloc(4 * n + 4);
        for (size_t i = 0; i < n; i++) {
            h = h * 1664525u + 1013904223u;
            x[k][i] = (float)(int32_t)h / (k == 2 ? 536870912.0f : 1610612736.0f);
            if (h >> 28 == 5)
                memcpy(&x[k][i], &special[(h >> 12) % 10], 4);
        }
        r[k] = buffer_of(x[k], 4 * n, 4 * (offset ? (offset + (size_t)k) % 4 : 0));
    }
    reference->run(&reference->impl, mode, want, x[0], x[1], x[2], n);
    buffer_next_order();
    fma_cuda(NULL, mode, (float *)d.at, (float *)r[0].at, (float *)r[1].at, (float *)r[2].at, n);
    buffer_no_error("fma");
    buffer_close(&d, got, "fma");
    for (size_t i = 0; i < n; i++)
        if (memcmp(&got[i], &want[i], 4))
            fail_msg("mode %d, %zu values from float %zu on: %zu is %a, want %a", mode, n, offset, i, (double)got[i],
                     (double)want[i]);
    for (int k = 0; k < 3; k++) {
        buffer_close(&r[k], NULL, "fma");
        free(x[k]);
    }
    free(want);
    free(got);
}

static void lengths(void **state)
{
    (void)state;
    for (int mode = FMA_FP32; mode <= FMA_BF16; mode++) {
        for (size_t n = 0; n <= 300; n++)
            check((enum fma_mode)mode, n, n % 4);
        check((enum fma_mode)mode, 100003, 0);
        check((enum fma_mode)mode, 100003, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths),
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
