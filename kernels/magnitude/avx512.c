#include "kernels/magnitude/magnitude.h"
#include "kernels/shared/x86.h"

uint32_t magnitude_avx512(const float *values, size_t n)
{
    const __m512i no_sign = _mm512_set1_epi32(0x7fffffff);
    __m512i most[4];
    size_t groups = n / 64;
    uint32_t found, rest = magnitude_scalar(values + 64 * groups, n - 64 * groups);

    for (size_t r = 0; r < 4; r++)
        most[r] = _mm512_setzero_si512();
    for (size_t g = 0; g < groups; g++) {
        const float *at = values + 64 * stream_order(g, groups);

        ask_ahead(at, AHEAD, 256);
        for (size_t r = 0; r < 4; r++)
            most[r] = _mm512_max_epu32(most[r], _mm512_and_si512(_mm512_loadu_si512(at + 16 * r), no_sign));
    }
    found = _mm512_reduce_max_epu32(
        _mm512_max_epu32(_mm512_max_epu32(most[0], most[1]), _mm512_max_epu32(most[2], most[3])));
    return found > rest ? found : rest;
}
