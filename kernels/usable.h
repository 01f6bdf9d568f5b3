/* usable.h - what the processor can do, asked when a table's row is about to be used. */
#ifndef NARROWS_KERNELS_USABLE_H
#define NARROWS_KERNELS_USABLE_H

static inline _Bool usable_always(void)
{
    return 1;
}

#ifdef NW_X86
static inline _Bool usable_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

static inline _Bool usable_avx512(void)
{
    return __builtin_cpu_supports("avx512f");
}

/* Byte permutes over whole registers, and the stores that go with them. */
static inline _Bool usable_avx512_vbmi(void)
{
    return usable_avx512() && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi");
}
#endif

#endif
