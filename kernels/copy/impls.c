/* impls.c - the copies of this build. */
#include "kernels/copy/copy.h"
#include "kernels/shared/rows.h"

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
    IMPL_ROW("nt_avx512+omp", true, usable_avx512, NULL, nt_avx512_omp),
    IMPL_ROW("nt_avx2+omp", true, usable_avx2, NULL, nt_avx2_omp),
    IMPL_ROW("nt_sse2+omp", true, usable_always, NULL, nt_sse2_omp),
#endif
    IMPL_ROW("memcpy+omp", true, usable_always, NULL, memcpy_omp),
#endif
#ifdef NW_X86
    IMPL_ROW("nt_avx512", false, usable_avx512, NULL, copy_nt_avx512),
    IMPL_ROW("nt_avx2", false, usable_avx2, NULL, copy_nt_avx2),
    IMPL_ROW("nt_sse2", false, usable_always, NULL, copy_nt_sse2),
#endif
    IMPL_ROW("memcpy", false, usable_always, NULL, copy_memcpy),
    { .impl = { 0 } },
};
