/* norm.c - batch normalization. A channel's sums are double, in lanes: value i of an image's plane goes to lane i %
 * LANES, image after image, and the lanes are added pair by pair at the end. So the order follows from the shape, and
 * threads take whole channels. While a plane is worked on, the next image's is fetched: 'next' floats further, or 0
 * behind the last one. */
#include <math.h>

#include "train/ops/cpu/cpu.h"

static const double epsilon = 1e-5;

enum { LANES = 16 };

/* Two sums of a channel. */
struct sums {
    double first[LANES], second[LANES];
};

static double total(double lane[LANES])
{
    for (int64_t width = LANES / 2; width; width /= 2)
        for (int64_t j = 0; j < width; j++)
            lane[j] += lane[j + width];
    return lane[0];
}

/* A plane's last values, filled up to all lanes with one that adds nothing. */
static void fill_up(float block[LANES], const float *x, int64_t n, float nothing)
{
    for (int64_t j = 0; j < LANES; j++)
        block[j] = j < n ? x[j] : nothing;
}

CPU_CLONES static void add_moment_blocks(struct sums *s, const float *x, int64_t n, int64_t next, double origin)
{
    struct sums t = *s;

    for (int64_t i = 0; i + LANES <= n; i += LANES) {
        __builtin_prefetch(x + i + next);
        CPU_SIMD
        for (int64_t j = 0; j < LANES; j++) {
            double d = (double)x[i + j] - origin;

            t.first[j] += d;
            t.second[j] += d * d;
        }
    }
    *s = t;
}

/* Of x - origin and of its square: one pass, and no precision is lost where a channel's values are large compared with
 * their spread, as the origin is one of them: (origin - mean)^2 is at most count x variance, and a double holds that
 * together with the variance. */
static void add_moments(struct sums *s, const float *x, int64_t n, int64_t next, float origin)
{
    float last[LANES];

    add_moment_blocks(s, x, n, next, (double)origin);
    fill_up(last, x + n / LANES * LANES, n % LANES, origin);
    add_moment_blocks(s, last, n % LANES ? LANES : 0, 0, (double)origin);
}

CPU_CLONES static void add_product_blocks(struct sums *s, const float *x, const float *dy, int64_t n, int64_t next)
{
    struct sums t = *s;

    for (int64_t i = 0; i + LANES <= n; i += LANES) {
        __builtin_prefetch(x + i + next);
        __builtin_prefetch(dy + i + next);
        CPU_SIMD
        for (int64_t j = 0; j < LANES; j++) {
            t.first[j] += (double)dy[i + j];
            t.second[j] += (double)dy[i + j] * (double)x[i + j];
        }
    }
    *s = t;
}

/* Of dy, and of x dy. */
static void add_products(struct sums *s, const float *x, const float *dy, int64_t n, int64_t next)
{
    float last_x[LANES], last_dy[LANES];

    add_product_blocks(s, x, dy, n, next);
    fill_up(last_x, x + n / LANES * LANES, n % LANES, 0);
    fill_up(last_dy, dy + n / LANES * LANES, n % LANES, 0);
    add_product_blocks(s, last_x, last_dy, n % LANES ? LANES : 0, 0);
}

static int64_t to_next(const struct image_shape *s, int64_t n)
{
    return n + 1 < s->batch ? s->channels * s->height * s->width : 0;
}

static void statistics(const struct image_shape *s, const float *x, int64_t c, float *mean, float *inv_std)
{
    int64_t area = s->height * s->width;
    double count = (double)(s->batch * area), offset, variance;
    struct sums sums = { { 0 }, { 0 } };
    float origin = x[c * area];

    for (int64_t n = 0; n < s->batch; n++)
        add_moments(&sums, x + (n * s->channels + c) * area, area, to_next(s, n), origin);
    offset = total(sums.first) / count;
    variance = total(sums.second) / count - offset * offset;
    mean[c] = (float)((double)origin + offset);
    inv_std[c] = (float)(1 / sqrt((variance > 0 ? variance : variance * 0) + epsilon)); /* a NaN stays one */
}

static void will_write(const float *y, int64_t n)
{
    for (int64_t i = 0; i < n; i += CPU_LINE)
        __builtin_prefetch(y + i, 1);
}

CPU_CLONES static void normalize_plane(const float *x, int64_t n, float mean, float factor, float shift, float *y)
{
    CPU_SIMD
    for (int64_t i = 0; i < n; i++)
        y[i] = (x[i] - mean) * factor + shift;
}

static void normalize(const struct image_shape *s, const float *x, int64_t c, float scale, float shift, float mean,
                      float inv_std, float *y)
{
    int64_t area = s->height * s->width;

    for (int64_t n = 0; n < s->batch; n++) {
        int64_t at = (n * s->channels + c) * area;

        will_write(y + at + to_next(s, n), area);
        normalize_plane(x + at, area, mean, scale * inv_std, shift, y + at);
    }
}

int cpu_norm_forward(struct ops *o, const struct image_shape *s, const float *x, const float *scale, const float *shift,
                     float *y, float *mean, float *inv_std, void *stream)
{
    int rc = cpu_check_image(o, s);

    (void)stream;
    if (rc)
        return rc;
    CPU_PARALLEL_FOR(s->batch * s->channels * s->height * s->width)
    for (int64_t c = 0; c < s->channels; c++) {
        statistics(s, x, c, mean, inv_std);
        normalize(s, x, c, scale[c], shift[c], mean[c], inv_std[c], y);
    }
    return 0;
}

int cpu_norm_again(struct ops *o, const struct image_shape *s, const float *x, const float *scale, const float *shift,
                   const float *mean, const float *inv_std, float *y, void *stream)
{
    int rc = cpu_check_image(o, s);

    (void)stream;
    if (rc)
        return rc;
    CPU_PARALLEL_FOR(s->batch * s->channels * s->height * s->width)
    for (int64_t c = 0; c < s->channels; c++)
        normalize(s, x, c, scale[c], shift[c], mean[c], inv_std[c], y);
    return 0;
}

/* dx = factor (dy - constant - (x - mean) slope) */
struct line {
    float factor, constant, slope, mean;
};

CPU_CLONES static void errors_of_plane(const float *x, const float *dy, int64_t n, struct line l, float *dx)
{
    CPU_SIMD
    for (int64_t i = 0; i < n; i++)
        dx[i] = l.factor * (dy[i] - l.constant - (x[i] - l.mean) * l.slope);
}

/* With h = (x - mean) inv_std: dshift = sum dy, dscale = sum dy h, dx = scale inv_std (dy - (dshift + h dscale) /
 * count). */
static void backward_channel(const struct image_shape *s, const float *x, const float *dy, int64_t c, float scale,
                             float mean, float inv_std, float *dx, float *dscale, float *dshift)
{
    int64_t area = s->height * s->width;
    double count = (double)(s->batch * area), sum, along;
    struct sums sums = { { 0 }, { 0 } };
    struct line line = { .factor = scale * inv_std, .mean = mean };

    for (int64_t n = 0; n < s->batch; n++)
        add_products(&sums, x + (n * s->channels + c) * area, dy + (n * s->channels + c) * area, area, to_next(s, n));
    sum = total(sums.first);
    along = (total(sums.second) - (double)mean * sum) * (double)inv_std;
    line.constant = (float)(sum / count);
    line.slope = (float)(along * (double)inv_std / count);
    for (int64_t n = 0; n < s->batch && dx; n++) {
        int64_t at = (n * s->channels + c) * area;

        will_write(dx + at + to_next(s, n), area);
        errors_of_plane(x + at, dy + at, area, line, dx + at);
    }
    dscale[c] += (float)along;
    dshift[c] += (float)sum;
}

int cpu_norm_backward(struct ops *o, const struct image_shape *s, const float *x, const float *dy, const float *scale,
                      const float *mean, const float *inv_std, float *dx, float *dscale, float *dshift, void *stream)
{
    int rc = cpu_check_image(o, s);

    (void)stream;
    if (rc)
        return rc;
    CPU_PARALLEL_FOR(s->batch * s->channels * s->height * s->width)
    for (int64_t c = 0; c < s->channels; c++)
        backward_channel(s, x, dy, c, scale[c], mean[c], inv_std[c], dx, dscale, dshift);
    return 0;
}
