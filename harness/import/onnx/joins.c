/* joins.c - what joins several branches: sums as blocks with a shortcut, concatenated channels, products. */
#include "harness/import/onnx/structure.h"

enum { MOST_BRANCHES = 64 };

static struct layer_spec *as_branch(struct net *n, struct layers *l, struct layer_spec *one)
{
    if (l->n == 1) {
        *one = l->list[0];
        return one;
    }
    one->kind = LAYER_BLOCK;
    one->repeat = 1;
    one->shortcut = SHORTCUT_NONE;
    if (!l->n) {
        onnx_add_note(n, "a branch that does nothing is a maxpool of 1 in the model file");
        one->kind = LAYER_MAXPOOL;
        one->kernel = 1;
        return one;
    }
    one->layers = l->list;
    one->nlayers = (size_t)l->n;
    return one;
}

/* A convolution of 1x1 and perhaps a norm. */
static bool is_projection(const struct layers *l)
{
    const struct layer_spec *conv = l->list;

    return l->n && (l->n == 1 || (l->n == 2 && conv[1].kind == LAYER_BATCHNORM)) && conv->kind == LAYER_CONV &&
           conv->kernel == 1 && !conv->kernel_width && !conv->pad && conv->groups <= 1;
}

static void push_sum(struct net *n, struct node *node, struct layers branches[2], bool changes, struct layers *l)
{
    bool first = !branches[0].n ||
                 (is_projection(&branches[0]) && (branches[1].n > branches[0].n || !is_projection(&branches[1])));
    struct layers *shortcut = &branches[first ? 0 : 1], *main = &branches[first ? 1 : 0];
    struct layer_spec *block;
    bool relu = l->n && l->list[l->n - 1].kind == LAYER_RELU;

    if (!main->n || (shortcut->n && !(is_projection(shortcut) && changes)) || (!shortcut->n && changes)) {
        onnx_lack(n, node,
                  "a sum of branches of %d and %d layers%s: expected one that is nothing, or a 1x1 convolution "
                  "where the shape changes",
                  branches[0].n, branches[1].n, changes ? ", where the shape changes" : "");
        return;
    }
    l->n -= relu;
    block = layers_push(n, l, LAYER_BLOCK);
    block->repeat = 1;
    block->relu = relu;
    block->layers = main->list;
    block->nlayers = (size_t)main->n;
    block->shortcut = shortcut->n ? SHORTCUT_PROJECTION : SHORTCUT_IDENTITY;
    block->shortcut_norm = shortcut->n == 2;
    if (shortcut->n && shortcut->list->bias)
        onnx_add_note(n, "a projection's bias (%lld values) is left out: a shortcut has none",
                      (long long)shortcut->list->channels);
}

static void push_branches(struct net *n, struct node *node, struct layers *branches, int count, struct layers *l)
{
    bool concat = node->role == ROLE_CONCAT;
    const struct value *out = &n->values[node->out[0]];
    int64_t axis = node_int(node, "axis", node_int(node, "dim", 0));
    struct layer_spec *s;

    for (int i = 0; i < count; i++)
        if (!branches[i].n && !concat) {
            onnx_lack(n, node, "a product with its own input: expected layers in each factor");
            return;
        }
    for (int i = 0; i < count && !concat; i++)
        if (!value_same_shape(&n->values[node->in[i]], out)) {
            onnx_lack(n, node, "a product of different shapes: expected factors of one shape");
            return;
        }
    if (concat && axis != 1 && axis != 1 - out->rank) {
        onnx_lack(n, node, "expected channels that are concatenated, dimension 1, got %lld", (long long)axis);
        return;
    }
    s = layers_push(n, l, concat ? LAYER_CONCAT : LAYER_PRODUCT);
    s->layers = onnx_take(n, (size_t)count * sizeof(*s->layers));
    s->nlayers = (size_t)count;
    for (int i = 0; i < count; i++)
        as_branch(n, &branches[i], &s->layers[i]);
}

int structure_join(struct net *n, struct node *node, int depth, struct layers *l)
{
    int sources[MOST_BRANCHES], begin = NET_NONE;
    int count = node_sources(n, node, MOST_BRANCHES, sources);
    struct layers branches[MOST_BRANCHES] = { 0 };
    bool all_data = true;

    for (int i = 0; i < node->nin; i++)
        all_data &= node->in[i] >= 0 && n->values[node->in[i]].data;
    if (count < 2 || count > MOST_BRANCHES || depth >= STRUCTURE_DEEP || !all_data) {
        onnx_lack(n, node, "expected 2 to %d branches that depend on the input, nested %d deep at most", MOST_BRANCHES,
                  STRUCTURE_DEEP);
        return count ? sources[0] : NET_NONE;
    }
    for (int i = 0; i < count; i++) {
        int from = structure_chain(n, sources[i], node->dominator, depth + 1, &branches[i]);
        begin = from >= 0 && begin < 0 ? from : begin;
    }
    if (begin < 0)
        onnx_lack(n, node, "expected branches that begin at one layer, got tables");
    else if (node->role == ROLE_ADD)
        push_sum(n, node, branches, !value_same_shape(&n->values[begin], &n->values[node->out[0]]), l);
    else
        push_branches(n, node, branches, count, l);
    return begin;
}
