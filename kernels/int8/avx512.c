/* avx512.c - the loops with AVX-512. */
#include "kernels/int8/host.h"
#include "kernels/int8/vector.h"

static bool check(const int8_t *src, size_t n)
{
    const __m512i bad = _mm512_set1_epi8(-128);
    size_t groups = n / 256;
    __mmask64 found = 0;

    for (size_t g = 0; g < groups; g++) {
        const int8_t *at = src + 256 * stream_order(g, groups);

        ask_ahead(at, ASK_AHEAD, 256);
        for (size_t i = 0; i < 256; i += 64)
            found |= _mm512_cmpeq_epi8_mask(_mm512_loadu_si512((const void *)(at + i)), bad);
    }
    return found || int8_check_scalar(src + 256 * groups, n - 256 * groups);
}

#include "kernels/int8/loops.h"
