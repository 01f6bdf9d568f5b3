/* loops.h - the x86 loops: 64 values to a line of bytes and back. Included behind check(). */
INLINE size_t narrow_groups(int8_t *dst, const float *src, size_t n, float factor, bool nt)
{
    const vec by = MM(set1_ps)(factor);
    size_t groups = n / 64;

    for (size_t g = 0; g < groups; g++) {
        size_t at = 64 * (nt ? stream_order(g, groups) : g);

        if (nt)
            ask_ahead(src + at, ASK_AHEAD, 256);
        for (size_t i = at; i < at + 64; i += 4 * VECTOR)
            vec_put_bits(dst + i, vec_narrow_bytes(src + i, by), nt);
    }
    return 64 * groups;
}

static void narrow(int8_t *dst, const float *src, size_t n, const struct int8_scale *s, bool stream)
{
    size_t done = stream ? narrow_groups(dst, src, n, s->factor, 1) : narrow_groups(dst, src, n, s->factor, 0);

    int8_narrow_scalar(dst + done, src + done, n - done, s, 0);
    if (stream)
        _mm_sfence();
}

INLINE size_t widen_groups(float *dst, const int8_t *src, size_t n, float step, bool nt)
{
    const vec by = MM(set1_ps)(step);
    size_t groups = n / 64;

    for (size_t g = 0; g < groups; g++) {
        size_t at = 64 * (nt ? stream_order(g, groups) : g);

        for (size_t i = at; i < at + 64; i += VECTOR)
            vec_put(dst + i, MM(mul_ps)(MM(cvtepi32_ps)(vec_widen_bytes(src + i)), by), nt);
    }
    return 64 * groups;
}

static void widen(float *dst, const int8_t *src, size_t n, float step, bool stream)
{
    size_t done = stream ? widen_groups(dst, src, n, step, 1) : widen_groups(dst, src, n, step, 0);

    int8_widen_scalar(dst + done, src + done, n - done, step, 0);
    if (stream)
        _mm_sfence();
}

const struct int8_spans ISA(int8) = { &ISA(plain), ISA(magnitude), narrow, widen, check };
