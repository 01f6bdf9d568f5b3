#include "train/data/draw.h"

#include "train/data/plain_math.h"

uint32_t draw_coprime(struct draw *d, uint32_t n)
{
    for (;;) {
        uint32_t factor = 1 + draw_below(d, n > 1 ? n - 1 : 1), a = factor, b = n;

        while (b) {
            uint32_t rest = a % b;

            a = b;
            b = rest;
        }
        if (a == 1)
            return factor;
    }
}

int64_t draw_zipf(struct draw *d, int64_t n, double log2_more)
{
    uint32_t fine = draw_word(d), coarse = draw_word(d);
    double u = ((double)coarse + (double)fine * 0x1p-32) * 0x1p-32;
    int64_t at = (int64_t)plain_exp2(u * log2_more) - 1;

    return at < 0 ? 0 : at < n ? at : n - 1;
}
