#include "train/ops/cuda/dnn.h"

#include <cudnn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "train/number.h"
#include "train/ops/cuda/library.h"

#define TEXT(x) #x
#define NAME(version) "libcudnn.so." TEXT(version)

/* What is called, in the order of its first use. */
#define FUNCTIONS(F)                                 \
    F(cudnnCreate)                                   \
    F(cudnnDestroy)                                  \
    F(cudnnGetErrorString)                           \
    F(cudnnCreateTensorDescriptor)                   \
    F(cudnnDestroyTensorDescriptor)                  \
    F(cudnnCreateFilterDescriptor)                   \
    F(cudnnDestroyFilterDescriptor)                  \
    F(cudnnCreateConvolutionDescriptor)              \
    F(cudnnDestroyConvolutionDescriptor)             \
    F(cudnnSetTensor4dDescriptor)                    \
    F(cudnnSetFilter4dDescriptor)                    \
    F(cudnnSetConvolution2dDescriptor)               \
    F(cudnnSetConvolutionMathType)                   \
    F(cudnnGetConvolutionForwardAlgorithm_v7)        \
    F(cudnnGetConvolutionBackwardDataAlgorithm_v7)   \
    F(cudnnGetConvolutionBackwardFilterAlgorithm_v7) \
    F(cudnnSetStream)                                \
    F(cudnnConvolutionForward)                       \
    F(cudnnConvolutionBackwardData)                  \
    F(cudnnConvolutionBackwardFilter)

/* What was found out about a shape. */
struct choice {
    struct conv_shape shape;
    enum dnn_way way;
    size_t most;
    bool taken;
    int algorithm;
    size_t nworkspace;
};

struct dnn {
    void *library;
    cudnnHandle_t handle;
    cudnnTensorDescriptor_t x, y;
    cudnnFilterDescriptor_t w;
    cudnnConvolutionDescriptor_t window;
    struct choice *choices;
    size_t nchoices, capacity;
#define POINTER(name) __typeof__(name) *name;
    FUNCTIONS(POINTER)
#undef POINTER
};

static bool find(struct dnn *d, char *why, size_t nwhy)
{
    const struct library_function functions[] = {
#define ROW(name) { #name, &d->name },
        FUNCTIONS(ROW)
#undef ROW
    };

    d->library = library_open(NAME(CUDNN_MAJOR), functions, COUNT(functions), why, nwhy);
    return d->library;
}

static int check(const struct dnn *d, cudnnStatus_t failed, const char *call, char *why, size_t nwhy)
{
    if (failed)
        snprintf(why, nwhy, "%s: %s", call, d->cudnnGetErrorString(failed));
    return failed ? -1 : 0;
}

struct dnn *dnn_open(char *why, size_t nwhy)
{
    struct dnn *d = calloc(1, sizeof(*d));

    if (!d) {
        snprintf(why, nwhy, "no memory");
        return NULL;
    }
    if (!find(d, why, nwhy) || check(d, d->cudnnCreate(&d->handle), "cudnnCreate", why, nwhy) ||
        check(d, d->cudnnCreateTensorDescriptor(&d->x), "cudnnCreateTensorDescriptor", why, nwhy) ||
        check(d, d->cudnnCreateTensorDescriptor(&d->y), "cudnnCreateTensorDescriptor", why, nwhy) ||
        check(d, d->cudnnCreateFilterDescriptor(&d->w), "cudnnCreateFilterDescriptor", why, nwhy) ||
        check(d, d->cudnnCreateConvolutionDescriptor(&d->window), "cudnnCreateConvolutionDescriptor", why, nwhy)) {
        dnn_close(d);
        return NULL;
    }
    return d;
}

void dnn_close(struct dnn *d)
{
    if (!d)
        return;
    if (d->window)
        d->cudnnDestroyConvolutionDescriptor(d->window);
    if (d->w)
        d->cudnnDestroyFilterDescriptor(d->w);
    if (d->y)
        d->cudnnDestroyTensorDescriptor(d->y);
    if (d->x)
        d->cudnnDestroyTensorDescriptor(d->x);
    if (d->handle)
        d->cudnnDestroy(d->handle);
    library_close(d->library);
    free(d->choices);
    free(d);
}

/* The same padding at both ends, or a far end that a stride leaves unread. */
static bool axis_alike(int64_t in, int64_t out, int64_t pad, const struct conv_shape *s)
{
    return pad >= 0 && in + 2 * pad >= s->kernel && (in + 2 * pad - s->kernel) / s->stride + 1 == out;
}

static bool fits(const struct conv_shape *s)
{
    return conv_groups(s) == 1 && axis_alike(s->in_height, s->out_height, s->pad_top, s) &&
           axis_alike(s->in_width, s->out_width, s->pad_left, s) && s->batch <= INT_MAX;
}

/* cuDNN's cross-correlation is what everybody else calls a convolution. */
static bool describe(struct dnn *d, const struct conv_shape *s)
{
    const cudnnTensorFormat_t layout = CUDNN_TENSOR_NCHW;
    const cudnnDataType_t type = CUDNN_DATA_FLOAT;
    int k = (int)s->kernel, stride = (int)s->stride;

    return !d->cudnnSetTensor4dDescriptor(d->x, layout, type, (int)s->batch, (int)s->in_channels, (int)s->in_height,
                                          (int)s->in_width) &&
           !d->cudnnSetTensor4dDescriptor(d->y, layout, type, (int)s->batch, (int)s->out_channels, (int)s->out_height,
                                          (int)s->out_width) &&
           !d->cudnnSetFilter4dDescriptor(d->w, type, layout, (int)s->out_channels, (int)s->in_channels, k, k) &&
           !d->cudnnSetConvolution2dDescriptor(d->window, (int)s->pad_top, (int)s->pad_left, stride, stride, 1, 1,
                                               CUDNN_CROSS_CORRELATION, type) &&
           !d->cudnnSetConvolutionMathType(d->window, CUDNN_FMA_MATH);
}

/* The best row of a list of estimates that is deterministic and has enough workspace. */
#define CHOOSE(c, rows, n)                                                                                        \
    for (int i = 0; i < (n) && !(c)->taken; i++)                                                                  \
        if (!(rows)[i].status && (rows)[i].determinism == CUDNN_DETERMINISTIC && (rows)[i].memory <= (c)->most) { \
            (c)->taken = true;                                                                                    \
            (c)->algorithm = (int)(rows)[i].algo;                                                                 \
            (c)->nworkspace = (rows)[i].memory;                                                                   \
        }

static void choose_forward(struct dnn *d, struct choice *c)
{
    cudnnConvolutionFwdAlgoPerf_t rows[CUDNN_CONVOLUTION_FWD_ALGO_COUNT];
    int n = 0;

    if (d->cudnnGetConvolutionForwardAlgorithm_v7(d->handle, d->x, d->w, d->window, d->y,
                                                  CUDNN_CONVOLUTION_FWD_ALGO_COUNT, &n, rows))
        return;
    CHOOSE(c, rows, n)
}

static void choose_backward_data(struct dnn *d, struct choice *c)
{
    cudnnConvolutionBwdDataAlgoPerf_t rows[CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT];
    int n = 0;

    if (d->cudnnGetConvolutionBackwardDataAlgorithm_v7(d->handle, d->w, d->y, d->window, d->x,
                                                       CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT, &n, rows))
        return;
    CHOOSE(c, rows, n)
}

static void choose_backward_weights(struct dnn *d, struct choice *c)
{
    cudnnConvolutionBwdFilterAlgoPerf_t rows[CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT];
    int n = 0;

    if (d->cudnnGetConvolutionBackwardFilterAlgorithm_v7(d->handle, d->x, d->y, d->window, d->w,
                                                         CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT, &n, rows))
        return;
    CHOOSE(c, rows, n)
}

/* The shape is described in d. */
static void choose(struct dnn *d, struct choice *c)
{
    if (c->way == DNN_FORWARD)
        choose_forward(d, c);
    else if (c->way == DNN_BACKWARD_DATA)
        choose_backward_data(d, c);
    else
        choose_backward_weights(d, c);
}

/* What is known of this call, found out at the first one of its kind; NULL without memory. d describes the shape
 * afterwards if the choice is taken. */
static const struct choice *choice_of(struct dnn *d, const struct conv_shape *s, enum dnn_way way, size_t most)
{
    struct choice c = { .shape = *s, .way = way, .most = most };

    for (size_t i = 0; i < d->nchoices; i++) {
        struct choice *known = &d->choices[i];

        if (known->way == way && known->most == most && memcmp(&known->shape, s, sizeof(*s)) == 0)
            return known->taken && !describe(d, s) ? NULL : known;
    }
    if (d->nchoices == d->capacity) {
        size_t capacity = d->capacity ? 2 * d->capacity : 64;
        struct choice *more = realloc(d->choices, capacity * sizeof(*more));

        if (!more)
            return NULL;
        d->choices = more;
        d->capacity = capacity;
    }
    if (fits(s) && describe(d, s))
        choose(d, &c);
    d->choices[d->nchoices] = c;
    return &d->choices[d->nchoices++];
}

bool dnn_workspace(struct dnn *d, const struct conv_shape *s, enum dnn_way way, size_t most, size_t *nbytes)
{
    const struct choice *c = choice_of(d, s, way, most);

    *nbytes = c && c->taken ? c->nworkspace : 0;
    return c && c->taken;
}

static cudnnStatus_t start(struct dnn *d, const struct choice *c, const float *in, const float *in2, float *out,
                           void *workspace)
{
    const float one = 1, zero = 0;

    if (c->way == DNN_FORWARD)
        return d->cudnnConvolutionForward(d->handle, &one, d->x, in, d->w, in2, d->window,
                                          (cudnnConvolutionFwdAlgo_t)c->algorithm, workspace, c->nworkspace, &zero,
                                          d->y, out);
    if (c->way == DNN_BACKWARD_DATA)
        return d->cudnnConvolutionBackwardData(d->handle, &one, d->w, in2, d->y, in, d->window,
                                               (cudnnConvolutionBwdDataAlgo_t)c->algorithm, workspace, c->nworkspace,
                                               &zero, d->x, out);
    return d->cudnnConvolutionBackwardFilter(d->handle, &one, d->x, in, d->y, in2, d->window,
                                             (cudnnConvolutionBwdFilterAlgo_t)c->algorithm, workspace, c->nworkspace,
                                             &one, d->w, out);
}

/* From version 9 on a status is a thousand for its kind, and more for the reason. */
static bool is_unsupported(cudnnStatus_t failed)
{
    return failed / 1000 == CUDNN_STATUS_NOT_SUPPORTED / 1000;
}

int dnn_convolve(struct dnn *d, const struct conv_shape *s, enum dnn_way way, const float *in, const float *in2,
                 float *out, void *workspace, size_t nworkspace, void *stream, char *why, size_t nwhy)
{
    static const char *const names[DNN_WAYS] = { "cudnnConvolutionForward", "cudnnConvolutionBackwardData",
                                                 "cudnnConvolutionBackwardFilter" };
    const struct choice *c = choice_of(d, s, way, nworkspace);
    cudnnStatus_t failed;

    if (!c || !c->taken)
        return DNN_DECLINED;
    if (check(d, d->cudnnSetStream(d->handle, stream), "cudnnSetStream", why, nwhy))
        return -1;
    failed = start(d, c, in, in2, out, workspace);
    if (failed && is_unsupported(failed))
        return DNN_DECLINED;
    return check(d, failed, names[way], why, nwhy);
}
