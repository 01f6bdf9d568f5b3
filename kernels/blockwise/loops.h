/* loops.h - the x86 loops, a group of 64 values at a time. Included behind narrow_group(), to codes of 4 bits;
 * widen_halves(), a register of values of as many codes of 4 bits; and halves_of(), what it needs to know of a
 * scale. */
#include "kernels/shared/least.h"

static void narrow(uint8_t *codes, const float *values, size_t n, const struct int8_scale *s)
{
    const vec factor = MM(set1_ps)(s->factor);
    size_t done = n / BLOCKWISE_GROUP * BLOCKWISE_GROUP;

    for (size_t at = 0; at < done; at += BLOCKWISE_GROUP)
        narrow_group(codes + at / 2, values + at, factor);
    blockwise_narrow_scalar(codes + done / 2, values + done, n - done, s);
}

/* As blockwise_has_8(), with what it finds as a difference. */
static bool check(const uint8_t *codes, size_t nbytes)
{
    const vec_bits high = MM(set1_epi8)((char)0x88), low = MM(set1_epi8)(0x77);
    vec_bits found = MM(set1_epi8)(0);
    uint32_t lane[VECTOR], any = 0;
    size_t groups = nbytes / 256;

    for (size_t g = 0; g < groups; g++) {
        const uint8_t *at = codes + 256 * stream_order(g, groups);

        ask_ahead(at, ASK_AHEAD, 256);
        for (size_t i = 0; i < 256; i += sizeof(vec)) {
            vec_bits bits = vec_get_bits(at + i), tops = vec_and(bits, high);
            vec_bits fine = vec_and(tops, MM(add_epi32)(vec_and(bits, low), low));

            found = MM(max_epu32)(found, MM(sub_epi32)(tops, fine));
        }
    }
    vec_put_bits(lane, found, false);
    for (size_t i = 0; i < VECTOR; i++)
        any |= lane[i];
    return any || blockwise_check_scalar(codes + 256 * groups, nbytes - 256 * groups);
}

INLINE vec widen(const uint8_t *codes, size_t at, vec by, int bits)
{
    if (bits == 4)
        return widen_halves(codes + at / 2, by);
    return MM(mul_ps)(MM(cvtepi32_ps)(vec_widen_bytes(codes + at)), by);
}

INLINE float get_float(const uint8_t *src)
{
    float value;

    __builtin_memcpy(&value, src, sizeof(value));
    return value;
}

/* Groups of one block: codes and scale of the first term, those of the others a stride behind. */
INLINE void sum_groups(float *dst, const struct codec_terms *sent, const uint8_t *codes, const uint8_t *scale, size_t n,
                       int bits, bool nt)
{
    enum { REGISTERS = BLOCKWISE_GROUP / VECTOR };

    for (size_t at = 0; at < n; at += BLOCKWISE_GROUP) {
        vec sum[REGISTERS];

        for (size_t r = 0; r < REGISTERS; r++)
            sum[r] = MM(set1_ps)(0);
        for (size_t k = 0, behind = 0; k < sent->count; k++, behind += sent->stride) {
            const uint8_t *code = codes + behind + at * (size_t)bits / 8;
            const vec by = MM(set1_ps)(get_float(scale + behind)), of = bits == 4 ? halves_of(by) : by;

            ask_ahead(code, ASK_AHEAD, BLOCKWISE_GROUP * (size_t)bits / 8);
            for (size_t r = 0; r < REGISTERS; r++)
                sum[r] = MM(add_ps)(sum[r], widen(code, VECTOR * r, of, bits));
        }
        for (size_t r = 0; r < REGISTERS; r++)
            vec_put(dst + at + VECTOR * r, sum[r], nt);
    }
}

INLINE void sum_blocks(float *dst, const struct blockwise_terms *t, size_t from, size_t to, int bits, bool nt)
{
    size_t block = t->form.block, whole = from + (to - from) / BLOCKWISE_GROUP * BLOCKWISE_GROUP;

    for (size_t at = from, end; at < whole; at = end) {
        size_t number = at / block;

        end = least((number + 1) * block, whole);
        sum_groups(dst + (at - from), &t->sent, t->sent.payloads + at * (size_t)bits / 8,
                   t->sent.payloads + t->scales_at + sizeof(float) * number, end - at, bits, nt);
    }
    blockwise_sum_scalar(dst + (whole - from), t, whole, to, false);
}

static void sum(float *dst, const struct blockwise_terms *t, size_t from, size_t to, bool stream)
{
    if (t->form.bits == 4)
        sum_blocks(dst, t, from, to, 4, stream);
    else
        sum_blocks(dst, t, from, to, 8, stream);
    if (stream)
        _mm_sfence();
}

const struct blockwise_spans ISA(blockwise) = { &ISA(int8), narrow, check, sum };
