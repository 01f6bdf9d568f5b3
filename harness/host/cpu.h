/* cpu.h - the instruction sets that the kernels can use, and whether this processor (and its kernel) offers them. */
#ifndef NARROWS_HARNESS_HOST_CPU_H
#define NARROWS_HARNESS_HOST_CPU_H

#include <stdbool.h>
#include <stddef.h>

struct cpu_feature {
    const char *name; /* as the compiler spells it: "avx2" */
    bool present;
};

/* Write at most 'max' and return how many there are; 0 on a processor other than x86-64. */
size_t cpu_features(struct cpu_feature *features, size_t max);

#endif
