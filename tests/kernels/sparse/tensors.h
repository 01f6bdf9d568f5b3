/* tensors.h - values for the tests of selection and sparsification: the usual ones, and those that selections fear. */
#ifndef NARROWS_TESTS_TENSORS_H
#define NARROWS_TESTS_TENSORS_H

#include <stdlib.h>
#include <string.h>

#include "kernels/sparse/sparse_lane.h"
#include "tests/kernels/impl_wanted.h"
#include "tests/test.h"

static inline uint64_t tensor_random(uint64_t *seed)
{
    uint64_t x = *seed += 0x9e3779b97f4a7c15u;

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* About normal, variance 1e-2. */
static inline float tensor_normal(uint64_t *seed)
{
    int64_t sum = 0;

    for (int i = 0; i < 3; i++) {
        uint64_t r = tensor_random(seed);

        sum += (int64_t)(r & 0xffffffff) + (int64_t)(r >> 32) - 0xffffffff;
    }
    return (float)sum * (0.1f / 3.04e9f);
}

enum tensor_kind {
    TENSOR_NORMAL,
    TENSOR_HEAVY,    /* a few are far greater */
    TENSOR_CONSTANT, /* of both signs */
    TENSOR_ZERO,     /* of both signs */
    TENSOR_TWO,
    TENSOR_RISING,
    TENSOR_FALLING,
    TENSOR_SPARSE,  /* nearly all zero */
    TENSOR_SPECIAL, /* NaNs, infinities, denormals, zeros */
    TENSOR_BURST,   /* the great ones all at the end, where a sample hardly sees them */
    TENSOR_KINDS
};

static inline uint32_t tensor_word(enum tensor_kind kind, size_t i, size_t n, uint64_t *seed)
{
    static const uint32_t special[] = { 0x7fc00000, 0x7f800001, 0x7f800000, 1,          0,         0x007fffff,
                                        0x80000000, 0xff800000, 0xffc12345, 0x80000001, 0x7fffffff };
    uint64_t r = tensor_random(seed);
    uint32_t sign = (uint32_t)(r >> 63) << 31;

    switch (kind) {
    case TENSOR_HEAVY:
        return sign | (0x3f800000 + ((uint32_t)(r & 0x7fffff)) + ((r >> 32 & 0xff) == 0 ? 0x08000000 : 0));
    case TENSOR_CONSTANT: return sign | 0x3e000000;
    case TENSOR_ZERO: return sign;
    case TENSOR_TWO: return sign | (r & 15 ? 0x3e000000 : 0x3e000001);
    case TENSOR_RISING: return 0x3c000000 + (uint32_t)i;
    case TENSOR_FALLING: return 0x3c000000 + (uint32_t)(n - i);
    case TENSOR_SPARSE: return (r & 255) ? sign : sparse_word(tensor_normal(seed));
    case TENSOR_SPECIAL: return (r & 1) ? special[(r >> 8) % (sizeof(special) / 4)] : sparse_word(tensor_normal(seed));
    case TENSOR_BURST: return i + n / 64 < n ? sparse_word(tensor_normal(seed)) : 0x41000000 + (uint32_t)(r & 0xfffff);
    default: return sparse_word(tensor_normal(seed));
    }
}

static inline void tensor_fill(float *x, size_t n, enum tensor_kind kind, uint64_t seed)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t word = tensor_word(kind, i, n, &seed);

        memcpy(x + i, &word, 4);
    }
}

/* A buffer of so many bytes with guards on both sides, on a 64-byte boundary plus 'aside'. */
enum { GUARD = 128, GUARD_BYTE = 0xa7 };
static inline void *guarded(size_t nbytes, size_t aside)
{
    uint8_t *p = aligned_alloc(64, (nbytes + 2 * GUARD + aside + 63) / 64 * 64 + 64);

    assert_non_null(p);
    memset(p, GUARD_BYTE, nbytes + 2 * GUARD + aside);
    return p + GUARD + aside;
}

static inline bool guards_hold(const void *at, size_t nbytes)
{
    const uint8_t *p = at;

    for (size_t i = 1; i <= GUARD; i++)
        if (p[-(ptrdiff_t)i] != GUARD_BYTE || p[nbytes + i - 1] != GUARD_BYTE)
            return 0;
    return 1;
}

static inline void guarded_free(void *at, size_t aside)
{
    free((uint8_t *)at - GUARD - aside);
}

#endif
