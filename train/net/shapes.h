/* shapes.h - the shapes of an operation of a graph, as train/ops takes them: of the whole, or of a split layer's patch.
 * 'o' is an OPERATION_LAYER of graph 'g', which was built with split 's'. */
#ifndef NARROWS_TRAIN_NET_SHAPES_H
#define NARROWS_TRAIN_NET_SHAPES_H

#include "model/graph/graph.h"
#include "train/ops/ops.h"

struct image_shape shapes_in(const struct graph *g, const struct split_net *s, const struct operation *o);
struct image_shape shapes_out(const struct graph *g, const struct split_net *s, const struct operation *o);

/* Of a LAYER_ADD: the shape of its second input, the end of the shortcut. */
struct image_shape shapes_second(const struct graph *g, const struct split_net *s, const struct operation *o);

/* Of a layer with a window; one of kernel 0 takes the whole plane. */
struct conv_shape shapes_window(const struct graph *g, const struct split_net *s, const struct operation *o);

/* Of CUT, JOIN and UNJOIN: part and whole, and the part's corner in the images or in the joined tensor. */
struct patch_place {
    struct image_shape whole, part;
    int64_t top, left;
};
struct patch_place shapes_patch(const struct graph *g, const struct split_net *s, const struct operation *o);

/* Of layers that are never split. */
struct bag_shape shapes_bag(const struct graph *g, size_t layer);
struct attention_shape shapes_attention(const struct graph *g, size_t layer);

static inline int64_t image_values(const struct image_shape *s)
{
    return s->batch * s->channels * s->height * s->width;
}

#endif
