/* scalar.c - the reference. */
#include "kernels/randomk/host.h"

static void draw(uint32_t word[DRAWN_GROUP], const struct threefry_key *key, uint64_t group)
{
    for (size_t i = 0; i < DRAWN_LANES; i++) {
        uint32_t four[4];

        drawn_words(four, key, group * DRAWN_LANES + i);
        for (size_t w = 0; w < 4; w++)
            word[DRAWN_LANES * w + i] = four[w];
    }
}

const struct randomk_spans randomk_scalar = { &plain_scalar, draw };
