/* device_content.h - the values that device rows are tried with. */
#ifndef NARROWS_TESTS_KERNELS_CODEC_DEVICE_CONTENT_H
#define NARROWS_TESTS_KERNELS_CODEC_DEVICE_CONTENT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What is in the tensors. */
enum content { GAUSSIAN, SPARSE, SPECIAL, ZERO, TINY, CONTENTS };
static const char *const content_name[] = { "gaussian", "sparse", "special", "zero", "tiny" };

static inline uint32_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) ^ (uint32_t)(*state >> 13);
}

static inline uint32_t content_word(enum content content, uint64_t *state)
{
    static const uint32_t special[] = { 0x7fc00000, 0x7f800001, 0xffc12345, 0x7f800000, 0xff800000, 0x80000000, 1,
                                        0x807fffff, 0x7f7fffff, 0xff7fffff, 0x00800000, 0x3f800000, 0xbf800000 };
    float sum = 0;
    uint32_t word;

    if (content == ZERO || (content == SPARSE && draw(state) % 37))
        return draw(state) % 2 && content == ZERO ? 0x80000000u : 0;
    if (content == SPECIAL && draw(state) % 3 == 0)
        return special[draw(state) % (sizeof(special) / sizeof(*special))];
    if (content == SPECIAL && draw(state) % 2 == 0)
        return draw(state);
    for (int i = 0; i < 4; i++)
        sum += (float)(int32_t)draw(state) * 0x1p-31f;
    if (content == TINY)
        sum *= 0x1p-140f;
    memcpy(&word, &sum, sizeof(word));
    return word;
}

static inline void fill_content(void *values, size_t n, enum content content, uint64_t seed)
{
    uint64_t state = seed * 77 + n;

    for (size_t i = 0; i < n; i++) {
        uint32_t word = content_word(content, &state);

        memcpy((uint8_t *)values + 4 * i, &word, 4);
    }
}

#endif
