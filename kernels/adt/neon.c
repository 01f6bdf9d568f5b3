/* neon.c - aarch64: loads that take every fourth or third byte apart and stores that put them together again. The
 * registers hold, of 16 weights, the lowest bytes, the second, the third and the uppermost ones. */
#include <arm_neon.h>

#include "kernels/adt/span16.h"

INLINE void pack_16(uint8_t *dst, const uint8_t *src, int bytes_per_weight)
{
    uint8x16x4_t w = vld4q_u8(src);

    if (bytes_per_weight == 3)
        vst3q_u8(dst, (uint8x16x3_t){ { w.val[1], w.val[2], w.val[3] } });
    else if (bytes_per_weight == 2)
        vst2q_u8(dst, (uint8x16x2_t){ { w.val[2], w.val[3] } });
    else
        vst1q_u8(dst, w.val[3]);
}

INLINE void unpack_16(uint8_t *dst, const uint8_t *src, int bytes_per_weight)
{
    uint8x16_t zero = vdupq_n_u8(0);
    uint8x16x4_t w = { { zero, zero, zero, zero } };

    if (bytes_per_weight == 3) {
        uint8x16x3_t kept = vld3q_u8(src);

        w.val[1] = kept.val[0], w.val[2] = kept.val[1], w.val[3] = kept.val[2];
    } else if (bytes_per_weight == 2) {
        uint8x16x2_t kept = vld2q_u8(src);

        w.val[2] = kept.val[0], w.val[3] = kept.val[1];
    } else {
        w.val[3] = vld1q_u8(src);
    }
    vst4q_u8(dst, w);
}

void adt_pack_span_neon(uint8_t *dst, const void *src, size_t n, int bytes_per_weight, bool stream)
{
    (void)stream;
    pack_span16(dst, src, n, bytes_per_weight, pack_16);
}

void adt_unpack_span_neon(void *dst, const uint8_t *src, size_t n, int bytes_per_weight, bool stream)
{
    (void)stream;
    unpack_span16(dst, src, n, bytes_per_weight, unpack_16);
}
