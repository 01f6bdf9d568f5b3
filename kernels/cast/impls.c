/* impls.c - whole tensors, and the implementations of this build. */
#include "kernels/cast/host.h"
#include "kernels/shared/rows.h"

struct job {
    cast_narrow_span *narrow;
    cast_widen_span *widen;
    void (*round)(float *dst, const float *src, size_t n);
    void *dst;
    const void *src;
    bool stream;
};

static void narrow(void *job, size_t from, size_t to)
{
    const struct job *j = job;

    j->narrow((uint16_t *)j->dst + from, (const float *)j->src + from, to - from, j->stream);
}

static void widen(void *job, size_t from, size_t to)
{
    const struct job *j = job;

    j->widen((float *)j->dst + from, (const uint16_t *)j->src + from, to - from, j->stream);
}

static void round_all(void *job, size_t from, size_t to)
{
    const struct job *j = job;

    j->round((float *)j->dst + from, (const float *)j->src + from, to - from);
}

void cast_narrow(cast_narrow_span *span, share_fn *share, uint16_t *dst, const float *src, size_t n)
{
    struct job j = { .narrow = span, .dst = dst, .src = src, .stream = 2 * n >= SHARE_STREAM_BYTES };

    share(narrow, &j, n, 1024);
}

static void cast_widen(cast_widen_span *span, share_fn *share, float *dst, const uint16_t *src, size_t n)
{
    struct job j = { .widen = span, .dst = dst, .src = src, .stream = 4 * n >= SHARE_STREAM_BYTES };

    share(widen, &j, n, 1024);
}

static void bf16_narrow(const struct impl *im, uint16_t *dst, const float *src, size_t n)
{
    const struct cast_spans *isa = im->with;

    cast_narrow(isa->bf16_narrow, share_of(im), dst, src, n);
}

static void bf16_widen(const struct impl *im, float *dst, const uint16_t *src, size_t n)
{
    const struct cast_spans *isa = im->with;

    cast_widen(isa->bf16_widen, share_of(im), dst, src, n);
}

static void fp16_narrow(const struct impl *im, uint16_t *dst, const float *src, size_t n)
{
    const struct cast_spans *isa = im->with;

    cast_narrow(isa->fp16_narrow, share_of(im), dst, src, n);
}

static void fp16_widen(const struct impl *im, float *dst, const uint16_t *src, size_t n)
{
    const struct cast_spans *isa = im->with;

    cast_widen(isa->fp16_widen, share_of(im), dst, src, n);
}

static void bf16_round(const struct impl *im, float *dst, const float *src, size_t n)
{
    const struct cast_spans *isa = im->with;
    struct job j = { .round = isa->bf16_round, .dst = dst, .src = src };

    share_of(im)(round_all, &j, n, 1024);
}

const struct cast_impl cast_impls[] = {
#ifdef NW_CUDA
    IMPL_CUDA_ROW(bf16_narrow_cuda, bf16_widen_cuda, bf16_round_cuda, fp16_narrow_cuda, fp16_widen_cuda),
#endif
    IMPL_ROWS(cast, usable_avx512_bw, usable_avx2, bf16_narrow, bf16_widen, bf16_round, fp16_narrow, fp16_widen),
    { .impl = { 0 } },
};
