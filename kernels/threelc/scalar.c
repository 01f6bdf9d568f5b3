/* scalar.c - the reference: the lanes, value by value. */
#include <math.h>

#include "kernels/threelc/host.h"

float threelc_accumulate_scalar(float *e, const float *g, size_t n)
{
    float max = 0;

    for (size_t i = 0; i < n; i++) {
        e[i] = threelc_sum_lane(e[i], g[i]);
        max = fabsf(e[i]) > max ? fabsf(e[i]) : max;
    }
    return max;
}

float threelc_distance_scalar(const float *model, const float *pulled, size_t n)
{
    float max = 0;

    for (size_t i = 0; i < n; i++) {
        float t = fabsf(threelc_distance_lane(model[i], pulled[i]));

        max = t > max ? t : max;
    }
    return max;
}

/* Value i of a push or a pull; returns its digit. */
static unsigned quantise_one(float *state, const float *model, size_t i, const struct threelc_level *level)
{
    float t = model ? threelc_distance_lane(model[i], state[i]) : state[i];
    int q = threelc_quantise_lane(t, level->half);

    state[i] = model ? threelc_add_lane(state[i], q, level->scale) : threelc_rest_lane(t, q, level->scale);
    return (unsigned)(q + 1);
}

void threelc_quantise_scalar(uint8_t *quartic, float *state, const float *model, const struct threelc_part *part,
                             const struct threelc_level *level)
{
    for (size_t b = 0; b < part->count; b++) {
        unsigned byte = 0;

        for (int p = 0; p < 5; p++) {
            size_t i = (size_t)p * part->shape->bytes + part->from + b;

            if (i < part->shape->n)
                byte += threelc_weight_lane(p) * quantise_one(state, model, i, level);
        }
        quartic[b] = (uint8_t)byte;
    }
}

void threelc_spread_bytes_scalar(float *values, const struct threelc_part *part, const uint8_t *quartic, float scale,
                                 enum codec_into into)
{
    for (size_t b = 0; b < part->count; b++)
        for (int p = 0; p < 5; p++) {
            size_t i = (size_t)p * part->shape->bytes + part->from + b;
            int q = threelc_digit_lane(quartic[b], p) - 1;

            if (i < part->shape->n)
                values[i] = into == CODEC_ADD ? threelc_add_lane(values[i], q, scale) : threelc_store_lane(q, scale);
        }
}

static void spread(float *values, const struct threelc_part *part, const struct threelc_coded *coded, float scale,
                   enum codec_into into, bool stream)
{
    uint8_t quartic[THREELC_PLACE];

    (void)stream;
    if (coded->runs)
        zre_decode_scalar(quartic, coded->from, coded->nbytes);
    threelc_spread_bytes_scalar(values, part, coded->runs ? quartic : coded->from, scale, into);
}

const struct threelc_ops threelc_scalar = {
    "scalar",          threelc_accumulate_scalar, threelc_distance_scalar, threelc_quantise_scalar, spread,
    zre_encode_scalar,

    zre_decode_scalar, zre_expanded_scalar,
};
