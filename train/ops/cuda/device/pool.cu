/* pool.cu - pools, a thread per value that is written: forward it looks through its window, backward through the
 * windows that cover it, in the order of the outputs. */
#include "train/ops/cuda/launch.h"

#include "train/ops/cuda/device/window.cuh"

/* Of a window whose first place is (row, column), the place of the largest value, the first of equal ones. There is
 * one: the window reaches into the image. */
static __device__ int largest(const window &w, const float *x, int row, int column)
{
    int at = max(row, 0) * w.in_width + max(column, 0);

    for (int i = max(row, 0); i < min(row + w.kernel, w.in_height); i++)
        for (int j = max(column, 0); j < min(column + w.kernel, w.in_width); j++)
            if (x[i * w.in_width + j] > x[at])
                at = i * w.in_width + j;
    return at;
}

__global__ static void maxpool(float *y, int64_t images, window w, const float *x)
{
    GRID_EACH_IMAGE(b, images)
    GRID_EACH_CHANNEL(c, w.in_channels)
    GRID_EACH_PIXEL(p, w.out_height * w.out_width)
    {
        const float *from = x + (b * w.in_channels + c) * w.in_height * w.in_width;
        int row = p / w.out_width * w.stride - w.top, column = p % w.out_width * w.stride - w.left;

        y[(b * w.in_channels + c) * w.out_height * w.out_width + p] = from[largest(w, from, row, column)];
    }
}

__global__ static void maxpool_backward(float *dx, int64_t images, window w, const float *x, const float *dy)
{
    GRID_EACH_IMAGE(b, images)
    GRID_EACH_CHANNEL(c, w.in_channels)
    GRID_EACH_PIXEL(p, w.in_height * w.in_width)
    {
        const float *from = x + (b * w.in_channels + c) * w.in_height * w.in_width;
        const float *error = dy + (b * w.in_channels + c) * w.out_height * w.out_width;
        cover rows = cover_of(p / w.in_width, w.top, w.kernel, w.stride, w.out_height);
        cover columns = cover_of(p % w.in_width, w.left, w.kernel, w.stride, w.out_width);
        float sum = 0;

        for (int i = rows.from; i < rows.to; i++)
            for (int j = columns.from; j < columns.to; j++)
                if (largest(w, from, i * w.stride - w.top, j * w.stride - w.left) == p)
                    sum += error[i * w.out_width + j];
        dx[(b * w.in_channels + c) * w.in_height * w.in_width + p] = sum;
    }
}

__global__ static void avgpool(float *y, int64_t images, window w, const float *x)
{
    GRID_EACH_IMAGE(b, images)
    GRID_EACH_CHANNEL(c, w.in_channels)
    GRID_EACH_PIXEL(p, w.out_height * w.out_width)
    {
        const float *from = x + (b * w.in_channels + c) * w.in_height * w.in_width;
        int row = p / w.out_width * w.stride - w.top, column = p % w.out_width * w.stride - w.left;
        double sum = 0;

        for (int i = max(row, 0); i < min(row + w.kernel, w.in_height); i++)
            for (int j = max(column, 0); j < min(column + w.kernel, w.in_width); j++)
                sum += (double)from[i * w.in_width + j];
        y[(b * w.in_channels + c) * w.out_height * w.out_width + p] = (float)(sum / (double)(w.kernel * w.kernel));
    }
}

__global__ static void avgpool_backward(float *dx, int64_t images, window w, const float *dy)
{
    GRID_EACH_IMAGE(b, images)
    GRID_EACH_CHANNEL(c, w.in_channels)
    GRID_EACH_PIXEL(p, w.in_height * w.in_width)
    {
        const float *error = dy + (b * w.in_channels + c) * w.out_height * w.out_width;
        cover rows = cover_of(p / w.in_width, w.top, w.kernel, w.stride, w.out_height);
        cover columns = cover_of(p % w.in_width, w.left, w.kernel, w.stride, w.out_width);
        float sum = 0;

        for (int i = rows.from; i < rows.to; i++)
            for (int j = columns.from; j < columns.to; j++)
                sum += error[i * w.out_width + j] / (float)(w.kernel * w.kernel);
        dx[(b * w.in_channels + c) * w.in_height * w.in_width + p] = sum;
    }
}

static dim3 grid_out(const struct conv_shape *s)
{
    return grid_of_images(s->out_height * s->out_width, s->in_channels, s->batch);
}

static dim3 grid_in(const struct conv_shape *s)
{
    return grid_of_images(s->in_height * s->in_width, s->in_channels, s->batch);
}

void launch_maxpool(float *y, const struct conv_shape *s, const float *x, void *stream)
{
    NW_LAUNCH(maxpool, grid_out(s), grid_block(), 0, grid_stream(stream), y, s->batch, window_of(s), x);
}

void launch_maxpool_backward(float *dx, const struct conv_shape *s, const float *x, const float *dy, void *stream)
{
    NW_LAUNCH(maxpool_backward, grid_in(s), grid_block(), 0, grid_stream(stream), dx, s->batch, window_of(s), x, dy);
}

void launch_avgpool(float *y, const struct conv_shape *s, const float *x, void *stream)
{
    NW_LAUNCH(avgpool, grid_out(s), grid_block(), 0, grid_stream(stream), y, s->batch, window_of(s), x);
}

void launch_avgpool_backward(float *dx, const struct conv_shape *s, const float *dy, void *stream)
{
    NW_LAUNCH(avgpool_backward, grid_in(s), grid_block(), 0, grid_stream(stream), dx, s->batch, window_of(s), dy);
}
