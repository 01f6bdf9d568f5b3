/* softmax_row.h - y[i] = e^(factor (x[i] - max x)) / their sum, for factor > 0, by exp_lane.h. The sum is double, in 16
 * lanes: value i in lane i % 16. y may be x. A NaN makes all of them NaN. */
#ifndef NARROWS_TRAIN_OPS_SOFTMAX_ROW_H
#define NARROWS_TRAIN_OPS_SOFTMAX_ROW_H

#include <stdint.h>

void softmax_row(int64_t n, const float *x, float factor, float *y);

#endif
