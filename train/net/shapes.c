#include "train/net/shapes.h"

/* The parts of both axes; NULL where the layer is not split. */
struct parts {
    const struct split_part *height, *width;
};

static struct parts parts_of(const struct split_net *s, const struct operation *o, bool second)
{
    const struct split_axis *h = &s->height, *w = &s->width;
    struct parts p = { 0 };

    if (o->patch == NO_PATCH)
        return p;
    p.height = (second ? h->second : h->parts) + o->layer * h->n + o->patch / s->columns;
    p.width = (second ? w->second : w->parts) + o->layer * w->n + o->patch % s->columns;
    return p;
}

static struct image_shape whole(const struct graph *g, struct shape s)
{
    return (struct image_shape){ g->batch, s.channels, s.height, s.width };
}

struct image_shape shapes_in(const struct graph *g, const struct split_net *s, const struct operation *o)
{
    struct image_shape shape = whole(g, g->model->layers[o->layer].in);
    struct parts p = parts_of(s, o, 0);

    if (p.height)
        shape.height = p.height->in_length, shape.width = p.width->in_length;
    return shape;
}

struct image_shape shapes_out(const struct graph *g, const struct split_net *s, const struct operation *o)
{
    struct image_shape shape = whole(g, g->model->layers[o->layer].out);
    struct parts p = parts_of(s, o, 0);

    if (p.height)
        shape.height = p.height->out_length, shape.width = p.width->out_length;
    return shape;
}

struct image_shape shapes_second(const struct graph *g, const struct split_net *s, const struct operation *o)
{
    const struct model *m = g->model;
    int from = m->layers[o->layer].second;
    struct image_shape shape = whole(g, from == LAYER_NO_LAYER ? m->input : m->layers[from].out);
    struct parts p = parts_of(s, o, 1);

    if (p.height)
        shape.height = p.height->in_length, shape.width = p.width->in_length;
    return shape;
}

struct conv_shape shapes_window(const struct graph *g, const struct split_net *s, const struct operation *o)
{
    const struct layer *l = &g->model->layers[o->layer];
    struct image_shape in = shapes_in(g, s, o), out = shapes_out(g, s, o);
    struct parts p = parts_of(s, o, 0);
    struct conv_shape shape = {
        .batch = g->batch,
        .in_channels = in.channels,
        .in_height = in.height,
        .in_width = in.width,
        .out_channels = out.channels,
        .out_height = out.height,
        .out_width = out.width,
        .kernel = l->kernel ? l->kernel : in.height, /* 0: the whole plane */
        .stride = l->kernel ? l->stride : 1,
        .pad_top = p.height ? p.height->pad_begin : l->pad,
        .pad_bottom = p.height ? p.height->pad_end : l->pad,
        .pad_left = p.height ? p.width->pad_begin : l->pad,
        .pad_right = p.height ? p.width->pad_end : l->pad,
        .groups = l->groups,
    };

    return shape;
}

struct patch_place shapes_patch(const struct graph *g, const struct split_net *s, const struct operation *o)
{
    bool images = o->kind == OPERATION_CUT;
    int64_t layer = images ? 0 : (int64_t)s->nlayers - 1;
    const struct split_part *h = s->height.parts + layer * s->height.n + o->patch / s->columns;
    const struct split_part *w = s->width.parts + layer * s->width.n + o->patch % s->columns;
    struct patch_place p = { .whole = whole(g, images ? g->model->input : g->model->layers[layer].out) };

    p.part = p.whole;
    p.part.height = images ? h->in_length : h->out_length;
    p.part.width = images ? w->in_length : w->out_length;
    p.top = images ? h->in_start : h->out_start;
    p.left = images ? w->in_start : w->out_start;
    return p;
}

struct bag_shape shapes_bag(const struct graph *g, size_t layer)
{
    const struct layer *l = &g->model->layers[layer];

    return (struct bag_shape){ g->batch, l->tables, l->lookups, l->dim, l->activations - l->tables * l->dim };
}

struct attention_shape shapes_attention(const struct graph *g, size_t layer)
{
    const struct layer *l = &g->model->layers[layer];

    return (struct attention_shape){ .batch = g->batch,
                                     .queries = l->out.channels,
                                     .keys = l->memory_positions,
                                     .dim = l->out.width,
                                     .heads = l->heads,
                                     .causal = l->causal };
}
