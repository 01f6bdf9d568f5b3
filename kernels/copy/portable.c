/* portable.c - memcpy: the anchor where the instruction set has no non-temporal store that we use. */
#include <string.h>

#include "kernels/copy/copy.h"

void copy_memcpy(void *dst, const void *src, size_t nbytes)
{
    if (nbytes)
        memcpy(dst, src, nbytes);
}
