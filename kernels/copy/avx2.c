/* avx2.c - non-temporal copy with AVX2. */
#include "kernels/copy/stream.h"
#include "kernels/shared/inline.h"

INLINE void group(uint8_t *to, const uint8_t *from)
{
    for (size_t i = 0; i < 256; i += 32)
        _mm256_stream_si256((__m256i *)(to + i), _mm256_loadu_si256((const __m256i *)(from + i)));
}

void copy_nt_avx2(void *dst, const void *src, size_t nbytes)
{
    stream_copy(dst, src, nbytes, group);
}
