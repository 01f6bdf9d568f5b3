/* Packing and norm in one pass: the bytes of the definition and the bits of l2norm.h, in the order it states. */
#include <math.h>
#include <sys/mman.h>
#ifdef NW_OPENMP
#include <omp.h>
#endif

#include "tests/kernels/adt/adt_cases.h"
#include "tests/kernels/adt/adt_rows.h"
#include "tests/kernels/l2norm/l2norm_cases.h"
#include "tests/kernels/libomp_leak.h"

/* Past ADT_STREAM_MIN, and several pieces of eight blocks for each of eight threads. */
enum { MAX_ROWS = 32, LARGEST = 9 * ADT_NORM_PIECE + 4096 + 777, PAGE = 4096 };

static struct adt_row rows[MAX_ROWS];
static size_t nrows;
static float *weights; /* LARGEST and 64 more */
static uint8_t *to;
static double *work, work_sentinel;

static void threads(int n)
{
#ifdef NW_OPENMP
    omp_set_num_threads(n);
#else
    (void)n;
#endif
}

static uint8_t byte_of(const float *w, size_t at, int bytes_per_weight)
{
    uint32_t word;

    memcpy(&word, w + at / (size_t)bytes_per_weight, sizeof(word));
    return (uint8_t)(word >> (8 * (4 - bytes_per_weight + (int)(at % (size_t)bytes_per_weight))));
}

static void check(const struct adt_row *row, int bytes_per_weight, const float *w, size_t n, size_t align, double want)
{
    struct attempt a = { row->name, "pack_norm", bytes_per_weight, n, align, (uintptr_t)w % 64 };
    size_t size = (size_t)bytes_per_weight * n, nwork = l2norm_work(n);
    uint8_t *dst = to + MARGIN + align;
    double norm[3] = { work_sentinel, -1, work_sentinel };

    memset(dst - MARGIN, SENTINEL, size + 2 * MARGIN);
    work[0] = work[1 + nwork] = work_sentinel;
    row_pack_norm(row, dst, norm + 1, w, n, bytes_per_weight, work + 1);
    for (size_t i = 0; i < size; i++)
        if (dst[i] != byte_of(w, i, bytes_per_weight))
            attempt_fail(&a, "wrong byte", (long)i);
    for (long i = 1; i <= MARGIN; i++)
        if (dst[-i] != SENTINEL || dst[(long)size + i - 1] != SENTINEL)
            attempt_fail(&a, "wrote outside the result", i);
    if (work[0] != work_sentinel || work[1 + nwork] != work_sentinel || norm[0] != work_sentinel ||
        norm[2] != work_sentinel)
        attempt_fail(&a, "wrote outside the norm or the scratch", -1);
    if (memcmp(&norm[1], &want, sizeof(want)))
        fail_msg("%s pack_norm: bytes_per_weight %d, %zu weights: %.17g (%a), want %.17g (%a)", row->name,
                 bytes_per_weight, n, norm[1], norm[1], want, want);
}

static void values_by_hand(void **state)
{
    (void)state;
    for (size_t r = 0; r < nrows; r++)
        for (size_t c = 0; c < L2NORM_NCASES; c++)
            for (int bytes_per_weight = 1; bytes_per_weight <= 4; bytes_per_weight++) {
                float w[8];

                memcpy(w, l2norm_cases[c].bits, sizeof(w));
                check(&rows[r], bytes_per_weight, w, l2norm_cases[c].n, 3, l2norm_cases[c].norm);
            }
}

static void all_lengths(void **state)
{
    (void)state;
    for (size_t n = 0; n <= 300; n++)
        for (size_t align = n % 5; align < 64; align += 5) {
            const float *w = weights + (align + n) % 16;
            double want = l2norm_as_stated(w, n);

            for (size_t r = 0; r < nrows; r++)
                for (int bytes_per_weight = 1; bytes_per_weight <= 4; bytes_per_weight++)
                    check(&rows[r], bytes_per_weight, w, n, align, want);
        }
}

/* Around the blocks and pieces; results that do and do not start on a line. */
static void pieces(void **state)
{
    static const size_t lengths[] = { 4095,
                                      4097,
                                      ADT_NORM_PIECE - 1,
                                      ADT_NORM_PIECE,
                                      ADT_NORM_PIECE + 21,
                                      ADT_NORM_PIECE + 63,
                                      2 * ADT_NORM_PIECE + 64,
                                      3 * ADT_NORM_PIECE + 2 * 4096 + 5 };
    static const size_t aligns[] = { 0, 1, 2, 32, 63 };

    (void)state;
    for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
        double want = l2norm_as_stated(weights + 3, lengths[i]);

        for (size_t r = 0; r < nrows; r++)
            for (int bytes_per_weight = 1; bytes_per_weight <= 4; bytes_per_weight++)
                for (size_t a = 0; a < sizeof(aligns) / sizeof(*aligns); a++)
                    check(&rows[r], bytes_per_weight, weights + 3, lengths[i], aligns[a], want);
    }
}

static void any_number_of_threads(void **state)
{
    static const size_t lengths[] = { 2 * ADT_NORM_PIECE, 5 * ADT_NORM_PIECE + 1, LARGEST };
    static const int counts[] = { 1, 2, 3, 8 };

    (void)state;
    for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
        double want = l2norm_as_stated(weights, lengths[i]);

        for (size_t r = 0; r < nrows; r++)
            for (size_t t = 0; t < (rows[r].im->impl.parallel ? 4 : 1); t++) {
                threads(counts[t]);
                check(&rows[r], 1 + (int)((i + t) % 3), weights, lengths[i], 0, want);
                check(&rows[r], 3, weights, lengths[i], 4, want);
            }
    }
}

/* A NaN or an infinity anywhere among the blocks of a piece. */
static void bad_weights(void **state)
{
    enum { N = ADT_NORM_PIECE + 100 };
    static const uint32_t bad[] = { 0x7f800000, 0xff800000, 0xffc00001, 0x7f800001 };
    static float w[N];

    (void)state;
    for (size_t b = 0; b < 4; b++)
        for (size_t at = 0; at < N; at += 1237) {
            memset(w, 0, sizeof(w));
            memcpy(&w[at], &bad[b], 4);
            for (size_t r = 0; r < nrows; r++)
                check(&rows[r], 2, w, N, 0, b < 2 ? INFINITY : NAN);
        }
}

/* Nothing behind the weights may be read, and nothing in front of them. */
static void nothing_outside_is_read(void **state)
{
    static const size_t lengths[] = {
        1, 33, 64, 300, 4097, ADT_NORM_PIECE, ADT_NORM_PIECE + 70, ADT_NORM_PIECE + 4000
    };
    size_t size = (4 * ADT_NORM_PIECE + 4 * 4096 + PAGE - 1) / PAGE * PAGE;
    uint8_t *p = mmap(NULL, size + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    (void)state;
    assert_ptr_not_equal(p, MAP_FAILED);
    assert_int_equal(mprotect(p + PAGE, size, PROT_READ | PROT_WRITE), 0);
    for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++)
        for (int at_end = 0; at_end < 2; at_end++) {
            float *w = (float *)(p + PAGE + (at_end ? size - 4 * lengths[i] : 0));
            double want = l2norm_as_stated(weights, lengths[i]);

            memcpy(w, weights, 4 * lengths[i]);
            for (size_t r = 0; r < nrows; r++)
                for (int bytes_per_weight = 1; bytes_per_weight <= 4; bytes_per_weight++)
                    check(&rows[r], bytes_per_weight, w, lengths[i], 5, want);
        }
    munmap(p, size + 2 * PAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_by_hand), cmocka_unit_test(all_lengths),
        cmocka_unit_test(pieces),         cmocka_unit_test(any_number_of_threads),
        cmocka_unit_test(bad_weights),    cmocka_unit_test(nothing_outside_is_read),
    };
    int failed = 1;

    nrows = adt_rows(rows, MAX_ROWS);
    if (!nrows)
        return impl_none_wanted();
    memset(&work_sentinel, SENTINEL, sizeof(work_sentinel));
    weights = malloc((LARGEST + 64) * sizeof(*weights));
    to = aligned_alloc(64, (MARGIN + 64 + 4 * (size_t)LARGEST + MARGIN + 63) / 64 * 64);
    work = malloc((l2norm_work(LARGEST) + 2) * sizeof(*work));
    for (size_t i = 0; weights && i < LARGEST + 64; i++)
        weights[i] = l2norm_weight(i);
    if (weights && to && work)
        failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(weights);
    free(to);
    free(work);
    return failed;
}
