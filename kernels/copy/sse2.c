/* sse2.c - non-temporal copy with SSE2, part of every x86-64. */
#include "kernels/copy/stream.h"
#include "kernels/shared/inline.h"

INLINE void group(uint8_t *to, const uint8_t *from)
{
    for (size_t i = 0; i < 256; i += 16)
        _mm_stream_si128((__m128i *)(to + i), _mm_loadu_si128((const __m128i *)(from + i)));
}

void copy_nt_sse2(void *dst, const void *src, size_t nbytes)
{
    stream_copy(dst, src, nbytes, group);
}
