/* scalar.c - the reference: the lanes, value by value. */
#include "kernels/int8/host.h"

void int8_narrow_scalar(int8_t *dst, const float *src, size_t n, const struct int8_scale *s, bool stream)
{
    (void)stream;
    for (size_t i = 0; i < n; i++)
        dst[i] = int8_narrow_lane(src[i], *s);
}

void int8_widen_scalar(float *dst, const int8_t *src, size_t n, float step, bool stream)
{
    (void)stream;
    for (size_t i = 0; i < n; i++)
        dst[i] = int8_widen_lane(src[i], step);
}

bool int8_check_scalar(const int8_t *src, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (src[i] == -128)
            return 1;
    return 0;
}

const struct int8_spans int8_scalar = { &plain_scalar, magnitude_scalar, int8_narrow_scalar, int8_widen_scalar,
                                        int8_check_scalar };
