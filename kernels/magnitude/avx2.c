#include "kernels/magnitude/magnitude.h"
#include "kernels/shared/x86.h"

uint32_t magnitude_avx2(const float *values, size_t n)
{
    const __m256i no_sign = _mm256_set1_epi32(0x7fffffff);
    __m256i most[8];
    uint32_t lane[8], found;
    size_t groups = n / 64;

    for (size_t r = 0; r < 8; r++)
        most[r] = _mm256_setzero_si256();
    for (size_t g = 0; g < groups; g++) {
        const float *at = values + 64 * stream_order(g, groups);

        ask_ahead(at, AHEAD, 256);
        for (size_t r = 0; r < 8; r++) {
            __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(at + 8 * r));

            most[r] = _mm256_max_epu32(most[r], _mm256_and_si256(v, no_sign));
        }
    }
    for (size_t r = 1; r < 8; r++)
        most[0] = _mm256_max_epu32(most[0], most[r]);
    _mm256_storeu_si256((__m256i *)(void *)lane, most[0]);
    found = magnitude_scalar(values + 64 * groups, n - 64 * groups);
    for (size_t r = 0; r < 8; r++)
        found = lane[r] > found ? lane[r] : found;
    return found;
}
