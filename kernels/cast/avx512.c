/* avx512.c - the loops with AVX-512. */
#include "kernels/cast/host.h"
#include "kernels/shared/vector.h"

INLINE vec_bits upper_halves(vec_bits a, vec_bits b)
{
    const __m512i upper = _mm512_set_epi16(63, 61, 59, 57, 55, 53, 51, 49, 47, 45, 43, 41, 39, 37, 35, 33, 31, 29, 27,
                                           25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);

    return _mm512_permutex2var_epi16(a, upper, b);
}

#include "kernels/cast/loops.h"
