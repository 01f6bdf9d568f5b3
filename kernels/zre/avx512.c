/* avx512.c - 64 bytes at a time with VBMI2: the encoder compresses, the decoder expands, neither branches on what the
 * bytes are. Compressing goes into a register and keeps the destination's old content (merge-masking): the form that
 * stores to memory is microcoded on some processors, and zero-masking waits for the destination on others. */
#include "kernels/zre/runs.h"
#include "kernels/zre/zre.h"
#include "kernels/zre/zre_lane.h"

INLINE __m512i places(void)
{
    return _mm512_set_epi8(63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41,
                           40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18,
                           17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
}

/* One block: 'open' bytes before it belong to its first piece. A piece starts behind each end. */
INLINE void write_block(uint8_t *dst, __m512i bytes, uint64_t ends, unsigned open)
{
    const __m512i place = places();
    __m512i start = _mm512_sub_epi8(place, _mm512_zextsi128_si512(_mm_cvtsi32_si128((int)open)));
    __m512i first = _mm512_mask_compress_epi8(start, ends << 1 | 1, start);
    __m512i last = _mm512_mask_compress_epi8(place, ends, place);
    __m512i value = _mm512_mask_compress_epi8(bytes, ends, bytes);
    __m512i more = _mm512_sub_epi8(last, first); /* the piece's length - 1 */

    value = _mm512_mask_add_epi8(value, _mm512_test_epi8_mask(more, more), more, _mm512_set1_epi8((char)(ZRE_TWO - 1)));
    _mm512_storeu_si512((void *)dst, value);
}

size_t zre_encode_avx512(uint8_t *dst, const uint8_t *src, size_t n)
{
    const __m512i zero = _mm512_set1_epi8(ZRE_ZERO);
    struct runs r = { 0, 0 };
    uint8_t *to = dst;

    for (size_t i = 0; i < n; i += 64) {
        uint64_t valid = n - i >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << (n - i)) - 1;
        uint64_t next = n - i > 64 && src[i + 64] == ZRE_ZERO, ends;
        __m512i bytes = _mm512_maskz_loadu_epi8(valid, src + i);
        unsigned open = r.open;

        ends = runs_ends(&r, _mm512_cmpeq_epi8_mask(bytes, zero), next) & valid;
        write_block(to, bytes, ends, open);
        to += _mm_popcnt_u64(ends);
    }
    return (size_t)(to - dst);
}

/* For each of 8 words: 'ends' has a bit where a byte of the input ends in the output, 'length' says how many bits. */
struct pieces {
    __m512i ends, length;
};

/* b behind a. */
INLINE struct pieces join(struct pieces a, struct pieces b)
{
    struct pieces both = { _mm512_or_si512(a.ends, _mm512_sllv_epi64(b.ends, a.length)),
                           _mm512_add_epi64(a.length, b.length) };

    return both;
}

/* 32 lengths of one byte to 8 words of 4 each, 56 bits at most. */
INLINE struct pieces join_4(__m256i lengths)
{
    const __m512i one = _mm512_set1_epi32(1), low = _mm512_set1_epi32(0xff);
    __m512i pairs = _mm512_cvtepu16_epi32(lengths), last = _mm512_sub_epi32(_mm512_and_si512(pairs, low), one);
    __m512i both = _mm512_add_epi32(_mm512_srli_epi32(pairs, 8), last); /* length - 1 of two */
    __m512i ends = _mm512_or_si512(_mm512_sllv_epi32(one, last), _mm512_sllv_epi32(one, both));
    __m512i length = _mm512_add_epi32(both, one), word = _mm512_set1_epi64(0xffffffff);
    struct pieces a = { _mm512_and_si512(ends, word), _mm512_and_si512(length, word) };
    struct pieces b = { _mm512_srli_epi64(ends, 32), _mm512_srli_epi64(length, 32) };

    return join(a, b);
}

/* Neighbouring words of a and b joined: 8 of twice as many. */
INLINE struct pieces join_neighbours(struct pieces a, struct pieces b)
{
    const __m512i even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14),
                  odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
    struct pieces left = { _mm512_permutex2var_epi64(a.ends, even, b.ends),
                           _mm512_permutex2var_epi64(a.length, even, b.length) };
    struct pieces right = { _mm512_permutex2var_epi64(a.ends, odd, b.ends),
                            _mm512_permutex2var_epi64(a.length, odd, b.length) };

    return join(left, right);
}

/* No more than asked for: a load that reaches past what was just stored waits until that has left for the cache. */
INLINE __m128i load_step(const uint8_t *bytes, int step)
{
    return step == 4   ? _mm_loadu_si32(bytes)
           : step == 8 ? _mm_loadl_epi64((const __m128i *)bytes)
                       : _mm_loadu_si128((const __m128i *)bytes);
}

/* 'count' words, each the next 'step' bytes of the input: the bytes to where they end, 121 between. */
INLINE uint8_t *write_pieces(uint8_t *to, const uint8_t *bytes, const struct pieces *p, int count, int step)
{
    const __m512i zero = _mm512_set1_epi8(ZRE_ZERO);
    _Alignas(64) uint64_t ends[16], length[16];

    for (int i = 0; i < count; i += 8) {
        _mm512_store_si512((void *)(ends + i), p[i / 8].ends);
        _mm512_store_si512((void *)(length + i), p[i / 8].length);
    }
    for (int i = 0; i < count; i++) {
        __m128i from = load_step(bytes + step * i, step);

        _mm512_storeu_si512((void *)to, _mm512_mask_expand_epi8(zero, ends[i], _mm512_castsi128_si512(from)));
        to += length[i];
    }
    return to;
}

INLINE bool fits(struct pieces p)
{
    return !_mm512_cmpgt_epi64_mask(p.length, _mm512_set1_epi64(64));
}

/* As many bytes of input at a time as never become more than 64: four always, more where the runs are short. What the
 * branches choose changes with the density of literals, not from block to block. */
INLINE uint8_t *expand_block(uint8_t *to, __m512i bytes)
{
    const __m512i two = _mm512_set1_epi8((char)ZRE_TWO), base = _mm512_set1_epi8((char)(ZRE_TWO - 2));
    __mmask64 run = _mm512_cmpge_epu8_mask(bytes, two);
    __m512i length = _mm512_mask_sub_epi8(_mm512_set1_epi8(1), run, bytes, base);
    struct pieces four[2] = { join_4(_mm512_castsi512_si256(length)), join_4(_mm512_extracti64x4_epi64(length, 1)) };
    struct pieces eight = join_neighbours(four[0], four[1]), sixteen = join_neighbours(eight, eight);
    _Alignas(64) uint8_t from[64];

    _mm512_store_si512((void *)from, _mm512_mask_mov_epi8(bytes, run, _mm512_set1_epi8(ZRE_ZERO)));
    if (fits(sixteen))
        return write_pieces(to, from, &sixteen, 4, 16);
    if (fits(eight))
        return write_pieces(to, from, &eight, 8, 8);
    return write_pieces(to, from, four, 16, 4);
}

size_t zre_decode_avx512(uint8_t *dst, const uint8_t *src, size_t n)
{
    uint8_t *to = dst;
    size_t whole = n / 64 * 64;

    for (size_t i = 0; i < whole; i += 64)
        to = expand_block(to, _mm512_loadu_si512((const void *)(src + i)));
    if (whole == n)
        return (size_t)(to - dst);
    /* What is missing is read as literals, which go into the slack. */
    to = expand_block(to, _mm512_maskz_loadu_epi8(((uint64_t)1 << (n - whole)) - 1, src + whole));
    return (size_t)(to - dst) - (64 - (n - whole));
}

size_t zre_expanded_avx512(const uint8_t *src, size_t n)
{
    const __m512i two = _mm512_set1_epi8((char)ZRE_TWO), base = _mm512_set1_epi8((char)(ZRE_TWO - 2));
    __m512i sum = _mm512_setzero_si512();

    for (size_t i = 0; i < n; i += 64) {
        uint64_t valid = n - i >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << (n - i)) - 1;
        __m512i bytes = _mm512_maskz_loadu_epi8(valid, src + i);
        __m512i length =
            _mm512_mask_sub_epi8(_mm512_maskz_set1_epi8(valid, 1), _mm512_cmpge_epu8_mask(bytes, two), bytes, base);

        sum = _mm512_add_epi64(sum, _mm512_sad_epu8(length, _mm512_setzero_si512()));
    }
    return (size_t)_mm512_reduce_add_epi64(sum);
}
