/* content_test.c - both tables of what is done to memory, side by side: the host's, and a GPU's kernels run on the
 * processor. */
#include <string.h>

#include "harness/executor/content.h"
#include "harness/executor/stamp_lane.h"
#include "tests/draw.h"
#include "tests/test.h"

enum { MOST = 3000, MARGIN = 8 };

static const size_t lengths[] = { 0, 1, 2, 31, 32, 33, 255, 256, 257, 1000, MOST };

static void stamps_are_the_same(void **state)
{
    uint64_t a[MOST + MARGIN], b[MOST + MARGIN];

    (void)state;
    for (size_t l = 0; l < COUNT(lengths); l++) {
        memset(a, 0x11, sizeof(a));
        memset(b, 0x11, sizeof(b));
        content_host.stamp(a, lengths[l], stamp_first(3, 2, 77), NULL);
        content_cuda.stamp(b, lengths[l], stamp_first(3, 2, 77), NULL);
        assert_memory_equal(a, b, sizeof(a));
        for (size_t i = 0; i < lengths[l]; i++)
            assert_int_equal(stamp_field(a[i], 0, STAMP_POSITION_BITS), i);
        assert_int_equal(a[lengths[l]], 0x1111111111111111);
    }
}

static void check_both(const uint64_t *words, size_t n, uint64_t first, struct content_report expected)
{
    struct content_report a = { 0 }, b = { 0 };

    content_host.check(words, n, first, &a, NULL);
    content_cuda.check(words, n, first, &b, NULL);
    if (memcmp(&a, &expected, sizeof(a)) || memcmp(&b, &expected, sizeof(b)))
        fail_msg("%zu words: expected %llu wrong, first %llu; host %llu, %llu, device %llu, %llu", n,
                 (unsigned long long)expected.wrong, (unsigned long long)expected.at, (unsigned long long)a.wrong,
                 (unsigned long long)a.at, (unsigned long long)b.wrong, (unsigned long long)b.at);
}

static void every_wrong_word_is_found(void **state)
{
    uint64_t words[MOST], first = stamp_first(63, 4094, 5);

    (void)state;
    content_host.stamp(words, MOST, first, NULL);
    for (size_t l = 0; l < COUNT(lengths); l++)
        check_both(words, lengths[l], first, (struct content_report){ 0 });
    for (size_t i = 0; i < MOST; i += 1 + i / 8) {
        uint64_t was = words[i];

        words[i] ^= (uint64_t)1 << i % 64;
        check_both(words, i, first, (struct content_report){ 0 });
        check_both(words, MOST, first, (struct content_report){ 1, i, words[i] });
        words[MOST - 1] ^= 1;
        if (i < MOST - 1)
            check_both(words, MOST, first, (struct content_report){ 2, i, words[i] });
        words[MOST - 1] ^= 1;
        words[i] = was;
    }
    check_both(words + 1, MOST - 1, first, (struct content_report){ MOST - 1, 0, words[1] });
}

/* Any word that changes, or trades places, changes the sum. */
static void sums_tell_words_apart(void **state)
{
    uint32_t words[MOST];
    uint64_t seed = 1, a, b, whole;
    struct content_report r[2] = { { 0 } };

    (void)state;
    for (size_t i = 0; i < MOST; i++)
        words[i] = (uint32_t)draw(&seed);
    for (size_t l = 0; l < COUNT(lengths); l++) {
        content_host.sum(words, lengths[l], &a, NULL);
        content_cuda.sum(words, lengths[l], &b, NULL);
        assert_int_equal(a, b);
    }
    content_host.sum(words, MOST, &whole, NULL);
    for (size_t i = 0; i + 1 < MOST; i++) {
        uint32_t was = words[i];

        words[i] ^= 1u << i % 32;
        content_host.sum(words, MOST, &a, NULL);
        assert_int_not_equal(a, whole);
        words[i] = words[i + 1], words[i + 1] = was;
        content_host.sum(words, MOST, &a, NULL);
        assert_int_not_equal(a, whole);
        words[i + 1] = words[i], words[i] = was;
    }
    content_host.compare(&whole, &whole, &r[0], NULL);
    content_cuda.compare(&whole, &whole, &r[1], NULL);
    assert_int_equal(r[0].wrong + r[1].wrong, 0);
    content_host.compare(&a, &whole, &r[0], NULL);
    content_cuda.compare(&a, &whole, &r[1], NULL);
    assert_memory_equal(&r[0], &r[1], sizeof(r[0]));
    assert_int_equal(r[0].wrong, 1);
}

static void fills_are_whole(void **state)
{
    unsigned char a[MOST], b[MOST];

    (void)state;
    for (size_t l = 0; l < COUNT(lengths); l++)
        for (int byte = -1; byte < 256; byte += 51) {
            size_t n = lengths[l] < MOST ? lengths[l] : MOST - 5;

            memset(a, 3, sizeof(a));
            memset(b, 3, sizeof(b));
            content_host.fill(a + 4, byte, n, NULL);
            content_cuda.fill(b + 4, byte, n, NULL);
            assert_memory_equal(a, b, sizeof(a));
        }
}

/* The last word that differs, wherever it is; what differs before it does not matter. */
static void extents_end_at_the_last_that_differs(void **state)
{
    static const uint32_t withs[] = { 0, UINT32_MAX, 0x01020304 };
    uint32_t words[MOST];
    uint64_t a, b;

    (void)state;
    for (size_t w = 0; w < COUNT(withs); w++)
        for (size_t l = 0; l < COUNT(lengths); l++)
            for (size_t at = 0; at <= lengths[l]; at += 1 + at / 3) {
                for (size_t i = 0; i < MOST; i++)
                    words[i] = withs[w] ^ (i + 1 < at ? (uint32_t)i % 3 : i + 1 == at ? 1u << i % 32 : 0);
                if (lengths[l] < MOST)
                    words[lengths[l]] ^= 1; /* behind the end */
                a = b = 77;
                content_host.extent(words, lengths[l], withs[w], &a, NULL);
                content_cuda.extent(words, lengths[l], withs[w], &b, NULL);
                if (a != at || b != at)
                    fail_msg("%zu words, %zu written: host %llu, device %llu", lengths[l], at, (unsigned long long)a,
                             (unsigned long long)b);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stamps_are_the_same),
        cmocka_unit_test(every_wrong_word_is_found),
        cmocka_unit_test(sums_tell_words_apart),
        cmocka_unit_test(fills_are_whole),
        cmocka_unit_test(extents_end_at_the_last_that_differs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
