/* draw.h - draws of synthetic data alone. */
#ifndef NARROWS_TRAIN_DATA_DRAW_H
#define NARROWS_TRAIN_DATA_DRAW_H

#include "train/draw.h"

/* In 1 .. n, and without a factor in common with n: multiples of it, modulo n, go through all residues. */
uint32_t draw_coprime(struct draw *d, uint32_t n);

/* Zipf's law with exponent 1: 0 .. n-1, r with probability log((r + 2) / (r + 1)) / log(n + 1). log2_more: plain_log2(n
 * + 1). */
int64_t draw_zipf(struct draw *d, int64_t n, double log2_more);

#endif
