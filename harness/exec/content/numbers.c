#include "harness/exec/content/numbers.h"

#include <string.h>

#include "kernels/cast/bf16_lane.h"
#include "kernels/cast/fp16_lane.h"

enum numbers numbers_of(const struct codec *codec)
{
    if (!codec || codec->id == CODEC_ID_FP32 || codec->id == CODEC_ID_RANDOMK)
        return NUMBERS_FP32;
    return codec->id == CODEC_ID_BF16 ? NUMBERS_BF16 : codec->id == CODEC_ID_FP16 ? NUMBERS_FP16 : NUMBERS_NONE;
}

static void add_fp32(uint8_t *sum, const uint8_t *more, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        float a, b;
        memcpy(&a, sum + 4 * i, sizeof(a));
        memcpy(&b, more + 4 * i, sizeof(b));
        a += b;
        memcpy(sum + 4 * i, &a, sizeof(a));
    }
}

static float widen(enum numbers numbers, uint16_t x)
{
    uint32_t bits = numbers == NUMBERS_BF16 ? bf16_to_f32_bits(x) : fp16_to_f32_bits(x);
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

static uint16_t narrow(enum numbers numbers, float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return numbers == NUMBERS_BF16 ? bf16_from_f32_bits(bits) : fp16_from_f32_bits(bits);
}

static void add_halves(enum numbers numbers, uint8_t *sum, const uint8_t *more, int64_t n)
{
    uint16_t *a = (uint16_t *)sum;
    const uint16_t *b = (const uint16_t *)more;

    for (int64_t i = 0; i < n; i++)
        a[i] = narrow(numbers, widen(numbers, a[i]) + widen(numbers, b[i]));
}

void numbers_add(enum numbers numbers, uint8_t *sum, const uint8_t *more, int64_t nbytes)
{
    if (numbers == NUMBERS_FP32)
        add_fp32(sum, more, nbytes / 4);
    else
        add_halves(numbers, sum, more, nbytes / 2);
}

void numbers_widen(enum numbers numbers, float *to, const uint8_t *from, int64_t nbytes)
{
    const uint16_t *halves = (const uint16_t *)from;

    if (numbers == NUMBERS_FP32)
        memcpy(to, from, (size_t)nbytes);
    for (int64_t i = 0; numbers != NUMBERS_FP32 && i < nbytes / 2; i++)
        to[i] = widen(numbers, halves[i]);
}
