/* scalar.c - the reference: chain by chain. */
#include <math.h>
#include <string.h>

#include "kernels/conv/host.h"

void conv_sums_scalar(const struct conv_sums *s)
{
    for (size_t r = 0; r < CONV_ROWS; r++)
        for (size_t p = 0; p < s->places; p++) {
            float sum = s->start ? s->start[r] : 0;

            for (size_t t = 0; t < s->taps; t++)
                sum = fmaf(s->w[t * CONV_ROWS + r], s->x[p + s->at[t]], sum);
            s->y[r * s->ldy + p] = sum;
        }
}

static float gradient(const struct conv_gradients *g, size_t r, size_t t)
{
    float lane[CONV_LANES] = { 0 };

    for (size_t i = 0; i < g->segments; i++)
        for (size_t p = 0; p < g->places; p++)
            lane[p % CONV_LANES] =
                fmaf(g->dy[r * g->lddy + i * g->dy_step + p], g->x[i * g->x_step + p + g->at[t]], lane[p % CONV_LANES]);
    for (size_t apart = CONV_LANES / 2; apart; apart /= 2)
        for (size_t j = 0; j < apart; j++)
            lane[j] += lane[j + apart];
    return lane[0];
}

void conv_gradients_scalar(const struct conv_gradients *g)
{
    for (size_t r = 0; r < CONV_ROWS; r++)
        for (size_t t = 0; t < g->taps; t++)
            g->dw[t * CONV_ROWS + r] += gradient(g, r, t);
}

void conv_lay_scalar(const struct conv_rectangle *r)
{
    for (size_t i = 0; i < r->height; i++) {
        memcpy(r->to + i * r->to_pitch, r->from + i * r->from_pitch, r->width * sizeof(float));
        memset(r->to + i * r->to_pitch + r->width, 0, r->zeros * sizeof(float));
    }
}
