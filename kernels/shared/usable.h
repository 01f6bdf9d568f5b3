/* usable.h - what this machine can do, asked when a table's row is about to be used. */
#ifndef NARROWS_KERNELS_SHARED_USABLE_H
#define NARROWS_KERNELS_SHARED_USABLE_H

#include "kernels/shared/impl.h"

static inline bool usable_always(void)
{
    return true;
}

#ifdef NW_X86
static inline bool usable_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

static inline bool usable_avx2_fma(void)
{
    return usable_avx2() && __builtin_cpu_supports("fma");
}

static inline bool usable_avx512(void)
{
    return __builtin_cpu_supports("avx512f");
}

/* Bytes and 16-bit words too. */
static inline bool usable_avx512_bw(void)
{
    return usable_avx512() && __builtin_cpu_supports("avx512bw");
}

/* Byte permutes over whole registers, and the stores that go with them. */
static inline bool usable_avx512_vbmi(void)
{
    return usable_avx512() && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi");
}

/* Byte compress and expand. */
static inline bool usable_avx512_vbmi2(void)
{
    return usable_avx512_vbmi() && __builtin_cpu_supports("avx512vbmi2");
}

/* Bit extract and deposit; who has them has the bit counts. */
static inline bool usable_avx2_bmi(void)
{
    return usable_avx2() && __builtin_cpu_supports("bmi2");
}

/* Dot products of bf16 pairs. */
static inline bool usable_avx512_bf16(void)
{
    return usable_avx512() && __builtin_cpu_supports("avx512bf16");
}

/* AVX-512 with adders besides the multipliers, as AMD builds it: there an addition costs no multiplication. */
static inline bool usable_avx512_adders(void)
{
    return usable_avx512() && __builtin_cpu_is("amd");
}
#endif

#endif
