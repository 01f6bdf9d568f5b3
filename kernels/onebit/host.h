/* host.h - how the host rows fit together; for kernels/onebit. */
#ifndef NARROWS_KERNELS_ONEBIT_HOST_H
#define NARROWS_KERNELS_ONEBIT_HOST_H

#include "kernels/onebit/onebit.h"
#include "kernels/onebit/onebit_lane.h"
#include "kernels/shared/receive.h"

/* The lanes of a block while it is summed. */
struct onebit_lanes {
    _Alignas(64) double positive[ONEBIT_LANES];
    double negative[ONEBIT_LANES];
    uint64_t negatives;
};

/* e = e + v for n values, from a multiple of 32 of the block on, into the lanes. */
typedef void onebit_sum_span(struct onebit_lanes *l, float *e, const float *v, size_t n);
/* The bits of n values, from a multiple of 8 on, and what is left of the values. */
typedef void onebit_send_span(uint8_t *bits, float *e, size_t n, struct onebit_means m);
typedef void onebit_decode_span(float *dst, const uint8_t *bits, size_t n, struct onebit_means m, bool stream);

struct onebit_spans {
    const struct plain_spans *plain;
    onebit_sum_span *sum;
    onebit_send_span *send;
    onebit_decode_span *decode;
};
extern const struct onebit_spans onebit_scalar, onebit_avx2, onebit_avx512;

/* The other implementations use the reference for their tails. */
onebit_sum_span onebit_sum_scalar;
onebit_send_span onebit_send_scalar;
onebit_decode_span onebit_decode_scalar;

#endif
