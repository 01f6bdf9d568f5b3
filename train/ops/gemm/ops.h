/* ops.h - how the files of the backend on kernels/gemm fit together, and what others take from it: with o->products
 * opened, the rows product_conv_... and product_fc_... work in whatever mode o has. */
#ifndef NARROWS_TRAIN_OPS_GEMM_OPS_H
#define NARROWS_TRAIN_OPS_GEMM_OPS_H

#include "kernels/gemm/gemm.h"
#include "train/ops/direct/direct.h"

enum { PRODUCT_ALIGN = 64 };

struct products {
    const struct conv_impl *direct;          /* direct.h's loops; NULL without */
    bool beside_onednn;                      /* then they do what they do better */
    const struct gemm_impl *row[FMA_NMODES]; /* NULL for FMA_BF16DOT */
    char *scratch;
    size_t nscratch;
};

struct products *products_open(void);    /* NULL: no memory */
void products_close(struct products *g); /* accepts NULL */

size_t product_aligned(size_t n);
size_t product_work(const struct ops *o, const struct gemm_problem *p);
void product_run(const struct ops *o, const struct gemm_problem *p, void *work);
/* For products, and for direct.h: 'need' bytes at a multiple of PRODUCT_ALIGN, of the caller's workspace if it has
 * them, else our own; NULL: no memory. */
char *product_scratch(struct ops *o, void *workspace, size_t nworkspace, size_t need);

/* By direct.h: 1 if done; 0 if these loops do not take the shape or o's mode; -1 after an error. */
int direct_conv_forward(struct ops *o, const struct conv_shape *s, const float *x, const float *w, const float *bias,
                        float *y, void *workspace, size_t nworkspace);
int direct_conv_backward_data(struct ops *o, const struct conv_shape *s, const float *dy, const float *w, float *dx,
                              void *workspace, size_t nworkspace);
int direct_conv_backward_weights(struct ops *o, const struct conv_shape *s, const float *x, const float *dy, float *dw,
                                 float *dbias, void *workspace, size_t nworkspace);
size_t direct_conv_size(const struct ops *o, const struct conv_shape *s,
                        enum direct_way way); /* bytes; 0: it does not */

size_t product_conv_workspace(struct ops *o, const struct conv_shape *s);
OPS_CONV_ROWS(OPS_DECLARE, product)
OPS_FC_ROWS(OPS_DECLARE, product)

#endif
