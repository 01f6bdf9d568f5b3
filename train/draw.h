/* draw.h - a sequence of random numbers that belongs to one thing: a layer's weights, a sample, a row of a table. It is
 * a pure function of what it was opened for, on every machine: no two things share numbers, and nothing is kept from
 * one to the next. */
#ifndef NARROWS_TRAIN_DRAW_H
#define NARROWS_TRAIN_DRAW_H

#include <stdint.h>

#include "kernels/threefry/threefry_lane.h"

/* What a training run draws from its seed. Two streams of one seed and kind differ in 'which' (a layer, an epoch). */
enum draw_kind { DRAW_WEIGHTS = 1, DRAW_IMAGES, DRAW_LABELS, DRAW_ORDER, DRAW_AUGMENT, DRAW_SPLIT, DRAW_DROPOUT };

struct draw {
    struct threefry_key key;
    uint32_t counter[4]; /* of the next four words */
    uint32_t words[4];
    int left;
};

static inline struct draw draw_of(uint64_t seed, uint32_t purpose, uint32_t which, uint64_t index)
{
    return (struct draw){ .key = threefry_key_of((uint32_t)seed, (uint32_t)(seed >> 32), purpose, which),
                          .counter = { 0, 0, (uint32_t)index, (uint32_t)(index >> 32) } };
}

static inline uint32_t draw_word(struct draw *d)
{
    if (!d->left) {
        for (int i = 0; i < 4; i++)
            d->words[i] = d->counter[i];
        threefry(d->words, &d->key, THREEFRY_ROUNDS);
        d->counter[0]++;
        d->left = 4;
    }
    return d->words[--d->left];
}

/* 0 .. n-1, each as often as the next to one part in 2^32 / n. */
static inline uint32_t draw_below(struct draw *d, uint32_t n)
{
    return (uint32_t)((uint64_t)draw_word(d) * n >> 32);
}

/* [0, 1) */
static inline float draw_unit(struct draw *d)
{
    return (float)(draw_word(d) >> 8) * 0x1p-24f;
}

static inline float draw_between(struct draw *d, float low, float high)
{
    return low + (high - low) * draw_unit(d);
}

/* Mean 0, deviation 1, within +-3.46: four bytes have the mean 4 x 127.5 and the variance 4 x (256^2 - 1) / 12 =
 * 21845. */
static inline float draw_normal(struct draw *d)
{
    uint32_t w = draw_word(d);
    int sum = (int)(w & 0xff) + (int)(w >> 8 & 0xff) + (int)(w >> 16 & 0xff) + (int)(w >> 24);

    return (float)(sum - 510) * 0.0067658729f; /* 1 / sqrt(21845) */
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
