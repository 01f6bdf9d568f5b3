/* kinds.c - layers of images and of values: windows, full connections, tables. */
#include <stdbool.h>

#include "model/private.h"
#include "model/status.h"

/* Height and width of a window, and the zeros on either side of each. */
struct sides {
    int64_t kernel, kernel_width, stride, pad, pad_width;
};

static struct sides square(int64_t kernel, int64_t stride, int64_t pad)
{
    return (struct sides){ kernel, kernel, stride, pad, pad };
}

static int check_sides(struct inference *in, const struct layer *l, int64_t kernel, int64_t stride, int64_t pad)
{
    if (kernel >= 1 && stride >= 1 && pad >= 0 && pad < kernel)
        return E_OK;
    return infer_refuse(
        in, E_INVAL,
        "layer %s: expected kernel >= 1, stride >= 1 and 0 <= pad < kernel, got kernel %lld, stride %lld, pad %lld",
        l->name, (long long)kernel, (long long)stride, (long long)pad);
}

/* Output shape of a window, or a refusal. */
static int slide(struct inference *in, struct layer *l, const struct sides *w, struct shape *out)
{
    int64_t height = l->in.height + 2 * w->pad - w->kernel, width = l->in.width + 2 * w->pad_width - w->kernel_width;
    int rc = check_sides(in, l, w->kernel, w->stride, w->pad);

    rc = rc ? rc : check_sides(in, l, w->kernel_width, w->stride, w->pad_width);
    if (rc)
        return rc;
    if (height < 0 || width < 0)
        return infer_refuse(in, E_INVAL, "layer %s: a %lldx%lld window does not fit its %lldx%lld input (pad %lld)",
                            l->name, (long long)w->kernel, (long long)w->kernel_width, (long long)l->in.height,
                            (long long)l->in.width, (long long)(height < 0 ? w->pad : w->pad_width));
    l->kernel = w->kernel, l->kernel_width = w->kernel_width;
    l->pad = w->pad, l->pad_width = w->pad_width;
    l->stride = w->stride;
    out->height = height / w->stride + 1;
    out->width = width / w->stride + 1;
    return E_OK;
}

static int64_t take_stride(struct inference *in, int64_t given, int64_t otherwise)
{
    int64_t pending = in->pending_stride;

    in->pending_stride = 0;
    if (pending > 1)
        return pending;
    return given ? given : otherwise;
}

/* FLOPs of a layer that multiplies: a multiply and an add per weight and output position, twice that backward (gradient
 * of the weights, gradient of the input) except where no layer before it has parameters. */
int infer_flops(struct inference *in, struct layer *l, int64_t positions, bool bias, int64_t outputs)
{
    int64_t multiplies = count_flops(l->weights, positions, 2, 1);

    if (l->weights < 0 || multiplies < 0)
        return infer_too_large(in, l);
    l->biases = bias ? outputs : 0;
    l->flops_forward = multiplies + (bias ? shape_volume(l->out) : 0);
    l->flops_backward = in->any_parameters ? 2 * l->flops_forward : l->flops_forward;
    in->any_parameters = true;
    return E_OK;
}

int infer_conv(struct inference *in, const struct layer_spec *spec, struct layer *l)
{
    struct sides w = square(spec->kernel, take_stride(in, spec->stride, 1), spec->pad);
    int rc;

    if (spec->kernel_width)
        w.kernel_width = spec->kernel_width, w.pad_width = spec->pad_width;
    else if (spec->pad_width)
        return infer_refuse(in, E_INVAL, "layer %s: expected a kernel_width with the pad_width of %lld", l->name,
                            (long long)spec->pad_width);
    rc = slide(in, l, &w, &l->out);
    if (rc)
        return rc;
    if (spec->channels < 1)
        return infer_refuse(in, E_INVAL, "layer %s: expected channels >= 1", l->name);
    l->out.channels = spec->channels;
    l->groups = spec->groups ? spec->groups : 1;
    if (l->groups < 1 || l->in.channels % l->groups || spec->channels % l->groups)
        return infer_refuse(in, E_INVAL,
                            "layer %s: expected groups that divide its channels, %lld in and %lld out, got %lld groups",
                            l->name, (long long)l->in.channels, (long long)spec->channels, (long long)l->groups);
    if (shape_volume(l->out) < 0)
        return infer_too_large(in, l);
    l->weights = count_product(l->in.channels / l->groups, spec->channels, w.kernel, w.kernel_width);
    return infer_flops(in, l, l->out.height * l->out.width, spec->bias, spec->channels);
}

int infer_fc(struct inference *in, int64_t units, bool bias, struct layer *l)
{
    if (units < 1)
        return infer_refuse(in, E_INVAL, "layer %s: expected units >= 1, got %lld", l->name, (long long)units);
    l->out = (struct shape){ .channels = units, .height = 1, .width = 1 };
    l->weights = count_product(shape_volume(l->in), units, 1, 1);
    return infer_flops(in, l, 1, bias, units);
}

int infer_pool(struct inference *in, const struct layer_spec *spec, struct layer *l)
{
    int64_t kernel = spec->kernel;

    if (!kernel && spec->kind == LAYER_AVGPOOL) {
        l->out.height = l->out.width = 1;
    } else {
        struct sides w = square(kernel, take_stride(in, spec->stride, kernel), spec->pad);
        int rc = slide(in, l, &w, &l->out);
        if (rc)
            return rc;
        l->flops_forward = shape_volume(l->out) < 0 ? -1 : count_product(shape_volume(l->out), kernel, kernel, 1);
        if (l->flops_forward < 0)
            return infer_too_large(in, l);
    }
    if (!kernel)
        l->flops_forward = shape_volume(l->in);
    l->flops_backward = l->flops_forward;
    return E_OK;
}

/* The rows of a table are summed; backward, the sum's gradient goes to each of them. */
int infer_embedding(struct inference *in, const struct layer_spec *spec, struct layer *l)
{
    int64_t lookups = spec->lookups ? spec->lookups : 1, out = count_product(spec->tables, spec->dim, 1, 1);

    if (spec->tables < 1 || spec->dim < 1 || lookups < 1 || spec->rows < spec->tables)
        return infer_refuse(
            in, E_INVAL,
            "layer %s: expected tables, dim and lookups >= 1 and a row for each table, got tables %lld, dim "
            "%lld, lookups %lld, rows %lld",
            l->name, (long long)spec->tables, (long long)spec->dim, (long long)lookups, (long long)spec->rows);
    l->tables = spec->tables;
    l->rows = spec->rows;
    l->dim = spec->dim;
    l->lookups = lookups;
    l->table_values = count_product(spec->rows, spec->dim, 1, 1);
    l->sparse_values = count_product(spec->tables, spec->dim, lookups, 1);
    if (out < 0 || l->table_values < 0 || l->sparse_values < 0 || out > max_count - shape_volume(l->in))
        return infer_too_large(in, l);
    l->out = (struct shape){ .channels = shape_volume(l->in) + out, .height = 1, .width = 1 };
    l->flops_forward = l->sparse_values - out;
    l->flops_backward = l->sparse_values;
    in->any_parameters = true;
    return E_OK;
}

/* Each pair is multiplied once; backward, its gradient times either vector goes to the other. */
int infer_interaction(struct inference *in, const struct layer_spec *spec, struct layer *l)
{
    int64_t values = shape_volume(l->in), n = spec->dim > 0 ? values / spec->dim : 0, ordered, twice;

    if (n < 2 || values % spec->dim)
        return infer_refuse(in, E_INVAL,
                            "layer %s: expected two or more vectors of dim values, got dim %lld and %lld values",
                            l->name, (long long)spec->dim, (long long)values);
    ordered = count_product(n, n - 1, 1, 1); /* pairs, each twice */
    twice = ordered < 0 ? -1 : count_product(ordered, spec->dim, 2, 1);
    if (twice < 0)
        return infer_too_large(in, l);
    l->dim = spec->dim;
    l->out = (struct shape){ .channels = spec->dim + ordered / 2, .height = 1, .width = 1 };
    l->flops_forward = twice / 2;
    l->flops_backward = 2 * l->flops_forward;
    return E_OK;
}

void infer_elementwise(struct layer *l, int64_t flops_per_value)
{
    l->flops_forward = flops_per_value * shape_volume(l->out);
    l->flops_backward = l->flops_forward;
}

int infer_dropout(struct inference *in, const struct layer_spec *spec, struct layer *l)
{
    if (!(spec->rate >= 0 && spec->rate < 1))
        return infer_refuse(in, E_INVAL, "layer %s: expected a rate below 1, and not below 0, got %g", l->name,
                            spec->rate);
    l->rate = spec->rate > 0 ? spec->rate : 0.5;
    infer_elementwise(l, 1);
    return E_OK;
}
