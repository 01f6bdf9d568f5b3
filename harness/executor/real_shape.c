/* real_shape.c - what a layer works on: the whole, or the part of a split one. */
#include "harness/executor/real.h"

/* The parts of both axes; NULL where the layer is not split. */
struct parts {
    const struct split_part *height, *width;
};

static struct parts parts_of(const struct memory_plan *plan, const struct operation *o, _Bool second)
{
    const struct split_axis *h = &plan->split.height, *w = &plan->split.width;
    struct parts p = { 0 };

    if (o->patch == NO_PATCH)
        return p;
    p.height = (second ? h->second : h->parts) + o->layer * h->n + o->patch / plan->split.columns;
    p.width = (second ? w->second : w->parts) + o->layer * w->n + o->patch % plan->split.columns;
    return p;
}

static struct image_shape whole(const struct memory_plan *plan, struct shape s)
{
    return (struct image_shape){ plan->batch, s.channels, s.height, s.width };
}

struct image_shape real_in(const struct memory_plan *plan, const struct operation *o)
{
    struct image_shape s = whole(plan, plan->model->layers[o->layer].in);
    struct parts p = parts_of(plan, o, 0);

    if (p.height)
        s.height = p.height->in_length, s.width = p.width->in_length;
    return s;
}

struct image_shape real_out(const struct memory_plan *plan, const struct operation *o)
{
    struct image_shape s = whole(plan, plan->model->layers[o->layer].out);
    struct parts p = parts_of(plan, o, 0);

    if (p.height)
        s.height = p.height->out_length, s.width = p.width->out_length;
    return s;
}

struct image_shape real_second(const struct memory_plan *plan, const struct operation *o)
{
    const struct model *m = plan->model;
    int from = m->layers[o->layer].second;
    struct image_shape s = whole(plan, from == LAYER_NO_LAYER ? m->input : m->layers[from].out);
    struct parts p = parts_of(plan, o, 1);

    if (p.height)
        s.height = p.height->in_length, s.width = p.width->in_length;
    return s;
}

struct conv_shape real_window(const struct memory_plan *plan, const struct operation *o)
{
    const struct layer *l = &plan->model->layers[o->layer];
    struct image_shape in = real_in(plan, o), out = real_out(plan, o);
    struct parts p = parts_of(plan, o, 0);
    struct conv_shape s = {
        .batch = plan->batch,
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
    };

    return s;
}
