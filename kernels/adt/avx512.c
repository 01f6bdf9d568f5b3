/* avx512.c - whole 64-byte lines of result, each gathered by byte permutes (VBMI) from the registers that hold its
 * bytes. For every position of the result a table says which source byte belongs there; the tables are written as the
 * formula that defines them. Head and tail as in avx2.c. */
#include <immintrin.h>

#include "kernels/adt/norm_span.h"
#include "kernels/l2norm/lanes_avx512.h"

/* 64 values of F(s), s from S. */
#define R4(F, S) F(S), F((S) + 1), F((S) + 2), F((S) + 3)
#define R16(F, S) R4(F, S), R4(F, (S) + 4), R4(F, (S) + 8), R4(F, (S) + 12)
#define R64(F, S)                                                       \
    {                                                                   \
        R16(F, S), R16(F, (S) + 16), R16(F, (S) + 32), R16(F, (S) + 48) \
    }

/* Packing: byte s of the result is kept byte s % bytes_per_weight of weight s / bytes_per_weight. The permutes see the
 * two registers from which a line is made and use the lowest seven bits of the index: line L of 3 bytes per weight is
 * made of registers L and L + 1, so its indices count from 64 L; 1 byte per weight takes its upper half from the second
 * pair of registers. */
#define PACK1(s) (uint8_t)((4 * (s) + 3) % 128)
#define PACK2(s) (uint8_t)(4 * ((s) / 2) + 2 + (s) % 2)
#define PACK3(s) (uint8_t)(4 * ((s) / 3) + 1 + (s) % 3 - 64 * ((s) / 64))
static const uint8_t pack1_index[64] = R64(PACK1, 0);
static const uint8_t pack2_index[64] = R64(PACK2, 0);
static const uint8_t pack3_index[3][64] = { R64(PACK3, 0), R64(PACK3, 64), R64(PACK3, 128) };

/* Unpacking: byte s of the result is byte s % 4 of weight s / 4; its lowest 4 - bytes_per_weight bytes are zeroed by a
 * mask, what the table says there (the formula wraps) is not looked at. Line L of 3 bytes per weight is made of
 * registers L - 1 and L, except the first and the last, which need one register. */
#define UNPACK1(s) (uint8_t)((s) / 4)
#define UNPACK2(s) (uint8_t)(2 * ((s) / 4) + (s) % 4 - 2)
#define UNPACK3(s) (uint8_t)(3 * ((s) / 4) + (s) % 4 - 1 - ((s) >= 128 ? 64 * ((s) / 64 - 1) : 0))
static const uint8_t unpack1_index[4][64] = { R64(UNPACK1, 0), R64(UNPACK1, 64), R64(UNPACK1, 128), R64(UNPACK1, 192) };
static const uint8_t unpack2_index[2][64] = { R64(UNPACK2, 0), R64(UNPACK2, 64) };
static const uint8_t unpack3_index[4][64] = { R64(UNPACK3, 0), R64(UNPACK3, 64), R64(UNPACK3, 128), R64(UNPACK3, 192) };

/* Of each weight the kept bytes. */
#define UPPER1 0x8888888888888888u
#define UPPER2 0xccccccccccccccccu
#define UPPER3 0xeeeeeeeeeeeeeeeeu

INLINE __m512i get(const uint8_t *src)
{
    return _mm512_loadu_si512((const void *)src);
}

/* 'nt' is constant where this is inlined. */
INLINE void put(uint8_t *dst, __m512i v, bool nt)
{
    if (nt)
        _mm512_stream_si512((void *)dst, v);
    else
        _mm512_storeu_si512((void *)dst, v);
}

INLINE void pack3_64(uint8_t *dst, const uint8_t *src, bool nt)
{
    __m512i a = get(src), b = get(src + 64), c = get(src + 128), d = get(src + 192);

    put(dst, _mm512_permutex2var_epi8(a, get(pack3_index[0]), b), nt);
    put(dst + 64, _mm512_permutex2var_epi8(b, get(pack3_index[1]), c), nt);
    put(dst + 128, _mm512_permutex2var_epi8(c, get(pack3_index[2]), d), nt);
}

INLINE void pack2_64(uint8_t *dst, const uint8_t *src, bool nt)
{
    __m512i a = get(src), b = get(src + 64), c = get(src + 128), d = get(src + 192);

    put(dst, _mm512_permutex2var_epi8(a, get(pack2_index), b), nt);
    put(dst + 64, _mm512_permutex2var_epi8(c, get(pack2_index), d), nt);
}

INLINE void pack1_64(uint8_t *dst, const uint8_t *src, bool nt)
{
    __m512i low = _mm512_permutex2var_epi8(get(src), get(pack1_index), get(src + 64));
    __m512i high = _mm512_permutex2var_epi8(get(src + 128), get(pack1_index), get(src + 192));

    put(dst, _mm512_mask_blend_epi64(0xf0, low, high), nt);
}

INLINE void pack_64(uint8_t *dst, const uint8_t *src, int bytes_per_weight, bool nt)
{
    if (bytes_per_weight == 3)
        pack3_64(dst, src, nt);
    else if (bytes_per_weight == 2)
        pack2_64(dst, src, nt);
    else
        pack1_64(dst, src, nt);
}

INLINE void unpack3_64(uint8_t *dst, const uint8_t *src, bool nt)
{
    __m512i a = get(src), b = get(src + 64), c = get(src + 128);

    put(dst, _mm512_maskz_permutexvar_epi8(UPPER3, get(unpack3_index[0]), a), nt);
    put(dst + 64, _mm512_maskz_permutex2var_epi8(UPPER3, a, get(unpack3_index[1]), b), nt);
    put(dst + 128, _mm512_maskz_permutex2var_epi8(UPPER3, b, get(unpack3_index[2]), c), nt);
    put(dst + 192, _mm512_maskz_permutexvar_epi8(UPPER3, get(unpack3_index[3]), c), nt);
}

INLINE void unpack2_64(uint8_t *dst, const uint8_t *src, bool nt)
{
    for (int half = 0; half < 2; half++) {
        __m512i a = get(src + 64 * half);

        put(dst + 128 * half, _mm512_maskz_permutexvar_epi8(UPPER2, get(unpack2_index[0]), a), nt);
        put(dst + 128 * half + 64, _mm512_maskz_permutexvar_epi8(UPPER2, get(unpack2_index[1]), a), nt);
    }
}

INLINE void unpack1_64(uint8_t *dst, const uint8_t *src, bool nt)
{
    __m512i a = get(src);

    for (int line = 0; line < 4; line++)
        put(dst + 64 * line, _mm512_maskz_permutexvar_epi8(UPPER1, get(unpack1_index[line]), a), nt);
}

INLINE void unpack_64(uint8_t *dst, const uint8_t *src, int bytes_per_weight, bool nt)
{
    if (bytes_per_weight == 3)
        unpack3_64(dst, src, nt);
    else if (bytes_per_weight == 2)
        unpack2_64(dst, src, nt);
    else
        unpack1_64(dst, src, nt);
}

void adt_pack_span_avx512(uint8_t *dst, const void *src, size_t n, int bytes_per_weight, bool stream)
{
    pack_span(dst, src, n, bytes_per_weight, stream, pack_64, copy_nt_avx512);
}

void adt_unpack_span_avx512(void *dst, const uint8_t *src, size_t n, int bytes_per_weight, bool stream)
{
    unpack_span(dst, src, n, bytes_per_weight, stream, unpack_64, copy_nt_avx512);
}

void adt_pack_norm_span_avx512(uint8_t *dst, double *sums, const float *weights, size_t n, int bytes_per_weight,
                               bool stream)
{
    pack_norm_span(dst, sums, weights, n, bytes_per_weight, stream, pack_64, l2norm_lanes_avx512, adt_pack_span_avx512,
                   l2norm_add_avx512);
}
