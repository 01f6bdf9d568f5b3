/* host.h - how the host implementations fit together. A span is one thread's share; 'stream' asks for stores that
 * bypass the caches, as the result is too large to stay in them. */
#ifndef NARROWS_KERNELS_FMA_HOST_H
#define NARROWS_KERNELS_FMA_HOST_H

#include "kernels/fma/fma.h"

typedef void fma_span(enum fma_mode mode, float *d, const float *a, const float *b, const float *c, size_t n,
                      bool stream);

enum { FMA_STREAM_MIN = 1 << 18 };

fma_span fma_span_scalar, fma_span_avx2, fma_span_avx512;

#endif
