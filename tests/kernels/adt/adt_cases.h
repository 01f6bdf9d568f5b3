/* adt_cases.h - the weights that the ADT tests pack, what must come out, and buffers whose every byte is watched. What
 * must come out is computed here, on its own, and for some words written by hand in adt_test.c. */
#ifndef NARROWS_TESTS_ADT_CASES_H
#define NARROWS_TESTS_ADT_CASES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"

enum { SENTINEL = 0xa5, MARGIN = 64 };

/* Weights that truncation could treat wrongly. Every fifth weight is one of these, the others are all different. */
static const uint32_t special_words[] = {
    0x00000000, 0x80000000, /* 0, -0 */
    0x00000001, 0x807fffff, /* smallest and largest denormal */
    0x7f800000, 0xff800000, /* infinities */
    0x7fc00000, 0xffc12345, /* quiet NaNs */
    0x7f800001, 0xffbfffff, /* signalling NaNs */
    0x7f7fffff, 0x00800000, /* largest and smallest normal */
    0x000000ff, 0x0000ff00, /* one kept byte after the other */
    0x00ff0000, 0xff000000, 0xffffffff,
};
enum { NSPECIAL = sizeof(special_words) / sizeof(special_words[0]) };
_Static_assert(NSPECIAL % 2 != 0 && NSPECIAL % 5 != 0,
               "a length without common factors makes swapped lanes look different");

/* The i-th weight. Neighbours differ in every byte: a swapped lane or byte shows. */
static inline uint32_t test_word(size_t i)
{
    if (i % 5 == 4)
        return special_words[i / 5 % NSPECIAL];
    return (uint32_t)(i + 1) * 0x9e3779b1u ^ (uint32_t)(i * i) * 0x01000193u;
}

/* Byte 'at' of the packed weights, and of the unpacked ones. */
static inline uint8_t packed_byte(size_t at, int bytes_per_weight)
{
    return (uint8_t)(test_word(at / (size_t)bytes_per_weight) >>
                     (8 * (4 - bytes_per_weight + (int)(at % (size_t)bytes_per_weight))));
}

static inline uint8_t unpacked_byte(size_t at, int bytes_per_weight)
{
    int byte = (int)(at % 4);

    return byte < 4 - bytes_per_weight ? 0 : (uint8_t)(test_word(at / 4) >> (8 * byte));
}

/* For every bytes_per_weight, 'n' weights as they are, packed and unpacked: computed once, compared often. */
struct adt_cases {
    size_t n;
    uint8_t *weights, *packed[5], *unpacked[5];
};

static inline void adt_cases_make(struct adt_cases *c, size_t n)
{
    c->n = n;
    for (int bytes_per_weight = 1; bytes_per_weight <= 4; bytes_per_weight++) {
        c->packed[bytes_per_weight] = malloc((size_t)bytes_per_weight * n);
        c->unpacked[bytes_per_weight] = malloc(4 * n);
        assert_non_null(c->packed[bytes_per_weight]);
        assert_non_null(c->unpacked[bytes_per_weight]);
        for (size_t i = 0; i < (size_t)bytes_per_weight * n; i++)
            c->packed[bytes_per_weight][i] = packed_byte(i, bytes_per_weight);
        for (size_t i = 0; i < 4 * n; i++)
            c->unpacked[bytes_per_weight][i] = unpacked_byte(i, bytes_per_weight);
    }
    c->weights = c->unpacked[4];
}

static inline void adt_cases_free(struct adt_cases *c)
{
    for (int bytes_per_weight = 1; bytes_per_weight <= 4; bytes_per_weight++) {
        free(c->packed[bytes_per_weight]);
        free(c->unpacked[bytes_per_weight]);
    }
}

/* What is being tried, for the message of a failure. */
struct attempt {
    const char *impl, *what;
    int bytes_per_weight;
    size_t n, dst_align, src_align;
};

static inline void attempt_fail(const struct attempt *a, const char *reason, long index)
{
    fail_msg("%s %s: %s, bytes_per_weight %d, %zu weights, dst at %zu mod 64, src at %zu mod 64, byte %ld", a->impl,
             a->what, reason, a->bytes_per_weight, a->n, a->dst_align, a->src_align, index);
}

/* Compare what lies at 'out' with the 'size' bytes wanted, and the MARGIN bytes around it with the sentinel. */
static inline void check_output(const struct attempt *a, const uint8_t *out, const uint8_t *want, size_t size)
{
    static const uint8_t clean[MARGIN] = { [0 ... MARGIN - 1] = SENTINEL };

    if (size && memcmp(out, want, size))
        for (size_t i = 0; i < size; i++)
            if (out[i] != want[i])
                attempt_fail(a, "wrong byte", (long)i);
    if (memcmp(out - MARGIN, clean, MARGIN) || memcmp(out + size, clean, MARGIN))
        for (long i = -MARGIN; i < (long)size + MARGIN; i++)
            if ((i < 0 || i >= (long)size) && out[i] != SENTINEL)
                attempt_fail(a, "wrote outside the result", i);
}

/* The input must be as it was. */
static inline void check_input(const struct attempt *a, const uint8_t *in, const uint8_t *want, size_t size)
{
    if (size && memcmp(in, want, size))
        attempt_fail(a, "changed its input", -1);
}

#endif
