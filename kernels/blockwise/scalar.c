/* scalar.c - the reference: the lanes, value by value. */
#include "kernels/blockwise/host.h"

void blockwise_narrow_scalar(uint8_t *codes, const float *values, size_t n, const struct int8_scale *s)
{
    for (size_t i = 0; i < n; i += 2) {
        uint8_t low = (uint8_t)int8_narrow_lane(values[i], *s);
        uint8_t high = i + 1 < n ? (uint8_t)int8_narrow_lane(values[i + 1], *s) : 0;

        codes[i / 2] = (uint8_t)((low & 15) | (high & 15) << 4);
    }
}

bool blockwise_check_scalar(const uint8_t *codes, size_t nbytes)
{
    for (size_t i = 0; i < nbytes; i++)
        if (blockwise_has_8(codes[i]))
            return true;
    return false;
}

static float scale_of(const uint8_t *payload, const struct blockwise_terms *t, size_t i)
{
    float scale;

    memcpy(&scale, payload + t->scales_at + sizeof(scale) * (i / t->form.block), sizeof(scale));
    return scale;
}

void blockwise_sum_scalar(float *dst, const struct blockwise_terms *t, size_t from, size_t to, bool stream)
{
    (void)stream;
    for (size_t i = from; i < to; i++) {
        float sum = 0;

        for (size_t k = 0; k < t->sent.count; k++) {
            const uint8_t *payload = t->sent.payloads + k * t->sent.stride;

            sum += int8_widen_lane(blockwise_code(payload, i, t->form.bits), scale_of(payload, t, i));
        }
        dst[i - from] = sum;
    }
}

const struct blockwise_spans blockwise_scalar = { &int8_scalar, blockwise_narrow_scalar, blockwise_check_scalar,
                                                  blockwise_sum_scalar };
