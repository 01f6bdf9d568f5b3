/* cuda.cu - the lane, four values a thread and turn where all addresses allow it. A leaf: kernels and their launcher,
 * on the default stream. */
#include "kernels/fma/fma.h"
#include "kernels/gemm/fma_lane.h"
#include "kernels/shared/launch.cuh"

enum { THREADS = 256, MAX_BLOCKS = 4096 };

template <fma_mode MODE>
__global__ static void fma_each(float *d, const float *a, const float *b, const float *c, size_t quads, size_t n)
{
    size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x, step = (size_t)gridDim.x * blockDim.x;

    for (size_t i = first; i < quads; i += step) {
        float4 x = reinterpret_cast<const float4 *>(a)[i], y = reinterpret_cast<const float4 *>(b)[i];
        float4 z = reinterpret_cast<const float4 *>(c)[i];

        z.x = fma_lane(MODE, x.x, y.x, z.x), z.y = fma_lane(MODE, x.y, y.y, z.y);
        z.z = fma_lane(MODE, x.z, y.z, z.z), z.w = fma_lane(MODE, x.w, y.w, z.w);
        reinterpret_cast<float4 *>(d)[i] = z;
    }
    for (size_t i = 4 * quads + first; i < n; i += step)
        d[i] = fma_lane(MODE, a[i], b[i], c[i]);
}

static bool wide(const float *p)
{
    return (size_t)p % 16 == 0;
}

void fma_cuda(const struct impl *im, enum fma_mode mode, float *d, const float *a, const float *b, const float *c,
              size_t n)
{
    cudaStream_t on = stream_of(im);
    size_t quads = wide(d) && wide(a) && wide(b) && wide(c) ? n / 4 : 0, items = quads ? quads : n;
    size_t blocks = (items + THREADS - 1) / THREADS;
    unsigned grid = blocks < MAX_BLOCKS ? (unsigned)blocks : (unsigned)MAX_BLOCKS;

    if (!n)
        return;
    if (mode == FMA_FP32)
        NW_LAUNCH(fma_each<FMA_FP32>, grid, THREADS, 0, on, d, a, b, c, quads, n);
    else if (mode == FMA_MP)
        NW_LAUNCH(fma_each<FMA_MP>, grid, THREADS, 0, on, d, a, b, c, quads, n);
    else
        NW_LAUNCH(fma_each<FMA_BF16>, grid, THREADS, 0, on, d, a, b, c, quads, n);
}
