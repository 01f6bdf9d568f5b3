/* avx2.c - the loops with AVX2. */
#include "kernels/cast/host.h"
#include "kernels/shared/vector.h"

/* packus interleaves the two 128-bit halves; 0xd8 puts them back in order. */
INLINE vec_bits upper_halves(vec_bits a, vec_bits b)
{
    return _mm256_permute4x64_epi64(_mm256_packus_epi32(_mm256_srli_epi32(a, 16), _mm256_srli_epi32(b, 16)), 0xd8);
}

#include "kernels/cast/loops.h"
