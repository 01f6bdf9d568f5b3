/* norm.cu - batch normalization, and gradients of biases: many blocks each add up a part of a channel, then one thread
 * adds up the parts, whose number follows from the shape alone. */
#include "train/ops/cuda/launch.h"

#include "train/ops/cuda/device/reduce.cuh"

/* A part is worth a block from this many values on; this many blocks fill any device. */
enum { PART_VALUES = 4096, PART_BLOCKS = 2048 };

static const double EPSILON = 1e-5;

/* The values of a channel, image after image, in parts of 'each'. */
struct layout {
    int channels, pixels, parts;
    int64_t count, each;
};

static layout layout_of(const struct image_shape *s)
{
    layout l = { (int)s->channels, (int)(s->height * s->width), 1, s->batch * s->height * s->width, 0 };

    l.parts = (int)grid_part(l.count, PART_VALUES, grid_part(PART_BLOCKS, l.channels, PART_BLOCKS));
    l.each = (l.count + l.parts - 1) / l.parts;
    return l;
}

/* --- the terms of the sums: at place i, of channel c -------------------------------------------------------------- */

/* Away from the channel's first value, so that a large mean costs no precision. */
struct moments {
    const float *x;
    int pixels;

    __device__ pair operator()(int64_t i, int c) const
    {
        double v = (double)x[i] - (double)x[(int64_t)c * pixels];
        pair p = { v, v * v };

        return p;
    }
};

struct errors {
    const float *x, *dy, *mean;

    __device__ pair operator()(int64_t i, int c) const
    {
        pair p = { dy[i], (double)dy[i] * ((double)x[i] - (double)mean[c]) };

        return p;
    }
};

struct biases {
    const float *dy;

    __device__ pair operator()(int64_t i, int) const
    {
        pair p = { dy[i], 0 };

        return p;
    }
};

/* Block (part, channel). */
template <class Term>
__global__ static void __launch_bounds__(GRID_THREADS) sum_parts(pair *partial, layout l, Term term)
{
    int c = (int)blockIdx.y;
    int64_t from = blockIdx.x * l.each, to = min((long long)(from + l.each), (long long)l.count);
    int64_t image = (from + threadIdx.x) / l.pixels;
    int pixel = (int)((from + threadIdx.x) % l.pixels), images = GRID_THREADS / l.pixels;
    pair sum = { 0, 0 };

    for (int64_t e = from + threadIdx.x; e < to; e += GRID_THREADS) {
        sum = reduce_sum::of(sum, term((image * l.channels + c) * l.pixels + pixel, c));
        image += images;
        pixel += GRID_THREADS - images * l.pixels;
        if (pixel >= l.pixels) {
            pixel -= l.pixels;
            image++;
        }
    }
    sum = reduce_block<reduce_sum>(sum);
    if (threadIdx.x == 0)
        partial[(int64_t)c * l.parts + blockIdx.x] = sum;
}

static __device__ pair sum_of_parts(const pair *partial, const layout &l, int c)
{
    pair sum = { 0, 0 };

    for (int p = 0; p < l.parts; p++)
        sum = reduce_sum::of(sum, partial[(int64_t)c * l.parts + p]);
    return sum;
}

/* A thread per channel. */
static __device__ int my_channel()
{
    return (int)(blockIdx.x * GRID_THREADS + threadIdx.x);
}

__global__ static void finish_statistics(float *mean, float *inv_std, const float *x, const pair *partial, layout l)
{
    int c = my_channel();

    if (c < l.channels) {
        pair sum = sum_of_parts(partial, l, c);
        double m = sum.a / (double)l.count, variance = sum.b / (double)l.count - m * m;

        mean[c] = (float)((double)x[(int64_t)c * l.pixels] + m);
        inv_std[c] = (float)(1 / sqrt((variance > 0 ? variance : 0) + EPSILON));
    }
}

/* The sums stay for norm_dx; behind the parts, of which there may be as many as channels at most. */
__global__ static void finish_norm(float *dscale, float *dshift, pair *total, const float *inv_std, const pair *partial,
                                   layout l)
{
    int c = my_channel();

    if (c < l.channels) {
        pair sum = sum_of_parts(partial, l, c);

        sum.b *= (double)inv_std[c];
        total[c] = sum;
        dshift[c] += (float)sum.a;
        dscale[c] += (float)sum.b;
    }
}

__global__ static void finish_bias(float *dbias, const pair *partial, layout l)
{
    int c = my_channel();

    if (c < l.channels)
        dbias[c] += (float)sum_of_parts(partial, l, c).a;
}

__global__ static void norm_apply(float *y, int64_t images, layout l, const float *x, const float *scale,
                                  const float *shift, const float *mean, const float *inv_std)
{
    GRID_EACH_IMAGE(b, images)
    GRID_EACH_CHANNEL(c, l.channels)
    GRID_EACH_PIXEL(p, l.pixels)
    {
        int64_t i = (b * l.channels + c) * l.pixels + p;

        y[i] = (x[i] - mean[c]) * (scale[c] * inv_std[c]) + shift[c];
    }
}

__global__ static void norm_dx(float *dx, int64_t images, layout l, const float *x, const float *dy, const float *scale,
                               const float *mean, const float *inv_std, const pair *total)
{
    GRID_EACH_IMAGE(b, images)
    GRID_EACH_CHANNEL(c, l.channels)
    {
        float constant = (float)(total[c].a / (double)l.count);
        float slope = (float)(total[c].b * (double)inv_std[c] / (double)l.count), factor = scale[c] * inv_std[c];

        GRID_EACH_PIXEL(p, l.pixels)
        {
            int64_t i = (b * l.channels + c) * l.pixels + p;

            dx[i] = factor * (dy[i] - constant - (x[i] - mean[c]) * slope);
        }
    }
}

/* --- launchers ---------------------------------------------------------------------------------------------------- */

static_assert(LAUNCH_SCRATCH_B == 2 * LAUNCH_CHANNELS * sizeof(pair), "parts and totals");
static_assert(PART_BLOCKS <= LAUNCH_CHANNELS / 2, "all parts fit");
static_assert(LAUNCH_CHANNELS <= 65535, "a grid's height");

template <class Term> static void sum(pair *partial, const layout &l, Term term, cudaStream_t on)
{
    NW_LAUNCH(sum_parts<Term>, dim3((unsigned)l.parts, (unsigned)l.channels), GRID_THREADS, 0, on, partial, l, term);
}

static unsigned threads_for(const layout &l)
{
    return grid_part(l.channels, GRID_THREADS, GRID_BLOCKS);
}

static dim3 grid_of(const struct image_shape *s)
{
    return grid_of_images(s->height * s->width, s->channels, s->batch);
}

void launch_norm_statistics(float *mean, float *inv_std, const struct image_shape *s, const float *x, void *scratch,
                            void *stream)
{
    layout l = layout_of(s);
    moments term = { x, l.pixels };
    pair *partial = static_cast<pair *>(scratch);

    sum(partial, l, term, grid_stream(stream));
    NW_LAUNCH(finish_statistics, threads_for(l), GRID_THREADS, 0, grid_stream(stream), mean, inv_std, x, partial, l);
}

void launch_norm_apply(float *y, const struct image_shape *s, const float *x, const float *scale, const float *shift,
                       const float *mean, const float *inv_std, void *stream)
{
    NW_LAUNCH(norm_apply, grid_of(s), grid_block(), 0, grid_stream(stream), y, s->batch, layout_of(s), x, scale, shift,
              mean, inv_std);
}

void launch_norm_backward(float *dx, float *dscale, float *dshift, const struct image_shape *s, const float *x,
                          const float *dy, const float *scale, const float *mean, const float *inv_std, void *scratch,
                          void *stream)
{
    layout l = layout_of(s);
    errors term = { x, dy, mean };
    pair *partial = static_cast<pair *>(scratch), *total = partial + LAUNCH_CHANNELS;

    sum(partial, l, term, grid_stream(stream));
    NW_LAUNCH(finish_norm, threads_for(l), GRID_THREADS, 0, grid_stream(stream), dscale, dshift, total, inv_std,
              partial, l);
    if (dx)
        NW_LAUNCH(norm_dx, grid_of(s), grid_block(), 0, grid_stream(stream), dx, s->batch, l, x, dy, scale, mean,
                  inv_std, total);
}

void launch_bias_backward(float *dbias, const struct image_shape *s, const float *dy, void *scratch, void *stream)
{
    layout l = layout_of(s);
    biases term = { dy };
    pair *partial = static_cast<pair *>(scratch);

    sum(partial, l, term, grid_stream(stream));
    NW_LAUNCH(finish_bias, threads_for(l), GRID_THREADS, 0, grid_stream(stream), dbias, partial, l);
}
