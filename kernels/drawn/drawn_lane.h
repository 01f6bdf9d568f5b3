/* drawn_lane.h - the definition: which random word a value draws, and where the bits of its code stand. */
#ifndef NARROWS_KERNELS_DRAWN_LANE_H
#define NARROWS_KERNELS_DRAWN_LANE_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/shared/lane.h"
#include "kernels/threefry/threefry_lane.h"

/* 64 values draw from 16 counters, so that vectors of 16 lanes need no shuffles; 32 codes are a block of planes. */
enum { DRAWN_GROUP = 64, DRAWN_LANES = 16, DRAWN_BLOCK = 32, DRAWN_BITS = 16 };

/* The key of a step. */
NW_LANE struct threefry_key drawn_key(uint64_t seed, uint64_t step)
{
    return threefry_key_of((uint32_t)seed, (uint32_t)(seed >> 32), (uint32_t)step, (uint32_t)(step >> 32));
}

/* The four words of a counter. Value j of a group of 64, j = 16 w + i, draws word w of counter 16 (group) + i. */
NW_LANE void drawn_words(uint32_t word[4], const struct threefry_key *k, uint64_t counter)
{
    word[0] = (uint32_t)counter;
    word[1] = (uint32_t)(counter >> 32);
    word[2] = 0;
    word[3] = 0;
    threefry(word, k, THREEFRY_ROUNDS);
}

/* Bytes of n codes. */
NW_LANE size_t drawn_bytes(size_t n, int bits)
{
    return (size_t)bits * (n / 8 + (n % 8 != 0));
}

/* Bytes of a plane of the block that begins at value 'first' of n. */
NW_LANE int drawn_width(size_t n, size_t first)
{
    size_t left = n - first;

    return left >= DRAWN_BLOCK ? 4 : (int)((left + 7) / 8);
}

/* A plane of a block: bit i is that of the block's value i. */
NW_LANE uint32_t drawn_get(const uint8_t *block, int plane, int width)
{
    uint32_t word = 0;

    for (int i = 0; i < width; i++)
        word |= (uint32_t)block[plane * width + i] << (8 * i);
    return word;
}

NW_LANE void drawn_put(uint8_t *block, int plane, int width, uint32_t word)
{
    for (int i = 0; i < width; i++)
        block[plane * width + i] = (uint8_t)(word >> (8 * i));
}

/* What a code may be: the number in the lowest 'low' of its 'bits' bits is at most 'most'. */
struct drawn_form {
    int bits, low;
    uint32_t most;
};

/* May the block that begins at value 'first' of n be? All its codes at once, from the highest plane down: which of
 * them are still equal to 'most', which are above. Bits behind the last value are 0. */
NW_LANE int drawn_block_is_valid(const uint8_t *block, size_t n, size_t first, struct drawn_form f)
{
    int width = drawn_width(n, first);
    uint32_t equal = 0xffffffffu, above = 0, any = 0;

    for (int plane = f.bits; plane--;) {
        uint32_t word = drawn_get(block, plane, width);

        any |= word;
        if (plane >= f.low)
            continue;
        if (!(f.most >> plane & 1))
            above |= equal & word;
        equal &= f.most >> plane & 1 ? word : ~word;
    }
    return !above && (n - first >= DRAWN_BLOCK || !(any >> (n - first)));
}

#endif
