/* loops.h - the x86 loops of a codec that rounds at random: 64 values to the planes of two blocks, and 32 back.
 * Included behind
 *      struct constants, constants_of(scale)     what the loops need of a scale, in registers
 *      codes_of(values, drawn, constants)        the codes of a register of values
 *      values_of(codes, constants)               and back
 * and behind REFERENCE, the codec's spans that are used for tails. */
#include "kernels/drawn/words.h"

enum { REGISTERS = DRAWN_BLOCK / VECTOR };

/* The highest plane first: it is moved to the signs, then each next one by an addition. */
INLINE void put_block(uint8_t *block, vec_bits *code, int bits)
{
    for (size_t r = 0; r < REGISTERS; r++)
        code[r] = MM(sll_epi32)(code[r], _mm_cvtsi32_si128(32 - bits));
    for (int plane = bits; plane--;) {
        uint32_t word = 0;

        for (size_t r = 0; r < REGISTERS; r++) {
            word |= vec_signs(code[r]) << (VECTOR * r);
            code[r] = ADD(code[r], code[r]);
        }
        __builtin_memcpy(block + 4 * plane, &word, sizeof(word));
    }
}

static void encode(uint8_t *planes, const float *values, size_t first, size_t count, const struct drawn_scale *s,
                   const struct threefry_key *key)
{
    struct constants c = constants_of(s);
    size_t done = count / DRAWN_GROUP * DRAWN_GROUP;

    for (size_t at = 0; at < done; at += DRAWN_GROUP) {
        uint64_t counter = (first + at) / DRAWN_GROUP * DRAWN_LANES;
        vec_bits code[2][REGISTERS];

        ask_ahead(values + at, ASK_AHEAD, 4 * DRAWN_GROUP);
        for (size_t part = 0; part < DRAWN_PARTS; part++) {
            vec_bits word[4];

            vec_words(word, key, counter + VECTOR * part);
            for (size_t w = 0; w < 4; w++)
                code[w / 2][DRAWN_PARTS * (w % 2) + part] =
                    codes_of(MM(loadu_ps)(values + at + DRAWN_LANES * w + VECTOR * part), word[w], &c);
        }
        put_block(planes + (size_t)s->bits * (at / 8), code[0], s->bits);
        put_block(planes + (size_t)s->bits * (at / 8 + 4), code[1], s->bits);
    }
    REFERENCE.encode(planes + (size_t)s->bits * (done / 8), values + done, first + done, count - done, s, key);
}

INLINE size_t decode_blocks(float *dst, const uint8_t *planes, size_t count, const struct drawn_scale *s, bool nt)
{
    struct constants c = constants_of(s);
    size_t done = count / DRAWN_BLOCK * DRAWN_BLOCK;

    for (size_t at = 0; at < done; at += DRAWN_BLOCK) {
        const uint8_t *block = planes + (size_t)s->bits * (at / 8);
        vec_bits code[REGISTERS];

        for (size_t r = 0; r < REGISTERS; r++)
            code[r] = SET(0);
        for (int plane = 0; plane < s->bits; plane++) {
            uint32_t word;

            __builtin_memcpy(&word, block + 4 * plane, sizeof(word));
            for (size_t r = 0; r < REGISTERS; r++)
                code[r] = vec_set_where(code[r], word >> (VECTOR * r), SET(1 << plane));
        }
        for (size_t r = 0; r < REGISTERS; r++)
            vec_put(dst + at + VECTOR * r, values_of(code[r], &c), nt);
    }
    return done;
}

static void decode(float *dst, const uint8_t *planes, size_t count, const struct drawn_scale *s, bool stream)
{
    size_t done = stream ? decode_blocks(dst, planes, count, s, true) : decode_blocks(dst, planes, count, s, false);

    REFERENCE.decode(dst + done, planes + (size_t)s->bits * (done / 8), count - done, s, false);
    if (stream)
        _mm_sfence();
}
