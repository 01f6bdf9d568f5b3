/* avx2.c - eight values at a time; which lanes to move where is computed from the mask by pext and pdep (BMI2), a byte
 * for each lane. */
#include "kernels/sparse/walk.h"

#define EACH_BYTE 0x0101010101010101u
#define LANES 0x0706050403020100u

INLINE __m256i widen(uint64_t bytes)
{
    return _mm256_cvtepi8_epi32(_mm_cvtsi64_si128((long long)bytes));
}

/* All ones in the byte of each lane that is kept. */
INLINE uint64_t lane_bytes(unsigned kept)
{
    return _pdep_u64(kept, EACH_BYTE) * 0xff;
}

INLINE void store(void *to, __m256i v)
{
    _mm256_storeu_si256((__m256i *)to, v);
}

INLINE uint64_t group(uint32_t *values, uint32_t *index, float *error, const float *change, uint32_t threshold,
                      uint32_t first, unsigned flags)
{
    /* Magnitudes are below 2^31: compared as signed numbers; threshold - 1 is -1 or a magnitude. */
    const __m256i below = _mm256_set1_epi32((int)(threshold - 1)), below_sign = _mm256_set1_epi32(0x7fffffff);
    const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(SPARSE_NAN));
    uint64_t bits = 0;

    for (unsigned j = 0; j < 64; j += 8) {
        __m256 v = _mm256_loadu_ps(error + j);
        __m256i word, keep, order;
        unsigned kept, count;

        if (flags & SPARSE_ADD) {
            v = _mm256_add_ps(v, _mm256_loadu_ps(change + j));
            v = _mm256_blendv_ps(v, nan, _mm256_cmp_ps(v, v, _CMP_UNORD_Q));
        }
        word = _mm256_castps_si256(v);
        keep = _mm256_cmpgt_epi32(_mm256_and_si256(word, below_sign), below);
        kept = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(keep));
        count = (unsigned)_mm_popcnt_u32(kept);
        if (flags & SPARSE_CLEAR)
            store(error + j, _mm256_andnot_si256(keep, word));
        else if (flags & SPARSE_ADD)
            store(error + j, word);
        order = widen(_pext_u64(LANES, lane_bytes(kept)));
        store(values, _mm256_permutevar8x32_epi32(word, order));
        values += count;
        if (flags & SPARSE_INDEX) {
            store(index, _mm256_add_epi32(order, _mm256_set1_epi32((int)(first + j))));
            index += count;
        }
        bits |= (uint64_t)kept << j;
    }
    return bits;
}

static void block(struct sparse_scratch *s, float *error, const float *change, size_t n, uint32_t threshold,
                  uint64_t base, unsigned flags)
{
    walk_any(s, error, change, n, threshold, base, flags, group);
}

INLINE void line(uint8_t *dst, const uint8_t *src)
{
    for (int i = 0; i < 64; i += 32)
        _mm256_stream_si256((__m256i *)(dst + i), _mm256_loadu_si256((const __m256i *)(src + i)));
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

/* The values of 8 bits; a masked load reads no more than there are. */
INLINE const uint8_t *spread8(float *to, enum codec_into into, unsigned kept, const uint8_t *words, bool nt)
{
    const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(SPARSE_NAN));
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    unsigned count = (unsigned)_mm_popcnt_u32(kept);
    uint64_t bytes = lane_bytes(kept);
    __m256i some = _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count), lanes), mask = widen(bytes);
    __m256i v = _mm256_maskload_epi32((const int *)(const void *)words, some);

    v = _mm256_and_si256(_mm256_permutevar8x32_epi32(v, widen(_pdep_u64(LANES, bytes))), mask);
    if (into == CODEC_ADD) {
        __m256 old = _mm256_loadu_ps(to), sum = _mm256_add_ps(old, _mm256_castsi256_ps(v));

        sum = _mm256_blendv_ps(sum, nan, _mm256_cmp_ps(sum, sum, _CMP_UNORD_Q));
        _mm256_storeu_ps(to, _mm256_blendv_ps(old, sum, _mm256_castsi256_ps(mask)));
    } else if (nt) {
        _mm256_stream_ps(to, _mm256_castsi256_ps(v));
    } else {
        store(to, v);
    }
    return words + 4 * count;
}

INLINE const uint8_t *spread_group(float *to, enum codec_into into, uint64_t bits, const uint8_t *words, bool nt)
{
    for (unsigned j = 0; j < 64; j += 8)
        words = spread8(to + j, into, bits >> j & 0xff, words, nt);
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

const struct sparse_isa sparse_avx2 = { block, place, fence, count, spread };
