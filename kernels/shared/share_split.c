/* share_split.c - a pass divided over OpenMP threads, in whole units. */
#include <omp.h>

#include "kernels/shared/share.h"

/* Below this the fork costs more than it brings. */
enum { SPLIT_MIN = 1 << 14 };

void share_split(share_pass *pass, void *job, size_t n, size_t unit)
{
    size_t units = n / unit;

#pragma omp parallel if (n >= SPLIT_MIN && n >= 2 * unit)
    {
        size_t part = (size_t)omp_get_thread_num(), parts = (size_t)omp_get_num_threads();
        size_t from = units / parts * part + (part < units % parts ? part : units % parts);
        size_t to = from + units / parts + (part < units % parts);

        from *= unit;
        to = part + 1 == parts ? n : to * unit;
        if (from < to)
            pass(job, from, to);
    }
}
