/* What is asked of cuDNN: dnn.c over functions of this file, which remember their arguments and compute with the
 * reference. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cudnn.h>

#include "tests/test.h"
#include "train/ops/cuda/dnn.h"
#include "train/ops/cuda/library.h"

/* All descriptors are one of these. */
struct description {
    int size[4], pad[2], stride[2];
    cudnnMathType_t math;
};

/* Rows of the estimate, best first; three directions share them. */
static const struct {
    int algorithm;
    cudnnStatus_t status;
    cudnnDeterminism_t determinism;
    size_t memory;
} estimate[] = {
    { 5, CUDNN_STATUS_NOT_SUPPORTED, CUDNN_DETERMINISTIC, 0 },
    { 3, CUDNN_STATUS_SUCCESS, CUDNN_NON_DETERMINISTIC, 0 },
    { 4, CUDNN_STATUS_SUCCESS, CUDNN_DETERMINISTIC, 5000 },
    { 1, CUDNN_STATUS_SUCCESS, CUDNN_DETERMINISTIC, 100 },
};

static struct {
    int live, asked, run, algorithm;
    size_t nworkspace;
    void *stream, *workspace;
    cudnnStatus_t answer;
} seen;

static void *make(void)
{
    seen.live++;
    return calloc(1, sizeof(struct description));
}

static cudnnStatus_t drop(void *d)
{
    seen.live--;
    free(d);
    return CUDNN_STATUS_SUCCESS;
}

#define MAKE(name, type)               \
    static cudnnStatus_t name(type *d) \
    {                                  \
        *d = make();                   \
        return CUDNN_STATUS_SUCCESS;   \
    }
#define DROP(name, type)              \
    static cudnnStatus_t name(type d) \
    {                                 \
        return drop(d);               \
    }
MAKE(create, cudnnHandle_t)
MAKE(create_tensor, cudnnTensorDescriptor_t)
MAKE(create_filter, cudnnFilterDescriptor_t)
MAKE(create_window, cudnnConvolutionDescriptor_t)
DROP(destroy, cudnnHandle_t)
DROP(destroy_tensor, cudnnTensorDescriptor_t)
DROP(destroy_filter, cudnnFilterDescriptor_t)
DROP(destroy_window, cudnnConvolutionDescriptor_t)

static const char *text(cudnnStatus_t status)
{
    return status == CUDNN_STATUS_EXECUTION_FAILED ? "execution failed" : "other";
}

static cudnnStatus_t set_tensor(cudnnTensorDescriptor_t d, cudnnTensorFormat_t layout, cudnnDataType_t type, int n,
                                int c, int h, int w)
{
    assert_true(layout == CUDNN_TENSOR_NCHW && type == CUDNN_DATA_FLOAT);
    memcpy(((struct description *)d)->size, (int[4]){ n, c, h, w }, 4 * sizeof(int));
    return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t set_filter(cudnnFilterDescriptor_t d, cudnnDataType_t type, cudnnTensorFormat_t layout, int k,
                                int c, int h, int w)
{
    return set_tensor((cudnnTensorDescriptor_t)d, layout, type, k, c, h, w);
}

static cudnnStatus_t set_window(cudnnConvolutionDescriptor_t d, int pad_h, int pad_w, int u, int v, int dilation_h,
                                int dilation_w, cudnnConvolutionMode_t mode, cudnnDataType_t type)
{
    struct description *window = (struct description *)d;

    assert_true(dilation_h == 1 && dilation_w == 1 && mode == CUDNN_CROSS_CORRELATION && type == CUDNN_DATA_FLOAT);
    window->pad[0] = pad_h, window->pad[1] = pad_w;
    window->stride[0] = u, window->stride[1] = v;
    window->math = CUDNN_DEFAULT_MATH;
    return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t set_math(cudnnConvolutionDescriptor_t d, cudnnMathType_t math)
{
    ((struct description *)d)->math = math;
    return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t set_stream(cudnnHandle_t handle, cudaStream_t stream)
{
    (void)handle;
    seen.stream = stream;
    return CUDNN_STATUS_SUCCESS;
}

/* What the descriptors say, or a refusal: output sizes must follow from the rest. */
static cudnnStatus_t shape_of(const void *x, const void *w, const void *window, const void *y, struct conv_shape *s)
{
    const struct description *in = x, *filter = w, *c = window, *out = y;

    *s = (struct conv_shape){
        in->size[0],     in->size[1],  in->size[2], in->size[3], out->size[1], out->size[2], out->size[3],
        filter->size[2], c->stride[0], c->pad[0],   c->pad[0],   c->pad[1],    c->pad[1],    1
    };
    assert_true(c->math == CUDNN_FMA_MATH && c->stride[0] == c->stride[1] && filter->size[2] == filter->size[3]);
    assert_true(filter->size[0] == out->size[1] && filter->size[1] == in->size[1] && in->size[0] == out->size[0]);
    for (int axis = 0; axis < 2; axis++)
        if ((in->size[2 + axis] + 2 * c->pad[axis] - filter->size[2]) / c->stride[0] + 1 != out->size[2 + axis])
            return CUDNN_STATUS_BAD_PARAM;
    return CUDNN_STATUS_SUCCESS;
}

#define ESTIMATE(name, first, second, third, fourth, x, w, window, y, row, type)                                  \
    static cudnnStatus_t name(cudnnHandle_t handle, const first a, const second b, const third c, const fourth d, \
                              const int capacity, int *n, row *rows)                                              \
    {                                                                                                             \
        struct conv_shape s;                                                                                      \
                                                                                                                  \
        (void)handle;                                                                                             \
        assert_true(capacity >= 4);                                                                               \
        seen.asked++;                                                                                             \
        *n = 4;                                                                                                   \
        memset(rows, 0, (size_t)capacity * sizeof(*rows));                                                        \
        for (int i = 0; i < 4; i++) {                                                                             \
            rows[i].algo = (type)estimate[i].algorithm;                                                           \
            rows[i].status = estimate[i].status;                                                                  \
            rows[i].determinism = estimate[i].determinism;                                                        \
            rows[i].memory = estimate[i].memory;                                                                  \
        }                                                                                                         \
        return shape_of(x, w, window, y, &s);                                                                     \
    }
ESTIMATE(estimate_forward, cudnnTensorDescriptor_t, cudnnFilterDescriptor_t, cudnnConvolutionDescriptor_t,
         cudnnTensorDescriptor_t, a, b, c, d, cudnnConvolutionFwdAlgoPerf_t, cudnnConvolutionFwdAlgo_t)
ESTIMATE(estimate_data, cudnnFilterDescriptor_t, cudnnTensorDescriptor_t, cudnnConvolutionDescriptor_t,
         cudnnTensorDescriptor_t, d, a, c, b, cudnnConvolutionBwdDataAlgoPerf_t, cudnnConvolutionBwdDataAlgo_t)
ESTIMATE(estimate_weights, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnConvolutionDescriptor_t,
         cudnnFilterDescriptor_t, a, d, c, b, cudnnConvolutionBwdFilterAlgoPerf_t, cudnnConvolutionBwdFilterAlgo_t)

static cudnnStatus_t ran(int algorithm, void *workspace, size_t nworkspace)
{
    seen.run++;
    seen.algorithm = algorithm;
    seen.workspace = workspace;
    seen.nworkspace = nworkspace;
    return seen.answer;
}

static struct ops *host; /* that computes what is wanted */

static cudnnStatus_t forward(cudnnHandle_t handle, const void *alpha, const cudnnTensorDescriptor_t xd, const void *x,
                             const cudnnFilterDescriptor_t wd, const void *w, const cudnnConvolutionDescriptor_t window,
                             cudnnConvolutionFwdAlgo_t algorithm, void *workspace, size_t nworkspace, const void *beta,
                             const cudnnTensorDescriptor_t yd, void *y)
{
    struct conv_shape s;

    (void)handle;
    assert_true(*(const float *)alpha == 1 && *(const float *)beta == 0);
    assert_int_equal(shape_of(xd, wd, window, yd, &s), 0);
    if (!seen.answer)
        ops_reference.conv_forward(host, &s, x, w, NULL, y, NULL, 0, NULL);
    return ran((int)algorithm, workspace, nworkspace);
}

static cudnnStatus_t backward_data(cudnnHandle_t handle, const void *alpha, const cudnnFilterDescriptor_t wd,
                                   const void *w, const cudnnTensorDescriptor_t yd, const void *dy,
                                   const cudnnConvolutionDescriptor_t window, cudnnConvolutionBwdDataAlgo_t algorithm,
                                   void *workspace, size_t nworkspace, const void *beta,
                                   const cudnnTensorDescriptor_t xd, void *dx)
{
    struct conv_shape s;

    (void)handle;
    assert_true(*(const float *)alpha == 1 && *(const float *)beta == 0);
    assert_int_equal(shape_of(xd, wd, window, yd, &s), 0);
    if (!seen.answer)
        ops_reference.conv_backward_data(host, &s, dy, w, dx, NULL, 0, NULL);
    return ran((int)algorithm, workspace, nworkspace);
}

static cudnnStatus_t backward_weights(cudnnHandle_t handle, const void *alpha, const cudnnTensorDescriptor_t xd,
                                      const void *x, const cudnnTensorDescriptor_t yd, const void *dy,
                                      const cudnnConvolutionDescriptor_t window,
                                      cudnnConvolutionBwdFilterAlgo_t algorithm, void *workspace, size_t nworkspace,
                                      const void *beta, const cudnnFilterDescriptor_t wd, void *dw)
{
    struct conv_shape s;

    (void)handle;
    assert_true(*(const float *)alpha == 1 && *(const float *)beta == 1);
    assert_int_equal(shape_of(xd, wd, window, yd, &s), 0);
    if (!seen.answer)
        ops_reference.conv_backward_weights(host, &s, x, dy, dw, NULL, NULL, 0, NULL);
    return ran((int)algorithm, workspace, nworkspace);
}

#define EXPORT(name, function)                              \
    {                                                       \
#name, (void (*)(void))(__typeof__(name) *)function \
    }
static const struct {
    const char *name;
    void (*function)(void);
} exported[] = {
    EXPORT(cudnnCreate, create),
    EXPORT(cudnnDestroy, destroy),
    EXPORT(cudnnGetErrorString, text),
    EXPORT(cudnnCreateTensorDescriptor, create_tensor),
    EXPORT(cudnnDestroyTensorDescriptor, destroy_tensor),
    EXPORT(cudnnCreateFilterDescriptor, create_filter),
    EXPORT(cudnnDestroyFilterDescriptor, destroy_filter),
    EXPORT(cudnnCreateConvolutionDescriptor, create_window),
    EXPORT(cudnnDestroyConvolutionDescriptor, destroy_window),
    EXPORT(cudnnSetTensor4dDescriptor, set_tensor),
    EXPORT(cudnnSetFilter4dDescriptor, set_filter),
    EXPORT(cudnnSetConvolution2dDescriptor, set_window),
    EXPORT(cudnnSetConvolutionMathType, set_math),
    EXPORT(cudnnSetStream, set_stream),
    EXPORT(cudnnGetConvolutionForwardAlgorithm_v7, estimate_forward),
    EXPORT(cudnnGetConvolutionBackwardDataAlgorithm_v7, estimate_data),
    EXPORT(cudnnGetConvolutionBackwardFilterAlgorithm_v7, estimate_weights),
    EXPORT(cudnnConvolutionForward, forward),
    EXPORT(cudnnConvolutionBackwardData, backward_data),
    EXPORT(cudnnConvolutionBackwardFilter, backward_weights),
};

void *library_open(const char *name, const struct library_function *functions, size_t n, char *why, size_t nwhy)
{
    char expected[40];

    (void)why;
    (void)nwhy;
    snprintf(expected, sizeof(expected), "libcudnn.so.%d", CUDNN_MAJOR);
    assert_string_equal(name, expected);
    for (size_t i = 0; i < n; i++) {
        size_t j = 0;

        while (j < sizeof(exported) / sizeof(*exported) && strcmp(exported[j].name, functions[i].name))
            j++;
        assert_true(j < sizeof(exported) / sizeof(*exported));
        memcpy(functions[i].at, &exported[j].function, sizeof(exported[j].function));
    }
    seen.live++;
    return &seen;
}

void library_close(void *library)
{
    seen.live -= library != NULL;
}

/* --- tests -------------------------------------------------------------------------------------------------------- */

static struct dnn *d;
static char why[200];

enum { VALUES = 2 * 5 * 9 * 9 };

static const struct {
    struct conv_shape shape;
    bool taken;
} cases[] = {
    { { 2, 3, 8, 7, 5, 8, 7, 3, 1, 1, 1, 1, 1, 1 }, true },
    { { 1, 3, 9, 7, 2, 9, 5, 3, 1, 1, 1, 0, 0, 1 }, true }, /* each way by itself */
    { { 2, 3, 8, 8, 5, 4, 4, 3, 2, 1, 0, 1, 0, 1 }, true }, /* the far padding is never read */
    { { 2, 3, 9, 9, 5, 5, 5, 3, 2, 1, 1, 1, 1, 1 }, true },
    { { 2, 3, 8, 7, 5, 7, 7, 3, 1, 1, 0, 1, 1, 1 }, false }, /* the first part of two */
    { { 2, 3, 8, 7, 5, 8, 6, 3, 1, 1, 1, 0, 1, 1 }, false },
    { { 2, 3, 8, 8, 5, 6, 8, 1, 1, -1, -1, 0, 0, 1 }, false },
    { { 2, 3, 8, 8, 5, 8, 6, 1, 1, 0, 0, -1, -1, 1 }, false },
};

static int convolve(const struct conv_shape *s, enum dnn_way way, size_t nworkspace, float *out, float *want)
{
    static float in[VALUES], in2[VALUES];
    struct conv_shape c = *s;

    for (int i = 0; i < VALUES; i++) {
        in[i] = (float)(i % 13 - 6);
        in2[i] = (float)(i % 7 - 3);
        out[i] = want[i] = 3;
    }
    if (way == DNN_FORWARD)
        ops_reference.conv_forward(host, &c, in, in2, NULL, want, NULL, 0, NULL);
    else if (way == DNN_BACKWARD_DATA)
        ops_reference.conv_backward_data(host, &c, in, in2, want, NULL, 0, NULL);
    else
        ops_reference.conv_backward_weights(host, &c, in, in2, want, NULL, NULL, 0, NULL);
    return dnn_convolve(d, s, way, in, in2, out, &seen.workspace, nworkspace, &seen.stream, why, sizeof(why));
}

static void shapes(void **state)
{
    float out[VALUES], want[VALUES];

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        for (int way = 0; way < DNN_WAYS; way++) {
            int run = seen.run;
            size_t nbytes = 1;

            assert_int_equal(dnn_workspace(d, &cases[i].shape, (enum dnn_way)way, 6000, &nbytes), cases[i].taken);
            assert_int_equal(nbytes, cases[i].taken ? 5000 : 0);
            assert_int_equal(convolve(&cases[i].shape, (enum dnn_way)way, 5000, out, want),
                             cases[i].taken ? DNN_DONE : DNN_DECLINED);
            assert_int_equal(seen.run, run + cases[i].taken);
            if (cases[i].taken) {
                assert_memory_equal(out, want, sizeof(out));
                assert_ptr_equal(seen.stream, &seen.stream);
                assert_ptr_equal(seen.workspace, &seen.workspace);
            }
        }
}

/* The best that is deterministic and fits; asked for once, among many others. */
static void choices(void **state)
{
    float out[VALUES], want[VALUES];
    const struct conv_shape *s = &cases[0].shape;
    int asked;

    (void)state;
    for (int way = 0; way < DNN_WAYS; way++) {
        assert_int_equal(convolve(s, (enum dnn_way)way, 5000, out, want), DNN_DONE);
        assert_int_equal(seen.algorithm, 4);
        assert_int_equal(seen.nworkspace, 5000);
        assert_int_equal(convolve(s, (enum dnn_way)way, 4999, out, want), DNN_DONE);
        assert_int_equal(seen.algorithm, 1);
        assert_int_equal(seen.nworkspace, 100);
        assert_int_equal(convolve(s, (enum dnn_way)way, 99, out, want), DNN_DECLINED);
    }
    for (size_t most = 10000; most < 10200; most++) {
        size_t nbytes;

        assert_true(dnn_workspace(d, s, DNN_FORWARD, most, &nbytes));
    }
    asked = seen.asked;
    assert_int_equal(convolve(&cases[3].shape, DNN_FORWARD, 5000, out, want), DNN_DONE);
    assert_int_equal(convolve(s, DNN_BACKWARD_WEIGHTS, 4999, out, want), DNN_DONE);
    assert_memory_equal(out, want, sizeof(out));
    assert_int_equal(seen.algorithm, 1);
    assert_int_equal(seen.asked, asked);
}

static void failures(void **state)
{
    float out[VALUES], want[VALUES];

    (void)state;
    seen.answer = CUDNN_STATUS_NOT_SUPPORTED;
    assert_int_equal(convolve(&cases[0].shape, DNN_FORWARD, 5000, out, want), DNN_DECLINED);
    seen.answer = CUDNN_STATUS_EXECUTION_FAILED;
    assert_int_equal(convolve(&cases[0].shape, DNN_BACKWARD_DATA, 5000, out, want), -1);
    assert_string_equal(why, "cudnnConvolutionBackwardData: execution failed");
    seen.answer = CUDNN_STATUS_SUCCESS;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),
        cmocka_unit_test(choices),
        cmocka_unit_test(failures),
    };
    int failed;

    d = dnn_open(why, sizeof(why));
    host = ops_reference.open(why, sizeof(why));
    if (!d || !host)
        return 1;
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    dnn_close(d);
    ops_reference.close(host);
    return failed || seen.live;
}
