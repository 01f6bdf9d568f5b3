#include "sim/model.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/status.h"
#include "sim/vec.h"

enum { MAX_LAYERS = 100000, MAX_NESTING = 16 };

/* No product of shapes may pass this; sums over layers are checked where they are made. */
static const int64_t max_count = (int64_t)1 << 48;

/* What inference carries from layer to layer. */
struct inference {
    struct model *m;
    size_t capacity;
    struct shape at; /* the running output shape */
    int from;        /* ... and the layer that puts it out */
    int64_t classes;
    int block, nblocks;     /* present block, how many were seen */
    int64_t pending_stride; /* a block's downsampling, for its first window layer */
    _Bool any_parameters;   /* the first parametrized layer computes no input gradient */
    int count_of_kind[LAYER_ADD + 1];
    char path[160]; /* of the entry being read: "layers[3].layers[0]" */
    char *why;
    size_t nwhy;
};

static const char *const kind_names[] = {
    [LAYER_CONV] = "conv",
    [LAYER_FC] = "fc",
    [LAYER_CLASSIFIER] = "classifier",
    [LAYER_MAXPOOL] = "maxpool",
    [LAYER_AVGPOOL] = "avgpool",
    [LAYER_RELU] = "relu",
    [LAYER_BATCHNORM] = "batchnorm",
    [LAYER_DROPOUT] = "dropout",
    [LAYER_SOFTMAX] = "softmax",
    [LAYER_SIGMOID] = "sigmoid",
    [LAYER_EMBEDDING] = "embedding",
    [LAYER_INTERACTION] = "interaction",
    [LAYER_BLOCK] = "block",
    [LAYER_ADD] = "add",
};

const char *layer_kind_name(enum layer_kind kind)
{
    return kind_names[kind];
}

__attribute__((format(printf, 3, 4))) static int refuse(struct inference *in, int rc, const char *format, ...)
{
    va_list args;
    int used = in->nwhy && *in->path ? snprintf(in->why, in->nwhy, "%s: ", in->path) : 0;

    va_start(args, format);
    if ((size_t)used < in->nwhy)
        vsnprintf(in->why + used, in->nwhy - (size_t)used, format, args);
    va_end(args);
    return rc;
}

/* Product of up to four counts, or -1 past max_count. */
static int64_t product(int64_t a, int64_t b, int64_t c, int64_t d)
{
    __int128 p = (__int128)a * b;

    if (p > max_count || (p *= c) > max_count || (p *= d) > max_count)
        return -1;
    return (int64_t)p;
}

static int64_t volume(struct shape s)
{
    return product(s.channels, s.height, s.width, 1);
}

static int append(struct inference *in, const struct layer_spec *spec, enum layer_kind kind, struct layer **out)
{
    struct model *m = in->m;

    if (m->nlayers >= MAX_LAYERS)
        return refuse(in, SIM_ERANGE, "more than %d layers", MAX_LAYERS);
    if (!VEC_RESERVE(m->layers, in->capacity, m->nlayers))
        return SIM_ENOMEM;
    struct layer *l = &m->layers[m->nlayers++];
    *l = (struct layer){ .kind = kind, .block = in->block, .input = in->from, .in = in->at, .out = in->at };
    l->second = LAYER_NO_LAYER;
    int ordinal = ++in->count_of_kind[kind];
    if (!spec || !spec->name || !*spec->name)
        snprintf(l->name, sizeof(l->name), "%s%d", kind_names[kind], ordinal);
    else if (in->block >= 0)
        snprintf(l->name, sizeof(l->name), "block%d.%.30s", in->block + 1, spec->name);
    else
        snprintf(l->name, sizeof(l->name), "%.40s", spec->name);
    in->from = (int)m->nlayers - 1;
    *out = l;
    return SIM_OK;
}

/* Output shape of a square window, or a refusal. */
static int slide(struct inference *in, struct layer *l, int64_t kernel, int64_t stride, int64_t pad, struct shape *out)
{
    int64_t height = l->in.height + 2 * pad - kernel, width = l->in.width + 2 * pad - kernel;

    if (kernel < 1 || stride < 1 || pad < 0 || pad >= kernel)
        return refuse(
            in, SIM_EINVAL,
            "layer %s: expected kernel >= 1, stride >= 1 and 0 <= pad < kernel, got kernel %lld, stride %lld, "
            "pad %lld",
            l->name, (long long)kernel, (long long)stride, (long long)pad);
    if (height < 0 || width < 0)
        return refuse(in, SIM_EINVAL, "layer %s: a %lldx%lld window does not fit its %lldx%lld input (pad %lld)",
                      l->name, (long long)kernel, (long long)kernel, (long long)l->in.height, (long long)l->in.width,
                      (long long)pad);
    l->kernel = kernel, l->stride = stride, l->pad = pad;
    out->height = height / stride + 1;
    out->width = width / stride + 1;
    return SIM_OK;
}

static int64_t take_stride(struct inference *in, int64_t given, int64_t otherwise)
{
    int64_t stride = in->pending_stride > 1 ? in->pending_stride : given ? given : otherwise;

    in->pending_stride = 0;
    return stride;
}

/* FLOPs of a layer that multiplies: a multiply and an add per weight and output position, twice that backward (gradient
 * of the weights, gradient of the input) except where nothing stands before it. */
static int set_flops(struct inference *in, struct layer *l, int64_t positions, _Bool bias, int64_t outputs)
{
    int64_t multiplies = product(l->weights, positions, 2, 1);

    if (l->weights < 0 || multiplies < 0)
        return refuse(in, SIM_ERANGE, "layer %s: too large to count", l->name);
    l->biases = bias ? outputs : 0;
    l->flops_forward = multiplies + (bias ? volume(l->out) : 0);
    l->flops_backward = in->any_parameters ? 2 * l->flops_forward : l->flops_forward;
    in->any_parameters = 1;
    return SIM_OK;
}

static int infer_conv(struct inference *in, const struct layer_spec *spec, struct layer *l)
{
    int rc = slide(in, l, spec->kernel, take_stride(in, spec->stride, 1), spec->pad, &l->out);

    if (rc)
        return rc;
    if (spec->channels < 1)
        return refuse(in, SIM_EINVAL, "layer %s: expected channels >= 1", l->name);
    l->out.channels = spec->channels;
    if (volume(l->out) < 0)
        return refuse(in, SIM_ERANGE, "layer %s: too large to count", l->name);
    l->weights = product(l->in.channels, spec->channels, spec->kernel, spec->kernel);
    return set_flops(in, l, l->out.height * l->out.width, spec->bias, spec->channels);
}

static int infer_fc(struct inference *in, int64_t units, _Bool bias, struct layer *l)
{
    if (units < 1)
        return refuse(in, SIM_EINVAL, "layer %s: expected units >= 1, got %lld", l->name, (long long)units);
    l->out = (struct shape){ .channels = units, .height = 1, .width = 1 };
    l->weights = product(volume(l->in), units, 1, 1);
    return set_flops(in, l, 1, bias, units);
}

static int infer_pool(struct inference *in, const struct layer_spec *spec, struct layer *l)
{
    int64_t kernel = spec->kernel;

    if (!kernel && spec->kind == LAYER_AVGPOOL) {
        l->out.height = l->out.width = 1;
    } else {
        int rc = slide(in, l, kernel, take_stride(in, spec->stride, kernel), spec->pad, &l->out);
        if (rc)
            return rc;
        l->flops_forward = volume(l->out) < 0 ? -1 : product(volume(l->out), kernel, kernel, 1);
        if (l->flops_forward < 0)
            return refuse(in, SIM_ERANGE, "layer %s: too large to count", l->name);
    }
    if (!kernel)
        l->flops_forward = volume(l->in);
    l->flops_backward = l->flops_forward;
    return SIM_OK;
}

/* The rows of a table are summed; backward, the sum's gradient goes to each of them. */
static int infer_embedding(struct inference *in, const struct layer_spec *spec, struct layer *l)
{
    int64_t lookups = spec->lookups ? spec->lookups : 1, out = product(spec->tables, spec->dim, 1, 1);

    if (spec->tables < 1 || spec->dim < 1 || lookups < 1 || spec->rows < spec->tables)
        return refuse(in, SIM_EINVAL,
                      "layer %s: expected tables, dim and lookups >= 1 and a row for each table, got tables %lld, dim "
                      "%lld, lookups %lld, rows %lld",
                      l->name, (long long)spec->tables, (long long)spec->dim, (long long)lookups,
                      (long long)spec->rows);
    l->table_values = product(spec->rows, spec->dim, 1, 1);
    l->sparse_values = product(spec->tables, spec->dim, lookups, 1);
    if (out < 0 || l->table_values < 0 || l->sparse_values < 0 || out > max_count - volume(l->in))
        return refuse(in, SIM_ERANGE, "layer %s: too large to count", l->name);
    l->out = (struct shape){ .channels = volume(l->in) + out, .height = 1, .width = 1 };
    l->flops_forward = l->sparse_values - out;
    l->flops_backward = l->sparse_values;
    in->any_parameters = 1;
    return SIM_OK;
}

/* Each pair is multiplied once; backward, its gradient times either vector goes to the other. */
static int infer_interaction(struct inference *in, const struct layer_spec *spec, struct layer *l)
{
    int64_t values = volume(l->in), n = spec->dim > 0 ? values / spec->dim : 0, ordered, twice;

    if (n < 2 || values % spec->dim)
        return refuse(in, SIM_EINVAL,
                      "layer %s: expected two or more vectors of dim values, got dim %lld and %lld values", l->name,
                      (long long)spec->dim, (long long)values);
    ordered = product(n, n - 1, 1, 1); /* pairs, each twice */
    twice = ordered < 0 ? -1 : product(ordered, spec->dim, 2, 1);
    if (twice < 0)
        return refuse(in, SIM_ERANGE, "layer %s: too large to count", l->name);
    l->out = (struct shape){ .channels = spec->dim + ordered / 2, .height = 1, .width = 1 };
    l->flops_forward = twice / 2;
    l->flops_backward = 2 * l->flops_forward;
    return SIM_OK;
}

/* Layers that touch each value a fixed number of times. */
static void infer_elementwise(struct layer *l, int64_t flops_per_value)
{
    l->flops_forward = flops_per_value * volume(l->out);
    l->flops_backward = l->flops_forward;
}

static int infer_layer(struct inference *in, const struct layer_spec *spec, int depth);
static int infer_list(struct inference *in, const struct layer_spec *specs, size_t n, int depth);

static _Bool can_be_padded(struct shape from, struct shape to, int64_t stride)
{
    return from.channels <= to.channels && to.height == (from.height + stride - 1) / stride &&
           to.width == (from.width + stride - 1) / stride;
}

/* Option B: a strided 1x1 convolution, and its batch norm. Ends with what joins as the running layer. */
static int infer_projection(struct inference *in, const struct layer_spec *spec, struct shape to, int64_t stride)
{
    struct layer_spec conv = {
        .kind = LAYER_CONV, .name = "projection", .channels = to.channels, .kernel = 1, .stride = stride
    };
    struct layer_spec norm = { .kind = LAYER_BATCHNORM, .name = "projection-norm" };
    struct layer *l;
    int rc = append(in, &conv, LAYER_CONV, &l);

    rc = rc ? rc : infer_conv(in, &conv, l);
    if (!rc && (l->out.height != to.height || l->out.width != to.width))
        rc = refuse(in, SIM_EINVAL, "layer %s: the shortcut's shape does not match the block's output", l->name);
    if (rc)
        return rc;
    l->activations = volume(l->out);
    in->at = l->out;
    return spec->shortcut_norm ? infer_layer(in, &norm, 0) : SIM_OK;
}

/* Where the shapes differ, option B projects and option A pads with zeros; then both are added. */
static int infer_shortcut(struct inference *in, const struct layer_spec *spec, struct shape from, int from_layer,
                          int64_t stride)
{
    struct layer_spec relu = { .kind = LAYER_RELU, .name = "relu" };
    struct shape to = in->at;
    int main = in->from, rc = SIM_OK;
    struct layer *l;
    _Bool same = from.channels == to.channels && from.height == to.height && from.width == to.width;

    if (spec->shortcut == SHORTCUT_NONE)
        return SIM_OK;
    /* A stride that stands inside the block, not as its 'downsample'. */
    if (stride == 1 && to.height < from.height)
        stride = (from.height + to.height - 1) / to.height;
    in->at = from;
    in->from = from_layer;
    if (!same && spec->shortcut == SHORTCUT_PROJECTION)
        rc = infer_projection(in, spec, to, stride);
    if (rc)
        return rc;
    if (spec->shortcut == SHORTCUT_IDENTITY && !can_be_padded(from, to, stride))
        return refuse(in, SIM_EINVAL,
                      "block %d: an identity shortcut pads channels and keeps every %lld. position, so it cannot turn "
                      "%lldx%lldx%lld into %lldx%lldx%lld",
                      in->block + 1, (long long)stride, (long long)from.channels, (long long)from.height,
                      (long long)from.width, (long long)to.channels, (long long)to.height, (long long)to.width);
    int shortcut = in->from;
    in->at = to;
    in->from = main;
    rc = append(in, NULL, LAYER_ADD, &l);
    if (rc)
        return rc;
    l->second = shortcut;
    l->stride = spec->shortcut == SHORTCUT_IDENTITY ? stride : 1;
    infer_elementwise(l, 1);
    l->activations = volume(l->out);
    return spec->relu ? infer_layer(in, &relu, 0) : SIM_OK;
}

/* A stride that an outer block asks for is met by the first window layer inside, multiplied by this block's own. */
static int infer_block(struct inference *in, const struct layer_spec *spec, int depth)
{
    int outer = in->block, rc = SIM_OK;
    int64_t stride =
        product(in->pending_stride > 1 ? in->pending_stride : 1, spec->downsample ? spec->downsample : 1, 1, 1);

    if (spec->repeat < 1 || !spec->nlayers || depth >= MAX_NESTING)
        return refuse(in, SIM_EINVAL, "a block needs layers, repeat >= 1, and at most %d levels of nesting",
                      MAX_NESTING);
    if (stride < 1)
        return refuse(in, SIM_ERANGE, "block %d: the strides of nested blocks are too large", in->nblocks + 1);
    for (int64_t i = 0; !rc && i < spec->repeat; i++) {
        struct shape from = in->at;
        int from_layer = in->from;
        in->block = in->nblocks++;
        in->pending_stride = i ? 0 : stride;
        rc = infer_list(in, spec->layers, spec->nlayers, depth + 1);
        if (!rc && in->pending_stride > 1)
            rc = refuse(in, SIM_EINVAL, "block %d: nothing in it can downsample: it has no convolution and no pool",
                        in->block + 1);
        rc = rc ? rc : infer_shortcut(in, spec, from, from_layer, i ? 1 : stride);
    }
    in->block = outer;
    in->pending_stride = 0;
    return rc;
}

static int infer_layer(struct inference *in, const struct layer_spec *spec, int depth)
{
    struct layer *l;

    if (spec->kind == LAYER_BLOCK)
        return infer_block(in, spec, depth);
    int rc = append(in, spec, spec->kind, &l);
    if (rc)
        return rc;
    switch (spec->kind) {
    case LAYER_CONV: rc = infer_conv(in, spec, l); break;
    case LAYER_FC: rc = infer_fc(in, spec->units, spec->bias, l); break;
    case LAYER_CLASSIFIER: rc = infer_fc(in, in->classes, spec->bias, l); break;
    case LAYER_MAXPOOL:
    case LAYER_AVGPOOL: rc = infer_pool(in, spec, l); break;
    case LAYER_BATCHNORM:
        l->biases = 2 * l->in.channels;
        infer_elementwise(l, 4); /* subtract the mean, scale by the deviation, scale, shift */
        break;
    case LAYER_SOFTMAX:
    case LAYER_SIGMOID: infer_elementwise(l, 3); break; /* exponential, add or sum, divide */
    case LAYER_EMBEDDING: rc = infer_embedding(in, spec, l); break;
    case LAYER_INTERACTION: rc = infer_interaction(in, spec, l); break;
    default: infer_elementwise(l, 1); break;
    }
    l->activations = volume(l->out);
    in->at = l->out;
    return rc;
}

static int infer_list(struct inference *in, const struct layer_spec *specs, size_t n, int depth)
{
    size_t outer = strlen(in->path);
    int rc = SIM_OK;

    for (size_t i = 0; !rc && i < n; i++) {
        snprintf(in->path + outer, sizeof(in->path) - outer, "%slayers[%zu]", outer ? "." : "", i);
        rc = infer_layer(in, &specs[i], depth);
    }
    if (!rc)
        in->path[outer] = 0;
    return rc;
}

static _Bool add_to(int64_t *sum, int64_t term)
{
    return !__builtin_add_overflow(*sum, term, sum);
}

static _Bool sum_up(struct model *m)
{
    _Bool fits = 1;

    for (size_t i = 0; i < m->nlayers; i++) {
        const struct layer *l = &m->layers[i];
        fits = fits && add_to(&m->weights, l->weights) && add_to(&m->biases, l->biases) &&
               add_to(&m->table_values, l->table_values) && add_to(&m->activations, l->activations) &&
               add_to(&m->flops_forward, l->flops_forward) && add_to(&m->flops_backward, l->flops_backward);
    }
    return fits;
}

int model_infer(const struct model_spec *spec, struct model *out, char *why, size_t nwhy)
{
    struct model m = { .input = { spec->channels, spec->height, spec->width } };
    struct inference in = {
        .m = &m, .at = m.input, .from = LAYER_NO_LAYER, .classes = spec->classes, .block = -1, .why = why, .nwhy = nwhy
    };
    int rc = SIM_OK;

    if (nwhy)
        why[0] = 0;
    snprintf(m.name, sizeof(m.name), "%s", spec->name ? spec->name : "");
    if (spec->channels < 1 || spec->height < 1 || spec->width < 1 || volume(m.input) < 0)
        rc = refuse(&in, SIM_EINVAL, "the input shape must be positive, and at most 2^48 values");
    if (!rc)
        rc = infer_list(&in, spec->layers, spec->nlayers, 0);
    if (!rc && !sum_up(&m))
        rc = refuse(&in, SIM_ERANGE, "all layers together are too large to count");
    if (!rc && !m.weights)
        rc = refuse(&in, SIM_EINVAL, "expected a layer with weights, got none");
    if (rc) {
        model_free(&m);
        return rc;
    }
    *out = m;
    return SIM_OK;
}

void model_free(struct model *m)
{
    free(m->layers);
    memset(m, 0, sizeof(*m));
}
