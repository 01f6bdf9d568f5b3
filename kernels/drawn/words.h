/* words.h - the words of drawn_lane.h over vectors. */
#ifndef NARROWS_KERNELS_DRAWN_WORDS_H
#define NARROWS_KERNELS_DRAWN_WORDS_H

#include <stdbool.h>

#include "kernels/drawn/drawn_lane.h"
#include "kernels/drawn/vector.h"
#include "kernels/threefry/rounds.h"

#define ADD(a, b) MM(add_epi32)(a, b)
#define SET(k) MM(set1_epi32)((int)(k))
#ifdef __AVX512F__
#define XOR(a, b) _mm512_xor_si512(a, b)
#define ROTATE(a, n) _mm512_rol_epi32(a, n)
#else
#define XOR(a, b) _mm256_xor_si256(a, b)
#define ROTATE(a, n) _mm256_or_si256(_mm256_slli_epi32(a, n), _mm256_srli_epi32(a, 32 - (n)))
#endif

/* Vectors of counters. */
enum { DRAWN_PARTS = DRAWN_LANES / VECTOR };

/* The words of as many counters as there are lanes, of which the upper half is the same: they come in sixteens. */
INLINE void vec_words(vec_bits x[4], const struct threefry_key *key, uint64_t counter)
{
    static const int32_t lane[DRAWN_LANES] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
    const uint32_t *k = key->word;

    x[0] = ADD(SET((uint32_t)counter), vec_get_bits(lane));
    x[1] = SET((uint32_t)(counter >> 32));
    x[2] = SET(0);
    x[3] = SET(0);
    THREEFRY_13(x, k);
}

#endif
