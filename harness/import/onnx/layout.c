/* layout.c - shapes of what changes the layout of a value, and of what makes a tensor of a shape. */
#include <string.h>

#include "harness/import/onnx/infer.h"

static const int64_t most_side = (int64_t)1 << 31;

/* The shape, unless a side is out of range or the volume is past 2^48. */
static void give(struct value *to, int rank, const int64_t *dim)
{
    for (int i = 0; i < rank; i++)
        if (dim[i] < 0 || dim[i] > most_side)
            return;
    to->rank = rank;
    memcpy(to->dim, dim, (size_t)rank * sizeof(*dim));
    if (value_volume(to) < 0)
        to->rank = -1;
}

/* Whole numbers of an attribute, or of an input in newer versions of the operator. */
static size_t numbers(const struct net *n, const struct node *node, const char *name, int input, const int64_t **list)
{
    const struct value *v = node_input(n, node, input);
    size_t count = node_ints(node, name, list);

    if (count || !v || !v->ints)
        return count;
    *list = v->ints;
    return (size_t)value_volume(v);
}

static int axis_of(int64_t axis, int rank)
{
    axis += axis < 0 ? rank : 0;
    return axis >= 0 && axis < rank ? (int)axis : -1;
}

static void reshape(const struct value *x, const int64_t *list, size_t count, struct value *to)
{
    int64_t dim[NET_RANK], known = 1, volume = value_volume(x);
    int open = -1;

    if (count > NET_RANK || volume < 0)
        return;
    for (size_t i = 0; i < count; i++) {
        dim[i] = list[i] == 0 && (int)i < x->rank ? x->dim[i] : list[i];
        if (list[i] == -1)
            open = (int)i;
        else if (dim[i] < 0 || dim[i] > most_side || (dim[i] && known > (most_side << 16) / dim[i]))
            return;
        else
            known *= dim[i];
    }
    if (open >= 0 && known)
        dim[open] = volume / known;
    give(to, (int)count, dim);
    if (value_volume(to) != volume)
        to->rank = -1;
}

static void flatten(const struct value *x, int64_t axis, struct value *to)
{
    int64_t dim[2] = { 1, 1 };

    axis += axis < 0 ? x->rank : 0;
    for (int i = 0; i < x->rank; i++)
        dim[i >= axis] *= x->dim[i];
    give(to, 2, dim);
}

static void transpose(const struct value *x, const struct node *node, struct value *to)
{
    const int64_t *perm;
    size_t count = node_ints(node, "perm", &perm);
    int64_t dim[NET_RANK];

    if (count && count != (size_t)x->rank)
        return;
    for (int i = 0; i < x->rank; i++) {
        int from = count ? axis_of(perm[i], x->rank) : x->rank - 1 - i;
        if (from < 0)
            return;
        dim[i] = x->dim[from];
    }
    give(to, x->rank, dim);
}

static void squeeze(const struct net *n, const struct node *node, const struct value *x, struct value *to)
{
    const int64_t *axes = NULL;
    size_t count = numbers(n, node, "axes", 1, &axes);
    int64_t dim[NET_RANK];
    bool gone[NET_RANK] = { false };
    int rank = 0;

    for (size_t i = 0; i < count; i++)
        if (axis_of(axes[i], x->rank) >= 0)
            gone[axis_of(axes[i], x->rank)] = true;
    for (int i = 0; i < x->rank; i++)
        if (count ? !gone[i] : x->dim[i] != 1)
            dim[rank++] = x->dim[i];
    give(to, rank, dim);
}

static void unsqueeze(const struct net *n, const struct node *node, const struct value *x, struct value *to)
{
    const int64_t *axes = NULL;
    size_t count = numbers(n, node, "axes", 1, &axes);
    int rank = x->rank + (int)count, from = 0;
    int64_t dim[NET_RANK] = { 0 };

    if (!count || count > NET_RANK || rank > NET_RANK)
        return;
    for (size_t i = 0; i < count; i++) {
        int axis = axis_of(axes[i], rank);
        if (axis < 0 || dim[axis])
            return;
        dim[axis] = 1;
    }
    for (int i = 0; i < rank; i++)
        if (!dim[i])
            dim[i] = from < x->rank ? x->dim[from++] : 1;
    give(to, rank, dim);
}

static void expand(const struct value *x, const int64_t *list, size_t count, struct value *to)
{
    int64_t dim[NET_RANK];
    int rank = (int)count > x->rank ? (int)count : x->rank;

    if (count > NET_RANK)
        return;
    for (int i = 0; i < rank; i++) {
        int64_t own = i < rank - x->rank ? 1 : x->dim[i - (rank - x->rank)];
        int64_t wish = i < rank - (int)count ? 1 : list[i - (rank - (int)count)];
        dim[i] = own == 1 ? wish : own;
    }
    give(to, rank, dim);
}

static void split(const struct net *n, const struct node *node, const struct value *x, int output)
{
    const int64_t *sizes = NULL;
    size_t count = numbers(n, node, "split", 1, &sizes);
    int axis = axis_of(node_int(node, "axis", 0), x->rank);
    int64_t dim[NET_RANK];

    if (axis < 0)
        return;
    memcpy(dim, x->dim, sizeof(dim));
    dim[axis] = count > (size_t)output ? sizes[output] : (x->dim[axis] + node->nout - 1) / node->nout;
    give(&n->values[node->out[output]], x->rank, dim);
}

static int64_t bounded(int64_t at, int64_t side)
{
    at += at < 0 ? side : 0;
    return at < 0 ? 0 : at > side ? side : at;
}

static void slice(const struct net *n, const struct node *node, const struct value *x, struct value *to)
{
    const int64_t *starts = NULL, *ends = NULL, *axes = NULL, *steps = NULL;
    size_t count = numbers(n, node, "starts", 1, &starts), nends = numbers(n, node, "ends", 2, &ends);
    size_t naxes = numbers(n, node, "axes", 3, &axes), nsteps = numbers(n, node, "steps", 4, &steps);
    int64_t dim[NET_RANK];

    if (!count || count > NET_RANK || nends != count || (naxes && naxes != count) || (nsteps && nsteps != count))
        return;
    memcpy(dim, x->dim, sizeof(dim));
    for (size_t i = 0; i < count; i++) {
        int axis = axis_of(naxes ? axes[i] : (int64_t)i, x->rank);
        int64_t step = nsteps ? steps[i] : 1;
        if (axis < 0 || step < 1)
            return;
        int64_t length = bounded(ends[i], x->dim[axis]) - bounded(starts[i], x->dim[axis]);
        dim[axis] = length > 0 ? (length - 1) / step + 1 : 0;
    }
    give(to, x->rank, dim);
}

static void tile(const struct value *x, const int64_t *list, size_t count, struct value *to)
{
    int64_t dim[NET_RANK];

    if (count != (size_t)x->rank)
        return;
    for (int i = 0; i < x->rank; i++) {
        if (list[i] < 0 || list[i] > most_side || x->dim[i] > most_side)
            return;
        dim[i] = x->dim[i] * list[i] > most_side ? -1 : x->dim[i] * list[i];
    }
    give(to, x->rank, dim);
}

/* Shape, ConstantOfShape, Range and Constant. */
static void made_of_shape(const struct net *n, const struct node *node, struct value *to)
{
    const struct value *x = node_input(n, node, 0), *end = node_input(n, node, 1), *by = node_input(n, node, 2);
    const int64_t *list = NULL;
    int64_t length;

    if (node_is(node, "Shape") && x && x->rank >= 0) {
        length = x->rank;
        give(to, 1, &length);
    } else if (node_is(node, "ConstantOfShape") && x && x->ints && x->rank == 1) {
        if (x->dim[0] <= NET_RANK)
            give(to, (int)x->dim[0], x->ints);
    } else if (node_is(node, "Range") && x && end && by && x->ints && end->ints && by->ints && value_volume(x) == 1 &&
               value_volume(end) == 1 && value_volume(by) == 1 && by->ints[0] > 0 && x->ints[0] >= 0 &&
               end->ints[0] >= x->ints[0]) {
        length = (end->ints[0] - x->ints[0]) / by->ints[0] + ((end->ints[0] - x->ints[0]) % by->ints[0] > 0);
        give(to, 1, &length);
    } else if (node_is(node, "Constant")) {
        length = (int64_t)node_ints(node, "value_ints", &list);
        give(to, length ? 1 : 0, &length);
    } else if (node_is(node, "Size")) {
        give(to, 0, &length);
    }
}

void infer_layout(struct net *n, struct node *node, int output)
{
    const struct value *x = node_input(n, node, 0), *by = node_input(n, node, 1);
    const int64_t *list = by ? by->ints : NULL;
    size_t count = list ? (size_t)value_volume(by) : 0;
    struct value *to = &n->values[node->out[output]];

    if (node->role == ROLE_SHAPE) {
        made_of_shape(n, node, to);
        return;
    }
    if (!x || x->rank < 0)
        return;
    if (node_is(node, "Split"))
        split(n, node, x, output);
    else if (output)
        return;
    else if (node_is(node, "Reshape") && list)
        reshape(x, list, count, to);
    else if (node_is(node, "Flatten"))
        flatten(x, node_int(node, "axis", 1), to);
    else if (node_is(node, "Transpose"))
        transpose(x, node, to);
    else if (node_is(node, "Squeeze"))
        squeeze(n, node, x, to);
    else if (node_is(node, "Unsqueeze"))
        unsqueeze(n, node, x, to);
    else if (node_is(node, "Expand") && list)
        expand(x, list, count, to);
    else if (node_is(node, "Slice"))
        slice(n, node, x, to);
    else if (node_is(node, "Tile") && list)
        tile(x, list, count, to);
    else if (!node_is(node, "Reshape") && !node_is(node, "Expand") && !node_is(node, "Tile"))
        give(to, x->rank, x->dim);
}
