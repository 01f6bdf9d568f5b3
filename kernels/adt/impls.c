/* impls.c - Algorithm 3, the weights divided over threads, and the implementations of this build. A thread's share
 * starts at a multiple of 64 weights, so its place relative to a cache line is that of the whole, packed or not, and
 * two threads share at most one line. */
#include "kernels/adt/device.h"
#include "kernels/adt/host.h"
#include "kernels/shared/rows.h"
#include "kernels/shared/share.h"

struct job {
    const struct adt_span *span;
    uint8_t *dst;
    const uint8_t *src;
    double *sums;
    int bytes_per_weight;
    bool stream;
};

static void pack_share(void *job, size_t from, size_t to)
{
    const struct job *j = job;

    j->span->pack(j->dst + (size_t)j->bytes_per_weight * from, j->src + 4 * from, to - from, j->bytes_per_weight,
                  j->stream);
}

static void unpack_share(void *job, size_t from, size_t to)
{
    const struct job *j = job;

    j->span->unpack(j->dst + 4 * from, j->src + (size_t)j->bytes_per_weight * from, to - from, j->bytes_per_weight,
                    j->stream);
}

static void pack_norm_share(void *job, size_t from, size_t to)
{
    const struct job *j = job;
    const float *weights = (const float *)(const void *)j->src;

    adt_pack_norm(j->span, j->dst + (size_t)j->bytes_per_weight * from, j->sums + from / L2NORM_BLOCK, weights + from,
                  to - from, j->bytes_per_weight, j->stream);
}

static void pack(const struct impl *im, uint8_t *dst, const void *src, size_t n, int bytes_per_weight)
{
    struct job j = { im->with, dst, src, NULL, bytes_per_weight, n >= ADT_STREAM_MIN };

    share_of(im)(pack_share, &j, n, 64);
}

static void unpack(const struct impl *im, void *dst, const uint8_t *src, size_t n, int bytes_per_weight)
{
    struct job j = { im->with, dst, src, NULL, bytes_per_weight, n >= ADT_STREAM_MIN };

    share_of(im)(unpack_share, &j, n, 64);
}

static void pack_norm(const struct impl *im, uint8_t *dst, double *norm, const float *weights, size_t n,
                      int bytes_per_weight, double *work)
{
    struct job j = { im->with, dst, (const uint8_t *)weights, work, bytes_per_weight, n >= ADT_STREAM_MIN };

    share_of(im)(pack_norm_share, &j, n, ADT_NORM_PIECE);
    l2norm_finish(norm, work, (n + L2NORM_BLOCK - 1) / L2NORM_BLOCK);
}

#define SPAN(isa, add, pack_norm) \
    static const struct adt_span adt_##isa = { adt_pack_span_##isa, adt_unpack_span_##isa, add, pack_norm }
#define ROW(isa, suffix, parallel, usable) IMPL_ROW(#isa suffix, parallel, usable, &adt_##isa, pack, unpack, pack_norm)

SPAN(scalar, l2norm_add_scalar, NULL);
#if defined(NW_X86)
SPAN(avx2_paper, l2norm_add_avx2, NULL);
SPAN(avx2, l2norm_add_avx2, adt_pack_norm_span_avx2);
SPAN(avx512, l2norm_add_avx512, adt_pack_norm_span_avx512);
#define NATIVE_ROWS(suffix, parallel)                                                            \
    ROW(avx512, suffix, parallel, usable_avx512_vbmi), ROW(avx2, suffix, parallel, usable_avx2), \
        ROW(avx2_paper, suffix, parallel, usable_avx2),
#elif defined(NW_PPC64LE)
SPAN(vsx, l2norm_add_scalar, NULL);
#define NATIVE_ROWS(suffix, parallel) ROW(vsx, suffix, parallel, usable_always),
#elif defined(NW_AARCH64)
SPAN(neon, l2norm_add_scalar, NULL);
#define NATIVE_ROWS(suffix, parallel) ROW(neon, suffix, parallel, usable_always),
#else
#define NATIVE_ROWS(suffix, parallel)
#endif
#define ROWS(suffix, parallel) NATIVE_ROWS(suffix, parallel) ROW(scalar, suffix, parallel, usable_always)

const struct adt_impl adt_impls[] = {
#ifdef NW_CUDA
    IMPL_CUDA_ROW(adt_pack_cuda, adt_unpack_cuda, NULL),
#endif
#ifdef NW_OPENMP
    ROWS("+omp", true),
#endif
    ROWS("", false),
    { .impl = { 0 } },
};
