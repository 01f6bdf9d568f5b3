/* cuda_backend_absent.c - a build without CUDA. */
#include <assert.h>

#include "harness/offload/cuda_backend.h"
#include "harness/status.h"

int cuda_backend_open(struct backend **out)
{
    *out = NULL;
    return status_error(NW_EENV, "offload: this program was built without CUDA\n");
}

void cuda_copy_within(void *dst, const void *src, size_t nbytes, void *stream)
{
    (void)dst, (void)src, (void)nbytes, (void)stream;
    assert(!"no device");
}
