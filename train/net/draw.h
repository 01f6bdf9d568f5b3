/* draw.h - random numbers by counter: a stream is named by (seed, kind, which), so that what is drawn for one purpose never depends on
 * how much was drawn for another. No library's logarithm, so the same bits come out anywhere. */
#ifndef NARROWS_TRAIN_NET_DRAW_H
#define NARROWS_TRAIN_NET_DRAW_H

#include <stdint.h>

#include "kernels/threefry/threefry_lane.h"

/* What a stream is for; two streams of one seed and kind differ in 'which' (a layer, an epoch). */
enum draw_kind { DRAW_WEIGHTS = 1, DRAW_IMAGES, DRAW_LABELS, DRAW_ORDER, DRAW_AUGMENT, DRAW_SPLIT, DRAW_DROPOUT };

struct drawing {
    struct threefry_key key;
    uint64_t index; /* of the next four words */
    uint32_t words[4];
    int left;
};

static inline struct drawing drawing_of(uint64_t seed, enum draw_kind kind, uint32_t which)
{
    return (struct drawing){ .key = threefry_key_of((uint32_t)seed, (uint32_t)(seed >> 32), (uint32_t)kind, which) };
}

static inline uint32_t draw_word(struct drawing *d)
{
    if (!d->left) {
        d->words[0] = (uint32_t)d->index, d->words[1] = (uint32_t)(d->index >> 32), d->words[2] = d->words[3] = 0;
        threefry(d->words, &d->key, THREEFRY_ROUNDS);
        d->index++;
        d->left = 4;
    }
    return d->words[--d->left];
}

/* Uniform in [0, 1), in steps of 2^-24. */
static inline float draw_uniform(struct drawing *d)
{
    return (float)(draw_word(d) >> 8) * 0x1p-24f;
}

/* Mean 0 and deviation 1: four bytes have the mean 4 x 127.5 and the variance 4 x (256^2 - 1) / 12 = 21845. */
static inline float draw_normal(struct drawing *d)
{
    uint32_t w = draw_word(d);
    int sum = (int)(w & 0xff) + (int)(w >> 8 & 0xff) + (int)(w >> 16 & 0xff) + (int)(w >> 24);

    return (float)((sum - 510) / 147.80054127099805); /* sqrt(21845) */
}

/* 64 bits that depend on everything given: the seed of something smaller. */
static inline uint64_t draw_seed(uint64_t seed, uint32_t which, uint32_t part, uint64_t step)
{
    struct threefry_key key = threefry_key_of((uint32_t)seed, (uint32_t)(seed >> 32), which, part);
    uint32_t x[4] = { (uint32_t)step, (uint32_t)(step >> 32), 0, 0 };

    threefry(x, &key, THREEFRY_ROUNDS);
    return (uint64_t)x[1] << 32 | x[0];
}

#endif
