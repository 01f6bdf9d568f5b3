/* impls.c - the implementations of this build. */
#include "kernels/shared/usable.h"
#include "kernels/sparse/host.h"

#define SPARSE_ROW(isa, name, how)                                                                               \
    static void compress_##name(uint8_t *payload, uint64_t *nbytes, float *error, const float *change, size_t n, \
                                const struct sparse_keep *keep, enum sparse_form form, void *work)               \
    {                                                                                                            \
        struct sparse_task t = sparse_begin(&sparse_##isa, payload, error, change, n, keep, form, work);         \
                                                                                                                 \
        *nbytes = sparse_compress_##how(&t);                                                                     \
    }                                                                                                            \
    static enum codec_fault expand_##name(float *values, size_t n, enum codec_into into, const uint8_t *payload, \
                                          size_t nbytes, enum sparse_form form, void *work)                      \
    {                                                                                                            \
        struct sparse_parts p;                                                                                   \
        enum codec_fault fault = sparse_open(&sparse_##isa, &p, n, payload, nbytes, form, work);                 \
                                                                                                                 \
        if (!fault)                                                                                              \
            sparse_spread_##how(&sparse_##isa, &p, values, n, into);                                             \
        return fault;                                                                                            \
    }

SPARSE_ROW(scalar, scalar, serial)
#ifdef NW_X86
SPARSE_ROW(avx2, avx2, serial)
SPARSE_ROW(avx512, avx512, serial)
#endif
#ifdef NW_OPENMP
SPARSE_ROW(scalar, scalar_omp, split)
#ifdef NW_X86
SPARSE_ROW(avx2, avx2_omp, split)
SPARSE_ROW(avx512, avx512_omp, split)
#endif
#endif

const struct sparse_impl sparse_impls[] = {
#ifdef NW_OPENMP
#ifdef NW_X86
    { { "avx512+omp", IMPL_HOST, 1, usable_avx512_vbmi2 }, compress_avx512_omp, expand_avx512_omp },
    { { "avx2+omp", IMPL_HOST, 1, usable_avx2_bmi }, compress_avx2_omp, expand_avx2_omp },
#endif
    { { "scalar+omp", IMPL_HOST, 1, usable_always }, compress_scalar_omp, expand_scalar_omp },
#endif
#ifdef NW_X86
    { { "avx512", IMPL_HOST, 0, usable_avx512_vbmi2 }, compress_avx512, expand_avx512 },
    { { "avx2", IMPL_HOST, 0, usable_avx2_bmi }, compress_avx2, expand_avx2 },
#endif
    { { "scalar", IMPL_HOST, 0, usable_always }, compress_scalar, expand_scalar },
    { .impl = { 0 } },
};
