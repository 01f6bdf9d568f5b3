/* direct.c - how images are placed in planes, and which convolutions these loops take. */
#include "train/ops/direct/direct.h"
#include "train/number.h"

#include <string.h>

/* Bytes of a strip's planes, for a second-level cache; places of a strip, for a block of outputs in a first-level
 * one. */
enum { PLANES_BYTES = 768 << 10, PLACES_MOST = 1200, SIDE_MOST = 8 };

const struct conv_impl *direct_row(void)
{
    for (const struct conv_impl *im = conv_impls; im->impl.name; im++)
        if (im->impl.where == IMPL_HOST && im->impl.usable())
            return strcmp(im->impl.name, "scalar") ? im : NULL;
    return NULL;
}

/* With so many images side by side, or strips of so many rows. */
static void lay_out(struct direct *d, int64_t side, int64_t rows)
{
    d->side = side;
    d->groups = divide_up(d->batch, side);
    d->rows = rows;
    d->strips = divide_up(d->out_height, rows);
    d->pitch = side * d->width;
    d->places = round_up(rows * d->pitch, CONV_WIDE);
    d->plane = round_up((rows + d->kernel - 1) * d->pitch + d->left, CONV_LANES);
}

static bool fits(const struct direct *d)
{
    return d->places <= PLACES_MOST && d->channels * d->plane * (int64_t)sizeof(float) <= PLANES_BYTES;
}

/* Steps of vectors, about: of arithmetic; and of copying, four of which take the time of one. */
static double cost(const struct direct *d)
{
    double units = (double)(d->groups * d->strips);
    double arithmetic = (double)(d->places * round_up(d->outputs, CONV_ROWS)) * (double)direct_taps_of(d);

    return units * (arithmetic + 4 * (double)(d->channels * d->plane + d->outputs * d->places));
}

/* The cheapest way that fits; a row at a time, should none. */
static void choose(struct direct *d)
{
    struct direct best;

    lay_out(d, 1, 1);
    best = *d;
    for (int64_t strips = 1; strips <= d->out_height; strips++) {
        lay_out(d, 1, divide_up(d->out_height, strips));
        if (fits(d) && cost(d) < cost(&best))
            best = *d;
    }
    for (int64_t side = 2; side <= SIDE_MOST && side <= d->batch; side *= 2) {
        lay_out(d, side, d->out_height);
        if (fits(d) && cost(d) < cost(&best))
            best = *d;
    }
    *d = best;
}

static bool within(int64_t pad, int64_t kernel)
{
    return pad >= 0 && pad < kernel;
}

double direct_share(const struct direct *d)
{
    double steps = (double)(d->groups * d->strips) * (double)(d->places * round_up(d->outputs, CONV_ROWS));

    return (double)(d->batch * d->out_height * d->out_width) * (double)d->outputs / steps;
}

bool direct_takes(const struct conv_shape *s, enum direct_way way, struct direct *d)
{
    int64_t k = s->kernel, left = s->pad_left, right = s->pad_right;

    if (s->stride != 1 || k < 2 || !within(left, k) || !within(right, k) || !within(s->pad_top, k) ||
        !within(s->pad_bottom, k))
        return false;
    if (way == DIRECT_DATA)
        *d = (struct direct){ .batch = s->batch,
                              .channels = s->out_channels,
                              .in_height = s->out_height,
                              .in_width = s->out_width,
                              .outputs = s->in_channels,
                              .out_height = s->in_height,
                              .out_width = s->in_width,
                              .kernel = k,
                              .top = k - 1 - s->pad_top,
                              .left = k - 1 - left,
                              .width = s->out_width + k - 1 - (left < right ? left : right) };
    else
        *d = (struct direct){ .batch = s->batch,
                              .channels = s->in_channels,
                              .in_height = s->in_height,
                              .in_width = s->in_width,
                              .outputs = s->out_channels,
                              .out_height = s->out_height,
                              .out_width = s->out_width,
                              .kernel = k,
                              .top = s->pad_top,
                              .left = left,
                              .width = s->in_width + (left > right ? left : right) };
    if (d->width > PLACES_MOST)
        return false;
    choose(d);
    return direct_share(d) > 0.6;
}

void direct_taps(const struct direct *d, int64_t step, uint32_t *at)
{
    int64_t k = d->kernel;

    for (int64_t t = 0; t < direct_taps_of(d); t++)
        at[t] = (uint32_t)(t / (k * k) * step + t / k % k * d->pitch + t % k);
}

/* Copies rows [from, to) of a channel of the group's images to 'to_plane'; zeros for images beyond the last. */
static void lay_rows(const struct conv_impl *row, const struct direct *d, const float *x, int64_t group, int64_t c,
                     int64_t from, int64_t count, float *plane)
{
    for (int64_t q = 0; q < d->side; q++) {
        int64_t n = group * d->side + q;
        bool there = n < d->batch;
        const struct conv_rectangle r = {
            .height = (size_t)count,
            .width = there ? (size_t)d->in_width : 0,
            .zeros = (size_t)(there ? d->width - d->in_width : d->width),
            .to = plane + q * d->width,
            .to_pitch = (size_t)d->pitch,
            .from = there ? x + ((n * d->channels + c) * d->in_height + from) * d->in_width : x,
            .from_pitch = (size_t)d->in_width,
        };

        row->lay(&r);
    }
}

void direct_lay(const struct conv_impl *row, const struct direct *d, const float *x, int64_t unit, int64_t step,
                float *planes)
{
    int64_t first = unit % d->strips * d->rows - d->top, after = first + d->rows + d->kernel - 1;
    int64_t from = clamp(first, 0, d->in_height), to = clamp(after, from, d->in_height);

    for (int64_t c = 0; c < d->channels; c++) {
        float *plane = planes + c * step, *begin = plane + d->left + (from - first) * d->pitch;
        float *end = begin + (to - from) * d->pitch;

        memset(plane, 0, (size_t)(begin - plane) * sizeof(*plane));
        lay_rows(row, d, x, unit / d->strips, c, from, to - from, begin);
        memset(end, 0, (size_t)(plane + d->plane - end) * sizeof(*end));
    }
}
