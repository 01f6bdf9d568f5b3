/* Whole networks forward in integers, one channel: patch by patch, no patch knowing of another, against the plane at
 * once. */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/split/patches.h"
#include "model/status.h"
#include "tests/draw.h"
#include "tests/model/split/split_check.h"
#include "tests/test.h"

#define CONV(k, s, p)                                                               \
    {                                                                               \
        .kind = LAYER_CONV, .channels = 1, .kernel = (k), .stride = (s), .pad = (p) \
    }
#define OBLONG(h, w)                                                                                        \
    {                                                                                                       \
        .kind = LAYER_CONV, .channels = 1, .kernel = (h), .kernel_width = (w), .stride = 1, .pad = (h) / 2, \
        .pad_width = (w) / 2                                                                                \
    }
#define POOL(k, s)                                          \
    {                                                       \
        .kind = LAYER_MAXPOOL, .kernel = (k), .stride = (s) \
    }
#define BLOCK(how, down, list)                                                                                  \
    {                                                                                                           \
        .kind = LAYER_BLOCK, .repeat = 1, .shortcut = (how), .downsample = (down), .layers = (list), .relu = 1, \
        .nlayers = COUNT(list)                                                                                  \
    }

enum { MAX_SIZE = 40, MAX_LAYERS = 24 };

struct plane {
    int64_t height, width, at[MAX_SIZE * MAX_SIZE];
};

/* A layer's work on one plane: of the whole, or of one patch. */
struct work {
    struct window rows, columns;
    int64_t shortcut_row, shortcut_column; /* the first position of x2 that a sum takes */
};

static int64_t weight(size_t layer, int64_t row, int64_t column)
{
    return (int64_t)(layer * 31 + (size_t)row * 7 + (size_t)column * 3) % 11 - 4;
}

/* Values behind a cut of the layer's output do not count where 's' is given (else NULL). */
static int64_t window_value(const struct split_net *s, size_t l, const struct layer *layer, const struct plane *x,
                            const struct work *w, int64_t y_row, int64_t y_column)
{
    int64_t sum = 0, largest = 0; /* of values that are not negative: padding never wins */
    const struct split_part *v = NULL, *h = NULL;

    if (s) {
        v = s->height.parts + l * (size_t)s->rows;
        while (v->out_start + v->out_length <= y_row)
            v++;
        h = s->width.parts + l * (size_t)s->columns;
        while (h->out_start + h->out_length <= y_column)
            h++;
    }
    for (int64_t i = 0; i < w->rows.kernel; i++)
        for (int64_t j = 0; j < w->columns.kernel; j++) {
            int64_t row = y_row * w->rows.stride - w->rows.pad_begin + i;
            int64_t column = y_column * w->columns.stride - w->columns.pad_begin + j;
            if (row < 0 || row >= x->height || column < 0 || column >= x->width)
                continue;
            if (s && (row < v->in_start || row >= v->in_start + v->in_length || column < h->in_start ||
                      column >= h->in_start + h->in_length))
                continue;
            int64_t value = x->at[row * x->width + column];
            sum += value * weight(l, i, j);
            largest = value > largest ? value : largest;
        }
    return layer->kind == LAYER_CONV ? (sum < 0 ? -sum : sum) % 1009 : largest;
}

static void forward(const struct split_net *s, size_t l, const struct layer *layer, const struct plane *x,
                    const struct plane *x2, const struct work *w, struct plane *y)
{
    y->height = window_outputs(&w->rows, x->height);
    y->width = window_outputs(&w->columns, x->width);
    for (int64_t row = 0; row < y->height; row++)
        for (int64_t column = 0; column < y->width; column++) {
            int64_t *to = &y->at[row * y->width + column];
            *to = window_value(s, l, layer, x, w, row, column);
            if (layer->kind == LAYER_ADD)
                *to += x2->at[(row * layer->stride + w->shortcut_row) * x2->width + column * layer->stride +
                              w->shortcut_column];
            else if (layer->kind != LAYER_CONV && layer->kind != LAYER_MAXPOOL)
                *to += *to * 3 % 17; /* any function of the value */
        }
}

static void fill(struct plane *p, int64_t height, int64_t width, uint64_t seed)
{
    p->height = height;
    p->width = width;
    for (int64_t i = 0; i < height * width; i++)
        p->at[i] = (int64_t)(draw(&seed) % 1000);
}

/* The whole plane through the first layers; with 's' every layer's taps behind a cut are zeros. tensors[0] is the
 * input. */
static void run_whole(const struct split_net *s, const struct model *m, size_t nlayers, struct plane *tensors)
{
    for (size_t l = 0; l < nlayers; l++) {
        const struct layer *layer = &m->layers[l];
        struct work w = { { 1, 1, 0, 0 }, { 1, 1, 0, 0 }, 0, 0 };
        if (layer->kernel)
            w.rows = (struct window){ layer->kernel, layer->stride, layer->pad, layer->pad },
            w.columns = (struct window){ layer->kernel_width, layer->stride, layer->pad_width, layer->pad_width };
        forward(s, l, layer, &tensors[layer->input + 1], &tensors[layer->second + 1], &w, &tensors[l + 1]);
    }
}

static struct window padded(const struct layer *layer, int64_t kernel, const struct split_part *p)
{
    return (struct window){ kernel ? kernel : 1, kernel ? layer->stride : 1, p->pad_begin, p->pad_end };
}

/* One patch: its part of the input, through its layers, into its place of the joined plane. */
static void run_patch(const struct split_net *s, const struct model *m, int64_t row, int64_t column,
                      struct plane *tensors, const struct plane *input, struct plane *joined)
{
    const struct split_part *v = s->height.parts + row, *h = s->width.parts + column;
    size_t last = s->nlayers - 1;

    tensors[0].height = v->in_length;
    tensors[0].width = h->in_length;
    for (int64_t i = 0; i < v->in_length; i++)
        memcpy(&tensors[0].at[i * h->in_length], &input->at[(v->in_start + i) * input->width + h->in_start],
               (size_t)h->in_length * sizeof(int64_t));
    for (size_t l = 0; l <= last; l++) {
        const struct layer *layer = &m->layers[l];
        size_t at_row = l * (size_t)s->rows + (size_t)row, at_column = l * (size_t)s->columns + (size_t)column;
        struct work w = { padded(layer, layer->kernel, &s->height.parts[at_row]),
                          padded(layer, layer->kernel_width, &s->width.parts[at_column]),
                          -s->height.second[at_row].pad_begin, -s->width.second[at_column].pad_begin };
        const struct plane *x = &tensors[layer->input + 1];
        struct shape in = split_net_in(s, m, l, row, column), out = split_net_out(s, m, l, row, column);
        assert_int_equal(x->height, in.height);
        assert_int_equal(x->width, in.width);
        forward(NULL, l, layer, x, &tensors[layer->second + 1], &w, &tensors[l + 1]);
        assert_int_equal(tensors[l + 1].height, out.height);
        assert_int_equal(tensors[l + 1].width, out.width);
    }
    v = s->height.parts + last * (size_t)s->rows + row;
    h = s->width.parts + last * (size_t)s->columns + column;
    for (int64_t i = 0; i < v->out_length; i++)
        memcpy(&joined->at[(v->out_start + i) * joined->width + h->out_start], &tensors[last + 1].at[i * h->out_length],
               (size_t)h->out_length * sizeof(int64_t));
}

/* Both ways agree; without a tap behind a cut with the unsplit network too. Returns if there was any. */
static bool check(struct layer_spec *layers, size_t n, const struct split_spec *spec, int64_t height, int64_t width)
{
    struct model_spec ms = {
        .name = "m", .channels = 1, .height = height, .width = width, .classes = 2, .layers = layers, .nlayers = n
    };
    struct model m;
    struct split_net s;
    char why[512] = "";

    assert_int_equal(model_infer(&ms, &m, why, sizeof(why)), E_OK);
    if (split_net_make(spec, &m, &s, why, sizeof(why)))
        fail_msg("%s", why);
    assert_in_range(s.nlayers, 1, MAX_LAYERS);
    struct plane *whole = calloc(MAX_LAYERS + 1, sizeof(*whole)), *cut = calloc(MAX_LAYERS + 1, sizeof(*cut));
    struct plane *patch = calloc(MAX_LAYERS + 1, sizeof(*patch)), *joined = calloc(1, sizeof(*joined));
    assert_true(whole && cut && patch && joined);
    fill(&whole[0], height, width, (uint64_t)spec->seed);
    cut[0] = whole[0];
    run_whole(NULL, &m, s.nlayers, whole);
    run_whole(&s, &m, s.nlayers, cut);
    joined->height = m.layers[s.nlayers - 1].out.height;
    joined->width = m.layers[s.nlayers - 1].out.width;
    for (int64_t row = 0; row < s.rows; row++)
        for (int64_t column = 0; column < s.columns; column++)
            run_patch(&s, &m, row, column, patch, &whole[0], joined);
    assert_memory_equal(joined, &cut[s.nlayers], sizeof(*joined));
    bool same = !memcmp(joined, &whole[s.nlayers], sizeof(*joined)), any = false;
    for (size_t l = 0; l < s.nlayers; l++)
        any = any || split_net_taps(&s, &m, l).zeros > 0;
    if (same != !any)
        fail_msg("%s the unsplit network, %s taps behind a cut", same ? "as" : "not as", any ? "with" : "without");
    free(whole);
    free(cut);
    free(patch);
    free(joined);
    split_net_free(&s);
    model_free(&m);
    return any;
}

/* Every window whole: k = s, k < s, 1x1, and shortcuts with a stride. */
static void natural_cuts_change_nothing(void **state)
{
    struct layer_spec one[] = { CONV(1, 1, 0), { .kind = LAYER_RELU }, CONV(1, 1, 0) };
    struct layer_spec half[] = { POOL(2, 2), CONV(1, 1, 0) };
    struct layer_spec list[] = { CONV(3, 3, 1),
                                 BLOCK(SHORTCUT_IDENTITY, 2, one),
                                 BLOCK(SHORTCUT_PROJECTION, 2, half),
                                 CONV(1, 1, 0),
                                 { .kind = LAYER_CLASSIFIER } };

    (void)state;
    for (int64_t rows = 1; rows <= 2; rows++)
        for (int64_t columns = 2; columns <= 3; columns++)
            for (int64_t seed = 0; seed < 12; seed++) {
                struct split_spec spec = { (double)(seed % 4 + 1) / 4, rows, columns, seed % 3 ? 0.3 : 0, seed };
                assert_false(check(list, COUNT(list), &spec, 24 - 2 * (seed % 2), 36));
            }
}

static void patches_are_the_plane_with_cut_taps_zeroed(void **state)
{
    struct layer_spec body[] = { CONV(3, 1, 1), { .kind = LAYER_BATCHNORM }, CONV(3, 1, 1) };
    struct layer_spec deep[] = { CONV(1, 1, 0), CONV(5, 1, 2), CONV(1, 1, 0) };
    struct layer_spec factors[] = { OBLONG(1, 7), { .kind = LAYER_RELU }, OBLONG(7, 1) };
    struct layer_spec lists[][5] = {
        { CONV(7, 2, 3), POOL(3, 2), BLOCK(SHORTCUT_IDENTITY, 1, body), CONV(3, 1, 1), { .kind = LAYER_CLASSIFIER } },
        { CONV(4, 1, 1),
          BLOCK(SHORTCUT_IDENTITY, 2, body),
          BLOCK(SHORTCUT_PROJECTION, 2, body),
          CONV(2, 1, 1),
          { .kind = LAYER_CLASSIFIER } },
        { BLOCK(SHORTCUT_PROJECTION, 2, deep),
          POOL(2, 1),
          CONV(5, 3, 1),
          BLOCK(SHORTCUT_IDENTITY, 1, body),
          { .kind = LAYER_CLASSIFIER } },
        { OBLONG(3, 1),
          BLOCK(SHORTCUT_IDENTITY, 1, factors),
          OBLONG(2, 5),
          CONV(3, 1, 1),
          { .kind = LAYER_CLASSIFIER } },
    };
    int any = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(lists); i++)
        for (int64_t n = 1; n <= 3; n++)
            for (int64_t seed = 0; seed < 12; seed++) {
                struct split_spec spec = { (double)(seed % 4 + 1) / 4, n, 2, seed % 3 ? 0.3 : 0, seed };
                any += check(lists[i], COUNT(lists[i]), &spec, 36 + seed % 3, 40 - seed % 2);
            }
    assert_true(any > 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(natural_cuts_change_nothing),
        cmocka_unit_test(patches_are_the_plane_with_cut_taps_zeroed),
    };
    return cmocka_run_group_tests_name("split forward", tests, NULL, NULL);
}
