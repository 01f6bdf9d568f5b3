/* The device's choice in rows, and the codec "dct-mp", against the reference, bit for bit: on a device (exit 77 without
 * one) and, built with NW_EMULATED, without. */
#include "kernels/topk_rows/topk_rows.h"
#include "tests/kernels/device/codec_device.h"

#if defined(NW_CUDA) || defined(NW_EMULATED)

static void steps(void **state)
{
    static const struct codec_device mp = { &codec_dct_mp, topk_compress_cuda, topk_decompress_cuda };
    static const struct codec_params params[] = { { { 1024, 51 } }, { { 40, 7 } },     { { 64, 64 } }, { { 33, 0 } },
                                                  { { 1, 1 } },     { { 3000, 200 } }, { { 5, 9 } },   { { 128, 1 } } };
    static const size_t lengths[] = { 0, 1, 33, 129, 1025, 6100 };

    (void)state;
    for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++)
        for (size_t p = 0; p < 8; p++)
            codec_device_steps(&mp, lengths[i], &params[p], (int)((i + p) % 4), 1, lengths[i] == 129);
}

/* What goes back for a gradient: the values of another matrix under the mask. */
static void check_gather(size_t rows, size_t columns, size_t kept)
{
    const struct topk_impl *reference = topk_impls;
    size_t n = rows * columns, nmask = 8 * rows * topk_mask_words(columns),
           count = rows * (kept < columns ? kept : columns);
    float *x = codec_device_host(4 * n), *y = codec_device_host(4 * n), *values = codec_device_host(4 * count);
    float *got = codec_device_host(4 * n);
    uint64_t *mask = codec_device_host(nmask);
    void *work = codec_device_host(topk_work(rows, columns));
    struct buffer r_mask, r_y, r_values = buffer_make(4 * count, 4), r_back;

    while (strcmp(reference->impl.name, "scalar"))
        reference++;
    codec_device_fill(x, n, 0, 5);
    codec_device_fill(y, n, 1, 6);
    reference->select(&reference->impl, mask, values, x, rows, columns, kept, work);
    reference->gather(&reference->impl, values, mask, y, rows, columns, kept);
    r_mask = buffer_of(mask, nmask, 8);
    r_y = buffer_of(y, 4 * n, 4);
    r_back = buffer_of(y, 4 * n, 8);
    buffer_next_order();
    topk_gather_cuda(NULL, (float *)r_values.at, (uint64_t *)r_mask.at, (float *)r_y.at, rows, columns, kept);
    topk_scatter_cuda(NULL, (float *)r_back.at, CODEC_ADD, (uint64_t *)r_mask.at, (float *)r_values.at, rows, columns,
                      kept);
    buffer_no_error("gather");
    buffer_close(&r_values, got, "gather");
    assert_memory_equal(got, values, 4 * count);
    reference->scatter(&reference->impl, y, CODEC_ADD, mask, values, rows, columns, kept);
    buffer_close(&r_back, got, "scatter");
    assert_memory_equal(got, y, 4 * n);
    buffer_close(&r_mask, NULL, "gather");
    buffer_close(&r_y, NULL, "gather");
    free(x);
    free(y);
    free(values);
    free(got);
    free(mask);
    free(work);
}

static void gather(void **state)
{
    (void)state;
    check_gather(9, 40, 7);
    check_gather(3, 1024, 51);
    check_gather(2, 3001, 300);
    check_gather(20, 1, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps),
        cmocka_unit_test(gather),
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
