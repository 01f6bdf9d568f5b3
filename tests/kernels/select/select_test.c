/* Every selection of the host against sorting: all small lengths, all k that matter, distributions that are hard, every
 * number of threads, and the data for which the sample fails. */
#ifdef NW_OPENMP
#include <omp.h>
#endif

#include "kernels/select/host.h"
#include "tests/kernels/libomp_leak.h"
#include "tests/kernels/sparse/tensors.h"
#include "tests/sanitized.h"

enum { ROWS = 16 };
static const struct select_impl *rows[ROWS];
static size_t nrows;

static void use_threads(int threads)
{
#ifdef NW_OPENMP
    omp_set_num_threads(threads);
#else
    (void)threads;
#endif
}

static int greater_first(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x < y) - (x > y);
}

static uint32_t *sorted(const float *x, size_t n)
{
    uint32_t *s = malloc(4 * n + 4);

    assert_non_null(s);
    for (size_t i = 0; i < n; i++)
        s[i] = sparse_word(x[i]) & 0x7fffffff;
    qsort(s, n, 4, greater_first);
    return s;
}

struct wanted {
    struct select_result r;
    uint64_t *bitmap;
    uint32_t *values;
};

/* The definition, from the sorted magnitudes. */
static struct wanted want(const float *x, const uint32_t *s, size_t n, size_t k)
{
    struct wanted w = { { { 0, SPARSE_NOTHING }, 0 }, calloc(n / 64 + 1, 8), malloc(4 * k + 4) };
    size_t ties, at = 0;

    if (k) {
        w.r.keep.threshold = s[k - 1];
        while (s[w.r.above] > s[k - 1])
            w.r.above++;
    }
    ties = k - w.r.above;
    for (size_t i = 0; i < n; i++) {
        uint32_t m = sparse_word(x[i]) & 0x7fffffff;

        if (m < w.r.keep.threshold || (m == w.r.keep.threshold && !ties))
            continue;
        if (m == w.r.keep.threshold && --ties == 0)
            w.r.keep.tie_end = i + 1;
        w.bitmap[i / 64] |= (uint64_t)1 << i % 64;
        w.values[at++] = sparse_word(x[i]);
    }
    return w;
}

/* What a row works with. One row finds in 'work' what another has left, as callers do who select again and again. */
struct guarded {
    size_t words, space, top_space;
    uint8_t *bitmap, *values, *small, *work;
};

static void try_one(const struct select_impl *im, const float *x, size_t n, size_t k, const struct wanted *w,
                    const struct guarded *g, const char *what)
{
    struct select_result kth, top;

    memset(g->bitmap, GUARD_BYTE, g->words);
    memset(g->values, GUARD_BYTE, 4 * k);
    im->kth(&im->impl, &kth, x, n, k, g->small);
    im->top(&im->impl, &top, (uint64_t *)(void *)g->bitmap, (float *)(void *)g->values, x, n, k, g->work);
    if (kth.keep.threshold != w->r.keep.threshold || kth.above != w->r.above)
        fail_msg("%s %s n %zu k %zu: %08x above %zu, not %08x above %zu", im->impl.name, what, n, k, kth.keep.threshold,
                 (size_t)kth.above, w->r.keep.threshold, (size_t)w->r.above);
    for (size_t i = 0; i < n; i++) /* tie_end may be any place that names the same values */
        if (sparse_keeps(kth.keep, sparse_word(x[i]), i) != (int)(w->bitmap[i / 64] >> i % 64 & 1))
            fail_msg("%s %s n %zu k %zu: names value %zu wrongly", im->impl.name, what, n, k, i);
    if (kth.keep.tie_end != top.keep.tie_end || kth.keep.threshold != top.keep.threshold || kth.above != top.above)
        fail_msg("%s %s n %zu k %zu: kth and top differ", im->impl.name, what, n, k);
    if (memcmp(g->bitmap, w->bitmap, g->words) || memcmp(g->values, w->values, 4 * k))
        fail_msg("%s %s n %zu k %zu: bitmap or values", im->impl.name, what, n, k);
    if (!guards_hold(g->work, g->top_space) || !guards_hold(g->bitmap, g->words) || !guards_hold(g->values, 4 * k) ||
        !guards_hold(g->small, g->space))
        fail_msg("%s %s n %zu k %zu: wrote outside", im->impl.name, what, n, k);
}

static void try_all(const float *x, const uint32_t *s, size_t n, size_t k, const char *what)
{
    struct wanted w = want(x, s, n, k);
    struct guarded g = {
        (size_t)sparse_bitmap_bytes(n), select_work(n), select_top_work(n, k), NULL, NULL, NULL, NULL
    };

    g.bitmap = guarded(g.words, 8);
    g.values = guarded(4 * k, 4);
    g.small = guarded(g.space, 0);
    g.work = guarded(g.top_space, 0);
    for (size_t r = 0; r < nrows; r++)
        try_one(rows[r], x, n, k, &w, &g, what);
    guarded_free(g.bitmap, 8);
    guarded_free(g.values, 4);
    guarded_free(g.small, 0);
    guarded_free(g.work, 0);
    free(w.bitmap);
    free(w.values);
}

static void by_hand(void **state)
{
    static const uint32_t words[] = { 0x3f800000, 0xc0000000, 0x7fc00000, 0x40000000,
                                      0xff800000, 0x00000000, 0x80000001, 0x40000000 };
    struct select_result r;
    static const struct {
        size_t k;
        uint32_t threshold;
        uint64_t above, tie_end;
    } cases[] = { { 0, SPARSE_NOTHING, 0, 0 }, { 1, 0x7fc00000, 0, 8 }, { 2, 0x7f800000, 1, 8 },
                  { 3, 0x40000000, 2, 2 },     { 4, 0x40000000, 2, 4 }, { 5, 0x40000000, 2, 8 },
                  { 6, 0x3f800000, 5, 8 },     { 7, 1, 6, 8 },          { 8, 0, 7, 8 } };
    float x[8];
    uint8_t *work = guarded(select_work(8), 0);

    (void)state;
    memcpy(x, words, sizeof(words));
    for (size_t i = 0; i < nrows; i++)
        for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
            rows[i]->kth(&rows[i]->impl, &r, x, 8, cases[c].k, work);
            assert_int_equal(r.keep.threshold, cases[c].threshold);
            assert_int_equal(r.above, cases[c].above);
            assert_int_equal(r.keep.tie_end, cases[c].tie_end);
        }
    guarded_free(work, 0);
}

static void small_lengths(void **state)
{
    (void)state;
    for (size_t n = 0; n <= 300; n += SANITIZED ? 11 : n < 70 ? 1 : 23)
        for (int kind = 0; kind < TENSOR_KINDS; kind += 1 + (n > 20)) {
            float *x = guarded(4 * n, 4);
            uint32_t *s;

            tensor_fill(x, n, (enum tensor_kind)kind, n);
            s = sorted(x, n);
            for (size_t k = 0; k <= n; k += 1 + (n > 40) * 13)
                try_all(x, s, n, k, "small");
            try_all(x, s, n, n, "small");
            free(s);
            guarded_free(x, 4);
        }
}

/* Above the length from which a sample is taken, with lengths around blocks. */
static void large_lengths(void **state)
{
    static const size_t lengths[] = { SELECT_SAMPLED_MIN - 1, SELECT_SAMPLED_MIN, 9217, 2 * SPARSE_BLOCK + 65,
                                      10 * SPARSE_BLOCK + 4097 };
    static const double shares[] = { 0.001, 0.25, 0.9999 };

    (void)state;
    for (int kind = 0; kind < TENSOR_KINDS; kind++) {
        size_t n = lengths[kind % 5];
        float *x = guarded(4 * n, 4);
        uint32_t *s;

        tensor_fill(x, n, (enum tensor_kind)kind, 5);
        s = sorted(x, n);
        for (int i = 0; i < 3; i++) {
            use_threads(1 + kind % 3);
            try_all(x, s, n, (size_t)((double)n * shares[i]), "large");
        }
        free(s);
        guarded_free(x, 4);
    }
}

/* The k-th is above the bracket, and below it. */
static void wherever_the_sample_is_wrong(void **state)
{
    size_t n = SELECT_SAMPLED_MIN + 1000, samples = select_samples(n);
    float *x = guarded(4 * n, 0);
    uint32_t *s;

    (void)state;
    use_threads(2);
    tensor_fill(x, n, TENSOR_NORMAL, 9);
    /* What is sampled is a hundred times smaller, then greater, than all else. */
    for (int turn = 0; turn < 2; turn++) {
        for (size_t j = 0; j < samples; j++)
            x[select_quick_index(j, (n << 16) / samples)] *= turn ? 10000.0f : 0.01f;
        s = sorted(x, n);
        try_all(x, s, n, n / 20, "bad sample");
        try_all(x, s, n, n / 2, "bad sample");
        free(s);
    }
    guarded_free(x, 0);
}

/* Half of what is sampled is above all else, half below: all else is between, too much to list. */
static void more_between_than_is_listed(void **state)
{
    size_t n = 2 * SPARSE_BLOCK + 1000, samples = select_samples(n);
    float *x = guarded(4 * n, 0);
    uint32_t *s;

    (void)state;
    use_threads(2);
    for (size_t i = 0; i < n; i++)
        x[i] = 1.5f + (float)(i % 7) * 0x1p-20f;
    for (size_t j = 0; j < samples; j++)
        x[select_quick_index(j, (n << 16) / samples)] = (j % 2 ? 1.0f : 2.0f) + (float)j * 0x1p-12f;
    s = sorted(x, n);
    try_all(x, s, n, n / 2, "much between");
    free(s);
    guarded_free(x, 0);
}

static void any_number_of_threads(void **state)
{
    static const int threads[] = { 1, 2, 3, 8 };
    size_t n = 5 * SPARSE_BLOCK + 77;
    float *x = guarded(4 * n, 0);
    uint32_t *s;

    (void)state;
    tensor_fill(x, n, TENSOR_TWO, 3);
    s = sorted(x, n);
    for (int i = 0; i < 4; i++) {
        use_threads(threads[i]);
        try_all(x, s, n, n / 40, "threads");
        try_all(x, s, n, n / 3, "threads");
    }
    free(s);
    guarded_free(x, 0);
}

static void samples_are_spread(void **state)
{
    (void)state;
    for (uint64_t n = 5; n < 5000; n += 97)
        for (uint64_t j = 0; j < 5; j++) {
            uint64_t i = select_sample_index(j, n, 5);

            assert_true(i >= j * n / 5 && i < (j + 1) * n / 5);
        }
    assert_true(select_sample_index(SELECT_SAMPLES - 1, CODEC_MAX_VALUES, SELECT_SAMPLES) < CODEC_MAX_VALUES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(small_lengths),
        cmocka_unit_test(large_lengths),
        cmocka_unit_test(wherever_the_sample_is_wrong),
        cmocka_unit_test(more_between_than_is_listed),
        cmocka_unit_test(any_number_of_threads),
        cmocka_unit_test(samples_are_spread),
    };

    for (const struct select_impl *im = select_impls; im->impl.name; im++)
        if (impl_is_wanted(&im->impl, IMPL_HOST))
            rows[nrows++] = im;
    return nrows ? cmocka_run_group_tests(tests, NULL, NULL) : impl_none_wanted();
}
