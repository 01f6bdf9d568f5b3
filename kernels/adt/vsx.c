/* vsx.c - AltiVec and VSX on little-endian POWER: whole 16-byte results, each gathered by one vec_perm from the two
 * registers that hold its bytes. The tables count bytes of memory order, and so does vec_perm here: its bytes 0 to 15
 * are those of the first register, 16 to 31 those of the second. */
#include <altivec.h>

#include "kernels/adt/span16.h"

typedef __vector unsigned char bytes;

/* 16 values of F(s), s from S. */
#define R4(F, S) F(S), F((S) + 1), F((S) + 2), F((S) + 3)
#define R16(F, S)                                                 \
    {                                                             \
        R4(F, S), R4(F, (S) + 4), R4(F, (S) + 8), R4(F, (S) + 12) \
    }

/* Packing: byte s of the result is kept byte s % bytes_per_weight of weight s / bytes_per_weight. Register r of 3 bytes
 * per weight is made of the source's registers r and r + 1, so its indices count from 16 r. */
#define PACK1(s) (unsigned char)((4 * (s) + 3) % 32)
#define PACK2(s) (unsigned char)(4 * ((s) / 2) + 2 + (s) % 2)
#define PACK3(s) (unsigned char)(4 * ((s) / 3) + 1 + (s) % 3 - 16 * ((s) / 16))
static const bytes pack1_index = R16(PACK1, 0), pack2_index = R16(PACK2, 0);
static const bytes pack3_index[3] = { R16(PACK3, 0), R16(PACK3, 16), R16(PACK3, 32) };
static const bytes halves = { 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23 };

/* Unpacking: byte s of the result is byte s % 4 of weight s / 4. For 1 and 2 bytes per weight the second register is
 * zero and gives the bytes that were dropped; for 3 they are masked, what the table says there is not looked at, and
 * register r is made of registers r - 1 and r, except the first and the last, which need one. */
#define UNPACK1(s) (unsigned char)((s) % 4 == 3 ? (s) / 4 : 16)
#define UNPACK2(s) (unsigned char)((s) % 4 >= 2 ? 2 * ((s) / 4) + (s) % 4 - 2 : 16)
#define UNPACK3(s) (unsigned char)((3 * ((s) / 4) + (s) % 4 + 31 - ((s) >= 32 ? 16 * ((s) / 16 - 1) : 0)) % 32)
static const bytes unpack1_index[4] = { R16(UNPACK1, 0), R16(UNPACK1, 16), R16(UNPACK1, 32), R16(UNPACK1, 48) };
static const bytes unpack2_index[2] = { R16(UNPACK2, 0), R16(UNPACK2, 16) };
static const bytes unpack3_index[4] = { R16(UNPACK3, 0), R16(UNPACK3, 16), R16(UNPACK3, 32), R16(UNPACK3, 48) };
static const bytes upper3 = { 0, 255, 255, 255, 0, 255, 255, 255, 0, 255, 255, 255, 0, 255, 255, 255 };

INLINE bytes get(const uint8_t *src)
{
    return vec_xl(0, src);
}

INLINE void put(uint8_t *dst, bytes v)
{
    vec_xst(v, 0, dst);
}

INLINE void pack_16(uint8_t *dst, const uint8_t *src, int bytes_per_weight)
{
    bytes a = get(src), b = get(src + 16), c = get(src + 32), d = get(src + 48);

    if (bytes_per_weight == 3) {
        put(dst, vec_perm(a, b, pack3_index[0]));
        put(dst + 16, vec_perm(b, c, pack3_index[1]));
        put(dst + 32, vec_perm(c, d, pack3_index[2]));
    } else if (bytes_per_weight == 2) {
        put(dst, vec_perm(a, b, pack2_index));
        put(dst + 16, vec_perm(c, d, pack2_index));
    } else {
        put(dst, vec_perm(vec_perm(a, b, pack1_index), vec_perm(c, d, pack1_index), halves));
    }
}

INLINE void unpack3_16(uint8_t *dst, const uint8_t *src)
{
    bytes a = get(src), b = get(src + 16), c = get(src + 32);

    put(dst, vec_and(vec_perm(a, a, unpack3_index[0]), upper3));
    put(dst + 16, vec_and(vec_perm(a, b, unpack3_index[1]), upper3));
    put(dst + 32, vec_and(vec_perm(b, c, unpack3_index[2]), upper3));
    put(dst + 48, vec_and(vec_perm(c, c, unpack3_index[3]), upper3));
}

INLINE void unpack_16(uint8_t *dst, const uint8_t *src, int bytes_per_weight)
{
    const bytes zero = vec_splats((unsigned char)0);

    if (bytes_per_weight == 3)
        unpack3_16(dst, src);
    else
        for (int r = 0; r < 4; r++)
            put(dst + 16 * r, bytes_per_weight == 2 ? vec_perm(get(src + 16 * (r / 2)), zero, unpack2_index[r % 2])
                                                    : vec_perm(get(src), zero, unpack1_index[r]));
}

void adt_pack_span_vsx(uint8_t *dst, const void *src, size_t n, int bytes_per_weight, bool stream)
{
    (void)stream;
    pack_span16(dst, src, n, bytes_per_weight, pack_16);
}

void adt_unpack_span_vsx(void *dst, const uint8_t *src, size_t n, int bytes_per_weight, bool stream)
{
    (void)stream;
    unpack_span16(dst, src, n, bytes_per_weight, unpack_16);
}
