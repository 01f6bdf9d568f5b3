/* loops.h - the x86 loops: groups of 64 values, the rest by the lane. */
#include "kernels/fma/host.h"
#include "kernels/shared/vector.h"

/* 'mode' and 'stream' are constants where this is inlined. */
INLINE void several(enum fma_mode mode, float *d, const float *a, const float *b, const float *c, bool stream)
{
    vec x = MM(loadu_ps)(a), y = MM(loadu_ps)(b), z = MM(loadu_ps)(c);

    if (mode != FMA_FP32) {
        x = vec_bf16(x);
        y = vec_bf16(y);
    }
    z = MM(fmadd_ps)(x, y, mode == FMA_BF16 ? vec_bf16(z) : z);
    if (mode == FMA_BF16)
        z = vec_bf16(z);
    vec_put(d, vec_unless_nan(z, vec_nan()), stream);
}

INLINE size_t whole(enum fma_mode mode, float *d, const float *a, const float *b, const float *c, size_t n, bool stream)
{
    size_t groups = n / 64;

    for (size_t g = 0; g < groups; g++) {
        size_t i = 64 * (stream ? stream_order(g, groups) : g), end = i + 64;

        for (; i < end; i += VECTOR)
            several(mode, d + i, a + i, b + i, c + i, stream);
    }
    return 64 * groups;
}

INLINE size_t any_mode(enum fma_mode mode, float *d, const float *a, const float *b, const float *c, size_t n,
                       bool stream)
{
    return mode == FMA_FP32 ? whole(FMA_FP32, d, a, b, c, n, stream)
           : mode == FMA_MP ? whole(FMA_MP, d, a, b, c, n, stream)
                            : whole(FMA_BF16, d, a, b, c, n, stream);
}

void ISA(fma_span)(enum fma_mode mode, float *d, const float *a, const float *b, const float *c, size_t n, bool stream)
{
    size_t head = stream ? -(uintptr_t)d % sizeof(vec) / sizeof(*d) : 0, done;

    if (head > n)
        head = n;
    fma_span_scalar(mode, d, a, b, c, head, 0);
    d += head, a += head, b += head, c += head, n -= head;
    done = stream ? any_mode(mode, d, a, b, c, n, 1) : any_mode(mode, d, a, b, c, n, 0);
    fma_span_scalar(mode, d + done, a + done, b + done, c + done, n - done, 0);
    if (stream)
        _mm_sfence();
}
