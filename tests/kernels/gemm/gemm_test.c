/* Every GEMM row of the host: values by hand for the definition, then all rows and all sets of tiles against it. */
#include <math.h>

#include "tests/kernels/gemm/gemm_case.h"

#include "kernels/shared/usable.h"
#include "tests/kernels/impl_wanted.h"
#include "tests/kernels/libomp_leak.h"
#include "tests/sanitized.h"

#ifdef NW_OPENMP
#include <omp.h>
#endif

/* The public rows; and the tiles that a row only offers on another make of processor. */
static struct {
    const char *name;
    gemm_run_fn *run;
    const void *how;
    unsigned modes;
    bool parallel;
} rows[16];
static size_t nrows;

static void run_row(const void *how, const struct gemm_problem *p, void *work)
{
    const struct gemm_impl *im = how;

    im->run(&im->impl, p, work);
}

static void run_tiles(const void *how, const struct gemm_problem *p, void *work)
{
    gemm_blocks_serial(how, p, work);
}

static void find_rows(void)
{
    for (const struct gemm_impl *im = gemm_impls; im->impl.name; im++)
        if (impl_is_wanted(&im->impl, IMPL_HOST)) {
            rows[nrows].name = im->impl.name;
            rows[nrows].run = run_row;
            rows[nrows].how = im;
            rows[nrows].parallel = im->impl.parallel;
            rows[nrows++].modes = im->modes;
        }
#ifdef NW_X86
    if (nrows && usable_avx512()) {
        rows[nrows].name = "tiles of avx512_adds";
        rows[nrows].run = run_tiles;
        rows[nrows].how = &gemm_tiles_avx512_adds;
        rows[nrows++].modes = 1 << FMA_BF16;
    }
#endif
}

static void try_all(enum fma_mode mode, size_t m, size_t n, size_t k, unsigned form, enum kind kind)
{
    struct gemm_case g;
    size_t work;

    gemm_case_make(&g, mode, m, n, k, form, kind);
    work = gemm_work_size(&g.p);
    for (size_t r = 0; r < nrows; r++)
        if (rows[r].modes >> mode & 1)
            gemm_case_try(&g, rows[r].name, rows[r].run, rows[r].how, work);
    gemm_case_free(&g);
}

/* One element: up to three links of a chain. */
static const struct {
    const char *why;
    enum fma_mode mode;
    bool add;
    size_t k;
    float a[3], b[3], c;
    uint32_t want;
} by_hand[] = {
    { "2*3 + 4*5", FMA_FP32, 0, 2, { 2, 4 }, { 3, 5 }, 9, 0x41d00000 },
    { "added to C", FMA_FP32, 1, 2, { 2, 4 }, { 3, 5 }, 9, 0x420c0000 },
    { "no k: C alone", FMA_FP32, 1, 0, { 0 }, { 0 }, 9, 0x41100000 },
    { "no k: nothing", FMA_FP32, 0, 0, { 0 }, { 0 }, 9, 0 },
    /* (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24, and less 1 + 2^-11 leaves what a rounded product would have lost. */
    { "fused", FMA_FP32, 1, 1, { 0x1.001p0f }, { 0x1.001p0f }, -0x1.002p0f, 0x33800000 },
    /* 2^24 + 1 - 2^24: the 1 is lost on the way, but not in another order. */
    { "ascending k", FMA_FP32, 0, 3, { 0x1p24f, 1, -0x1p24f }, { 1, 1, 1 }, 0, 0 },
    { "the last added stays", FMA_FP32, 0, 3, { 0x1p24f, -0x1p24f, 1 }, { 1, 1, 1 }, 0, 0x3f800000 },
    { "denormals are kept", FMA_FP32, 0, 1, { 0x1p-100f }, { 0x1p-49f }, 0, 0x00000001 },
    { "any NaN is the one", FMA_FP32, 0, 1, { -INFINITY }, { 0 }, 0, 0x7fc00000 },
    /* 1 + 2^-8 is the middle of two bf16, and goes to 1; 1 + 3 * 2^-8 goes up to 1 + 2^-6. */
    { "operands are rounded", FMA_MP, 0, 1, { 0x1.01p0f }, { 0x1.03p0f }, 0, 0x3f820000 },
    { "the accumulator is not", FMA_MP, 1, 1, { 1 }, { 0x1p-8f }, 0x1.000002p0f, 0x3f808001 },
    { "the accumulator is rounded", FMA_BF16, 0, 2, { 1, 1 }, { 1, 0x1p-8f }, 0, 0x3f800000 },
    { "after each step", FMA_BF16, 0, 3, { 1, 1, 1 }, { 1, 0x1p-8f, 0x1p-8f }, 0, 0x3f800000 },
    { "ties to even, up", FMA_BF16, 0, 2, { 1, 1 }, { 0x1.02p0f, 0x1p-8f }, 0, 0x3f820000 },
    { "C is rounded first", FMA_BF16, 1, 1, { 1 }, { 0x1p-8f }, 0x1.01p0f, 0x3f800000 },
    { "C alone is too", FMA_BF16, 1, 0, { 0 }, { 0 }, 0x1.03p0f, 0x3f820000 },
    { "past the largest", FMA_BF16, 0, 1, { 0x1.fep127f }, { 0x1.01p0f }, 0, 0x7f7f0000 },
    { "to infinity", FMA_BF16, 0, 2, { 0x1.fep127f, 0x1p119f }, { 1, 1 }, 0, 0x7f800000 },
    /* 2^-133 is the least bf16; half of it goes to even, 0, and three halves up. */
    { "denormal, down", FMA_BF16, 0, 1, { 0x1p-100f }, { 0x1p-34f }, 0, 0x00000000 },
    { "denormal, up", FMA_BF16, 0, 1, { 0x1p-100f }, { 0x1.8p-33f }, 0, 0x00020000 },
    { "a large C", FMA_BF16, 1, 1, { 1 }, { 1 }, 0x1p120f, 0x7b800000 },
    { "-0 stays", FMA_BF16, 1, 1, { 1 }, { -0.0f }, -0.0f, 0x80000000 },
    /* Odd before even: 1 * 1 is added to 2^24 first and is lost, twice. */
    { "pairs: odd first", FMA_BF16DOT, 1, 2, { -0x1p24f, 1 }, { 1, 1 }, 0x1p24f, 0x00000000 },
    { "pairs: even last", FMA_BF16DOT, 1, 2, { 1, -0x1p24f }, { 1, 1 }, 0x1p24f, 0x3f800000 },
    { "a denormal operand is 0", FMA_BF16DOT, 0, 1, { 0x1p-130f }, { 0x1p100f }, 0, 0x00000000 },
    { "a denormal sum is 0", FMA_BF16DOT, 0, 1, { 0x1p-100f }, { -0x1p-30f }, 0, 0x80000000 },
    { "an odd end is +0", FMA_BF16DOT, 1, 1, { 1 }, { -0.0f }, -0.0f, 0x00000000 },
};

static void values_by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(by_hand) / sizeof(*by_hand); i++) {
        float c;
        struct gemm_problem p = { by_hand[i].mode, 1, 1, by_hand[i].k, by_hand[i].a, 3, 0, by_hand[i].b, 1, 0, &c, 1,
                                  by_hand[i].add };
        void *work = aligned_alloc(64, (gemm_work_size(&p) + 64) / 64 * 64);

        assert_non_null(work);
        for (size_t r = 0; r < nrows; r++)
            if (rows[r].modes >> p.mode & 1) {
                c = by_hand[i].c;
                rows[r].run(rows[r].how, &p, work);
                if (memcmp(&c, &by_hand[i].want, sizeof(c)))
                    fail_msg("%s %s: %s: %a", rows[r].name, fma_mode_name(p.mode), by_hand[i].why, c);
            }
        free(work);
    }
}

/* All of 0 .. 40 on each side, every transpose, longer rows, set and added. */
static void small_shapes(void **state)
{
    unsigned form = 0;

    (void)state;
    for (enum fma_mode mode = 0; mode < FMA_NMODES; mode++)
        for (size_t m = 0; m <= 40; m += SANITIZED ? 5 : 1)
            for (size_t n = 0; n <= 40; n += SANITIZED ? 3 : 1, form++)
                try_all(mode, m, n, (7 * m + 3 * n + 5 * (form / 41)) % 41, form * 2654435761u >> 8,
                        form % 3 ? ORDINARY : TIES);
}

static void kinds_of_values(void **state)
{
    static const size_t shapes[][3] = { { 12, 32, 40 }, { 6, 16, 7 }, { 13, 33, 100 }, { 1, 1, 300 }, { 24, 64, 3 } };

    (void)state;
    for (enum fma_mode mode = 0; mode < FMA_NMODES; mode++)
        for (enum kind kind = 0; kind < NKINDS; kind++)
            for (size_t s = 0; s < sizeof(shapes) / sizeof(*shapes); s++)
                for (unsigned form = 0; form < 24; form += SANITIZED ? 7 : 1)
                    try_all(mode, shapes[s][0], shapes[s][1], shapes[s][2], form, kind);
}

/* More than a block of k, and more than a piece of C. Sampled, each shape is tried in every other mode. */
static void large_shapes(void **state)
{
    static const size_t shapes[][3] = {
        { 197, 150, 70 }, { 13, 35, 2 * GEMM_KC + 5 }, { 25, 65, GEMM_KC }, { 14, 33, GEMM_KC + 1 }, { 400, 30, 31 }
    };

    (void)state;
    for (enum fma_mode mode = 0; mode < FMA_NMODES; mode++)
        for (size_t s = sampled() ? mode % 2 : 0; s < sizeof(shapes) / sizeof(*shapes); s += sampled() ? 2 : 1)
            for (unsigned form = SANITIZED ? (unsigned)s : 0; form < 8; form += SANITIZED ? 8 : 1)
                try_all(mode, shapes[s][0], shapes[s][1], shapes[s][2], form + s, form % 2 ? TIES : ORDINARY);
}

static void any_number_of_threads(void **state)
{
#ifdef NW_OPENMP
    static const int threads[] = { 1, 2, 3, 8 };
    int before = omp_get_max_threads();

    (void)state;
    for (size_t t = 0; t < sizeof(threads) / sizeof(*threads); t += SANITIZED ? 3 : 1) {
        omp_set_num_threads(threads[t]);
        for (enum fma_mode mode = 0; mode < FMA_NMODES; mode++)
            for (unsigned form = 0; form < 8; form += SANITIZED ? 8 : 1) {
                try_all(mode, 61, 83, 97, form, SPECIAL);
                if (!sampled() || threads[t] > 1)
                    try_all(mode, 27, 40, GEMM_KC + 13, form, TIES);
            }
    }
    omp_set_num_threads(before);
#else
    (void)state;
    skip();
#endif
}

static void work_that_cannot_be(void **state)
{
    struct gemm_problem p = { FMA_FP32, SIZE_MAX / 2, 1, 1, NULL, 1, 0, NULL, 1, 0, NULL, 1, 0 };

    (void)state;
#ifdef NW_X86
    assert_true(gemm_work_size(&p) == SIZE_MAX);
#endif
    p.m = p.n = p.k = 0;
    assert_true(gemm_work_size(&p) < 4096);
}

static void there_is_a_reference(void **state)
{
    const struct gemm_impl *last = gemm_impls;

    (void)state;
    while (last[1].impl.name)
        last++;
    assert_string_equal(last->impl.name, "scalar");
    for (enum fma_mode mode = 0; mode < FMA_NMODES; mode++)
        assert_true(gemm_has(last, mode));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_a_reference),  cmocka_unit_test(work_that_cannot_be),
        cmocka_unit_test(values_by_hand),        cmocka_unit_test(small_shapes),
        cmocka_unit_test(kinds_of_values),       cmocka_unit_test(large_shapes),
        cmocka_unit_test(any_number_of_threads),
    };

    find_rows();
    return nrows ? cmocka_run_group_tests(tests, NULL, NULL) : impl_none_wanted();
}
