/* Every row against the reference, bit for bit: payload, state and values, over several steps, for every length that
 * has tails of its own, around the ends of chunks and where stores go past the cache, for all alignments of the values,
 * all numbers of threads, and values that are no numbers. */
#include <math.h>

#include "tests/kernels/libomp_leak.h"
#include "tests/kernels/threelc/threelc_rows.h"
#include "tests/sanitized.h"

enum { STEPS = 3, CHUNK_VALUES = 5 * THREELC_CHUNK };

static uint64_t seed;

static uint32_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 32);
}

static float from_bits(uint32_t bits)
{
    float f;

    memcpy(&f, &bits, sizeof(f));
    return f;
}

/* 'dense' in 1000 values are large; with 'odd', a few are anything at all. */
static void make_change(float *g, size_t n, unsigned dense, bool odd)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t r = next_random();
        float size = next_random() % 1000 < dense ? 0.7f : 0.01f;

        g[i] = size * (float)(int32_t)r / 2147483648.0f;
        if (odd && r % 61 == 0)
            g[i] = from_bits(next_random());
        if (odd && r % 61 == 1)
            g[i] = from_bits((next_random() % 2 ? 0x7f800000u : 0xff800000u) | (r & 0x00c00001));
        if (odd && r % 61 == 2)
            g[i] = from_bits(r & 0x80000003);
    }
}

/* Denormal throughout: M is odd or even, of one bit or more. */
static void make_denormal(float *g, size_t n)
{
    for (size_t i = 0; i < n; i++)
        g[i] = from_bits(next_random() & 0x80000007);
}

struct form {
    const struct codec *codec;
    const struct codec_impl *impls;
};
static const struct form forms[] = {
    { &codec_3lc, NULL }, /* NULL: the codec's own */
    { &codec_3lc_quartic, NULL },
    { &codec_3lc, threelc_pull_impls },
    { &codec_3lc_quartic, threelc_quartic_pull_impls },
};

static void compare(const char *row, const char *what, size_t n, const uint8_t *got, const uint8_t *want, size_t nbytes)
{
    if (nbytes && memcmp(got, want, nbytes) != 0)
        for (size_t i = 0; i < nbytes; i++)
            if (got[i] != want[i])
                fail_msg("%s, %zu values: %s differs at byte %zu of %zu", row, n, what, i, nbytes);
}

/* One row next to the reference for some steps. */
static void compare_row(const struct form *f, const struct codec_impl *im, size_t n, size_t skew, double s,
                        unsigned dense, int kind)
{
    const struct codec_impl *impls = f->impls ? f->impls : f->codec->impls, *ref = row_reference(impls);
    struct tensor a = tensor_new_of(f->codec, f->impls != NULL, n, s, skew), b = tensor_new(f->codec, n, s, 0);

    for (int step = 0; step < STEPS; step++) {
        if (kind == 2)
            make_denormal((float *)b.values.at, n);
        else
            make_change((float *)b.values.at, n, dense, kind == 1);
        memcpy(a.values.at, b.values.at, 4 * n);
        tensor_compress(&a, im);
        tensor_compress(&b, ref);
        assert_int_equal(a.nbytes, b.nbytes);
        compare(im->impl.name, "payload", n, a.payload.at, b.payload.at, b.nbytes);
        compare(im->impl.name, "state", n, a.state.at, b.state.at, 4 * n);
        compare(im->impl.name, "input", n, a.values.at, b.values.at, 4 * n);
        for (int into = CODEC_STORE; into <= CODEC_ADD; into++) {
            assert_int_equal(tensor_decompress(&a, im, into == 0 ? CODEC_ADD : CODEC_STORE, b.payload.at, b.nbytes), 0);
            assert_int_equal(tensor_decompress(&b, ref, into == 0 ? CODEC_ADD : CODEC_STORE, b.payload.at, b.nbytes),
                             0);
            compare(im->impl.name, into == 0 ? "what was added" : "what was stored", n, a.values.at, b.values.at,
                    4 * n);
        }
    }
    tensor_free(&a);
    tensor_free(&b);
}

static void each_row(size_t n, size_t skew, double s, unsigned dense, int kind)
{
    for (size_t f = 0; f < sizeof(forms) / sizeof(forms[0]); f++) {
        const struct codec_impl *rows[MAX_ROWS];
        size_t nrows = rows_wanted(rows, forms[f].impls ? forms[f].impls : forms[f].codec->impls);

        for (size_t r = 0; r < nrows; r++) {
            seed = 0x9e3779b97f4a7c15u + n + skew;
            compare_row(&forms[f], rows[r], n, skew, s, dense, kind);
        }
    }
}

static void all_lengths(void **state)
{
    (void)state;
    for (size_t n = 0; n <= 340; n += SANITIZED ? 7 : 1)
        each_row(n, n * 7 % 16, n % 2 ? 1.0 : 1.75, 30, (int)(n % 3));
    for (size_t n = 1000; n <= 1100; n += SANITIZED ? 17 : 3)
        each_row(n, n % 16, 1.25, 300, 0);
}

static void all_alignments(void **state)
{
    (void)state;
    for (size_t skew = 0; skew < 16; skew += SANITIZED ? 5 : 1)
        for (size_t n = 2555; n < 2560; n++)
            each_row(n, skew, 1.0, 10, 1);
}

static void around_chunks(void **state)
{
    static const size_t n[] = { CHUNK_VALUES - 5, CHUNK_VALUES - 4,     CHUNK_VALUES,
                                CHUNK_VALUES + 1, CHUNK_VALUES + 21,    CHUNK_VALUES + 5 * 77,
                                2 * CHUNK_VALUES, 2 * CHUNK_VALUES + 3, 3 * CHUNK_VALUES + 331 };
    static const unsigned dense[] = { 0, 1, 10, 100, 400, 900 };
    static const int threads[] = { 1, 2, 3, 8 };

    (void)state;
    for (size_t i = 0; i < sizeof(n) / sizeof(n[0]); i++) {
        rows_threads(threads[i % 4]);
        each_row(n[i], i % 16, i % 2 ? 1.0 : 1.9375, dense[i % 6], (int)(i % 2));
    }
}

/* Beyond 2^18 values the stores of decompressing and the order of reading change. */
static void large(void **state)
{
    static const int threads[] = { 2, 3, 8, 1 };

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        rows_threads(threads[i]);
        each_row(((size_t)1 << 18) + i * 54321, 3 * i, 1.0, i == 2 ? 300 : 10, i == 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_lengths),
        cmocka_unit_test(all_alignments),
        cmocka_unit_test(around_chunks),
        cmocka_unit_test(large),
    };
    const struct codec_impl *rows[MAX_ROWS];

    return rows_wanted(rows, codec_3lc.impls) ? cmocka_run_group_tests(tests, NULL, NULL) : impl_none_wanted();
}
