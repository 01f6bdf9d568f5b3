/* image.cu - one image combined with another: with a stride (the shortcut of a residual block), or a rectangle of it;
 * and rows of values from one matrix into another. */
#include "train/ops/cuda/launch.h"

#include "train/ops/cuda/device/grid.cuh"

struct plane {
    int channels, height, width;
};

static plane plane_of(const struct image_shape *s)
{
    plane p = { (int)s->channels, (int)s->height, (int)s->width };

    return p;
}

static __device__ int64_t place(const plane &p, int64_t image, int channel, int row, int column)
{
    return ((image * p.channels + channel) * p.height + row) * p.width + column;
}

__global__ static void add(float *y, int64_t images, plane s, const float *x, plane second, int stride, const float *x2)
{
    GRID_EACH_IMAGE(b, images)
    GRID_EACH_CHANNEL(c, s.channels)
    GRID_EACH_PIXEL(p, s.height * s.width)
    {
        int64_t row = static_cast<int64_t>(p / s.width) * stride;
        int64_t column = static_cast<int64_t>(p % s.width) * stride, i = place(s, b, c, 0, 0) + p;
        bool both = c < second.channels && row < second.height && column < second.width;

        y[i] = both ? x[i] + x2[place(second, b, c, (int)row, (int)column)] : x[i];
    }
}

__global__ static void add_backward(float *dx2, int64_t images, plane s, plane second, int stride, const float *dy)
{
    GRID_EACH_IMAGE(b, images)
    GRID_EACH_CHANNEL(c, second.channels)
    GRID_EACH_PIXEL(p, second.height * second.width)
    {
        int row = p / second.width, column = p % second.width;
        bool taken = c < s.channels && row % stride == 0 && column % stride == 0 && row / stride < s.height &&
                     column / stride < s.width;

        dx2[place(second, b, c, 0, 0) + p] = taken ? dy[place(s, b, c, row / stride, column / stride)] : 0.0f;
    }
}

/* PASTE: from the patch into the image, otherwise the other way. */
template <bool PASTE>
__global__ static void rectangle(float *y, int64_t images, plane image, plane patch, int top, int left, const float *x)
{
    GRID_EACH_IMAGE(b, images)
    GRID_EACH_CHANNEL(c, patch.channels)
    GRID_EACH_PIXEL(p, patch.height * patch.width)
    {
        int64_t dense = place(patch, b, c, 0, 0) + p;
        int64_t within = place(image, b, c, top + p / patch.width, left + p % patch.width);

        if (PASTE)
            y[within] = x[dense];
        else
            y[dense] = x[within];
    }
}

__global__ static void copy_rows(float *y, int64_t to, const float *x, int64_t from, int64_t rows, int64_t n)
{
    for (int64_t r = blockIdx.y; r < rows; r += gridDim.y)
        for (int64_t i = static_cast<int64_t>(blockIdx.x) * GRID_THREADS + threadIdx.x; i < n;
             i += static_cast<int64_t>(gridDim.x) * GRID_THREADS)
            y[r * to + i] = x[r * from + i];
}

void launch_add(float *y, const struct image_shape *s, const float *x, const struct image_shape *second, int64_t stride,
                const float *x2, void *stream)
{
    NW_LAUNCH(add, grid_of_images(s->height * s->width, s->channels, s->batch), grid_block(), 0, grid_stream(stream), y,
              s->batch, plane_of(s), x, plane_of(second), (int)stride, x2);
}

void launch_add_backward(float *dx2, const struct image_shape *s, const struct image_shape *second, int64_t stride,
                         const float *dy, void *stream)
{
    NW_LAUNCH(add_backward, grid_of_images(second->height * second->width, second->channels, second->batch),
              grid_block(), 0, grid_stream(stream), dx2, second->batch, plane_of(s), plane_of(second), (int)stride, dy);
}

void launch_cut(float *y, const struct image_shape *image, const struct image_shape *patch, int64_t top, int64_t left,
                const float *x, void *stream)
{
    NW_LAUNCH(rectangle<false>, grid_of_images(patch->height * patch->width, patch->channels, patch->batch),
              grid_block(), 0, grid_stream(stream), y, patch->batch, plane_of(image), plane_of(patch), (int)top,
              (int)left, x);
}

void launch_paste(float *y, const struct image_shape *image, const struct image_shape *patch, int64_t top, int64_t left,
                  const float *x, void *stream)
{
    NW_LAUNCH(rectangle<true>, grid_of_images(patch->height * patch->width, patch->channels, patch->batch),
              grid_block(), 0, grid_stream(stream), y, patch->batch, plane_of(image), plane_of(patch), (int)top,
              (int)left, x);
}

void launch_copy_rows(float *y, int64_t to, const float *x, int64_t from, int64_t rows, int64_t n, void *stream)
{
    if (n > 0)
        NW_LAUNCH(copy_rows, dim3(grid_part(n, GRID_THREADS, GRID_BLOCKS), grid_part(rows, 1, GRID_BLOCKS)),
                  GRID_THREADS, 0, grid_stream(stream), y, to, x, from, rows, n);
}
