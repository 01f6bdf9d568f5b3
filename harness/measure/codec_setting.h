/* codec_setting.h - the parameters that codecs are timed with, and what records call them.
 * A share of values sent, a number of bytes kept, bits that run-encoding leaves: one of a few settings stands for
 * each, so that a sweep over thousands of densities needs no more than a dozen timings, and the same density always
 * has the same one. The preset parameters of a codec are the setting "". */
#ifndef NARROWS_HARNESS_MEASURE_CODEC_SETTING_H
#define NARROWS_HARNESS_MEASURE_CODEC_SETTING_H

#include "kernels/codec/codec.h"

struct codec_setting {
    struct codec_params params;
    char option[32]; /* "density=1%", "keep=3", "s=1.75", "k=4", "" */
};

/* Any parameters, by their names: "s=2,block=64"; what does not fit is a hash of it. */
void codec_setting_params(const struct codec *c, const struct codec_params *p, struct codec_setting *s);

/* The share that is sent by codecs that have one: sparsify, dct, dct-mp, randomk. *s is left alone for the others. */
void codec_setting_density(const struct codec *c, double density, struct codec_setting *s);
void codec_setting_keep(int keep, struct codec_setting *s);                      /* adt */
void codec_setting_sparsity(double sparsity, struct codec_setting *s);           /* 3lc's s */
void codec_setting_steps(int64_t k, struct codec_setting *s);                    /* local */
void codec_setting_levels(int64_t levels, struct codec_setting *s);              /* qsgd */
void codec_setting_blocks(int64_t bits, int64_t block, struct codec_setting *s); /* blockwise */
void codec_setting_rank(int64_t rank, struct codec_setting *s);                  /* powersgd */

/* The rung that stands for a density: 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50 or 100 %, the nearest in its logarithm. */
double codec_setting_rung(double density);

/* The levels that stand for others: the most that have codes of as many bits. */
int64_t codec_setting_levels_rung(int64_t levels);

/* The block that stands for others: of 64, 256, 1024, 4096 values that which is nearest in the logarithm. */
int64_t codec_setting_block_rung(int64_t block);

/* The sparsity multiplier that stands for so many bits a value: of 1, 1.5, 1.75, 1.9 that whose bits in 3LC's Table 2
 * (0.812, 0.451, 0.298, 0.200) are nearest in the logarithm. */
double codec_setting_sparsity_of(double bits);

#endif
