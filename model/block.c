/* block.c - entries that hold layers: residual blocks, and branches whose channels are concatenated. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/numbers.h"
#include "model/private.h"
#include "model/status.h"

static bool can_be_padded(struct shape from, struct shape to, int64_t stride)
{
    return from.channels <= to.channels && to.height == (from.height + stride - 1) / stride &&
           to.width == (from.width + stride - 1) / stride;
}

/* Option B: a strided 1x1 convolution and its batch norm; the last of them becomes the running layer. */
static int infer_projection(struct inference *in, const struct layer_spec *spec, struct shape to, int64_t stride)
{
    struct layer_spec conv = {
        .kind = LAYER_CONV, .name = "projection", .channels = to.channels, .kernel = 1, .stride = stride
    };
    struct layer_spec norm = { .kind = LAYER_BATCHNORM, .name = "projection-norm" };
    struct layer *l;
    int rc = infer_append(in, &conv, LAYER_CONV, &l);

    rc = rc ? rc : infer_conv(in, &conv, l);
    if (!rc && (l->out.height != to.height || l->out.width != to.width))
        rc = infer_refuse(in, E_INVAL, "layer %s: the shortcut's shape does not match the block's output", l->name);
    if (rc)
        return rc;
    l->activations = shape_volume(l->out);
    in->at = l->out;
    return spec->shortcut_norm ? infer_layer(in, &norm, 0) : E_OK;
}

/* Where the shapes differ, option B projects and option A pads with zeros; then both are added. */
static int infer_shortcut(struct inference *in, const struct layer_spec *spec, struct shape from, int from_layer,
                          int64_t stride)
{
    struct layer_spec relu = { .kind = LAYER_RELU, .name = "relu" };
    struct shape to = in->at;
    int main = in->from, rc = E_OK;
    struct layer *l;
    bool same = from.channels == to.channels && from.height == to.height && from.width == to.width;

    if (spec->shortcut == SHORTCUT_NONE)
        return E_OK;
    /* A stride of a layer inside the block instead of its 'downsample'. */
    if (stride == 1 && to.height < from.height)
        stride = (from.height + to.height - 1) / to.height;
    in->at = from;
    in->from = from_layer;
    if (!same && spec->shortcut == SHORTCUT_PROJECTION)
        rc = infer_projection(in, spec, to, stride);
    if (rc)
        return rc;
    if (spec->shortcut == SHORTCUT_IDENTITY && !can_be_padded(from, to, stride))
        return infer_refuse(
            in, E_INVAL,
            "block %d: an identity shortcut pads channels and keeps every %lld. position, so it cannot turn "
            "%lldx%lldx%lld into %lldx%lldx%lld",
            in->block + 1, (long long)stride, (long long)from.channels, (long long)from.height, (long long)from.width,
            (long long)to.channels, (long long)to.height, (long long)to.width);
    int shortcut = in->from;
    in->at = to;
    in->from = main;
    rc = infer_append(in, NULL, LAYER_ADD, &l);
    if (rc)
        return rc;
    l->second = shortcut;
    l->stride = spec->shortcut == SHORTCUT_IDENTITY ? stride : 1;
    infer_elementwise(l, 1);
    l->activations = shape_volume(l->out);
    return spec->relu ? infer_layer(in, &relu, 0) : E_OK;
}

/* The first window layer takes the stride of an outer block times this block's own. */
int infer_block(struct inference *in, const struct layer_spec *spec, int depth)
{
    int outer = in->block, rc = E_OK;
    int64_t stride = count_product(max64(in->pending_stride, 1), spec->downsample ? spec->downsample : 1, 1, 1);

    if (spec->repeat < 1 || !spec->nlayers || depth >= MAX_NESTING)
        return infer_refuse(in, E_INVAL, "a block needs layers, repeat >= 1, and at most %d levels of nesting",
                            MAX_NESTING);
    if (stride < 1)
        return infer_refuse(in, E_RANGE, "block %d: the strides of nested blocks are too large", in->nblocks + 1);
    for (int64_t i = 0; !rc && i < spec->repeat; i++) {
        struct shape from = in->at;
        int from_layer = in->from;
        in->block = in->nblocks++;
        in->pending_stride = i ? 0 : stride;
        rc = infer_list(in, spec->layers, spec->nlayers, depth + 1);
        if (!rc && in->pending_stride > 1)
            rc = infer_refuse(in, E_INVAL, "block %d: nothing in it can downsample: it has no convolution and no pool",
                              in->block + 1);
        rc = rc ? rc : infer_shortcut(in, spec, from, from_layer, i ? 1 : stride);
    }
    in->block = outer;
    in->pending_stride = 0;
    return rc;
}

static int check_product(struct inference *in, const struct layer *l, struct shape added)
{
    if (added.channels == l->in.channels && added.height == l->in.height && added.width == l->in.width)
        return E_OK;
    return infer_refuse(in, E_INVAL, "layer %s: expected factors of one shape, got %lldx%lldx%lld and %lldx%lldx%lld",
                        l->name, (long long)l->in.channels, (long long)l->in.height, (long long)l->in.width,
                        (long long)added.channels, (long long)added.height, (long long)added.width);
}

/* Planes of one size, whose channels come one after another; a product's factors each give the other's error. */
static int join_shapes(struct inference *in, struct layer *l, struct shape added)
{
    if (l->kind == LAYER_PRODUCT) {
        infer_elementwise(l, 1);
        l->flops_backward *= 2;
        return check_product(in, l, added);
    }
    if (added.height != l->in.height || added.width != l->in.width)
        return infer_refuse(in, E_INVAL, "layer %s: expected planes of %lldx%lld, as those before have, got %lldx%lld",
                            l->name, (long long)l->in.height, (long long)l->in.width, (long long)added.height,
                            (long long)added.width);
    l->out.channels += added.channels;
    return E_OK;
}

/* Joins a branch to the ones before. Of several joins, the last has the name of them all. */
static int join(struct inference *in, const struct layer_spec *spec, size_t branch, struct shape so_far, int before)
{
    struct layer_spec named = { .kind = spec->kind, .name = spec->name };
    struct shape added = in->at;
    int second = in->from;
    char name[64];
    struct layer *l;

    if (spec->name && *spec->name && branch + 1 < spec->nlayers) {
        snprintf(name, sizeof(name), "%.30s.%zu", spec->name, branch);
        named.name = name;
    }
    in->at = so_far;
    in->from = before;
    int rc = infer_append(in, &named, spec->kind, &l);
    rc = rc ? rc : join_shapes(in, l, added);
    if (rc)
        return rc;
    l->second = second;
    l->activations = shape_volume(l->out);
    in->at = l->out;
    return l->activations < 0 ? infer_too_large(in, l) : E_OK;
}

/* What follows starts in the state in which the side did. */
int infer_side(struct inference *in, const struct layer_spec *spec, int depth)
{
    const struct inference start = *in;
    int rc;

    if (!spec->nlayers || depth >= MAX_NESTING)
        return infer_refuse(in, E_INVAL, "a side needs layers, and at most %d levels of nesting", MAX_NESTING);
    if (in->pending_stride > 1)
        return infer_refuse(in, E_INVAL, "a side may not stand before what downsamples its block");
    rc = infer_list(in, spec->layers, spec->nlayers, depth + 1);
    if (rc)
        return rc;
    if (in->from != (int)in->m->nlayers - 1)
        return infer_refuse(in, E_INVAL, "a side needs a layer after the side in it");
    in->m->layers[in->from].ends_side = true;
    in->at = start.at;
    in->from = start.from;
    in->any_parameters = start.any_parameters;
    return E_OK;
}

/* Each branch starts in the state in which the first one did: layer, stride, and whether parameters precede it. */
int infer_branches(struct inference *in, const struct layer_spec *spec, int depth)
{
    const struct inference start = *in;
    size_t outer = strlen(in->path);
    struct shape so_far = in->at;
    bool parameters = in->any_parameters;
    int before = in->from, rc = E_OK;

    if (spec->nlayers < 2 || depth >= MAX_NESTING)
        return infer_refuse(in, E_INVAL, "a %s needs two layers or more, and at most %d levels of nesting",
                            layer_kind_name(spec->kind), MAX_NESTING);
    for (size_t i = 0; !rc && i < spec->nlayers; i++) {
        in->at = start.at;
        in->from = start.from;
        in->pending_stride = start.pending_stride;
        in->any_parameters = start.any_parameters;
        infer_enter(in, outer, i);
        rc = infer_layer(in, &spec->layers[i], depth + 1);
        if (!rc && in->pending_stride > 1)
            rc = infer_refuse(in, E_INVAL, "it cannot downsample like the others: it has no convolution and no pool");
        parameters |= in->any_parameters;
        if (!rc && i)
            rc = join(in, spec, i, so_far, before);
        so_far = in->at;
        before = in->from;
    }
    in->any_parameters = parameters;
    if (!rc)
        in->path[outer] = 0;
    return rc;
}
