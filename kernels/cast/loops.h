/* loops.h - the x86 loops: a span as a peeled head, groups of 64 values in the order of kernels/copy/order.h, and a
 * tail. Included behind upper_halves(), which takes the upper 16 bits of the words of two registers, in order. Every
 * processor with AVX2 has the fp16 conversions (F16C) too; bf16 is rounded with integers, as vcvtneps2bf16 takes
 * denormals for zeros. */

/* 64 values; 'nt': dst is on a 64-byte boundary and goes past the cache. */
typedef void cast_narrow_group(uint16_t *dst, const float *src, bool nt);
typedef void cast_widen_group(float *dst, const uint16_t *src, bool nt);

INLINE size_t narrow_groups(uint16_t *dst, const float *src, size_t n, bool nt, cast_narrow_group *group)
{
    size_t groups = n / 64;

    for (size_t g = 0; g < groups; g++) {
        size_t at = 64 * (nt ? stream_order(g, groups) : g);

        if (nt)
            ask_ahead(src + at, ASK_AHEAD, 256);
        group(dst + at, src + at, nt);
    }
    return 64 * groups;
}

INLINE void narrow_span(uint16_t *dst, const float *src, size_t n, bool stream, cast_narrow_group *group,
                        cast_narrow_span *scalar)
{
    size_t head = stream ? peel(dst, sizeof(*dst), n) : 0, done;

    scalar(dst, src, head, 0);
    dst += head;
    src += head;
    n -= head;
    done = stream ? narrow_groups(dst, src, n, 1, group) : narrow_groups(dst, src, n, 0, group);
    scalar(dst + done, src + done, n - done, 0);
    if (stream)
        _mm_sfence();
}

INLINE size_t widen_groups(float *dst, const uint16_t *src, size_t n, bool nt, cast_widen_group *group)
{
    size_t groups = n / 64;

    for (size_t g = 0; g < groups; g++) {
        size_t at = 64 * (nt ? stream_order(g, groups) : g);

        group(dst + at, src + at, nt);
    }
    return 64 * groups;
}

INLINE void widen_span(float *dst, const uint16_t *src, size_t n, bool stream, cast_widen_group *group,
                       cast_widen_span *scalar)
{
    size_t head = stream ? peel(dst, sizeof(*dst), n) : 0, done;

    scalar(dst, src, head, 0);
    dst += head;
    src += head;
    n -= head;
    done = stream ? widen_groups(dst, src, n, 1, group) : widen_groups(dst, src, n, 0, group);
    scalar(dst + done, src + done, n - done, 0);
    if (stream)
        _mm_sfence();
}

INLINE void bf16_narrow64(uint16_t *dst, const float *src, bool nt)
{
    for (size_t i = 0; i < 64; i += 2 * VECTOR) {
        vec_bits a = vec_bf16_above(vec_get_bits(src + i)), b = vec_bf16_above(vec_get_bits(src + i + VECTOR));

        vec_put_bits(dst + i, upper_halves(a, b), nt);
    }
}

INLINE void bf16_widen64(float *dst, const uint16_t *src, bool nt)
{
    for (size_t i = 0; i < 64; i += VECTOR)
        vec_put_bits(dst + i, MM(slli_epi32)(MM(cvtepu16_epi32)(vec_get_half(src + i)), 16), nt);
}

INLINE void fp16_narrow64(uint16_t *dst, const float *src, bool nt)
{
    for (size_t i = 0; i < 64; i += 2 * VECTOR) {
        vec_half a = MM(cvtps_ph)(MM(loadu_ps)(src + i), _MM_FROUND_TO_NEAREST_INT);
        vec_half b = MM(cvtps_ph)(MM(loadu_ps)(src + i + VECTOR), _MM_FROUND_TO_NEAREST_INT);

        vec_put_bits(dst + i, vec_join(a, b), nt);
    }
}

INLINE void fp16_widen64(float *dst, const uint16_t *src, bool nt)
{
    for (size_t i = 0; i < 64; i += VECTOR)
        vec_put(dst + i, MM(cvtph_ps)(vec_get_half(src + i)), nt);
}

static void bf16_narrow(uint16_t *dst, const float *src, size_t n, bool stream)
{
    narrow_span(dst, src, n, stream, bf16_narrow64, cast_bf16_narrow_scalar);
}

static void fp16_narrow(uint16_t *dst, const float *src, size_t n, bool stream)
{
    narrow_span(dst, src, n, stream, fp16_narrow64, cast_fp16_narrow_scalar);
}

static void bf16_widen(float *dst, const uint16_t *src, size_t n, bool stream)
{
    widen_span(dst, src, n, stream, bf16_widen64, cast_bf16_widen_scalar);
}

static void fp16_widen(float *dst, const uint16_t *src, size_t n, bool stream)
{
    widen_span(dst, src, n, stream, fp16_widen64, cast_fp16_widen_scalar);
}

static void bf16_round(float *dst, const float *src, size_t n)
{
    size_t groups = n / 64;

    for (size_t g = 0; g < groups; g++) {
        size_t at = 64 * stream_order(g, groups);

        ask_ahead(src + at, ASK_AHEAD, 256);
        for (size_t i = at; i < at + 64; i += VECTOR)
            MM(storeu_ps)(dst + i, vec_bf16(MM(loadu_ps)(src + i)));
    }
    cast_bf16_round_scalar(dst + 64 * groups, src + 64 * groups, n - 64 * groups);
}

const struct cast_spans ISA(cast) = { &ISA(plain), bf16_narrow, fp16_narrow, bf16_widen, fp16_widen, bf16_round };
