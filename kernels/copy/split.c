/* split.c - a copy divided over OpenMP threads at multiples of 4 KiB. */
#include <omp.h>
#include <stdint.h>

#include "kernels/copy/copy.h"

enum { PIECE = 4096 };

static size_t piece_start(size_t nbytes, size_t part, size_t parts)
{
    size_t pieces = nbytes / PIECE;

    return part == parts ? nbytes : PIECE * (pieces / parts * part + (part < pieces % parts ? part : pieces % parts));
}

void copy_split(copy_fn *copy, void *dst, const void *src, size_t nbytes)
{
#pragma omp parallel
    {
        size_t part = (size_t)omp_get_thread_num(), parts = (size_t)omp_get_num_threads();
        size_t from = piece_start(nbytes, part, parts), to = piece_start(nbytes, part + 1, parts);

        copy((uint8_t *)dst + from, (const uint8_t *)src + from, to - from);
    }
}
