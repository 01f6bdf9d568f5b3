/* bind.c - what each node reads, and which parameters it has. */
#include <string.h>

#include "harness/import/onnx/net.h"

bool value_is_fixed(const struct net *n, int value)
{
    return value >= 0 && !n->values[value].data;
}

int node_operand(const struct net *n, const struct node *node, int *other)
{
    int first = node->nin > 0 ? node->in[0] : NET_NONE, second = node->nin > 1 ? node->in[1] : NET_NONE;
    bool first_data = first >= 0 && n->values[first].data, second_data = second >= 0 && n->values[second].data;

    *other = first_data ? second : first;
    if (first_data == second_data)
        return NET_NONE;
    return first_data ? first : second;
}

static int input(const struct node *node, int i)
{
    return i < node->nin ? node->in[i] : NET_NONE;
}

static void become_matrix(struct net *n, struct node *node, int from, int weight, int bias, bool transposed)
{
    const struct value *w = weight >= 0 ? &n->values[weight] : NULL;

    if (!w || w->data || w->rank != 2 || from < 0 || !n->values[from].data) {
        node->role = w && w->data ? ROLE_MATMUL : ROLE_OTHER;
        return;
    }
    node->role = ROLE_LINEAR;
    node->from = from;
    node->weight = weight;
    node->bias = bias;
    node->transposed = transposed;
    node->units = w->dim[transposed ? 0 : 1];
    node->inputs = w->dim[transposed ? 1 : 0];
}

static void bind_linear(struct net *n, struct node *node)
{
    if (node_is(node, "aten.addmm"))
        become_matrix(n, node, input(node, 1), input(node, 2), input(node, 0), false);
    else if (node_is(node, "aten.linear"))
        become_matrix(n, node, input(node, 0), input(node, 1), input(node, 2), true);
    else if (node_is(node, "Gemm"))
        become_matrix(n, node, input(node, 0), input(node, 1), input(node, 2), node_int(node, "transB", 0));
    else if (value_is_fixed(n, input(node, 1)))
        become_matrix(n, node, input(node, 0), input(node, 1), NET_NONE, false);
}

static void mark_statistic(struct net *n, int value)
{
    if (value >= 0 && n->values[value].origin >= 0)
        n->values[n->values[value].origin].statistic = true;
}

static void bind_gather(struct net *n, struct node *node)
{
    bool rows = value_is_fixed(n, input(node, 0)), by = value_is_fixed(n, input(node, 1)) || node->nin < 2;

    if (rows && !by) {
        node->role = ROLE_TOKENS;
        node->weight = node->in[0];
    } else if (!rows && by) {
        node->role = ROLE_LAYOUT;
        node->from = node->in[0];
    }
}

/* One operand is a constant: the cost of an activation that reads the other. */
static void bind_arithmetic(struct net *n, struct node *node)
{
    int other, from = node_operand(n, node, &other);

    if (from < 0)
        return;
    node->role = ROLE_ACTIVATION;
    node->kind = LAYER_RELU;
    node->alike = true;
    node->from = from;
}

static void bind_select(struct net *n, struct node *node)
{
    int found = 0;

    for (int i = 0; i < node->nin; i++)
        if ((i || !node_is(node, "Where")) && node->in[i] >= 0 && n->values[node->in[i]].data) {
            node->from = node->in[i];
            found++;
        }
    if (found == 1) {
        node->role = ROLE_ACTIVATION;
        node->kind = LAYER_RELU;
        node->alike = true;
    }
}

static void bind_concat(struct net *n, struct node *node)
{
    const struct value *out = node->nout && node->out[0] >= 0 ? &n->values[node->out[0]] : NULL;
    int64_t axis = node_int(node, "axis", node_int(node, "dim", 0));

    if (node->nin == 1)
        node->role = ROLE_LAYOUT, node->from = node->in[0];
    if (node->nin != 2 || !value_is_fixed(n, node->in[0]) || value_is_fixed(n, node->in[1]) || !out || out->rank != 3)
        return;
    if ((axis == 1 || axis == -2) && n->values[node->in[0]].rank == 3 && n->values[node->in[0]].dim[1] == 1) {
        node->role = ROLE_PREPEND;
        node->weight = node->in[0];
        node->from = node->in[1];
    }
}

void onnx_bind(struct net *n, struct node *node)
{
    switch (node->role) {
    case ROLE_LINEAR:
    case ROLE_MATMUL: bind_linear(n, node); return;
    case ROLE_GATHER: bind_gather(n, node); return;
    case ROLE_ARITHMETIC: bind_arithmetic(n, node); return;
    case ROLE_SELECT: bind_select(n, node); return;
    case ROLE_CONCAT: bind_concat(n, node); return;
    case ROLE_BATCHNORM: mark_statistic(n, input(node, 3)); mark_statistic(n, input(node, 4)); /* fallthrough */
    case ROLE_CONV:
    case ROLE_LAYERNORM:
    case ROLE_RMSNORM: node->weight = input(node, 1); node->bias = input(node, 2); /* fallthrough */
    case ROLE_MAXPOOL:
    case ROLE_AVGPOOL:
    case ROLE_ADAPTIVE:
    case ROLE_MEAN:
    case ROLE_SOFTMAX:
    case ROLE_ACTIVATION:
    case ROLE_DROPOUT:
    case ROLE_LAYOUT: node->from = input(node, 0); return;
    default: return;
    }
}
