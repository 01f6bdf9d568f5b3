/* scalar.c - the reference: the lanes, value by value. */
#include <string.h>

#include "kernels/cast/bf16_lane.h"
#include "kernels/cast/fp16_lane.h"
#include "kernels/cast/host.h"

static uint32_t bits_of(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

void cast_bf16_narrow_scalar(uint16_t *dst, const float *src, size_t n, bool stream)
{
    (void)stream;
    for (size_t i = 0; i < n; i++)
        dst[i] = bf16_from_f32_bits(bits_of(src[i]));
}

void cast_fp16_narrow_scalar(uint16_t *dst, const float *src, size_t n, bool stream)
{
    (void)stream;
    for (size_t i = 0; i < n; i++)
        dst[i] = fp16_from_f32_bits(bits_of(src[i]));
}

/* Stored as bits: a float on its way through a register of the x87 would lose a signalling NaN. */
void cast_bf16_widen_scalar(float *dst, const uint16_t *src, size_t n, bool stream)
{
    (void)stream;
    for (size_t i = 0; i < n; i++) {
        uint32_t bits = bf16_to_f32_bits(src[i]);

        memcpy(dst + i, &bits, sizeof(bits));
    }
}

void cast_fp16_widen_scalar(float *dst, const uint16_t *src, size_t n, bool stream)
{
    (void)stream;
    for (size_t i = 0; i < n; i++) {
        uint32_t bits = fp16_to_f32_bits(src[i]);

        memcpy(dst + i, &bits, sizeof(bits));
    }
}

void cast_bf16_round_scalar(float *dst, const float *src, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t bits = bf16_round_f32_bits(bits_of(src[i]));

        memcpy(dst + i, &bits, sizeof(bits));
    }
}

const struct cast_spans cast_scalar = { &plain_scalar,          cast_bf16_narrow_scalar, cast_fp16_narrow_scalar,
                                        cast_bf16_widen_scalar, cast_fp16_widen_scalar,  cast_bf16_round_scalar };
