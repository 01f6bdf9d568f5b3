/* slide.c - a window of weights slides over planes: convolution forward, and, with its weights flipped, to the data. */
#include <string.h>

#include "train/number.h"
#include "train/ops/direct/direct.h"

/* What reads beyond a plane by the rounding of places finds something there. */
enum { SLACK = CONV_WIDE + CONV_LANES };

struct call {
    const struct conv_impl *row;
    const struct direct *d;
    const float *x, *bias;
    float *y, *weights, *start; /* weights: [blocks][taps][CONV_ROWS] */
    uint32_t *at;
};

static int64_t blocks_of(const struct direct *d)
{
    return (d->outputs + CONV_ROWS - 1) / CONV_ROWS;
}

/* Floats of each part of the scratch, in multiples of 64 bytes. */
static int64_t whole_lines(int64_t n)
{
    return (n + 15) / 16 * 16;
}

static int64_t thread_floats(const struct direct *d)
{
    return whole_lines(d->channels * d->plane + SLACK) + CONV_ROWS * d->places;
}

static int64_t shared_floats(const struct direct *d)
{
    int64_t taps = direct_taps_of(d);

    return whole_lines(blocks_of(d) * taps * CONV_ROWS) + whole_lines(blocks_of(d) * CONV_ROWS) + whole_lines(taps);
}

size_t direct_slide_size(const struct direct *d)
{
    return (size_t)(shared_floats(d) + cpu_threads() * thread_floats(d)) * sizeof(float);
}

/* A block's weights tap by tap, those of outputs that are not there 0. Flipped: they lie
 * [channels][outputs][kernel][kernel], and the last tap comes first. */
static void put_weights(const struct call *c, const float *w, bool flipped, int64_t block)
{
    int64_t taps = direct_taps_of(c->d), area = c->d->kernel * c->d->kernel;
    float *to = c->weights + block * taps * CONV_ROWS;

    for (int64_t r = 0; r < CONV_ROWS; r++) {
        int64_t output = block * CONV_ROWS + r;

        for (int64_t t = 0; t < taps; t++) {
            int64_t from =
                flipped ? (t / area * c->d->outputs + output) * area + area - 1 - t % area : output * taps + t;

            to[t * CONV_ROWS + r] = output < c->d->outputs ? w[from] : 0;
        }
        c->start[output] = c->bias && output < c->d->outputs ? c->bias[output] : 0;
    }
}

/* What of a block's sums are outputs. */
static void take(const struct call *c, int64_t block, int64_t unit, int64_t rows, const float *sums)
{
    const struct direct *d = c->d;
    int64_t strip = unit % d->strips, group = unit / d->strips;

    for (int64_t r = 0; r < CONV_ROWS && block * CONV_ROWS + r < d->outputs; r++)
        for (int64_t q = 0; q < d->side && group * d->side + q < d->batch; q++) {
            int64_t image = (group * d->side + q) * d->outputs + block * CONV_ROWS + r;
            const struct conv_rectangle part = {
                .height = (size_t)rows,
                .width = (size_t)d->out_width,
                .to = c->y + (image * d->out_height + strip * d->rows) * d->out_width,
                .to_pitch = (size_t)d->out_width,
                .from = sums + r * d->places + q * d->width,
                .from_pitch = (size_t)d->pitch,
            };

            c->row->lay(&part);
        }
}

/* While a block is computed: where its outputs go, and its share of the images that come next. Strips of images lie in
 * too many pieces. */
static void look_ahead(const struct call *c, int64_t unit, int64_t block, struct conv_sums *s)
{
    const struct direct *d = c->d;
    int64_t image = d->channels * d->in_height * d->in_width, area = d->out_height * d->out_width;
    int64_t now = unit * d->side, next = least(now + d->side, d->batch);
    int64_t all = (least(next + d->side, d->batch) - next) * image, from = all * block / blocks_of(d);

    if (d->strips > 1)
        return;
    s->ahead[0] = (struct conv_ahead){ c->y + (now * d->outputs + block * CONV_ROWS) * area,
                                       (size_t)(least(CONV_ROWS, d->outputs - block * CONV_ROWS) * area) };
    s->ahead[1] = (struct conv_ahead){ c->x + next * image + from, (size_t)(all * (block + 1) / blocks_of(d) - from) };
}

static void compute(const struct call *c, int64_t unit, float *planes)
{
    const struct direct *d = c->d;
    int64_t left = d->out_height - unit % d->strips * d->rows, rows = least(left, d->rows);
    float *sums = planes + whole_lines(d->channels * d->plane + SLACK);
    struct conv_sums s = { .taps = (size_t)direct_taps_of(d), .x = planes, .at = c->at, .y = sums };

    s.places = (size_t)((rows * d->pitch + CONV_WIDE - 1) / CONV_WIDE * CONV_WIDE);
    s.ldy = (size_t)d->places;
    direct_lay(c->row, d, c->x, unit, d->plane, planes);
    for (int64_t block = 0; block < blocks_of(d); block++) {
        s.w = c->weights + block * (int64_t)s.taps * CONV_ROWS;
        s.start = c->start + block * CONV_ROWS;
        look_ahead(c, unit, block, &s);
        c->row->sums(&s);
        take(c, block, unit, rows, sums);
    }
}

void direct_slide(const struct conv_impl *row, const struct direct *d, bool flipped, const float *x, const float *w,
                  const float *bias, float *y, void *scratch)
{
    int64_t taps = direct_taps_of(d);
    struct call c = { row, d, x, bias, y, scratch, NULL, NULL };
    float *planes;

    c.start = c.weights + whole_lines(blocks_of(d) * taps * CONV_ROWS);
    c.at = (uint32_t *)(c.start + whole_lines(blocks_of(d) * CONV_ROWS));
    planes = c.weights + shared_floats(d);
    direct_taps(d, d->plane, c.at);
#pragma omp parallel
    {
        float *own = planes + cpu_thread_number() * thread_floats(d);

        memset(own + d->channels * d->plane, 0, SLACK * sizeof(*own));
#pragma omp for schedule(static)
        for (int64_t block = 0; block < blocks_of(d); block++)
            put_weights(&c, w, flipped, block);
#pragma omp for schedule(dynamic) nowait
        for (int64_t unit = 0; unit < d->groups * d->strips; unit++)
            compute(&c, unit, own);
    }
}
