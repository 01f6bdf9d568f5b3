/* Every ADT row of another processor against the definition, written out once more below: all lengths, alignments and
 * byte counts, sentinels around both buffers, and the norm that is taken while packing. There is no test library for
 * those processors, hence a program of its own: prints what it tried, or the first thing that is wrong.
 *   adt_check ROW    ROW must be among the rows */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/adt/adt.h"
#include "kernels/l2norm/l2norm.h"

enum { LONGEST = 300, ALIGNS = 17, MARGIN = 32, SENTINEL = 0xa5, LARGE = 5 * 32768 + 4097 };
enum { SPACE = MARGIN + ALIGNS + 4 * LARGE + MARGIN };

static uint8_t weights[4 * LARGE], packed[5][4 * LARGE], unpacked[5][4 * LARGE], from[SPACE], to[SPACE];

/* Every byte differs from its neighbours'; some words are NaNs, infinities, denormals and zeros. */
static uint32_t word(size_t i)
{
    static const uint32_t special[] = { 0x80000000, 0x00000001, 0x807fffff, 0x7f800000, 0xffc12345,
                                        0x7f800001, 0x7f7fffff, 0x00ff0000, 0xff000000, 0 };

    return i % 5 == 4 ? special[i / 5 % 10] : (uint32_t)(i + 1) * 0x9e3779b1u ^ (uint32_t)(i * i) * 0x01000193u;
}

static void prepare(void)
{
    for (size_t i = 0; i < LARGE; i++)
        for (int bytes_per_weight = 1; bytes_per_weight <= 4; bytes_per_weight++)
            for (int byte = 0; byte < 4; byte++) {
                uint8_t b = (uint8_t)(word(i) >> (8 * byte));
                bool kept = byte >= 4 - bytes_per_weight;

                weights[4 * i + (size_t)byte] = b;
                unpacked[bytes_per_weight][4 * i + (size_t)byte] = kept ? b : 0;
                if (kept)
                    packed[bytes_per_weight][(size_t)bytes_per_weight * i + (size_t)(byte - 4 + bytes_per_weight)] = b;
            }
}

static void compare(const struct adt_impl *im, const char *what, int bytes_per_weight, size_t n, size_t align,
                    const uint8_t *want, size_t size)
{
    const uint8_t *out = to + MARGIN + align;
    long bad = -MARGIN;

    while (bad < (long)size + MARGIN && out[bad] == (bad < 0 || bad >= (long)size ? SENTINEL : want[bad]))
        bad++;
    if (bad == (long)size + MARGIN)
        return;
    printf("%s %s: bytes_per_weight %d, %zu weights, result at %zu mod 32: byte %ld is %02x\n", im->impl.name, what,
           bytes_per_weight, n, align, bad, out[bad]);
    exit(1);
}

static void try_both(const struct adt_impl *im, int bytes_per_weight, size_t n, size_t align, size_t other)
{
    size_t size = (size_t)bytes_per_weight * n;

    memset(to, SENTINEL, MARGIN + align + size + MARGIN);
    memcpy(from + other, weights, 4 * n);
    im->pack(&im->impl, to + MARGIN + align, from + other, n, bytes_per_weight);
    compare(im, "pack", bytes_per_weight, n, align, packed[bytes_per_weight], size);
    memset(to, SENTINEL, MARGIN + align + 4 * n + MARGIN);
    memcpy(from + other, packed[bytes_per_weight], size);
    im->unpack(&im->impl, to + MARGIN + align, from + other, n, bytes_per_weight);
    compare(im, "unpack", bytes_per_weight, n, align, unpacked[bytes_per_weight], 4 * n);
}

static void try_norm(const struct adt_impl *im, int bytes_per_weight, size_t n, size_t align)
{
    static float values[LARGE];
    static double work[LARGE / L2NORM_BLOCK + 1];
    const struct l2norm_impl *reference = l2norm_impls;
    double got = -1, want = -2;

    while (reference[1].impl.name)
        reference++;
    for (size_t i = 0; i < n; i++)
        values[i] = (float)(int32_t)word(i) * 0x1p-20f;
    reference->run(&reference->impl, &want, values, n, work);
    memset(to, SENTINEL, MARGIN + align + (size_t)bytes_per_weight * n + MARGIN);
    im->pack_norm(&im->impl, to + MARGIN + align, &got, values, n, bytes_per_weight, work);
    for (size_t i = 0; i < (size_t)bytes_per_weight * n; i++)
        from[i] = ((const uint8_t *)values)[4 * (i / (size_t)bytes_per_weight) + 4 - (size_t)bytes_per_weight +
                                            i % (size_t)bytes_per_weight];
    compare(im, "pack_norm", bytes_per_weight, n, align, from, (size_t)bytes_per_weight * n);
    if (memcmp(&got, &want, sizeof(got))) {
        printf("%s pack_norm: bytes_per_weight %d, %zu weights: %a, want %a\n", im->impl.name, bytes_per_weight, n, got,
               want);
        exit(1);
    }
}

static void try_row(const struct adt_impl *im)
{
    for (int bytes_per_weight = 1; bytes_per_weight <= 4; bytes_per_weight++) {
        for (size_t n = 0; n <= LONGEST; n++)
            for (size_t align = n % 3; align < ALIGNS; align += 3)
                try_both(im, bytes_per_weight, n, align, (5 * align + 7 * n) % ALIGNS);
        try_both(im, bytes_per_weight, LARGE, 3, 5);
        try_norm(im, bytes_per_weight, 100, 1);
        try_norm(im, bytes_per_weight, LARGE, 0);
    }
    printf("ok %s\n", im->impl.name);
}

int main(int argc, char **argv)
{
    bool found = 0;

    prepare();
    for (const struct adt_impl *im = adt_impls; im->impl.name; im++)
        if (im->impl.where == IMPL_HOST && im->impl.usable()) {
            found |= argc == 2 && !strcmp(im->impl.name, argv[1]);
            try_row(im);
        }
    if (!found)
        printf("no row called %s\n", argc == 2 ? argv[1] : "(which?)");
    return !found;
}
