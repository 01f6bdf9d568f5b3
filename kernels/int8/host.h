/* host.h - how the host rows fit together; for kernels/int8. */
#ifndef NARROWS_KERNELS_INT8_HOST_H
#define NARROWS_KERNELS_INT8_HOST_H

#include "kernels/int8/int8.h"
#include "kernels/int8/int8_lane.h"
#include "kernels/magnitude/magnitude.h"
#include "kernels/shared/receive.h"

/* All but the reference are for finite values and a lift of 1. 'stream': past the caches, dst on a 64-byte boundary. */
typedef void int8_narrow_span(int8_t *dst, const float *src, size_t n, const struct int8_scale *s, bool stream);
typedef void int8_widen_span(float *dst, const int8_t *src, size_t n, float step, bool stream);
/* Is there a -128? */
typedef bool int8_check_span(const int8_t *src, size_t n);

struct int8_spans {
    const struct plain_spans *plain;
    magnitude_span *magnitude;
    int8_narrow_span *narrow;
    int8_widen_span *widen;
    int8_check_span *check;
};
extern const struct int8_spans int8_scalar, int8_avx2, int8_avx512;

/* The other implementations use the reference for their tails. */
int8_narrow_span int8_narrow_scalar;
int8_widen_span int8_widen_scalar;
int8_check_span int8_check_scalar;

#endif
