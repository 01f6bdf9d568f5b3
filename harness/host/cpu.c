#include "harness/host/cpu.h"

#ifdef NW_X86

size_t cpu_features(struct cpu_feature *features, size_t max)
{
    /* __builtin_cpu_supports() wants literals, so the list is spelled out. */
    const struct cpu_feature all[] = {
        { "sse4.2", !!__builtin_cpu_supports("sse4.2") },
        { "avx", !!__builtin_cpu_supports("avx") },
        { "avx2", !!__builtin_cpu_supports("avx2") },
        { "fma", !!__builtin_cpu_supports("fma") },
        { "avx512f", !!__builtin_cpu_supports("avx512f") },
        { "avx512bw", !!__builtin_cpu_supports("avx512bw") },
        { "avx512vl", !!__builtin_cpu_supports("avx512vl") },
        { "avx512vbmi", !!__builtin_cpu_supports("avx512vbmi") },
        { "avx512vbmi2", !!__builtin_cpu_supports("avx512vbmi2") },
    };
    size_t n = sizeof(all) / sizeof(all[0]);

    for (size_t i = 0; i < n && i < max; i++)
        features[i] = all[i];
    return n;
}

#else

size_t cpu_features(struct cpu_feature *features, size_t max)
{
    (void)features;
    (void)max;
    return 0;
}

#endif
