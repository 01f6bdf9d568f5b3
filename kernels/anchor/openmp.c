#include <omp.h>

#include "kernels/anchor/host.h"

void anchor_share(size_t n, size_t *from, size_t *to)
{
    size_t part = (size_t)omp_get_thread_num(), parts = (size_t)omp_get_num_threads(), groups = n / 64;

    *from = groups * part / parts * 64;
    *to = part + 1 == parts ? n : groups * (part + 1) / parts * 64;
}
