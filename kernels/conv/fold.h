/* fold.h - the last additions of gradients, for both vector files: eight vectors of 8 lanes become one of their totals.
 * Pairs of vectors share each step: what is added is lanes 4 apart, then 2, then 1, as conv.h has it. */
#ifndef NARROWS_KERNELS_CONV_FOLD_H
#define NARROWS_KERNELS_CONV_FOLD_H

#include <immintrin.h>

#include "kernels/shared/inline.h"

#define FOLD_INLINE INLINE

/* Four totals of a in the lower half, four of b in the upper: lanes 4 apart are added. */
FOLD_INLINE __m256 fold_4(__m256 a, __m256 b)
{
    return _mm256_add_ps(_mm256_permute2f128_ps(a, b, 0x20), _mm256_permute2f128_ps(a, b, 0x31));
}

/* Of each half: lanes 2 apart of a, then of b. */
FOLD_INLINE __m256 fold_2(__m256 a, __m256 b)
{
    return _mm256_add_ps(_mm256_shuffle_ps(a, b, 0x44), _mm256_shuffle_ps(a, b, 0xee));
}

/* Of each half: neighbours of a, then of b. */
FOLD_INLINE __m256 fold_1(__m256 a, __m256 b)
{
    return _mm256_add_ps(_mm256_shuffle_ps(a, b, 0x88), _mm256_shuffle_ps(a, b, 0xdd));
}

/* Lane i: the total of v[i]. */
FOLD_INLINE __m256 fold_8(const __m256 v[8])
{
    __m256 a = fold_2(fold_4(v[0], v[4]), fold_4(v[1], v[5]));
    __m256 b = fold_2(fold_4(v[2], v[6]), fold_4(v[3], v[7]));

    return fold_1(a, b);
}

#endif
