/* each.cu - what looks at one value at a time: four values a thread and turn where all addresses allow it. */
#include "train/ops/cuda/launch.h"
#include "train/ops/draw_lane.h"

#include "train/ops/cuda/device/grid.cuh"

struct relu_op {
    __device__ float operator()(int64_t, float x, float) const
    {
        return x > 0 ? x : 0.0f;
    }
};

struct relu_backward_op {
    __device__ float operator()(int64_t, float y, float dy) const
    {
        return y > 0 ? dy : 0.0f;
    }
};

struct sigmoid_op {
    __device__ float operator()(int64_t, float x, float) const
    {
        return 1.0f / (1.0f + expf(-x));
    }
};

struct sigmoid_backward_op {
    __device__ float operator()(int64_t, float y, float dy) const
    {
        return dy * (y * (1.0f - y));
    }
};

struct dropout_op {
    uint64_t seed;
    uint32_t dropped_share;
    float scale;

    __device__ float operator()(int64_t i, float x, float) const
    {
        return dropout_lane(x, static_cast<uint64_t>(i), seed, dropped_share, scale);
    }
};

struct sum_op {
    __device__ float operator()(int64_t, float x, float x2) const
    {
        return x + x2;
    }
};

template <class Op>
__global__ static void __launch_bounds__(GRID_THREADS)
    each(Op op, float *y, const float *a, const float *b, int64_t quads, int64_t n)
{
    int64_t first = static_cast<int64_t>(blockIdx.x) * GRID_THREADS + threadIdx.x;
    int64_t step = static_cast<int64_t>(gridDim.x) * GRID_THREADS;

    for (int64_t i = first; i < quads; i += step) {
        float4 u = reinterpret_cast<const float4 *>(a)[i], v = reinterpret_cast<const float4 *>(b)[i];

        u.x = op(4 * i, u.x, v.x), u.y = op(4 * i + 1, u.y, v.y);
        u.z = op(4 * i + 2, u.z, v.z), u.w = op(4 * i + 3, u.w, v.w);
        reinterpret_cast<float4 *>(y)[i] = u;
    }
    for (int64_t i = 4 * quads + first; i < n; i += step)
        y[i] = op(i, a[i], b[i]);
}

/* In the order that ops.h says, nothing fused. */
__global__ static void __launch_bounds__(GRID_THREADS)
    sgd_update(float *weights, float *velocity, const float *gradient, int64_t n, float rate, float momentum,
               float decay)
{
    for (int64_t i = static_cast<int64_t>(blockIdx.x) * GRID_THREADS + threadIdx.x; i < n;
         i += static_cast<int64_t>(gridDim.x) * GRID_THREADS) {
        float v = (momentum * velocity[i] + gradient[i]) + decay * weights[i];

        velocity[i] = v;
        weights[i] -= rate * v;
    }
}

static bool wide(const float *p)
{
    return reinterpret_cast<uintptr_t>(p) % 16 == 0;
}

/* With one operand, b is a: a second load of the same address costs nothing. */
template <class Op> static void run(Op op, float *y, const float *a, const float *b, int64_t n, void *stream)
{
    int64_t quads = wide(y) && wide(a) && wide(b) ? n / 4 : 0;

    if (n > 0)
        NW_LAUNCH(each<Op>, grid_of_values(quads ? quads : n), GRID_THREADS, 0, grid_stream(stream), op, y, a, b, quads,
                  n);
}

void launch_relu(float *y, const float *x, int64_t n, void *stream)
{
    run(relu_op(), y, x, x, n, stream);
}

void launch_relu_backward(float *dx, const float *y, const float *dy, int64_t n, void *stream)
{
    run(relu_backward_op(), dx, y, dy, n, stream);
}

void launch_sigmoid(float *y, const float *x, int64_t n, void *stream)
{
    run(sigmoid_op(), y, x, x, n, stream);
}

void launch_sigmoid_backward(float *dx, const float *y, const float *dy, int64_t n, void *stream)
{
    run(sigmoid_backward_op(), dx, y, dy, n, stream);
}

void launch_dropout(float *y, const float *x, int64_t n, float rate, uint64_t seed, void *stream)
{
    dropout_op op = { seed, draw_dropped_share(rate), 1.0f / (1.0f - rate) };

    run(op, y, x, x, n, stream);
}

void launch_sum(float *y, const float *x, const float *x2, int64_t n, void *stream)
{
    run(sum_op(), y, x, x2, n, stream);
}

void launch_sgd_update(float *weights, float *velocity, const float *gradient, int64_t n, float rate, float momentum,
                       float decay, void *stream)
{
    if (n > 0)
        NW_LAUNCH(sgd_update, grid_of_values(n), GRID_THREADS, 0, grid_stream(stream), weights, velocity, gradient, n,
                  rate, momentum, decay);
}

/* A device may be there and too old or too new for this build: ask whether it has code for a kernel. */
bool launch_usable(void)
{
    int count = 0;
    cudaFuncAttributes attributes;
    bool usable = cudaGetDeviceCount(&count) == cudaSuccess && count > 0 &&
                  cudaFuncGetAttributes(&attributes, each<relu_op>) == cudaSuccess;

    if (!usable)
        cudaGetLastError(); /* a question is no error */
    return usable;
}
