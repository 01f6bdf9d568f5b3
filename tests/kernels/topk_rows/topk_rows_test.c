/* Per-row selection of every host row against sorting; the mask used again on another matrix; the codec "dct-mp" and
 * payloads that it must refuse. */
#ifdef NW_OPENMP
#include <omp.h>
#endif

#include "kernels/topk_rows/topk_rows.h"
#include "tests/kernels/libomp_leak.h"
#include "tests/kernels/sparse/tensors.h"

enum { ROWS = 16 };
static const struct topk_impl *impls[ROWS];
static size_t nimpls;

static void use_threads(int threads)
{
#ifdef NW_OPENMP
    omp_set_num_threads(threads);
#else
    (void)threads;
#endif
}

struct place {
    uint32_t magnitude;
    uint32_t column;
};

static int greater_first(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->magnitude != y->magnitude)
        return x->magnitude < y->magnitude ? 1 : -1;
    return x->column < y->column ? -1 : 1;
}

static void want_mask(uint64_t *mask, const float *x, size_t rows, size_t columns, size_t kept)
{
    size_t words = (columns + 63) / 64;
    struct place *p = malloc(sizeof(*p) * (columns + 1));

    memset(mask, 0, 8 * rows * words);
    for (size_t r = 0; r < rows; r++) {
        for (size_t j = 0; j < columns; j++)
            p[j] = (struct place){ sparse_word(x[r * columns + j]) & 0x7fffffff, (uint32_t)j };
        qsort(p, columns, sizeof(*p), greater_first);
        for (size_t i = 0; i < kept && i < columns; i++)
            mask[r * words + p[i].column / 64] |= (uint64_t)1 << p[i].column % 64;
    }
    free(p);
}

/* Values under the mask, the plain way. */
static void want_values(float *values, const uint64_t *mask, const float *x, size_t rows, size_t columns)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t j = 0; j < columns; j++)
            if (mask[r * ((columns + 63) / 64) + j / 64] >> j % 64 & 1)
                memcpy(values++, x + r * columns + j, 4);
}

static void want_matrix(float *x, enum codec_into into, const uint64_t *mask, const float *values, size_t rows,
                        size_t columns)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t j = 0; j < columns; j++, x++) {
            uint32_t word = 0;

            if (mask[r * ((columns + 63) / 64) + j / 64] >> j % 64 & 1)
                word = into == CODEC_ADD ? sparse_sum(*x, *values) : sparse_word(*values), values++;
            else if (into == CODEC_ADD)
                continue;
            memcpy(x, &word, 4);
        }
}

static void try_shape(size_t rows, size_t columns, size_t kept, enum tensor_kind kind)
{
    size_t n = rows * columns, count = rows * (kept < columns ? kept : columns),
           words = rows * topk_mask_words(columns);
    float *x = guarded(4 * n, 4), *gradient = guarded(4 * n, 12), *values = malloc(4 * count + 4);
    float *back = malloc(4 * n + 4), *start = malloc(4 * n + 4);
    uint64_t *mask = malloc(8 * words + 8);

    for (size_t r = 0; r < rows; r++)
        tensor_fill(x + r * columns, columns, kind == TENSOR_KINDS ? (enum tensor_kind)(r % TENSOR_KINDS) : kind, r);
    tensor_fill(gradient, n, TENSOR_SPECIAL, 3);
    tensor_fill(start, n, TENSOR_SPECIAL, 4);
    want_mask(mask, x, rows, columns, kept);
    for (size_t i = 0; i < nimpls; i++) {
        uint8_t *work = guarded(topk_work(rows, columns), 0), *got = guarded(8 * words, 8);
        float *chosen = guarded(4 * count, 4), *matrix = guarded(4 * n, 4);

        impls[i]->select(&impls[i]->impl, (uint64_t *)(void *)got, chosen, x, rows, columns, kept, work);
        want_values(values, mask, x, rows, columns);
        if (memcmp(got, mask, 8 * words) || memcmp(chosen, values, 4 * count))
            fail_msg("%s: %zu x %zu, %zu kept, kind %d: mask or values", impls[i]->impl.name, rows, columns, kept,
                     kind);
        impls[i]->gather(&impls[i]->impl, chosen, mask, gradient, rows, columns, kept);
        want_values(values, mask, gradient, rows, columns);
        if (memcmp(chosen, values, 4 * count))
            fail_msg("%s: %zu x %zu, %zu kept: gradient", impls[i]->impl.name, rows, columns, kept);
        for (int into = CODEC_STORE; into <= CODEC_ADD; into++) {
            memcpy(matrix, start, 4 * n);
            memcpy(back, start, 4 * n);
            impls[i]->scatter(&impls[i]->impl, matrix, (enum codec_into)into, mask, chosen, rows, columns, kept);
            want_matrix(back, (enum codec_into)into, mask, values, rows, columns);
            if (memcmp(matrix, back, 4 * n))
                fail_msg("%s: %zu x %zu, %zu kept: back, into %d", impls[i]->impl.name, rows, columns, kept, into);
        }
        assert_true(guards_hold(work, topk_work(rows, columns)) && guards_hold(got, 8 * words) &&
                    guards_hold(chosen, 4 * count) && guards_hold(matrix, 4 * n));
        guarded_free(work, 0);
        guarded_free(got, 8);
        guarded_free(chosen, 4);
        guarded_free(matrix, 4);
    }
    guarded_free(x, 4);
    guarded_free(gradient, 12);
    free(values);
    free(back);
    free(start);
    free(mask);
}

static void by_hand(void **state)
{
    static const float x[10] = { 1, -3, 3, 0, 2, 0, 0, 0, -0.0f, 0 };
    uint64_t mask[2];
    float values[4];
    uint8_t *work = guarded(topk_work(2, 5), 0);

    (void)state;
    for (size_t i = 0; i < nimpls; i++) {
        impls[i]->select(&impls[i]->impl, mask, values, x, 2, 5, 2, work);
        assert_int_equal(mask[0], 6); /* -3 and 3 */
        assert_int_equal(mask[1], 3); /* all are equal: the first two */
        assert_true(values[0] == -3 && values[1] == 3 && values[2] == 0 && values[3] == 0);
        impls[i]->select(&impls[i]->impl, mask, values, x, 1, 5, 1, work);
        assert_int_equal(mask[0], 2); /* the lower column */
    }
    guarded_free(work, 0);
}

static void shapes(void **state)
{
    (void)state;
    use_threads(2);
    for (size_t columns = 1; columns <= 300; columns += columns < 70 ? 1 : 13)
        for (size_t kept = 0; kept <= columns + 1; kept += 1 + columns / 4)
            try_shape(TENSOR_KINDS + 1, columns, kept, TENSOR_KINDS);
    try_shape(0, 5, 2, TENSOR_NORMAL);
}

static void many_rows_and_threads(void **state)
{
    static const int threads[] = { 1, 2, 3, 8 };

    (void)state;
    for (int t = 0; t < 4; t++) {
        use_threads(threads[t]);
        try_shape(70, 1024, 51, TENSOR_NORMAL);
        try_shape(65, 1000, 51, TENSOR_KINDS);
        try_shape(3, 40000, 2000, TENSOR_KINDS);
    }
}

static void codec_round_trip(void **state)
{
    static const size_t lengths[] = { 0, 1, 63, 99, 100, 101, 1000, 1064 };
    struct codec_params p = { { 100, 7 } };

    (void)state;
    for (const struct codec_impl *im = codec_dct_mp.impls; im->impl.name; im++)
        for (int i = 0; impl_is_wanted(&im->impl, IMPL_HOST) && i < 8; i++) {
            size_t n = lengths[i], rows = n / 100, rest = n % 100, last = rest < 7 ? rest : 7, size;
            size_t words = 2 * rows + (rest + 63) / 64;
            float *x = guarded(4 * n, 0), *y = guarded(4 * n, 0), *should = guarded(4 * n, 0);
            uint64_t mask[32], nbytes = 0;
            uint8_t *payload = guarded(codec_dct_mp.payload_bound(n, &p), 0);
            uint8_t *work = guarded(codec_dct_mp.work_size(n, &p), 0);
            int error;

            tensor_fill(x, n, TENSOR_NORMAL, n);
            want_mask(mask, x, rows, 100, 7);
            want_mask(mask + 2 * rows, x + 100 * rows, rest != 0, rest, 7);
            im->compress(&im->impl, payload, &nbytes, x, n, &p, NULL, work);
            size = 8 * words + 4 * (7 * rows + last);
            assert_int_equal(nbytes, size);
            assert_memory_equal(payload, mask, 8 * words);
            for (size_t j = 0; j < n; j++) {
                const uint64_t *row = mask + 2 * (j / 100);

                should[j] = row[j % 100 / 64] >> j % 100 % 64 & 1 ? x[j] : 0;
            }
            memset(y, 1, 4 * n);
            im->decompress(&im->impl, y, n, CODEC_STORE, payload, size, &p, work, &error);
            assert_int_equal(error, CODEC_OK);
            assert_memory_equal(y, should, 4 * n);
            memcpy(should, y, 4 * n);
            for (size_t b = 0; b < 64 * words; b++) { /* every bit of the mask counts */
                payload[b / 8] ^= (uint8_t)(1 << b % 8);
                im->decompress(&im->impl, y, n, CODEC_ADD, payload, size, &p, work, &error);
                assert_int_equal(error, CODEC_CONTENT);
                payload[b / 8] ^= (uint8_t)(1 << b % 8);
            }
            if (rest % 64 && rest > 7) { /* a bit moved behind the last column */
                uint64_t moved = mask[words - 1] & (mask[words - 1] - 1);

                moved = mask[words - 1] ? moved | (uint64_t)1 << 63 : 0;
                memcpy(payload + 8 * words - 8, &moved, 8);
                im->decompress(&im->impl, y, n, CODEC_STORE, payload, size, &p, work, &error);
                assert_int_equal(error, mask[words - 1] ? CODEC_CONTENT : CODEC_OK);
                memcpy(payload, mask, 8 * words);
            }
            for (size_t cut = 0; cut < size; cut++) {
                im->decompress(&im->impl, y, n, CODEC_STORE, payload, cut, &p, work, &error);
                assert_int_equal(error, CODEC_SHORT);
            }
            im->decompress(&im->impl, y, n, CODEC_STORE, payload, size + 1, &p, work, &error);
            assert_int_equal(error, CODEC_LONG);
            assert_memory_equal(y, should, 4 * n);
            assert_true(guards_hold(y, 4 * n) && guards_hold(payload, codec_dct_mp.payload_bound(n, &p)) &&
                        guards_hold(work, codec_dct_mp.work_size(n, &p)));
            guarded_free(x, 0);
            guarded_free(y, 0);
            guarded_free(should, 0);
            guarded_free(payload, 0);
            guarded_free(work, 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(shapes),
        cmocka_unit_test(many_rows_and_threads),
        cmocka_unit_test(codec_round_trip),
    };

    for (const struct topk_impl *im = topk_impls; im->impl.name; im++)
        if (impl_is_wanted(&im->impl, IMPL_HOST))
            impls[nimpls++] = im;
    return nimpls ? cmocka_run_group_tests(tests, NULL, NULL) : impl_none_wanted();
}
