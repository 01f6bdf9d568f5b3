/* scalar.c - the reference, byte by byte. */
#include <string.h>

#include "kernels/zre/zre.h"
#include "kernels/zre/zre_lane.h"

size_t zre_encode_scalar(uint8_t *dst, const uint8_t *src, size_t n)
{
    size_t out = 0;

    for (size_t i = 0; i < n;) {
        unsigned run = 0;

        while (run < ZRE_LONGEST && i + run < n && src[i + run] == ZRE_ZERO)
            run++;
        dst[out++] = run ? zre_symbol_lane(run) : src[i];
        i += run ? run : 1;
    }
    return out;
}

size_t zre_decode_scalar(uint8_t *dst, const uint8_t *src, size_t n)
{
    size_t out = 0;

    for (size_t i = 0; i < n; i++) {
        unsigned length = zre_length_lane(src[i]);

        memset(dst + out, zre_byte_lane(src[i]), length);
        out += length;
    }
    return out;
}

size_t zre_expanded_scalar(const uint8_t *src, size_t n)
{
    size_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += zre_length_lane(src[i]);
    return sum;
}
