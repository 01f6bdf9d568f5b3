/* The device's k-th largest magnitude against the reference: on a device (exit 77 without one) and, built with
 * NW_EMULATED, without. */
#include "kernels/select/select.h"
#include "kernels/select/select_lane.h"
#include "tests/kernels/device/device_buffer.h"

#if defined(NW_CUDA) || defined(NW_EMULATED)
#include "kernels/select/device.h"

static const struct select_impl *reference;

static const uint32_t special[] = {
    0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001,
    0x00000001, 0x80000001, 0x007fffff, 0x3f800000, 0xbf800000, 0x7f7fffff, 0x7fffffff
};

enum kind { BELL, SPECIAL, ALIKE, TWO, HEAVY, STEPS, RISING, NKINDS };
/* Data against which the sample fails: what it sees is below the rest, above it, or on both sides of it. */
enum { SAMPLE_LOW = NKINDS, SAMPLE_HIGH, SAMPLE_ASIDE, SAMPLES = 8192 /* of the device's row */ };

static float value_of(enum kind kind, size_t i, uint32_t *h)
{
    float sum = 0;

    for (int k = 0; k < 4; k++) {
        *h = *h * 1664525u + 1013904223u;
        sum += (float)(*h >> 8) / 16777216.0f - 0.5f;
    }
    switch (kind) {
    case SPECIAL: memcpy(&sum, &special[(*h >> 20) % (sizeof(special) / 4)], 4); return sum;
    case ALIKE: return 0.5f;
    case TWO: return *h >> 31 ? 1.0f : -2.0f;
    case HEAVY: return sum * sum * sum * 1e6f / (sum * sum + 1e-4f);
    case STEPS: return (float)(int)(sum * 20);
    case RISING: return (float)i;
    default: return sum;
    }
}

static void trick(float *x, size_t n, int kind)
{
    for (size_t i = 0; i < n; i++)
        x[i] = 1 + (float)(i % 1009) / 2048;
    for (uint64_t j = 0; j < SAMPLES; j++)
        x[select_sample_index(j, n, SAMPLES)] = kind == SAMPLE_LOW || (kind == SAMPLE_ASIDE && j % 2) ? 0.25f : 4;
}

static void check(int kind, size_t n, size_t k, bool top)
{
    size_t nwork = top ? select_top_work(n, k) : select_work(n), nbitmap = 8 * ((n + 63) / 64);
    uint8_t *host_work = aligned_alloc(64, nwork / 64 * 64 + 64);
    float *x = malloc(4 * n + 4), *kept = malloc(4 * k + 4), *got_kept = malloc(4 * k + 4);
    uint64_t *bitmap = malloc(nbitmap + 8), *got_bitmap = malloc(nbitmap + 8);
    struct select_result want = { { 0, 0 }, 0 }, got;
    struct buffer rx, r = buffer_make(sizeof(got), 0), work = buffer_make(nwork, 0);
    struct buffer rb = buffer_make(nbitmap, 8 * (n % 3)), rk = buffer_make(4 * k, 4 * (n % 5));
    uint32_t h = (uint32_t)(n + k);
    char what[96];

    snprintf(what, sizeof(what), "%s of kind %d, the %zu-th of %zu", top ? "top" : "threshold", kind, k, n);
    for (size_t i = 0; i < n; i++)
        x[i] = value_of((enum kind)kind, i, &h);
    if (kind >= NKINDS)
        trick(x, n, kind);
    rx = buffer_of(x, 4 * n, 4 * (n % 4));
    buffer_next_order();
    if (top) {
        reference->top(&reference->impl, &want, bitmap, kept, x, n, k, host_work);
        select_top_cuda(NULL, (struct select_result *)r.at, (uint64_t *)rb.at, (float *)rk.at, (float *)rx.at, n, k,
                        work.at);
    } else {
        reference->kth(&reference->impl, &want, x, n, k, host_work);
        select_kth_cuda(NULL, (struct select_result *)r.at, (float *)rx.at, n, k, work.at);
    }
    buffer_no_error(what);
    buffer_close(&r, &got, what);
    buffer_close(&work, NULL, what);
    buffer_close(&rx, NULL, what);
    buffer_close(&rb, got_bitmap, what);
    buffer_close(&rk, got_kept, what);
    if (got.keep.threshold != want.keep.threshold || got.keep.tie_end != want.keep.tie_end || got.above != want.above)
        fail_msg("%s: threshold %08x, ties to %llu, %llu above; want %08x, %llu, %llu", what, got.keep.threshold,
                 (unsigned long long)got.keep.tie_end, (unsigned long long)got.above, want.keep.threshold,
                 (unsigned long long)want.keep.tie_end, (unsigned long long)want.above);
    if (top && (memcmp(bitmap, got_bitmap, nbitmap) || memcmp(kept, got_kept, 4 * k)))
        fail_msg("%s: not the values of the reference", what);
    free(host_work);
    free(x);
    free(kept);
    free(got_kept);
    free(bitmap);
    free(got_bitmap);
}

static void short_ones(void **state)
{
    static const size_t lengths[] = { 0, 1, 2, 31, 32, 33, 63, 65, 255, 257, 1023, 1025, 4099, 20000 };

    (void)state;
    for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++)
        for (int kind = 0; kind < NKINDS; kind++) {
            size_t n = lengths[i], ks[] = { 0, 1, n / 20, n / 2, n };

            for (size_t k = 0; k < 5; k++)
                if (ks[k] <= n && (!k || ks[k] != ks[k - 1]) && (n < 4000 || (k + (size_t)kind) % 3 == 0))
                    check(kind, n, ks[k], (i + k) % 2);
        }
}

/* Long enough for a sample. */
static void long_ones(void **state)
{
    const size_t n = (1 << 17) + 77;
    const size_t ks[] = { 1, n / 1000, n / 20, n / 4, n - 3 };

    (void)state;
    for (int kind = 0; kind < NKINDS; kind++)
        for (size_t k = 0; k < 5; k++)
            if ((k + (size_t)kind) % 2)
                check(kind, n, ks[k], k == 2);
    check(STEPS, n, n / 4 + 1, 1);
    check(BELL, (1 << 18) + 1, 13000, 0);
    check(SAMPLE_LOW, n, n - SAMPLES, 0); /* as many as are above what the sample saw */
    check(SAMPLE_LOW, n, n / 3, 1);
    check(SAMPLE_HIGH, n, SAMPLES + 2000, 0);
    check(SAMPLE_ASIDE, n, n / 2, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_ones),
        cmocka_unit_test(long_ones),
    };
    const char *why;

    for (reference = select_impls; strcmp(reference->impl.name, "scalar"); reference++)
        ;
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
