/* avx2.c - the loops with AVX2. */
#include "kernels/int8/host.h"
#include "kernels/int8/vector.h"

static bool check(const int8_t *src, size_t n)
{
    const __m256i bad = _mm256_set1_epi8(-128);
    size_t groups = n / 256;
    __m256i found = _mm256_setzero_si256();

    for (size_t g = 0; g < groups; g++) {
        const int8_t *at = src + 256 * stream_order(g, groups);

        ask_ahead(at, ASK_AHEAD, 256);
        for (size_t i = 0; i < 256; i += 32) {
            __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)(at + i));

            found = _mm256_or_si256(found, _mm256_cmpeq_epi8(bytes, bad));
        }
    }
    return _mm256_movemask_epi8(found) != 0 || int8_check_scalar(src + 256 * groups, n - 256 * groups);
}

#include "kernels/int8/loops.h"
