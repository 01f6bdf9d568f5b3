/* sse2.c - non-temporal copy with SSE2, part of every x86-64. */
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include "kernels/copy/copy.h"
#include "kernels/copy/order.h"

void copy_nt_sse2(void *dst, const void *src, size_t nbytes)
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

        for (size_t i = at; i < at + 256; i += 16)
            _mm_stream_si128((__m128i *)(to + i), _mm_loadu_si128((const __m128i *)(from + i)));
    }
    done = head + 256 * groups;
    memcpy(to + done, from + done, nbytes - done);
    _mm_sfence();
}
