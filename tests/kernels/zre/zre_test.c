/* Every zero-run coder against bytes by hand, and against the reference for all lengths and densities. The input ends
 * where memory ends, so that a read past it is a crash; the output has its slack and sentinels around it. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernels/zre/zre.h"
#include "tests/kernels/impl_wanted.h"
#include "tests/test.h"

enum { MAX_ROWS = 8, LONGEST = 1 << 16, MARGIN = 128, SENTINEL = 0xa5 };

static const struct zre_impl *rows[MAX_ROWS];
static size_t nrows;
static uint8_t *memory_end; /* LONGEST readable bytes end here */
static uint8_t coded[LONGEST], plain[LONGEST], out[MARGIN + LONGEST + ZRE_SLACK + MARGIN];
static uint64_t seed = 88172645463325252u;

static uint64_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}

static const uint8_t *at_the_end(const uint8_t *bytes, size_t n)
{
    return n ? memcpy(memory_end - n, bytes, n) : memory_end;
}

/* Run one direction with the output 'skew' bytes off a 64-byte boundary. */
static void expect(const char *row, const char *what, zre_encode_fn *run, const uint8_t *from, size_t n,
                   const uint8_t *want, size_t nwant, size_t skew)
{
    uint8_t *to = out + MARGIN + skew - (uintptr_t)out % 64;
    size_t got;

    memset(out, SENTINEL, sizeof(out) < nwant + 1024 ? sizeof(out) : nwant + 1024);
    got = run(to, at_the_end(from, n), n);
    if (got != nwant || memcmp(to, want, nwant) != 0)
        fail_msg("%s %s: %zu bytes to %zu, expected %zu, or other bytes", row, what, n, got, nwant);
    for (size_t i = 0; i < 64; i++)
        if (to[-1 - (ptrdiff_t)i] != SENTINEL ||
            (to + nwant + ZRE_SLACK + i < out + sizeof(out) && to[nwant + ZRE_SLACK + i] != SENTINEL))
            fail_msg("%s %s: %zu bytes: written outside", row, what, n);
}

/* Runs of 121 with what they become. A literal 7 stands before and 9 behind each. */
static const struct {
    size_t run;
    uint8_t becomes[4];
    size_t length;
} golden[] = {
    { 0, { 0 }, 0 },
    { 1, { 121 }, 1 },
    { 2, { 243 }, 1 },
    { 3, { 244 }, 1 },
    { 13, { 254 }, 1 },
    { 14, { 255 }, 1 },
    { 15, { 255, 121 }, 2 },
    { 16, { 255, 243 }, 2 },
    { 27, { 255, 254 }, 2 },
    { 28, { 255, 255 }, 2 },
    { 29, { 255, 255, 121 }, 3 },
    { 42, { 255, 255, 255 }, 3 },
};

/* Each run alone, and behind up to 130 literals, so that it starts and ends at every place of a block. */
static void runs_by_hand(void **state)
{
    (void)state;
    for (size_t r = 0; r < nrows; r++)
        for (size_t g = 0; g < sizeof(golden) / sizeof(golden[0]); g++)
            for (size_t before = 0; before < 130; before++) {
                uint8_t from[256], want[256];
                size_t n = before, m = before;

                memset(from, 7, before);
                memset(want, 7, before);
                memset(from + n, 121, golden[g].run);
                n += golden[g].run;
                memcpy(want + m, golden[g].becomes, golden[g].length);
                m += golden[g].length;
                expect(rows[r]->impl.name, "encode, at the end", rows[r]->encode, from, n, want, m, 0);
                from[n++] = want[m++] = 9;
                expect(rows[r]->impl.name, "encode", rows[r]->encode, from, n, want, m, 0);
                expect(rows[r]->impl.name, "decode", rows[r]->decode, want, m, from, n, 0);
                assert_int_equal(rows[r]->expanded(at_the_end(want, m), m), n);
            }
}

static void fill(size_t n, double density)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t random = next_random();

        plain[i] = (double)(random >> 11) * 0x1p-53 < density ? (uint8_t)(random % 243) : 121;
    }
}

static void check_all(size_t n, size_t skew)
{
    size_t m = zre_encode_scalar(coded, plain, n);

    for (size_t r = 0; r < nrows; r++) {
        expect(rows[r]->impl.name, "encode", rows[r]->encode, plain, n, coded, m, skew);
        expect(rows[r]->impl.name, "decode", rows[r]->decode, coded, m, plain, n, skew);
        if (rows[r]->expanded(at_the_end(coded, m), m) != n)
            fail_msg("%s: not %zu bytes expanded", rows[r]->impl.name, n);
    }
}

static void all_lengths_and_densities(void **state)
{
    static const double density[] = { 0, 0.0005, 0.005, 0.05, 0.1, 0.2, 0.35, 0.6, 0.75, 0.9, 1 };

    (void)state;
    for (size_t d = 0; d < sizeof(density) / sizeof(density[0]); d++) {
        for (size_t n = 0; n <= 400; n++) {
            fill(n, density[d]);
            check_all(n, (n * 5 + d) % 64);
        }
        fill(LONGEST - 64, density[d]);
        check_all(LONGEST - 64, 1);
        check_all(16384, 0);
    }
}

/* Any bytes at all, as a damaged payload has them; runs next to runs too. */
static void every_byte_decodes(void **state)
{
    (void)state;
    for (size_t n = 0; n <= 600; n++) {
        uint8_t bytes[600];
        size_t m;

        for (size_t i = 0; i < n; i++)
            bytes[i] = n % 3 == 0   ? (uint8_t)(i + n)
                       : n % 3 == 1 ? (uint8_t)(243 + next_random() % 13)
                                    : (uint8_t)next_random();
        m = zre_decode_scalar(plain, bytes, n);
        for (size_t r = 0; r < nrows; r++) {
            expect(rows[r]->impl.name, "decode", rows[r]->decode, bytes, n, plain, m, n % 64);
            assert_int_equal(rows[r]->expanded(at_the_end(bytes, n), n), m);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_by_hand),
        cmocka_unit_test(all_lengths_and_densities),
        cmocka_unit_test(every_byte_decodes),
    };
    size_t page = (size_t)sysconf(_SC_PAGESIZE), space = (LONGEST + page - 1) / page * page;
    uint8_t *memory = mmap(NULL, space + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED || mprotect(memory + space, page, PROT_NONE) != 0)
        return 1;
    memory_end = memory + space;
    for (const struct zre_impl *im = zre_impls; im->impl.name; im++)
        if (impl_is_wanted(&im->impl, IMPL_HOST))
            rows[nrows++] = im;
    return nrows ? cmocka_run_group_tests(tests, NULL, NULL) : impl_none_wanted();
}
