#include "model/split/patches.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "model/numbers.h"
#include "model/refuse.h"
#include "model/split/private.h"
#include "model/split/splitmix64.h"
#include "model/status.h"

bool split_window(const struct layer *l, enum plane_axis axis, struct window *out)
{
    int64_t kernel = axis == AXIS_HEIGHT ? l->kernel : l->kernel_width;
    int64_t pad = axis == AXIS_HEIGHT ? l->pad : l->pad_width;

    switch (l->kind) {
    case LAYER_CONV:
    case LAYER_MAXPOOL:
    case LAYER_AVGPOOL: *out = (struct window){ kernel, l->stride, pad, pad }; return kernel > 0;
    case LAYER_RELU:
    case LAYER_BATCHNORM:
    case LAYER_DROPOUT:
    case LAYER_SIGMOID:
    case LAYER_ADD: *out = (struct window){ 1, 1, 0, 0 }; return true;
    default: return false;
    }
}

static int check_spec(const struct split_spec *spec, char *why, size_t nwhy)
{
    if (!(spec->depth >= 0 && spec->depth <= 1))
        return refuse(why, nwhy, "depth: expected a share of the convolutions, 0..1, got %g", spec->depth);
    if (spec->rows < 1)
        return refuse(why, nwhy, "rows: expected 1 patch or more, got %lld", (long long)spec->rows);
    if (spec->columns < 1)
        return refuse(why, nwhy, "columns: expected 1 patch or more, got %lld", (long long)spec->columns);
    if (!(spec->wiggle >= 0 && spec->wiggle < 0.5))
        return refuse(why, nwhy, "wiggle: expected 0 or more and less than 0.5, got %g", spec->wiggle);
    return E_OK;
}

static int64_t count_convs(const struct model *m, size_t nlayers)
{
    int64_t n = 0;

    for (size_t l = 0; l < nlayers; l++)
        n += m->layers[l].kind == LAYER_CONV;
    return n;
}

/* Can patches be joined after layer l, because no later layer reads anything before it? 'earliest' is the first layer
 * that later ones read. */
static bool is_join(const struct layer *l, int index, int earliest)
{
    return (l->kind == LAYER_CONV || l->kind == LAYER_ADD) && earliest >= index;
}

/* How many layers are split; 0 if there is no place to join. */
static size_t choose_join(const struct model *m, double depth, int64_t convs)
{
    double wanted = depth * (double)convs, best = INFINITY;
    int64_t before = convs;
    int earliest = (int)m->nlayers;
    size_t nlayers = 0;

    for (size_t l = m->nlayers; l-- > 0;) {
        const struct layer *layer = &m->layers[l];
        double distance = fabs((double)before - wanted);
        /* Deepest first, so that the deeper of two stays; the product's rounding must not tell them apart. */
        if (is_join(layer, (int)l, earliest) && distance < best - 1e-9) {
            best = distance;
            nlayers = l + 1;
        }
        before -= layer->kind == LAYER_CONV;
        earliest = (int)min64(layer_earliest(layer), earliest);
    }
    return nlayers;
}

static int check_layers(const struct model *m, size_t nlayers, char *why, size_t nwhy)
{
    struct window w;

    for (size_t l = 0; l < nlayers; l++) {
        const struct layer *layer = &m->layers[l];
        if (!split_window(layer, AXIS_HEIGHT, &w))
            return refuse(why, nwhy,
                          "depth: layer %s (%s) stands in the split part and works on the whole plane: join before it",
                          layer->name, layer_kind_name(layer->kind));
        if (layer->ends_side)
            return refuse(why, nwhy, "depth: layer %s ends a side in the split part: join before it", layer->name);
    }
    return E_OK;
}

static void sum_taps(struct split_net *s, const struct model *m)
{
    for (size_t l = 0; l < s->nlayers; l++) {
        struct split_taps t = split_net_taps(s, m, l);
        if (m->layers[l].kind != LAYER_CONV)
            continue;
        s->zeros += t.zeros; /* less than the model's FLOPs, of which the sum is known to fit */
        s->taps += t.values;
    }
}

int split_net_make(const struct split_spec *spec, const struct model *m, struct split_net *out, char *why, size_t nwhy)
{
    struct split_net s = { .rows = 1, .columns = 1, .height.n = 1, .width.n = 1, .convs = count_convs(m, m->nlayers) };
    uint64_t seed = (uint64_t)spec->seed, height_seed = splitmix64(&seed), width_seed = splitmix64(&seed);
    int rc = check_spec(spec, why, nwhy);

    if (rc)
        return rc;
    if (spec->depth > 0 && (spec->rows > 1 || spec->columns > 1)) {
        s.nlayers = choose_join(m, spec->depth, s.convs);
        if (!s.nlayers)
            return refuse(why, nwhy, "depth: there is no convolution to split");
        s.rows = spec->rows;
        s.columns = spec->columns;
        s.convs_split = count_convs(m, s.nlayers);
        rc = check_layers(m, s.nlayers, why, nwhy);
        struct axis_task height = { m, s.nlayers, AXIS_HEIGHT, s.rows, spec->wiggle, height_seed };
        struct axis_task width = { m, s.nlayers, AXIS_WIDTH, s.columns, spec->wiggle, width_seed };
        rc = rc ? rc : axis_split(&height, &s.height, why, nwhy);
        rc = rc ? rc : axis_split(&width, &s.width, why, nwhy);
    }
    if (rc) {
        split_net_free(&s);
        return rc;
    }
    sum_taps(&s, m);
    *out = s;
    return E_OK;
}

void split_net_free(struct split_net *s)
{
    axis_free(&s->height);
    axis_free(&s->width);
    memset(s, 0, sizeof(*s));
}

static const struct split_part *part_of(const struct split_axis *a, size_t l, int64_t i)
{
    assert(i >= 0 && i < a->n);
    return &a->parts[l * (size_t)a->n + (size_t)i];
}

struct shape split_net_out(const struct split_net *s, const struct model *m, size_t l, int64_t row, int64_t column)
{
    struct shape shape = m->layers[l].out;

    if (l >= s->nlayers)
        return shape;
    shape.height = part_of(&s->height, l, row)->out_length;
    shape.width = part_of(&s->width, l, column)->out_length;
    return shape;
}

struct shape split_net_in(const struct split_net *s, const struct model *m, size_t l, int64_t row, int64_t column)
{
    struct shape shape = m->layers[l].in;

    if (l >= s->nlayers)
        return shape;
    shape.height = part_of(&s->height, l, row)->in_length;
    shape.width = part_of(&s->width, l, column)->in_length;
    return shape;
}
