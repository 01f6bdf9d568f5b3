/* taps.c - counts the taps of windows that read a value before the split and read a zero after it. The two axes are
 * counted separately, since a tap reads a value exactly where it does along both. */
#include <assert.h>

#include "model/numbers.h"
#include "model/split/private.h"

/* a / b rounded up, b > 0 */
static int64_t divide_up(int64_t a, int64_t b)
{
    return a / b + (a % b > 0);
}

/* Pairs of an output in [first, end) and a tap of its window that reads a position in [low, high). */
static int64_t pairs(const struct window *w, int64_t first, int64_t end, int64_t low, int64_t high)
{
    int64_t n = 0;

    for (int64_t tap = 0; tap < w->kernel; tap++) {
        int64_t from = divide_up(low - tap + w->pad_begin, w->stride);
        int64_t to = divide_up(high - tap + w->pad_begin, w->stride);
        n += max64(min64(to, end) - max64(from, first), 0);
    }
    return n;
}

struct line_taps {
    int64_t all, values, kept;
};

static struct line_taps along(const struct split_axis *a, const struct window *w, size_t l, int64_t in_length,
                              int64_t out_length)
{
    const struct split_part *parts = a->parts + l * (size_t)a->n;
    struct line_taps t = { out_length * w->kernel, pairs(w, 0, out_length, 0, in_length), 0 };

    for (int64_t i = 0; i < a->n; i++)
        t.kept += pairs(w, parts[i].out_start, parts[i].out_start + parts[i].out_length, parts[i].in_start,
                        parts[i].in_start + parts[i].in_length);
    return t;
}

struct split_taps split_net_taps(const struct split_net *s, const struct model *m, size_t l)
{
    const struct layer *layer = &m->layers[l];
    struct window w, across;

    assert(l < s->nlayers);
    if (!layer->kernel || !split_window(layer, AXIS_HEIGHT, &w) || !split_window(layer, AXIS_WIDTH, &across))
        return (struct split_taps){ 0 };
    int64_t channels =
        layer->kind == LAYER_CONV ? layer->in.channels / layer->groups * layer->out.channels : layer->out.channels;
    struct line_taps h = along(&s->height, &w, l, layer->in.height, layer->out.height);
    struct line_taps v = along(&s->width, &across, l, layer->in.width, layer->out.width);
    int64_t left = (h.all - (h.values - h.kept)) * (v.all - (v.values - v.kept)); /* not cut along either axis */
    return (struct split_taps){ .all = channels * h.all * v.all,
                                .cut = channels * (h.all * v.all - left),
                                .values = channels * h.values * v.values,
                                .zeros = channels * (h.values * v.values - h.kept * v.kept) };
}
