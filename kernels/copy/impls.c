/* impls.c - the copies of this build. */
#include "kernels/copy/copy.h"
#include "kernels/shared/usable.h"

#define COPY_SPLIT(name)                                              \
    static void name##_omp(void *dst, const void *src, size_t nbytes) \
    {                                                                 \
        copy_split(copy_##name, dst, src, nbytes);                    \
    }

#ifdef NW_OPENMP
COPY_SPLIT(memcpy)
#ifdef NW_X86
COPY_SPLIT(nt_sse2)
COPY_SPLIT(nt_avx2)
COPY_SPLIT(nt_avx512)
#endif
#endif

const struct copy_impl copy_impls[] = {
#ifdef NW_OPENMP
#ifdef NW_X86
    { { "nt_avx512+omp", IMPL_HOST, 1, usable_avx512 }, nt_avx512_omp },
    { { "nt_avx2+omp", IMPL_HOST, 1, usable_avx2 }, nt_avx2_omp },
    { { "nt_sse2+omp", IMPL_HOST, 1, usable_always }, nt_sse2_omp },
#endif
    { { "memcpy+omp", IMPL_HOST, 1, usable_always }, memcpy_omp },
#endif
#ifdef NW_X86
    { { "nt_avx512", IMPL_HOST, 0, usable_avx512 }, copy_nt_avx512 },
    { { "nt_avx2", IMPL_HOST, 0, usable_avx2 }, copy_nt_avx2 },
    { { "nt_sse2", IMPL_HOST, 0, usable_always }, copy_nt_sse2 },
#endif
    { { "memcpy", IMPL_HOST, 0, usable_always }, copy_memcpy },
    { .impl = { 0 } },
};
