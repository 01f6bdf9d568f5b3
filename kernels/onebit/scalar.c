/* scalar.c - the reference. */
#include "kernels/onebit/host.h"

void onebit_sum_scalar(struct onebit_lanes *l, float *e, const float *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        float x = onebit_accumulate(e[i], v[i]);

        if (x < 0)
            l->negative[i % ONEBIT_LANES] += (double)x;
        else
            l->positive[i % ONEBIT_LANES] += (double)x;
        l->negatives += x < 0;
        e[i] = x;
    }
}

void onebit_send_scalar(uint8_t *bits, float *e, size_t n, struct onebit_means m)
{
    for (size_t i = 0; i < n; i++) {
        bool below = e[i] < 0;

        if (i % 8 == 0)
            bits[i / 8] = 0;
        bits[i / 8] |= (uint8_t)(below << i % 8);
        e[i] -= below ? m.negative : m.positive;
    }
}

void onebit_decode_scalar(float *dst, const uint8_t *bits, size_t n, struct onebit_means m, bool stream)
{
    (void)stream;
    for (size_t i = 0; i < n; i++)
        dst[i] = bits[i / 8] >> i % 8 & 1 ? m.negative : m.positive;
}

const struct onebit_spans onebit_scalar = { &plain_scalar, onebit_sum_scalar, onebit_send_scalar,
                                            onebit_decode_scalar };
