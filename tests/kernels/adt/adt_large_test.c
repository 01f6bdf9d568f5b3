/* ADT on arrays large enough for several walks, streaming stores and several threads; and with memory that must not be
 * touched right before and right behind both buffers, so that a read outside shows as well as a write. */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef NW_OPENMP
#include <omp.h>
#endif

#include "tests/kernels/adt/adt_cases.h"
#include "tests/kernels/adt/adt_rows.h"
#include "tests/kernels/libomp_leak.h"

/* LARGEST is past ADT_STREAM_MIN; a block of walks (stream_order) is 32768 weights. */
enum { MAX_ROWS = 32, LARGEST = ADT_STREAM_MIN + 64 * 37 + 29, PAGE = 4096 };

static struct adt_row rows[MAX_ROWS];
static size_t nrows;
static struct adt_cases cases;
static uint8_t *from, *to; /* 64-byte aligned, MARGIN + 64 + 4 * LARGEST + MARGIN bytes */

static void threads(int n)
{
#ifdef NW_OPENMP
    omp_set_num_threads(n);
#else
    (void)n;
#endif
}

static void try_both(const struct adt_row *row, int bytes_per_weight, size_t n, size_t dst_align, size_t src_align)
{
    struct attempt a = { row->name, "pack", bytes_per_weight, n, dst_align, src_align };
    uint8_t *dst = to + MARGIN + dst_align, *src = from + MARGIN + src_align;
    size_t packed = (size_t)bytes_per_weight * n;

    memset(dst - MARGIN, SENTINEL, packed + 2 * MARGIN);
    memcpy(src, cases.weights, 4 * n);
    row_pack(row, dst, src, n, bytes_per_weight);
    check_output(&a, dst, cases.packed[bytes_per_weight], packed);

    a.what = "unpack";
    memset(dst - MARGIN, SENTINEL, 4 * n + 2 * MARGIN);
    memcpy(src, cases.packed[bytes_per_weight], packed);
    row_unpack(row, dst, src, n, bytes_per_weight);
    check_output(&a, dst, cases.unpacked[bytes_per_weight], 4 * n);
}

/* Lengths around one and several blocks of walks; addresses that can and cannot be brought to a line. */
static void streaming(void **state)
{
    static const size_t lengths[] = { 32767, 32768, 32768 + 63, 32768 + 64 + 5, 3 * 32768 + 777 };
    static const size_t aligns[] = { 0, 1, 2, 4, 32, 63 };

    (void)state;
    for (size_t r = 0; r < nrows; r++)
        for (int bytes_per_weight = 1; rows[r].stream && bytes_per_weight <= 4; bytes_per_weight++)
            for (size_t n = 0; n < sizeof(lengths) / sizeof(*lengths); n++)
                for (size_t a = 0; a < sizeof(aligns) / sizeof(*aligns); a++)
                    try_both(&rows[r], bytes_per_weight, lengths[n], aligns[a], aligns[5 - a]);
}

static void any_number_of_threads(void **state)
{
    static const size_t lengths[] = { 1 << 14, (1 << 14) + 1, 50000, LARGEST };

    (void)state;
    for (size_t r = 0; r < nrows; r++)
        for (int bytes_per_weight = 1; rows[r].im->impl.parallel && bytes_per_weight <= 4; bytes_per_weight++)
            for (int t = 1; t <= 5; t++)
                for (size_t n = 0; n < sizeof(lengths) / sizeof(*lengths); n++) {
                    threads(t);
                    try_both(&rows[r], bytes_per_weight, lengths[n], (size_t)(13 * t) % 64, (size_t)(4 * t));
                }
}

/* The public serial rows choose streaming stores by themselves. */
static void large_serial(void **state)
{
    (void)state;
    for (size_t r = 0; r < nrows; r++)
        for (int bytes_per_weight = 1; !rows[r].im->impl.parallel && !rows[r].stream && bytes_per_weight <= 4;
             bytes_per_weight++)
            try_both(&rows[r], bytes_per_weight, LARGEST, 3, 5);
}

static struct attempt fenced;

static void touched_the_fence(int signal_number)
{
    char text[160];
    int n = snprintf(text, sizeof(text),
                     "%s %s: touched memory outside, bytes_per_weight %d, %zu weights, buffers at the %s\n",
                     fenced.impl, fenced.what, fenced.bytes_per_weight, fenced.n, fenced.dst_align ? "end" : "start");

    (void)signal_number;
    if (write(STDERR_FILENO, text, (size_t)n) < 0)
        _exit(2);
    _exit(1);
}

/* 'size' usable bytes, a multiple of PAGE, between two pages that no one may touch. */
static uint8_t *fence(size_t size)
{
    uint8_t *p = mmap(NULL, size + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert_ptr_not_equal(p, MAP_FAILED);
    assert_int_equal(mprotect(p + PAGE, size, PROT_READ | PROT_WRITE), 0);
    return p + PAGE;
}

static void fenced_call(const struct adt_row *row, uint8_t *a, uint8_t *b, size_t size, int bytes_per_weight, size_t n,
                        bool at_end)
{
    size_t packed = (size_t)bytes_per_weight * n;
    uint8_t *weights = at_end ? a + size - 4 * n : a, *bytes = at_end ? b + size - packed : b;

    fenced = (struct attempt){ row->name, "pack", bytes_per_weight, n, at_end, 0 };
    memcpy(weights, cases.weights, 4 * n);
    row_pack(row, bytes, weights, n, bytes_per_weight);
    check_input(&fenced, bytes, cases.packed[bytes_per_weight], packed);
    fenced.what = "unpack";
    row_unpack(row, weights, bytes, n, bytes_per_weight);
    check_input(&fenced, weights, cases.unpacked[bytes_per_weight], 4 * n);
}

static void nothing_outside_is_touched(void **state)
{
    enum { SIZE = 40 * PAGE };
    struct sigaction old, act = { .sa_handler = touched_the_fence };
    uint8_t *a = fence(SIZE), *b = fence(SIZE);

    (void)state;
    sigaction(SIGSEGV, &act, &old);
    for (size_t r = 0; r < nrows; r++)
        for (int bytes_per_weight = 1; bytes_per_weight <= 4; bytes_per_weight++)
            for (size_t i = 0; i <= 301; i++)
                for (int at_end = 0; at_end < 2; at_end++)
                    fenced_call(&rows[r], a, b, SIZE, bytes_per_weight, i <= 300 ? i : 32768 + 33, at_end);
    sigaction(SIGSEGV, &old, NULL);
    munmap(a - PAGE, SIZE + 2 * PAGE);
    munmap(b - PAGE, SIZE + 2 * PAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streaming),
        cmocka_unit_test(any_number_of_threads),
        cmocka_unit_test(large_serial),
        cmocka_unit_test(nothing_outside_is_touched),
    };
    enum { SPACE = (MARGIN + 64 + 4 * LARGEST + MARGIN + 63) / 64 * 64 };
    int failed;

    nrows = adt_rows(rows, MAX_ROWS);
    if (!nrows)
        return impl_none_wanted();
    adt_cases_make(&cases, LARGEST);
    from = aligned_alloc(64, SPACE);
    to = aligned_alloc(64, SPACE);
    failed = from && to ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    free(from);
    free(to);
    adt_cases_free(&cases);
    return failed;
}
