/* The copies that the bench compares with must copy: lengths, alignments and sentinels as for ADT. */
#include "kernels/copy/copy.h"
#include "kernels/copy/order.h"
#include "tests/kernels/adt/adt_cases.h"
#include "tests/kernels/impl_wanted.h"

enum { LARGE = 300001, SPACE = MARGIN + 64 + LARGE + MARGIN };

static uint8_t *from, *to, *want;

static void try_copy(const struct copy_impl *im, size_t n, size_t dst_align, size_t src_align)
{
    struct attempt a = { im->impl.name, "copy", 4, n / 4, dst_align, src_align };
    uint8_t *dst = to + MARGIN + dst_align, *src = from + MARGIN + src_align;

    memset(dst - MARGIN, SENTINEL, n + 2 * MARGIN);
    memcpy(src, want, n);
    im->run(dst, src, n);
    check_output(&a, dst, want, n);
    check_input(&a, src, want, n);
}

static void copies(void **state)
{
    static const size_t large[] = { 4095, 4097, 131072, 131072 + 63, LARGE };

    (void)state;
    for (const struct copy_impl *im = copy_impls; im->impl.name; im++) {
        for (size_t align = 0; impl_is_wanted(&im->impl, IMPL_HOST) && align < 64; align++)
            for (size_t n = 0; n <= 700; n += n < 520 && n > 505 ? 1 : 5)
                try_copy(im, n, align, (5 * align + n) % 64);
        for (size_t i = 0; impl_is_wanted(&im->impl, IMPL_HOST) && i < sizeof(large) / sizeof(*large); i++)
            for (size_t align = 0; align < 64; align += 9)
                try_copy(im, large[i], align, 63 - align);
    }
}

/* Every group is visited once, whatever their number. */
static void order_is_a_permutation(void **state)
{
    enum { MOST = 3 * STREAM_BLOCK + 5 };
    static unsigned char seen[MOST];

    (void)state;
    for (size_t groups = 0; groups <= MOST; groups += groups % STREAM_BLOCK < 3 ? 1 : STREAM_BLOCK / 4 - 1) {
        memset(seen, 0, sizeof(seen));
        for (size_t g = 0; g < groups; g++) {
            assert_in_range(stream_order(g, groups), 0, groups - 1);
            seen[stream_order(g, groups)]++;
        }
        for (size_t g = 0; g < groups; g++)
            assert_int_equal(seen[g], 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies),
        cmocka_unit_test(order_is_a_permutation),
    };
    int failed = 1, wanted = 0;

    for (const struct copy_impl *im = copy_impls; im->impl.name; im++)
        wanted += impl_is_wanted(&im->impl, IMPL_HOST);
    if (!wanted)
        return impl_none_wanted();
    from = malloc(SPACE);
    to = malloc(SPACE);
    want = malloc(LARGE);
    for (size_t i = 0; want && i < LARGE; i++)
        want[i] = unpacked_byte(i, 4);
    if (from && to && want)
        failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(from);
    free(to);
    free(want);
    return failed;
}
