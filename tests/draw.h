/* draw.h - random numbers that are the same everywhere. */
#ifndef NARROWS_TESTS_DRAW_H
#define NARROWS_TESTS_DRAW_H

#include <stdint.h>

/* The next number of splitmix64, whose state may begin anywhere. */
static inline uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

#endif
