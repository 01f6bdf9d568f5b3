/* avx512.c - 64 values at a time: four masks are a word of the bitmap. Kept values are compressed within a register and
 * stored whole (compressing into memory is microcode on some processors); the register that is merged into is a live
 * one, because the form that zeroes waits for its last result on some. */
#include "kernels/sparse/walk.h"

#define R4(S) (S), (S) + 1, (S) + 2, (S) + 3
#define R16(S) R4(S), R4((S) + 4), R4((S) + 8), R4((S) + 12)
static const uint8_t lane_numbers[64] = { R16(0), R16(16), R16(32), R16(48) };

/* Places of up to 64 values, a byte each, compressed at once; seldom are there more than 16. */
INLINE void note_places(uint32_t *index, uint64_t bits, uint32_t first)
{
    __m512i lanes = _mm512_loadu_si512((const void *)lane_numbers);
    __m512i places = _mm512_mask_compress_epi8(lanes, bits, lanes), from = _mm512_set1_epi32((int)first);
    long long count = _mm_popcnt_u64(bits);

    _mm512_storeu_si512(index, _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_castsi512_si128(places)), from));
    if (__builtin_expect(count > 16, 0)) {
        uint8_t rest[64];

        _mm512_storeu_si512(rest, places);
        for (long long i = 16; i < count; i++)
            index[i] = first + rest[i];
    }
}

INLINE uint64_t group(uint32_t *values, uint32_t *index, float *error, const float *change, uint32_t threshold,
                      uint32_t first, unsigned flags)
{
    const __m512i least = _mm512_set1_epi32((int)threshold), below_sign = _mm512_set1_epi32(0x7fffffff);
    const __m512 nan = _mm512_castsi512_ps(_mm512_set1_epi32(SPARSE_NAN));
    __m512 v[4];
    __mmask16 kept[4];
    uint64_t bits;

    for (int j = 0; j < 4; j++) {
        v[j] = _mm512_loadu_ps(error + 16 * j);
        if (flags & SPARSE_ADD) {
            v[j] = _mm512_add_ps(v[j], _mm512_loadu_ps(change + 16 * j));
            v[j] = _mm512_mask_mov_ps(v[j], _mm512_cmp_ps_mask(v[j], v[j], _CMP_UNORD_Q), nan);
        }
    }
    for (int j = 0; j < 4; j++) {
        kept[j] = _mm512_cmpge_epu32_mask(_mm512_and_si512(_mm512_castps_si512(v[j]), below_sign), least);
        if (flags & SPARSE_CLEAR)
            _mm512_storeu_ps(error + 16 * j, _mm512_maskz_mov_ps((__mmask16)~kept[j], v[j]));
        else if (flags & SPARSE_ADD)
            _mm512_storeu_ps(error + 16 * j, v[j]);
    }
    for (int j = 0; j < 4; j++) {
        __m512i word = _mm512_castps_si512(v[j]);

        _mm512_storeu_si512(values, _mm512_mask_compress_epi32(word, kept[j], word));
        values += _mm_popcnt_u32(kept[j]);
    }
    bits = (uint64_t)kept[0] | (uint64_t)kept[1] << 16 | (uint64_t)kept[2] << 32 | (uint64_t)kept[3] << 48;
    if (flags & SPARSE_INDEX)
        note_places(index, bits, first);
    return bits;
}

static void block(struct sparse_scratch *s, float *error, const float *change, size_t n, uint32_t threshold,
                  uint64_t base, unsigned flags)
{
    walk_any(s, error, change, n, threshold, base, flags, group);
}

INLINE void line(uint8_t *dst, const uint8_t *src)
{
    _mm512_stream_si512((void *)dst, _mm512_loadu_si512((const void *)src));
}

static void place(void *dst, const void *src, size_t nbytes, bool stream)
{
    place_lines(dst, src, nbytes, stream, line);
}

static void fence(void)
{
    _mm_sfence();
}

static uint64_t count(const uint64_t *words, size_t nwords)
{
    return count_words(words, nwords);
}

/* The values of 16 bits; a masked load reads no more than there are. */
INLINE const uint8_t *spread16(float *to, enum codec_into into, unsigned bits, const uint8_t *words, bool nt)
{
    const __m512 nan = _mm512_castsi512_ps(_mm512_set1_epi32(SPARSE_NAN));
    unsigned count = (unsigned)_mm_popcnt_u32(bits);
    __mmask16 kept = (__mmask16)bits, some = (__mmask16)((1u << count) - 1);
    __m512 v = _mm512_maskz_expand_ps(kept, _mm512_maskz_loadu_ps(some, words));

    if (into == CODEC_ADD) {
        __m512 old = _mm512_loadu_ps(to), sum = _mm512_add_ps(old, v);

        sum = _mm512_mask_mov_ps(sum, _mm512_cmp_ps_mask(sum, sum, _CMP_UNORD_Q), nan);
        _mm512_storeu_ps(to, _mm512_mask_mov_ps(old, kept, sum));
    } else if (nt) {
        _mm512_stream_ps(to, v);
    } else {
        _mm512_storeu_ps(to, v);
    }
    return words + 4 * count;
}

INLINE const uint8_t *spread_group(float *to, enum codec_into into, uint64_t bits, const uint8_t *words, bool nt)
{
    for (unsigned j = 0; j < 64; j += 16)
        words = spread16(to + j, into, bits >> j & 0xffff, words, nt);
    return words;
}

static void spread(float *values, size_t n, enum codec_into into, const uint64_t *bitmap, const uint8_t *words,
                   bool stream)
{
    if (into == CODEC_ADD) {
        spread_walks(values, n, CODEC_ADD, bitmap, words, 0, spread_group);
    } else if (stream && (uintptr_t)values % 64 == 0) {
        spread_walks(values, n, CODEC_STORE, bitmap, words, 1, spread_group);
        _mm_sfence();
    } else {
        spread_walks(values, n, CODEC_STORE, bitmap, words, 0, spread_group);
    }
}

const struct sparse_isa sparse_avx512 = { block, place, fence, count, spread };
