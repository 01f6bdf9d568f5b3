/* vectors.h - products and sums of many short vectors in fp32, as attention and interactions take them. Their bits
 * follow from the arguments alone, however many values the processor works on at a time.
 * Vectors    of n values; number j of 'count' begins at rows + j stride. */
#ifndef NARROWS_TRAIN_OPS_VECTORS_H
#define NARROWS_TRAIN_OPS_VECTORS_H

#include <stdint.h>

/* y[j] = dot_lane(x, vector j, n) */
void vectors_products(const float *x, const float *rows, int64_t stride, int64_t count, int64_t n, float *y);

/* y[i] += w[0] (vector 0)[i] + w[wstride] (vector 1)[i] + ...: for each i one chain that starts from y[i]. No value of
 * y is in rows. */
void vectors_sum(const float *w, int64_t wstride, const float *rows, int64_t stride, int64_t count, int64_t n,
                 float *y);

#endif
