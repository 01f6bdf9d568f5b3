/* avx512.c - non-temporal copy with AVX-512. */
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include "kernels/copy/copy.h"
#include "kernels/copy/order.h"

void copy_nt_avx512(void *dst, const void *src, size_t nbytes)
{
    uint8_t *to = dst;
    const uint8_t *from = src;
    size_t head = -(uintptr_t)to % 64, groups, done;

    if (nbytes < 512) {
        copy_memcpy(dst, src, nbytes);
        return;
    }
    memcpy(to, from, head);
    groups = (nbytes - head) / 256;
    for (size_t g = 0; g < groups; g++) {
        size_t at = head + 256 * stream_order(g, groups);

        for (size_t i = at; i < at + 256; i += 64)
            _mm512_stream_si512((__m512i *)(to + i), _mm512_loadu_si512((const __m512i *)(from + i)));
    }
    done = head + 256 * groups;
    memcpy(to + done, from + done, nbytes - done);
    _mm_sfence();
}
