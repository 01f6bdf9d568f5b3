/* columns.cu - between images and the matrices that a convolution multiplies. A column is an output pixel; its number q
 * counts through the batch, so that any span of the pixels is a matrix of its own, whatever the images' borders. */
#include "train/ops/cuda/launch.h"

#include "train/ops/cuda/device/window.cuh"

/* Loop over a launch of columns: x over the columns, y over channels. */
#define EACH_COLUMN(j, count)                                                      \
    for (int64_t j = (int64_t)blockIdx.x * GRID_PIXELS + threadIdx.x; j < (count); \
         j += (int64_t)gridDim.x * GRID_PIXELS)

/* A thread writes what one channel has under one window. */
__global__ static void to_columns(float *columns, window w, launch_span q, const float *x)
{
    int pixels = w.out_height * w.out_width;

    EACH_COLUMN(j, q.count)
    {
        int64_t image = (q.first + j) / pixels;
        int p = (int)((q.first + j) % pixels);
        int row = p / w.out_width * w.stride - w.top, column = p % w.out_width * w.stride - w.left;

        GRID_EACH_CHANNEL(c, w.in_channels)
        {
            const float *from = x + (image * w.in_channels + c) * w.in_height * w.in_width;
            float *to = columns + (int64_t)c * w.kernel * w.kernel * q.count + j;

            for (int i = row; i < row + w.kernel; i++)
                for (int k = column; k < column + w.kernel; k++, to += q.count)
                    *to = i >= 0 && i < w.in_height && k >= 0 && k < w.in_width ? from[i * w.in_width + k] : 0.0f;
        }
    }
}

/* A thread adds up for one input pixel, over the windows that cover it. The images are those that the span touches. */
__global__ static void from_columns(float *dx, int64_t first, int64_t images, window w, launch_span q,
                                    const float *columns)
{
    GRID_EACH_IMAGE(b, images)
    GRID_EACH_CHANNEL(c, w.in_channels)
    GRID_EACH_PIXEL(p, w.in_height * w.in_width)
    {
        int y = p / w.in_width, x = p % w.in_width;
        cover rows = cover_of(y, w.top, w.kernel, w.stride, w.out_height);
        cover across = cover_of(x, w.left, w.kernel, w.stride, w.out_width);
        int64_t start = (first + b) * w.out_height * w.out_width - q.first;
        const float *from = columns + (int64_t)c * w.kernel * w.kernel * q.count;
        float sum = 0;

        for (int i = rows.from; i < rows.to; i++)
            for (int j = across.from; j < across.to; j++) {
                int64_t column = start + i * w.out_width + j;
                int tap = (y + w.top - i * w.stride) * w.kernel + x + w.left - j * w.stride;

                if (column >= 0 && column < q.count)
                    sum += from[tap * q.count + column];
            }
        dx[((first + b) * w.in_channels + c) * w.in_height * w.in_width + p] += sum;
    }
}

/* Output value (channel, column j) of the layer's own layout. */
static __device__ int64_t place(const window &w, launch_span q, int64_t j, int channel)
{
    int64_t pixels = w.out_height * w.out_width, image = (q.first + j) / pixels;

    return (image * w.out_channels + channel) * pixels + (q.first + j - image * pixels);
}

__global__ static void gather(float *pixels, window w, launch_span q, const float *dy)
{
    EACH_COLUMN(j, q.count)
    GRID_EACH_CHANNEL(c, w.out_channels)
    pixels[c * q.count + j] = dy[place(w, q, j, c)];
}

__global__ static void spread(float *y, window w, launch_span q, const float *pixels, const float *bias)
{
    EACH_COLUMN(j, q.count)
    GRID_EACH_CHANNEL(c, w.out_channels)
    y[place(w, q, j, c)] = pixels[c * q.count + j] + (bias ? bias[c] : 0.0f);
}

__global__ static void add_bias(float *y, int64_t images, int channels, int pixels, const float *bias)
{
    GRID_EACH_IMAGE(b, images)
    GRID_EACH_CHANNEL(c, channels)
    GRID_EACH_PIXEL(p, pixels)
    y[(b * channels + c) * pixels + p] += bias[c];
}

void launch_columns(float *columns, const struct conv_shape *s, struct launch_span q, const float *x, void *stream)
{
    NW_LAUNCH(to_columns, grid_of_images(q.count, s->in_channels, 1), grid_block(), 0, grid_stream(stream), columns,
              window_of(s), q, x);
}

void launch_columns_backward(float *dx, const struct conv_shape *s, struct launch_span q, const float *columns,
                             void *stream)
{
    int64_t pixels = s->out_height * s->out_width, first = q.first / pixels;
    int64_t images = (q.first + q.count - 1) / pixels - first + 1;

    NW_LAUNCH(from_columns, grid_of_images(s->in_height * s->in_width, s->in_channels, images), grid_block(), 0,
              grid_stream(stream), dx, first, images, window_of(s), q, columns);
}

void launch_gather(float *pixels, const struct conv_shape *s, struct launch_span q, const float *dy, void *stream)
{
    NW_LAUNCH(gather, grid_of_images(q.count, s->out_channels, 1), grid_block(), 0, grid_stream(stream), pixels,
              window_of(s), q, dy);
}

void launch_spread(float *y, const struct conv_shape *s, struct launch_span q, const float *pixels, const float *bias,
                   void *stream)
{
    NW_LAUNCH(spread, grid_of_images(q.count, s->out_channels, 1), grid_block(), 0, grid_stream(stream), y,
              window_of(s), q, pixels, bias);
}

void launch_bias(float *y, const struct image_shape *s, const float *bias, void *stream)
{
    NW_LAUNCH(add_bias, grid_of_images(s->height * s->width, s->channels, s->batch), grid_block(), 0,
              grid_stream(stream), y, s->batch, (int)s->channels, (int)(s->height * s->width), bias);
}
