/* impls.c - the copies of this build. */
#include "kernels/copy/copy.h"

static _Bool always(void)
{
    return 1;
}

#ifdef NW_X86
static _Bool avx2_usable(void)
{
    return __builtin_cpu_supports("avx2");
}

static _Bool avx512_usable(void)
{
    return __builtin_cpu_supports("avx512f");
}
#endif

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
    { "nt_avx512+omp", 1, avx512_usable, nt_avx512_omp },
    { "nt_avx2+omp", 1, avx2_usable, nt_avx2_omp },
    { "nt_sse2+omp", 1, always, nt_sse2_omp },
#endif
    { "memcpy+omp", 1, always, memcpy_omp },
#endif
#ifdef NW_X86
    { "nt_avx512", 0, avx512_usable, copy_nt_avx512 },
    { "nt_avx2", 0, avx2_usable, copy_nt_avx2 },
    { "nt_sse2", 0, always, copy_nt_sse2 },
#endif
    { "memcpy", 0, always, copy_memcpy },
    { 0 },
};
