#include "model/precision.h"

#include <assert.h>
#include <string.h>

#include "model/status.h"

const char *const compute_precision_names[COMPUTE_PRECISIONS + 1] = { "fp32", "tf32", "bf16", "fp16", "fp8", NULL };

int64_t compute_precision_bytes(enum compute_precision p)
{
    static const int64_t bytes[COMPUTE_PRECISIONS] = { 4, 4, 2, 2, 1 };

    assert((unsigned)p < COMPUTE_PRECISIONS);
    return bytes[p];
}

int compute_precision_named(const char *name, enum compute_precision *out)
{
    for (int i = 0; name && i < COMPUTE_PRECISIONS; i++)
        if (!strcmp(name, compute_precision_names[i])) {
            *out = (enum compute_precision)i;
            return E_OK;
        }
    return E_INVAL;
}
