/* magnitude.h - the largest magnitude of a tensor, from which quantizers take their step. NaN and infinities have none:
 * the largest of the others counts, 0 if there are no others.
 * Bits       of magnitudes: an fp32 word without its sign, which orders like the number. */
#ifndef NARROWS_KERNELS_MAGNITUDE_H
#define NARROWS_KERNELS_MAGNITUDE_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/shared/share.h"

/* The largest of n words without their signs, NaN (above 0x7f800000) and infinities (0x7f800000) included. */
typedef uint32_t magnitude_span(const float *values, size_t n);
magnitude_span magnitude_scalar, magnitude_avx2, magnitude_avx512;

struct magnitude {
    uint32_t bits; /* of the largest finite magnitude */
    bool finite;   /* so are all values */
};

/* A second, slow pass where a value is not finite: it ends a training run, it need not be fast. */
struct magnitude magnitude_find(magnitude_span *span, share_fn *share, const float *values, size_t n);

#endif
