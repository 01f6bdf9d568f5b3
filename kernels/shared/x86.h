/* x86.h - what the x86 files of the codecs share. */
#ifndef NARROWS_KERNELS_SHARED_X86_H
#define NARROWS_KERNELS_SHARED_X86_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/copy/order.h"
#include "kernels/shared/inline.h"

/* Ask for the lines of [from + ahead, from + ahead + nbytes). The prefetchers of the processor start again with every
 * 4 KiB page; asking a little ahead keeps a walk going. Past the end of an array nothing happens. */
INLINE void ask_ahead(const void *from, size_t ahead, size_t nbytes)
{
    for (size_t i = 0; i < nbytes; i += 64)
        _mm_prefetch((const char *)((uintptr_t)from + ahead + i), _MM_HINT_T0);
}

/* Bytes ahead for eight walks side by side (kernels/copy/order.h). */
enum { ASK_AHEAD = 512 };

/* Values to handle one by one until 'address' is on a 64-byte boundary, at most n. 'size' divides the address. */
INLINE size_t peel(const void *address, size_t size, size_t n)
{
    size_t count = (-(uintptr_t)address & 63) / size;

    return count < n ? count : n;
}

#endif
