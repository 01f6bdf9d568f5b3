/* impls.c - the implementations of this build. */
#include "kernels/fma/host.h"
#include "kernels/shared/rows.h"
#include "kernels/shared/share.h"

struct loops {
    fma_span *span;
};

static const struct loops fma_scalar = { fma_span_scalar };
#ifdef NW_X86
static const struct loops fma_avx2 = { fma_span_avx2 }, fma_avx512 = { fma_span_avx512 };
#endif

struct job {
    fma_span *span;
    enum fma_mode mode;
    float *d;
    const float *a, *b, *c;
    bool stream;
};

static void pass(void *job, size_t from, size_t to)
{
    const struct job *j = job;

    j->span(j->mode, j->d + from, j->a + from, j->b + from, j->c + from, to - from, j->stream);
}

static void run(const struct impl *im, enum fma_mode mode, float *d, const float *a, const float *b, const float *c,
                size_t n)
{
    const struct loops *loops = im->with;
    struct job j = { loops->span, mode, d, a, b, c, n >= FMA_STREAM_MIN };

    share_of(im)(pass, &j, n, 64);
}

const struct fma_impl fma_impls[] = {
#ifdef NW_CUDA
    IMPL_CUDA_ROW(fma_cuda),
#endif
    IMPL_ROWS(fma, usable_avx512, usable_avx2_fma, run),
    { .impl = { 0 } },
};
