/* blockwise_lane.h - the definition: where codes and scales stand in a payload. What a value becomes is in
 * kernels/int8/int8_lane.h. */
#ifndef NARROWS_KERNELS_BLOCKWISE_LANE_H
#define NARROWS_KERNELS_BLOCKWISE_LANE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels/int8/int8_lane.h"

/* Blocks are whole groups of values; the sums of one stay in a first-level cache. */
enum { BLOCKWISE_GROUP = 64, BLOCKWISE_MOST = 8192 };

struct blockwise_form {
    size_t n, block;
    int bits;
};

NW_LANE float blockwise_levels(int bits)
{
    return bits == 4 ? 7.0f : INT8_LEVELS;
}

/* Bytes of so many codes. */
NW_LANE size_t blockwise_codes(size_t count, int bits)
{
    return bits == 4 ? count / 2 + count % 2 : count;
}

NW_LANE size_t blockwise_scales_at(struct blockwise_form f)
{
    return (blockwise_codes(f.n, f.bits) + 3) / 4 * 4;
}

NW_LANE size_t blockwise_blocks(struct blockwise_form f)
{
    return f.n / f.block + (f.n % f.block != 0);
}

NW_LANE size_t blockwise_bytes(struct blockwise_form f)
{
    return blockwise_scales_at(f) + sizeof(float) * blockwise_blocks(f);
}

/* Two's complement of 4 bits. */
NW_LANE int8_t blockwise_half(uint32_t code)
{
    return (int8_t)((int)((code & 15) ^ 8) - 8);
}

NW_LANE int8_t blockwise_code(const uint8_t *codes, size_t i, int bits)
{
    return bits == 4 ? blockwise_half((uint32_t)codes[i / 2] >> i % 2 * 4) : (int8_t)codes[i];
}

/* Has a word a half byte of 8? Such a one has its highest bit, and none to which the addition of 7 would carry it. */
NW_LANE int blockwise_has_8(uint32_t word)
{
    return (word & 0x88888888u & ~((word & 0x77777777u) + 0x77777777u)) != 0;
}

#endif
