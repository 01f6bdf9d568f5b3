/* loops.h - the x86 loops. */
#include "kernels/drawn/words.h"
#include "kernels/randomk/host.h"

static void draw(uint32_t word[DRAWN_GROUP], const struct threefry_key *key, uint64_t group)
{
    for (size_t part = 0; part < DRAWN_PARTS; part++) {
        vec_bits four[4];

        vec_words(four, key, group * DRAWN_LANES + VECTOR * part);
        for (size_t w = 0; w < 4; w++)
            vec_put_bits(word + DRAWN_LANES * w + VECTOR * part, four[w], false);
    }
}

const struct randomk_spans ISA(randomk) = { &ISA(plain), draw };
