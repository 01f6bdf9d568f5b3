/* backends.c - the backends of this build. */
#include <string.h>

#include "train/ops/rows.h"

const struct ops_backend *const ops_backends[] = {
#ifdef NW_OPS_CUDA
    &ops_cuda,
#endif
#ifdef NW_OPS_DNNL
    &ops_dnnl,
#endif
    &ops_gemm, &ops_reference, NULL,
};

const struct ops_backend *ops_backend_find(const char *name)
{
    for (size_t i = 0; ops_backends[i]; i++)
        if (ops_backends[i]->usable() && (!*name || strcmp(ops_backends[i]->name, name) == 0))
            return ops_backends[i];
    return NULL;
}
