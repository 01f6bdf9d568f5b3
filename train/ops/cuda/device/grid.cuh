/* grid.cuh - how the threads of train/ops/cuda walk over what they are given.
 * Values     a line of n values: each thread takes every gridDim.x * blockDim.x-th.
 * Images     x over the pixels of a plane, y over the channels, z over the images. A block is 64 pixels wide and four
 *            channels high, so that planes of 7 x 7 keep most of its threads busy, and no thread divides by more than a
 *            width, in 32 bits. */
#ifndef NARROWS_TRAIN_OPS_CUDA_GRID_CUH
#define NARROWS_TRAIN_OPS_CUDA_GRID_CUH

#include "kernels/shared/launch.cuh"

enum { GRID_THREADS = 256, GRID_BLOCKS = 2048, GRID_PIXELS = 64, GRID_CHANNELS = 4 };

static inline unsigned grid_part(int64_t items, int64_t each, int64_t most)
{
    int64_t blocks = (items + each - 1) / each;

    return static_cast<unsigned>(blocks < 1 ? 1 : blocks < most ? blocks : most);
}

static inline unsigned grid_of_values(int64_t n)
{
    return grid_part(n, GRID_THREADS, GRID_BLOCKS);
}

static inline dim3 grid_of_images(int64_t pixels, int64_t channels, int64_t images)
{
    return dim3(grid_part(pixels, GRID_PIXELS, GRID_BLOCKS), grid_part(channels, GRID_CHANNELS, GRID_BLOCKS),
                grid_part(images, 1, GRID_BLOCKS));
}

static inline dim3 grid_block()
{
    return dim3(GRID_PIXELS, GRID_CHANNELS);
}

/* Loops over a launch of grid_of_images(pixels, channels, images) x grid_block(). */
#define GRID_EACH_IMAGE(b, images) for (int64_t b = blockIdx.z; b < (images); b += gridDim.z)
#define GRID_EACH_CHANNEL(c, channels) \
    for (int c = (int)(blockIdx.y * GRID_CHANNELS + threadIdx.y); c < (channels); c += (int)(gridDim.y * GRID_CHANNELS))
#define GRID_EACH_PIXEL(p, pixels) \
    for (int p = (int)(blockIdx.x * GRID_PIXELS + threadIdx.x); p < (pixels); p += (int)(gridDim.x * GRID_PIXELS))

static inline cudaStream_t grid_stream(void *stream)
{
    return static_cast<cudaStream_t>(stream);
}

#endif
