/* avx512.c - non-temporal copy with AVX-512. */
#include "kernels/copy/stream.h"
#include "kernels/shared/inline.h"

INLINE void group(uint8_t *to, const uint8_t *from)
{
    for (size_t i = 0; i < 256; i += 64)
        _mm512_stream_si512((__m512i *)(to + i), _mm512_loadu_si512((const __m512i *)(from + i)));
}

void copy_nt_avx512(void *dst, const void *src, size_t nbytes)
{
    stream_copy(dst, src, nbytes, group);
}
