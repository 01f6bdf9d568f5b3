/* cuda_calls_absent.c - a build without CUDA. */
#include "tests/offload/cuda_calls.h"

long cuda_forbidden_calls;

void cuda_copy_on(void *arg, void *stream)
{
    (void)arg, (void)stream;
}
