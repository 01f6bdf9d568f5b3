#include "tests/model/split/split_check.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "tests/test.h"

struct line { /* of one layer along one axis */
    const struct split_part *parts;
    int64_t n, in, out;
};

static _Noreturn void fail_layer(const struct model *m, size_t l, const char *what)
{
    fail_msg("%s, layer %s: %s", m->name, m->layers[l].name, what);
    abort();
}

int64_t split_check_convs(const struct model *m, size_t l)
{
    int64_t n = 0;

    for (size_t i = 0; i <= l; i++)
        n += m->layers[i].kind == LAYER_CONV;
    return n;
}

bool split_check_join(const struct model *m, size_t l)
{
    if (m->layers[l].kind != LAYER_CONV && m->layers[l].kind != LAYER_ADD)
        return false;
    for (size_t i = l + 1; i < m->nlayers; i++)
        if ((m->layers[i].kind != LAYER_TOKENS && m->layers[i].input < (int)l) ||
            (layer_has_second(&m->layers[i]) && m->layers[i].second < (int)l))
            return false;
    return true;
}

static void check_join(const struct split_spec *spec, const struct split_net *s, const struct model *m)
{
    size_t last = s->nlayers - 1;
    double all = (double)s->convs, reached = fabs((double)s->convs_split / all - spec->depth);

    if (s->convs != split_check_convs(m, m->nlayers - 1) || s->convs_split != split_check_convs(m, last))
        fail_layer(m, last, "convolutions miscounted");
    if (!split_check_join(m, last))
        fail_layer(m, last, "no place to join");
    for (size_t l = 0; l < m->nlayers; l++) {
        double distance = fabs((double)split_check_convs(m, l) / all - spec->depth);
        if (split_check_join(m, l) && (distance < reached - 1e-9 || (distance < reached + 1e-9 && l > last)))
            fail_layer(m, l, "is nearer to the depth, or as near and deeper");
    }
}

/* The parts of the layer whose output 'of' is read, along one axis; NULL for the network's input. */
static const struct split_part *parts_before(const struct split_axis *a, int of)
{
    return of == LAYER_NO_LAYER ? NULL : a->parts + (size_t)of * (size_t)a->n;
}

static void check_line(const struct model *m, size_t l, const struct line *line, const struct window *w,
                       const struct split_part *before)
{
    int64_t in = 0, out = 0;

    for (int64_t i = 0; i < line->n; i++) {
        const struct split_part *p = &line->parts[i];
        struct window own = { w->kernel, w->stride, p->pad_begin, p->pad_end };
        int64_t low, high;
        if (p->in_start != in || p->out_start != out || p->in_length < 1 || p->out_length < 1)
            fail_layer(m, l, "parts leave a gap, overlap or are empty");
        if (window_outputs(&own, p->in_length) != p->out_length)
            fail_layer(m, l, "a part puts out another number of values");
        if (before && (before[i].out_start != p->in_start || before[i].out_length != p->in_length))
            fail_layer(m, l, "a part reads something else than the layer before puts out");
        split_bounds(w, p->out_start, &low, &high);
        if (i && (p->in_start < low || p->in_start > high))
            fail_layer(m, l, "a cut is out of its bounds");
        in += p->in_length;
        out += p->out_length;
    }
    if (in != line->in || out != line->out)
        fail_layer(m, l, "the parts are not the whole");
}

static struct shape shape_of(const struct model *m, int layer)
{
    return layer == LAYER_NO_LAYER ? m->input : m->layers[layer].out;
}

static void check_axis(const struct split_net *s, const struct model *m, size_t l, bool height)
{
    const struct layer *layer = &m->layers[l];
    const struct split_axis *a = height ? &s->height : &s->width;
    struct shape in = shape_of(m, layer->input);
    struct line line = { a->parts + l * (size_t)a->n, a->n, height ? in.height : in.width,
                         height ? layer->out.height : layer->out.width };
    struct window w = { 1, 1, 0, 0 };

    if (layer->kernel && height)
        w = (struct window){ layer->kernel, layer->stride, layer->pad, layer->pad };
    else if (layer->kernel)
        w = (struct window){ layer->kernel_width, layer->stride, layer->pad_width, layer->pad_width };
    check_line(m, l, &line, &w, parts_before(a, layer->input));
    if (layer->kind != LAYER_ADD)
        return;
    w = (struct window){ 1, layer->stride, 0, 0 };
    in = shape_of(m, layer->second);
    line.parts = a->second + l * (size_t)a->n;
    line.in = height ? in.height : in.width;
    check_line(m, l, &line, &w, parts_before(a, layer->second));
}

static void check_shapes(const struct split_net *s, const struct model *m, size_t l)
{
    int64_t in = 0, out = 0;
    const struct layer *layer = &m->layers[l];

    for (int64_t row = 0; row < s->rows; row++)
        for (int64_t column = 0; column < s->columns; column++) {
            struct shape x = split_net_in(s, m, l, row, column), y = split_net_out(s, m, l, row, column);
            in += x.channels * x.height * x.width;
            out += y.channels * y.height * y.width;
        }
    if (in != layer->in.channels * layer->in.height * layer->in.width ||
        out != layer->out.channels * layer->out.height * layer->out.width)
        fail_layer(m, l, "the patches' volumes do not add up");
}

void split_check(const struct split_spec *spec, const struct split_net *s, const struct model *m)
{
    int64_t zeros = 0, taps = 0;

    assert_true(s->nlayers > 0);
    assert_int_equal(s->rows, spec->rows);
    assert_int_equal(s->columns, spec->columns);
    assert_int_equal(s->height.n, spec->rows);
    assert_int_equal(s->width.n, spec->columns);
    check_join(spec, s, m);
    for (size_t l = 0; l < s->nlayers; l++) {
        check_axis(s, m, l, 1);
        check_axis(s, m, l, 0);
        check_shapes(s, m, l);
        struct split_taps t = split_net_taps(s, m, l);
        zeros += m->layers[l].kind == LAYER_CONV ? t.zeros : 0;
        taps += m->layers[l].kind == LAYER_CONV ? t.values : 0;
    }
    assert_int_equal(s->zeros, zeros);
    assert_int_equal(s->taps, taps);
    for (size_t l = s->nlayers; l < m->nlayers; l++) /* the whole */
        assert_int_equal(split_net_out(s, m, l, 0, 0).height, m->layers[l].out.height);
}

static const struct split_part *part_with(const struct split_part *parts, int64_t n, int64_t out)
{
    while (n > 1 && parts->out_start + parts->out_length <= out)
        parts++, n--;
    return parts;
}

static struct split_taps count_taps(const struct split_net *s, const struct layer *layer, size_t l)
{
    struct split_taps t = { 0 };

    for (int64_t y = 0; y < layer->out.height; y++)
        for (int64_t x = 0; x < layer->out.width; x++) {
            const struct split_part *v = part_with(s->height.parts + l * (size_t)s->rows, s->rows, y);
            const struct split_part *h = part_with(s->width.parts + l * (size_t)s->columns, s->columns, x);
            for (int64_t tap = 0; tap < layer->kernel * layer->kernel_width; tap++) {
                int64_t row = y * layer->stride - layer->pad + tap / layer->kernel_width;
                int64_t column = x * layer->stride - layer->pad_width + tap % layer->kernel_width;
                bool rows_in = row >= 0 && row < layer->in.height, columns_in = column >= 0 && column < layer->in.width;
                bool other_row = rows_in && (row < v->in_start || row >= v->in_start + v->in_length);
                bool other_column = columns_in && (column < h->in_start || column >= h->in_start + h->in_length);
                t.all++;
                t.cut += other_row || other_column;
                t.values += rows_in && columns_in;
                t.zeros += rows_in && columns_in && (other_row || other_column);
            }
        }
    return t;
}

void split_check_zeros(const struct split_net *s, const struct model *m)
{
    for (size_t l = 0; l < s->nlayers; l++) {
        const struct layer *layer = &m->layers[l];
        struct split_taps got = split_net_taps(s, m, l), want = count_taps(s, layer, l);
        int64_t times =
            layer->kind == LAYER_CONV ? layer->in.channels / layer->groups * layer->out.channels : layer->out.channels;
        if (got.all != times * want.all || got.cut != times * want.cut || got.values != times * want.values ||
            got.zeros != times * want.zeros)
            fail_layer(m, l, "taps miscounted");
    }
}
