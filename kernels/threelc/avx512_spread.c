/* avx512_spread.c - encoded bytes to values. A table turns a quartic byte into five 2-bit digits, and a permute turns
 * each into its value, 16 at a time and whole lines of the result.
 * Decoding and writing take turns every few hundred bytes: while the stores of one turn are still on their way to
 * memory, the next bytes are decoded. Stores leave in order, and a load that needs two of them waits until both have
 * left, so what is written was decoded a turn earlier: it must not wait behind the last turn's lines. */
#include <immintrin.h>

#include "kernels/shared/inline.h"
#include "kernels/threelc/host.h"

/* Encoded bytes of a turn; values of a part before the next one takes its turn; how far ahead memory is asked for. */
enum { TURN = 256, STEP = 128, ASK_AHEAD = 512 };

/* 16 values of F(s), s from S; a table of 256. */
#define R4(F, S) F(S), F((S) + 1), F((S) + 2), F((S) + 3)
#define R16(F, S) R4(F, S), R4(F, (S) + 4), R4(F, (S) + 8), R4(F, (S) + 12)
#define R64(F, S) R16(F, S), R16(F, (S) + 16), R16(F, (S) + 32), R16(F, (S) + 48)
/* The digits of parts 0 to 3, two bits each, the first one lowest, and that of part 4. */
#define FIRST_FOUR(b) (uint8_t)((b) / 81 % 3 | (b) / 27 % 3 << 2 | (b) / 9 % 3 << 4 | (b) / 3 % 3 << 6)
#define LAST(b) (uint8_t)((b) % 3)
static const uint8_t first_four[256] = { R64(FIRST_FOUR, 0), R64(FIRST_FOUR, 64), R64(FIRST_FOUR, 128),
                                         R64(FIRST_FOUR, 192) };
static const uint8_t last_one[256] = { R64(LAST, 0), R64(LAST, 64), R64(LAST, 128), R64(LAST, 192) };

/* A chunk under way. */
struct spreading {
    float *values; /* of part 0; the others follow 'bytes' further on each */
    size_t bytes;
    __m512 table;
    bool add, stream;
    /* Quartic bytes, and their digits; a register more than a chunk, since ends are read whole. */
    _Alignas(64) uint8_t quartic[THREELC_PLACE], digits[THREELC_CHUNK + 64], last[THREELC_CHUNK + 64];
};

INLINE __m512i get(const uint8_t *from)
{
    return _mm512_loadu_si512((const void *)from);
}

/* table[b] for 64 bytes. */
INLINE __m512i look_up(const uint8_t *table, __m512i b)
{
    __m512i low = _mm512_permutex2var_epi8(get(table), b, get(table + 64));
    __m512i high = _mm512_permutex2var_epi8(get(table + 128), b, get(table + 192));

    return _mm512_mask_mov_epi8(low, _mm512_movepi8_mask(b), high);
}

/* By the two lowest bits: -M, zero, M; four times, since the permute looks at four bits. */
INLINE __m512 values_of(float scale, float zero)
{
    return _mm512_broadcast_f32x4(_mm_setr_ps(-scale, zero, scale, zero));
}

/* Values from .. to - 1 of one part. */
INLINE void write_some(float *at, const uint8_t *digits, size_t from, size_t to, unsigned shift, __m512 table, bool add)
{
    __mmask16 k = (__mmask16)((1u << (to - from)) - 1);
    __m512i digit = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(digits + from)));
    __m512 v = _mm512_permutexvar_ps(_mm512_srl_epi32(digit, _mm_cvtsi32_si128((int)shift)), table);

    _mm512_mask_storeu_ps(at + from, k, add ? _mm512_add_ps(_mm512_maskz_loadu_ps(k, at + from), v) : v);
}

/* Whole lines of one part: from its first, or from the line in which the turn before ended, on. The line that reaches
 * past 'to' is left to the next turn. Returns how far it came. */
INLINE size_t write_lines(float *at, const uint8_t *digits, size_t from, size_t to, unsigned shift, __m512 table,
                          bool add, bool stream)
{
    const __m128i by = _mm_cvtsi32_si128((int)shift);
    size_t i = from;

    for (; i + 16 <= to; i += 16) {
        __m512i digit = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(digits + i)));
        __m512 v = _mm512_permutexvar_ps(_mm512_srl_epi32(digit, by), table);

        if (add) {
            _mm_prefetch((const char *)(at + i + ASK_AHEAD), _MM_HINT_T0);
            v = _mm512_add_ps(_mm512_load_ps(at + i), v);
        }
        if (stream)
            _mm512_stream_ps(at + i, v);
        else
            _mm512_store_ps(at + i, v);
    }
    return i;
}

/* The digits of quartic bytes from .. to - 1; from is a multiple of 64. */
INLINE void read_digits(struct spreading *s, size_t from, size_t to)
{
    for (size_t b = from; b < to; b += 64) {
        __m512i in = get(s->quartic + b);

        _mm512_store_si512((void *)(s->digits + b), look_up(first_four, in));
        _mm512_store_si512((void *)(s->last + b), look_up(last_one, in));
    }
}

/* Their values in all five parts; 'all': there are no more. */
INLINE void write_values(struct spreading *s, size_t from, size_t to, bool all, bool add, bool stream)
{
    float *at = s->values;

    for (unsigned p = 0; p < 5; p++, at += s->bytes) {
        const uint8_t *digits = p < 4 ? s->digits : s->last;
        unsigned shift = p < 4 ? 2 * p : 0;
        size_t head = -(uintptr_t)at % 64 / 4, i = from < head ? head : head + (from - head) / 16 * 16;

        if (!from)
            write_some(at, digits, 0, head < to ? head : to, shift, s->table, add);
        i = write_lines(at, digits, i, to, shift, s->table, add, stream);
        if (all && i < to)
            write_some(at, digits, i, to, shift, s->table, add);
    }
}

/* The five parts side by side, STEP values each. */
INLINE void write_steps(struct spreading *s, size_t from, size_t to, bool all, bool add, bool stream)
{
    for (; to - from > STEP; from += STEP)
        write_values(s, from, from + STEP, 0, add, stream);
    if (to > from || all)
        write_values(s, from, to, all, add, stream);
}

static void write_any(struct spreading *s, size_t from, size_t to, bool all)
{
    if (s->add)
        write_steps(s, from, to, all, 1, 0);
    else if (s->stream)
        write_steps(s, from, to, all, 0, 1);
    else
        write_steps(s, from, to, all, 0, 0);
}

void threelc_spread_avx512(float *values, const struct threelc_part *part, const struct threelc_coded *coded,
                           float scale, enum codec_into into, bool stream)
{
    size_t full = threelc_full(part), have = 0, known = 0, written = 0;
    struct threelc_part rest = threelc_rest(part, full);
    struct spreading s;

    s.values = values + part->from;
    s.bytes = part->shape->bytes;
    s.add = into == CODEC_ADD;
    s.stream = stream;
    s.table = values_of(scale, s.add ? -0.0f : 0.0f);
    for (size_t i = 0; i < coded->nbytes; i += TURN) {
        size_t some = coded->nbytes - i < TURN ? coded->nbytes - i : TURN, before = known;

        if (coded->runs)
            have += zre_decode_avx512(s.quartic + have, coded->from + i, some);
        else
            have += (memcpy(s.quartic + have, coded->from + i, some), some);
        known = (have < full ? have : full) / 64 * 64;
        read_digits(&s, before, known);
        write_any(&s, written, before, 0);
        written = before;
    }
    read_digits(&s, known, full);
    write_any(&s, written, full, 1);
    if (stream)
        _mm_sfence();
    threelc_spread_bytes_scalar(values, &rest, s.quartic + full, scale, into);
}
