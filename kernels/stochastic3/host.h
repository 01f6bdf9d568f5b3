/* host.h - how the host rows fit together; for kernels/stochastic3. */
#ifndef NARROWS_KERNELS_STOCHASTIC3_HOST_H
#define NARROWS_KERNELS_STOCHASTIC3_HOST_H

#include "kernels/magnitude/magnitude.h"
#include "kernels/shared/receive.h"
#include "kernels/stochastic3/stochastic3.h"
#include "kernels/stochastic3/stochastic3_lane.h"

struct stochastic3_job {
    const float *values;
    size_t n, each; /* P */
    uint8_t *bytes;
    struct stochastic3_scale scale;
    struct threefry_key key;
    bool stream; /* 'bytes' go past the caches */
};

/* Encode the positions from .. to-1 of all partitions; 'from' is a multiple of 128. All but the reference are for
 * finite values and a lift of 1. */
typedef void stochastic3_encode_span(const struct stochastic3_job *j, size_t from, size_t to);
/* The trits of one partition in n bytes, as values. 'stream' as wanted; a span finds its own boundary. */
typedef void stochastic3_decode_span(float *dst, const uint8_t *bytes, size_t n, int partition, float m, bool stream);
/* Is there a byte above 242? */
typedef bool stochastic3_check_span(const uint8_t *bytes, size_t n);

struct stochastic3_spans {
    const struct plain_spans *plain;
    magnitude_span *magnitude;
    stochastic3_encode_span *encode;
    stochastic3_decode_span *decode;
    stochastic3_check_span *check;
};
extern const struct stochastic3_spans stochastic3_scalar, stochastic3_avx2, stochastic3_avx512;

/* The other implementations use the reference for their tails. */
stochastic3_encode_span stochastic3_encode_scalar;
stochastic3_decode_span stochastic3_decode_scalar;
stochastic3_check_span stochastic3_check_scalar;

/* Whole groups from position 'from' on in which no partition has padding. */
static inline size_t stochastic3_groups(const struct stochastic3_job *j, size_t from, size_t to)
{
    size_t last = j->n > 4 * j->each ? j->n - 4 * j->each : 0, end = to < last ? to : last;

    return end > from ? (end - from) / STOCHASTIC3_GROUP : 0;
}

#endif
