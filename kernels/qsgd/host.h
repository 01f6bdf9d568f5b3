/* host.h - how the host rows fit together; for kernels/qsgd, and for kernels/terngrad, whose loops these are too. */
#ifndef NARROWS_KERNELS_QSGD_HOST_H
#define NARROWS_KERNELS_QSGD_HOST_H

#include "kernels/drawn/drawn.h"
#include "kernels/l2norm/host.h"
#include "kernels/magnitude/magnitude.h"
#include "kernels/qsgd/qsgd_lane.h"

struct qsgd_spans {
    struct drawn_spans drawn;
    magnitude_span *magnitude;
    struct l2norm_loops norm;
};
extern const struct qsgd_spans qsgd_scalar, qsgd_avx2, qsgd_avx512;

/* The l2 norm of the values with a row's loops; 'work' as of l2norm.h. */
double qsgd_l2(const struct impl *im, const float *values, size_t n, void *work);

/* The way back, of the payload of so many levels. */
void qsgd_take(const struct impl *im, float *values, size_t n, enum codec_into into, const uint8_t *payload,
               size_t nbytes, int levels, int *error);

/* Work of both codecs. */
codec_size_fn qsgd_work;

#endif
