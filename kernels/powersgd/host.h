/* host.h - how the host rows fit together; for kernels/powersgd. */
#ifndef NARROWS_KERNELS_POWERSGD_HOST_H
#define NARROWS_KERNELS_POWERSGD_HOST_H

#include "kernels/powersgd/powersgd.h"
#include "kernels/powersgd/powersgd_lane.h"
#include "kernels/shared/receive.h"

struct powersgd_spans {
    const struct plain_spans *plain;
    float (*dot)(const float *a, const float *b, size_t n); /* in lanes; finite */
    void (*add)(float *y, const float *x, float share, size_t n);
    void (*finite)(float *y, size_t n); /* what is not finite becomes 0 */
};
extern const struct powersgd_spans powersgd_scalar, powersgd_avx2, powersgd_avx512;

/* The lanes of a dot product: behind 'from' values, a multiple of their number, the others; then all. */
float powersgd_fold(float lane[POWERSGD_LANES], const float *a, const float *b, size_t from, size_t n);

/* Make vectors of n finite values orthogonal and of length 1, or 0. */
void powersgd_orthogonalise(float *p, size_t rank, size_t n);

/* Values from .. to-1 of what p and q give. */
void powersgd_product(const struct powersgd_spans *isa, float *dst, const float *p, const float *q,
                      struct powersgd_shape s, size_t from, size_t to);

struct powersgd_shape powersgd_shape_by(size_t n, const struct codec_params *p);

#endif
