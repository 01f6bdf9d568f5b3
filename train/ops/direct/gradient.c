/* gradient.c - gradients of weights from planes. The batch's strips come in chunks, some of them where they are short,
 * so that the additions across lanes at a chunk's end are few compared with its products; chunks make parts, each with
 * gradients of its own. Threads take (part, block of output channels) pairs: one that takes several blocks of a part
 * copies its images once. */
#include <string.h>

#include "train/number.h"
#include "train/ops/direct/direct.h"

/* Places of a chunk, about: 8 rows of errors fit a first-level cache. Parts, and floats of all their gradients. */
enum { CHUNK_PLACES = 1056, PARTS_MOST = 8, PART_FLOATS = 1 << 20, SLACK = CONV_WIDE + CONV_LANES };

struct gradients {
    const struct conv_impl *row;
    const struct direct *d;
    const float *x, *dy;
    float *parts; /* [nparts][blocks][taps][CONV_ROWS] */
    uint32_t *at;
    int64_t blocks, taps, places, segments, chunks, nparts; /* taps: rounded up; segments: strips of a chunk */
};

static struct gradients plan(const struct direct *d)
{
    struct gradients g = { .d = d };
    int64_t units = d->groups * d->strips, most;

    g.blocks = round_up(d->outputs, CONV_ROWS) / CONV_ROWS;
    g.taps = round_up(direct_taps_of(d), CONV_TAPS);
    g.places = round_up(d->rows * d->pitch, CONV_LANES);
    g.segments = least(units, g.places < CHUNK_PLACES ? CHUNK_PLACES / g.places : 1);
    g.chunks = (units + g.segments - 1) / g.segments;
    most = PART_FLOATS / (g.blocks * CONV_ROWS * g.taps);
    g.nparts = least(g.chunks, most < 1 ? 1 : least(most, PARTS_MOST));
    return g;
}

static int64_t part_floats(const struct gradients *g)
{
    return g->blocks * CONV_ROWS * g->taps;
}

static int64_t planes_floats(const struct gradients *g)
{
    return round_up(g->d->channels * g->segments * g->d->plane + SLACK, 16);
}

static int64_t errors_floats(const struct gradients *g)
{
    return CONV_ROWS * g->segments * g->places;
}

static int64_t thread_floats(const struct gradients *g)
{
    return planes_floats(g) + errors_floats(g);
}

size_t direct_gradient_size(const struct direct *d)
{
    struct gradients g = plan(d);

    return (size_t)(g.nparts * part_floats(&g) + round_up(g.taps, 16) + cpu_threads() * thread_floats(&g)) *
           sizeof(float);
}

/* The errors of a block's outputs in one strip, with zeros at every other place. */
static void lay_errors(const struct gradients *g, int64_t unit, int64_t block, float *to)
{
    const struct direct *d = g->d;
    int64_t strip = unit % d->strips, group = unit / d->strips;
    int64_t rows = least(d->rows, d->out_height - strip * d->rows), row_floats = g->segments * g->places;

    for (int64_t r = 0; r < CONV_ROWS; r++, to += row_floats) {
        bool there = block * CONV_ROWS + r < d->outputs;

        memset(to + rows * d->pitch, 0, (size_t)(g->places - rows * d->pitch) * sizeof(*to));
        for (int64_t q = 0; q < d->side; q++) {
            int64_t n = group * d->side + q, image = n * d->outputs + block * CONV_ROWS + r;
            bool filled = there && n < d->batch;
            const struct conv_rectangle part = {
                .height = (size_t)rows,
                .width = filled ? (size_t)d->out_width : 0,
                .zeros = (size_t)(filled ? d->width - d->out_width : d->width),
                .to = to + q * d->width,
                .to_pitch = (size_t)d->pitch,
                .from = filled ? g->dy + (image * d->out_height + strip * d->rows) * d->out_width : g->dy,
                .from_pitch = (size_t)d->out_width,
            };

            g->row->lay(&part);
        }
    }
}

/* Share 'i' of 'n' of an array of whole images that belongs to the chunk's units; nothing behind the last one. */
static struct conv_ahead share_of(const struct gradients *g, int64_t chunk, const float *images, int64_t image,
                                  int64_t i, int64_t n)
{
    int64_t step = g->segments * g->d->side, first = least(chunk * step, g->d->batch);
    int64_t all = (least(first + step, g->d->batch) - first) * image;

    return (struct conv_ahead){ images + first * image + all * i / n, (size_t)(all * (i + 1) / n - all * i / n) };
}

/* Blocks [from, to) of a chunk, into its part's gradients. */
static void add_chunk(const struct gradients *g, int64_t chunk, int64_t from, int64_t to, float *part, float *planes)
{
    const struct direct *d = g->d;
    int64_t first = chunk * g->segments, count = least(g->segments, d->groups * d->strips - first);
    float *errors = planes + planes_floats(g);
    struct conv_gradients c = { .taps = (size_t)g->taps,
                                .places = (size_t)g->places,
                                .segments = (size_t)count,
                                .x = planes,
                                .x_step = (size_t)g->d->plane,
                                .at = g->at,
                                .dy = errors,
                                .lddy = (size_t)(g->segments * g->places),
                                .dy_step = (size_t)g->places };

    for (int64_t i = 0; i < count; i++)
        direct_lay(g->row, g->d, g->x, first + i, g->segments * g->d->plane, planes + i * g->d->plane);
    for (int64_t block = from; block < to; block++) {
        for (int64_t i = 0; i < count; i++)
            lay_errors(g, first + i, block, errors + i * g->places);
        c.dw = part + block * CONV_ROWS * g->taps;
        if (d->strips == 1) {
            c.ahead[0] =
                share_of(g, chunk + 1, g->x, d->channels * d->in_height * d->in_width, block - from, to - from);
            c.ahead[1] =
                share_of(g, chunk + 1, g->dy, d->outputs * d->out_height * d->out_width, block - from, to - from);
        }
        g->row->gradients(&c);
    }
}

/* Of the (part, block) pairs [from, to). */
static void add_pairs(const struct gradients *g, int64_t from, int64_t to, float *planes)
{
    memset(planes + g->d->channels * g->segments * g->d->plane, 0, SLACK * sizeof(*planes));
    for (int64_t end; from < to; from = end) {
        int64_t part = from / g->blocks, first = from - part * g->blocks;
        float *own = g->parts + part * part_floats(g);

        end = least(to, (part + 1) * g->blocks);
        memset(own + first * CONV_ROWS * g->taps, 0, (size_t)((end - from) * CONV_ROWS * g->taps) * sizeof(*own));
        for (int64_t c = g->chunks * part / g->nparts; c < g->chunks * (part + 1) / g->nparts; c++)
            add_chunk(g, c, first, first + end - from, own, planes);
    }
}

/* The parts' gradients of an output, added up, are added to what is there. */
static void add_up(const struct gradients *g, int64_t output, float *dw)
{
    int64_t taps = direct_taps_of(g->d);
    const float *from = g->parts + output / CONV_ROWS * g->taps * CONV_ROWS + output % CONV_ROWS;

    for (int64_t t = 0; t < taps; t++, from += CONV_ROWS) {
        float sum = *from;

        for (int64_t part = 1; part < g->nparts; part++)
            sum += from[part * part_floats(g)];
        dw[output * taps + t] += sum;
    }
}

void direct_gradient(const struct conv_impl *row, const struct direct *d, const float *x, const float *dy, float *dw,
                     void *scratch)
{
    struct gradients g = plan(d);
    int64_t pairs = g.nparts * g.blocks;
    float *planes;

    g.row = row;
    g.x = x;
    g.dy = dy;
    g.parts = scratch;
    g.at = (uint32_t *)(g.parts + g.nparts * part_floats(&g));
    planes = (float *)g.at + round_up(g.taps, 16);
    direct_taps(d, g.segments * d->plane, g.at);
    for (int64_t t = direct_taps_of(d); t < g.taps; t++)
        g.at[t] = 0;
#pragma omp parallel
    {
        int64_t threads = cpu_team(), i = cpu_thread_number();

        add_pairs(&g, pairs * i / threads, pairs * (i + 1) / threads, planes + i * thread_floats(&g));
#pragma omp barrier
#pragma omp for schedule(static) nowait
        for (int64_t output = 0; output < d->outputs; output++)
            add_up(&g, output, dw);
    }
}
