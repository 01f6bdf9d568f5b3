/* draw_lane.h - which values dropout keeps: a draw from (seed, index) alone, the same on every backend. */
#ifndef NARROWS_TRAIN_OPS_DRAW_LANE_H
#define NARROWS_TRAIN_OPS_DRAW_LANE_H

#include <stdint.h>

#include "kernels/shared/lane.h"

/* splitmix64's value number 'index' of the sequence that starts at 'seed'. */
NW_LANE uint64_t draw_splitmix64(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* How many of 2^24 equal shares of the draws are dropped at a rate in [0, 1). */
NW_LANE uint32_t draw_dropped_share(float rate)
{
    return (uint32_t)((double)rate * 16777216.0 + 0.5);
}

NW_LANE float dropout_lane(float x, uint64_t index, uint64_t seed, uint32_t dropped_share, float scale)
{
    return (uint32_t)(draw_splitmix64(seed, index) >> 40) < dropped_share ? 0.0f : x * scale;
}

#endif
