/* dnn_absent.c - dnn.h where the build had no headers of cuDNN: every convolution is declined. */
#include <stdio.h>

#include "train/ops/cuda/dnn.h"

struct dnn *dnn_open(char *why, size_t nwhy)
{
    snprintf(why, nwhy, "built without cuDNN");
    return NULL;
}

void dnn_close(struct dnn *d)
{
    (void)d;
}

bool dnn_workspace(struct dnn *d, const struct conv_shape *s, enum dnn_way way, size_t most, size_t *nbytes)
{
    (void)d;
    (void)s;
    (void)way;
    (void)most;
    *nbytes = 0;
    return 0;
}

int dnn_convolve(struct dnn *d, const struct conv_shape *s, enum dnn_way way, const float *in, const float *in2,
                 float *out, void *workspace, size_t nworkspace, void *stream, char *why, size_t nwhy)
{
    (void)d;
    (void)s;
    (void)way;
    (void)in;
    (void)in2;
    (void)out;
    (void)workspace;
    (void)nworkspace;
    (void)stream;
    (void)why;
    (void)nwhy;
    return DNN_DECLINED;
}
