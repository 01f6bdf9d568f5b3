/* openmp.c - the sample taken by all threads: it is as many reads from anywhere in memory. */
#include "kernels/sparsify/host.h"

void sparsify_sample_split(uint32_t *sample, size_t samples, const float *error, const float *change, size_t n)
{
#pragma omp parallel for schedule(static)
    for (size_t j = 0; j < samples; j++)
        sample[j] = sparsify_sample(error, change, j, n, samples);
}
