/* The device's matrix products against the reference, bit for bit: on a device (exit 77 without one) and, built with
 * NW_EMULATED, without. */
#include "kernels/gemm/gemm.h"
#include "tests/kernels/device/device_buffer.h"

#if defined(NW_CUDA) || defined(NW_EMULATED)
#include "kernels/gemm/device.h"

enum { PAD = 3 };

static const struct gemm_impl *reference;

static const uint32_t special[] = {
    0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001,
    0x00000001, 0x807fffff, 0x00800000, 0x3f808000, 0x3f818000, 0x7f7fffff, 0xff7fffff
};

/* Numbers with all their bits; one in 'rarity' is special, or tiny so that products are denormal. 0: none is. */
static void fill(float *to, size_t n, uint32_t seed, uint32_t rarity)
{
    uint32_t h = seed * 2654435761u + 1;

    for (size_t i = 0; i < n; i++) {
        h = h * 1664525u + 1013904223u;
        to[i] = (float)(int32_t)h / 1610612736.0f;
        if (rarity && (h >> 8) % rarity == 0)
            memcpy(&to[i], &special[(h >> 20) % (sizeof(special) / 4)], 4);
        else if (rarity && (h >> 8) % rarity == 1)
            to[i] *= 1e-20f;
    }
}

/* A matrix of rows * columns with rows 'PAD' floats apart. */
static size_t floats(size_t rows, size_t columns)
{
    return rows * (columns + PAD) + 1;
}

static void check(struct gemm_problem p, uint32_t rarity)
{
    size_t na = p.a_transposed ? floats(p.k, p.m) : floats(p.m, p.k);
    size_t nb = p.b_transposed ? floats(p.n, p.k) : floats(p.k, p.n), nc = floats(p.m, p.n);
    float *a = malloc(4 * na), *b = malloc(4 * nb), *want = malloc(4 * nc), *got = malloc(4 * nc);
    struct buffer room_a, room_b, room_c;
    char what[128];

    snprintf(what, sizeof(what), "mode %d, %zu x %zu x %zu, A%s B%s%s", p.mode, p.m, p.n, p.k,
             p.a_transposed ? "^T" : "", p.b_transposed ? "^T" : "", p.accumulate ? ", accumulated" : "");
    p.lda = (p.a_transposed ? p.m : p.k) + PAD;
    p.ldb = (p.b_transposed ? p.k : p.n) + PAD;
    p.ldc = p.n + PAD;
    fill(a, na, 1, rarity);
    fill(b, nb, 2, rarity);
    fill(want, nc, 3, rarity);
    room_a = buffer_of(a, 4 * na, 4 * (p.m % 4));
    room_b = buffer_of(b, 4 * nb, 4 * (p.n % 4));
    room_c = buffer_of(want, 4 * nc, 4 * (p.k % 4));
    p.a = a, p.b = b, p.c = want;
    reference->run(&reference->impl, &p, NULL);
    p.a = (float *)room_a.at, p.b = (float *)room_b.at, p.c = (float *)room_c.at;
    assert_int_equal(gemm_cuda_work(NULL, &p), 0);
    buffer_next_order();
    gemm_cuda(NULL, &p, NULL);
    buffer_no_error(what);
    buffer_close(&room_c, got, what);
    buffer_close(&room_a, NULL, what);
    buffer_close(&room_b, NULL, what);
    for (size_t i = 0; i < nc; i++)
        if (memcmp(&got[i], &want[i], 4))
            fail_msg("%s: float %zu (row %zu, column %zu) is %a, want %a", what, i, i / p.ldc, i % p.ldc,
                     (double)got[i], (double)want[i]);
    free(a);
    free(b);
    free(want);
    free(got);
}

/* All modes and ways to lie. */
static void check_all(size_t m, size_t n, size_t k, uint32_t rarity)
{
    for (int mode = 0; mode < FMA_NMODES; mode++)
        for (int how = 0; how < 8; how++)
            check((struct gemm_problem){ .mode = (enum fma_mode)mode,
                                         .m = m,
                                         .n = n,
                                         .k = k,
                                         .a_transposed = how & 1,
                                         .b_transposed = how & 2,
                                         .accumulate = how & 4 },
                  rarity);
}

static void steps(void **state)
{
    (void)state;
    for (size_t k = 0; k <= 18; k++)
        check_all(3, 5, k, 0);
    check_all(2, 2, 401, 0);
}

static void edges(void **state)
{
    static const size_t sides[] = { 1, 4, 5, 63, 64, 68, 127, 128, 129, 200 };

    (void)state;
    for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++) {
        check_all(sides[i], 1, 3, 0);
        check_all(1, sides[i], 3, 0);
    }
    check_all(0, 4, 2, 0);
    check_all(4, 0, 2, 0);
    check_all(130, 257, 9, 0);
}

static void special_values(void **state)
{
    (void)state;
    check_all(40, 50, 2, 9);
    check_all(40, 50, 11, 30);
    check_all(9, 140, 33, 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps),
        cmocka_unit_test(edges),
        cmocka_unit_test(special_values),
    };
    const char *why;

    for (reference = gemm_impls; strcmp(reference->impl.name, "scalar"); reference++)
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
