/* dnn.h - convolutions by cuDNN, looked for while the program runs (dnn.c; dnn_absent.c where it was not there to build
 * with). It takes windows of one group with equal padding at both ends, as in unsplit networks; parts of a split layer
 * may have other padding, and they and groups are computed elsewhere.
 * Sums       fp32 throughout, no TF32, by algorithms that cuDNN calls deterministic and that its own estimate for the
 *            shape puts first: nothing is timed, so a shape has one algorithm for one size of workspace.
 * Errors     DNN_DECLINED before anything is started; or -1 with the reason in why[]. */
#ifndef NARROWS_TRAIN_OPS_CUDA_DNN_H
#define NARROWS_TRAIN_OPS_CUDA_DNN_H

#include <stdbool.h>
#include <stddef.h>

#include "train/ops/ops.h"

struct dnn;

enum { DNN_DONE = 0, DNN_DECLINED = 1 };
enum dnn_way { DNN_FORWARD, DNN_BACKWARD_DATA, DNN_BACKWARD_WEIGHTS, DNN_WAYS };

/* NULL with the reason: do without. */
struct dnn *dnn_open(char *why, size_t nwhy);
void dnn_close(struct dnn *d); /* accepts NULL */

/* Does it take this shape, and with how many bytes of workspace, at most 'most', is it fastest? */
bool dnn_workspace(struct dnn *d, const struct conv_shape *s, enum dnn_way way, size_t most, size_t *nbytes);

/* in, in2: x and w; dy and w; x and dy. out: y, dx, or dw, which is added to. */
int dnn_convolve(struct dnn *d, const struct conv_shape *s, enum dnn_way way, const float *in, const float *in2,
                 float *out, void *workspace, size_t nworkspace, void *stream, char *why, size_t nwhy);

#endif
