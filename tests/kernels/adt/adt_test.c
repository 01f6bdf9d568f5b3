/* Every ADT implementation of the host against the definition: values by hand, all lengths 0..300 with all alignments
 * 0..63 of both sides, every byte count, sentinels around both buffers. Larger arrays are in adt_large_test.c. */
#include "tests/kernels/adt/adt_cases.h"
#include "tests/kernels/adt/adt_rows.h"

enum { MAX_ROWS = 32, LONGEST = 300, SPACE = MARGIN + 64 + 4 * LONGEST + MARGIN };

static struct adt_row rows[MAX_ROWS];
static size_t nrows;
static struct adt_cases cases;
static _Alignas(64) uint8_t from[SPACE], to[SPACE];

static const struct {
    const char *why;
    uint32_t word;
    uint8_t packed[5][4];
    uint32_t unpacked[5];
} golden[] = {
    { "1.0",
      0x3f800000,
      { { 0 }, { 0x3f }, { 0x80, 0x3f }, { 0x00, 0x80, 0x3f }, { 0x00, 0x00, 0x80, 0x3f } },
      { 0, 0x3f000000, 0x3f800000, 0x3f800000, 0x3f800000 } },
    { "four different bytes",
      0x12345678,
      { { 0 }, { 0x12 }, { 0x34, 0x12 }, { 0x56, 0x34, 0x12 }, { 0x78, 0x56, 0x34, 0x12 } },
      { 0, 0x12000000, 0x12340000, 0x12345600, 0x12345678 } },
    { "truncated, not rounded",
      0xbfffffff,
      { { 0 }, { 0xbf }, { 0xff, 0xbf }, { 0xff, 0xff, 0xbf }, { 0xff, 0xff, 0xff, 0xbf } },
      { 0, 0xbf000000, 0xbfff0000, 0xbfffff00, 0xbfffffff } },
    { "-0",
      0x80000000,
      { { 0 }, { 0x80 }, { 0, 0x80 }, { 0, 0, 0x80 }, { 0, 0, 0, 0x80 } },
      { 0, 0x80000000, 0x80000000, 0x80000000, 0x80000000 } },
    { "infinity, which one byte cannot hold",
      0x7f800000,
      { { 0 }, { 0x7f }, { 0x80, 0x7f }, { 0x00, 0x80, 0x7f }, { 0x00, 0x00, 0x80, 0x7f } },
      { 0, 0x7f000000, 0x7f800000, 0x7f800000, 0x7f800000 } },
    { "a NaN that becomes an infinity",
      0x7f800001,
      { { 0 }, { 0x7f }, { 0x80, 0x7f }, { 0x00, 0x80, 0x7f }, { 0x01, 0x00, 0x80, 0x7f } },
      { 0, 0x7f000000, 0x7f800000, 0x7f800000, 0x7f800001 } },
    { "a denormal that becomes 0",
      0x00000080,
      { { 0 }, { 0 }, { 0, 0 }, { 0, 0, 0 }, { 0x80, 0, 0, 0 } },
      { 0, 0, 0, 0, 0x00000080 } },
};
enum { NGOLDEN = sizeof(golden) / sizeof(golden[0]), REPEAT = 20 * NGOLDEN };

static void values_by_hand(void **state)
{
    uint32_t words[REPEAT], back[REPEAT];
    uint8_t packed[4 * REPEAT];

    (void)state;
    for (int i = 0; i < REPEAT; i++)
        words[i] = golden[i % NGOLDEN].word;
    for (size_t r = 0; r < nrows; r++)
        for (int bytes_per_weight = 1; bytes_per_weight <= 4; bytes_per_weight++) {
            row_pack(&rows[r], packed, words, REPEAT, bytes_per_weight);
            for (int i = 0; i < REPEAT; i++)
                if (memcmp(packed + bytes_per_weight * i, golden[i % NGOLDEN].packed[bytes_per_weight],
                           (size_t)bytes_per_weight))
                    fail_msg("%s pack: %s, bytes_per_weight %d, weight %d", rows[r].name, golden[i % NGOLDEN].why,
                             bytes_per_weight, i);
            row_unpack(&rows[r], back, packed, REPEAT, bytes_per_weight);
            for (int i = 0; i < REPEAT; i++)
                if (back[i] != golden[i % NGOLDEN].unpacked[bytes_per_weight])
                    fail_msg("%s unpack: %s, bytes_per_weight %d, weight %d: %08x", rows[r].name,
                             golden[i % NGOLDEN].why, bytes_per_weight, i, back[i]);
        }
}

static void try_pack(const struct adt_row *row, int bytes_per_weight, size_t n, size_t dst_align, size_t src_align)
{
    struct attempt a = { row->name, "pack", bytes_per_weight, n, dst_align, src_align };
    uint8_t *dst = to + MARGIN + dst_align, *src = from + MARGIN + src_align;

    memset(dst - MARGIN, SENTINEL, 4 * n + 2 * MARGIN);
    memcpy(src, cases.weights, 4 * n);
    row_pack(row, dst, src, n, bytes_per_weight);
    check_output(&a, dst, cases.packed[bytes_per_weight], (size_t)bytes_per_weight * n);
    check_input(&a, src, cases.weights, 4 * n);
}

static void try_unpack(const struct adt_row *row, int bytes_per_weight, size_t n, size_t dst_align, size_t src_align)
{
    struct attempt a = { row->name, "unpack", bytes_per_weight, n, dst_align, src_align };
    uint8_t *dst = to + MARGIN + dst_align, *src = from + MARGIN + src_align;

    memset(dst - MARGIN, SENTINEL, 4 * n + 2 * MARGIN);
    memcpy(src, cases.packed[bytes_per_weight], (size_t)bytes_per_weight * n);
    row_unpack(row, dst, src, n, bytes_per_weight);
    check_output(&a, dst, cases.unpacked[bytes_per_weight], 4 * n);
    check_input(&a, src, cases.packed[bytes_per_weight], (size_t)bytes_per_weight * n);
}

/* Every length with every alignment of one side; the other side's runs through all of them too. */
static void all_lengths_and_alignments(void **state)
{
    (void)state;
    for (size_t r = 0; r < nrows; r++)
        for (int bytes_per_weight = 1; bytes_per_weight <= 4; bytes_per_weight++)
            for (size_t n = 0; n <= LONGEST; n++)
                for (size_t align = 0; align < 64; align++) {
                    size_t other = (5 * align + 7 * n) % 64;

                    try_pack(&rows[r], bytes_per_weight, n, align, other);
                    try_unpack(&rows[r], bytes_per_weight, n, align, other);
                }
}

static void there_is_a_reference(void **state)
{
    const struct adt_impl *last = adt_impls;

    (void)state;
    while (last[1].impl.name)
        last++;
    assert_string_equal(last->impl.name, "scalar");
    assert_true(last->impl.usable());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_a_reference),
        cmocka_unit_test(values_by_hand),
        cmocka_unit_test(all_lengths_and_alignments),
    };
    int failed;

    nrows = adt_rows(rows, MAX_ROWS);
    if (!nrows)
        return impl_none_wanted();
    adt_cases_make(&cases, LONGEST);
    memset(from, SENTINEL, sizeof(from));
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    adt_cases_free(&cases);
    return failed;
}
