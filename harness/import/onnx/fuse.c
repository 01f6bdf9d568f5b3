/* fuse.c - several nodes that are one layer become one: the last of them takes the role of all, and the others are no
 * longer reached. Nodes are looked at in their order, so that a layer can take in one more node at a time. */
#include <string.h>

#include "harness/import/onnx/net.h"

/* The value before factors and quotients that are numbers. */
static int without_scale(const struct net *n, int value)
{
    for (int i = 0; i < NET_STRIP; i++) {
        const struct node *node = value_producer(n, value);
        if (!node || !(node->role == ROLE_MUL || node->role == ROLE_ACTIVATION) ||
            !(node_is(node, "Mul") || node_is(node, "Div") || node_is(node, "aten.mul") || node_is(node, "aten.div")))
            return value;
        int other, from = node_operand(n, node, &other);
        if (from < 0 || (other >= 0 && value_volume(&n->values[other]) != 1))
            return value;
        value = from;
    }
    return value;
}

/* A vector of this many values, or one that is broadcast: [C], [1, C, 1, 1]. */
static bool is_vector(const struct net *n, int value, int64_t size)
{
    return value_is_fixed(n, value) && n->values[value].rank > 0 && value_volume(&n->values[value]) == size;
}

static int64_t last_side(const struct value *v)
{
    return v->rank > 0 ? v->dim[v->rank - 1] : -1;
}

static int64_t channels_of(const struct value *v)
{
    return v->dim[v->rank - 3];
}

/* A matrix or a convolution without a bias, then a vector that is added. */
static bool take_bias(struct net *n, struct node *node, int from, int other)
{
    const struct node *before = value_producer(n, from);
    const struct value *w;

    if (!before || before->bias >= 0 || before->weight < 0)
        return false;
    w = &n->values[before->weight];
    if (before->role == ROLE_LINEAR ? !is_vector(n, other, before->units)
                                    : before->role != ROLE_CONV || w->rank < 1 || !is_vector(n, other, w->dim[0]) ||
                                          n->values[other].rank < 3 || w->dim[0] != channels_of(&n->values[other]))
        return false;
    node->role = before->role;
    node->proto = before->proto;
    node->op = before->op;
    node->from = before->from;
    node->weight = before->weight;
    node->units = before->units;
    node->inputs = before->inputs;
    node->transposed = before->transposed;
    node->bias = other;
    return true;
}

/* The scale, then the shift, of a norm. */
static bool take_into_norm(struct net *n, struct node *node, int from, int other)
{
    const struct node *before = value_producer(n, from);
    bool scale = node->role == ROLE_MUL;

    if (!before || !before->open || (before->role != ROLE_LAYERNORM && before->role != ROLE_RMSNORM) ||
        !is_vector(n, other, last_side(&n->values[from])) || (scale ? before->weight : before->bias) >= 0 ||
        (!scale && before->role == ROLE_RMSNORM))
        return false;
    node->role = before->role;
    node->from = before->from;
    node->weight = scale ? other : before->weight;
    node->bias = scale ? before->bias : other;
    node->open = true;
    return true;
}

/* The table behind vectors that are the same for every sample: rows that whole numbers choose, or all of them. */
static int table_of(const struct net *n, int value)
{
    for (int i = 0; i < NET_STRIP; i++) {
        const struct node *node = value_producer(n, value);
        if (value < 0 || n->values[value].origin >= 0)
            return value < 0 ? NET_NONE : n->values[value].origin;
        if (!node || (node->role != ROLE_LAYOUT && node->role != ROLE_GATHER) || !node->nin)
            return NET_NONE;
        value = node->in[0];
    }
    return NET_NONE;
}

static bool is_sequence_of(const struct value *whole, const struct value *rows)
{
    return rows->rank >= 2 && whole->rank >= 2 && last_side(rows) == last_side(whole) &&
           rows->dim[rows->rank - 2] == whole->dim[whole->rank - 2];
}

static bool take_place(struct net *n, struct node *node, int from, int other)
{
    int table = value_is_fixed(n, other) ? table_of(n, other) : NET_NONE;

    if (table < 0 || n->values[table].element != ELEMENT_FLOAT || n->values[node->out[0]].rank != 3 ||
        !is_sequence_of(&n->values[node->out[0]], &n->values[other]))
        return false;
    node->role = ROLE_PLACE;
    node->from = from;
    node->weight = table;
    return true;
}

/* Two sums of rows that the sample chooses: the smaller table adds to the larger one's. */
static bool take_rows(struct net *n, struct node *node)
{
    for (int i = 0; i < 2; i++) {
        const struct node *rows = value_producer(n, value_strip(n, node->in[i], false));
        const struct node *all = value_producer(n, value_strip(n, node->in[1 - i], false));
        if (!rows || !all || rows == all || rows->role != ROLE_TOKENS ||
            (all->role != ROLE_TOKENS && all->role != ROLE_PLACE))
            continue;
        if (all->role == ROLE_TOKENS && value_volume(&n->values[all->weight]) < value_volume(&n->values[rows->weight]))
            continue;
        node->role = ROLE_PLACE;
        node->from = node->in[1 - i];
        node->weight = n->values[rows->weight].origin;
        return node->weight >= 0;
    }
    return false;
}

static void fuse_add(struct net *n, struct node *node)
{
    int other, from = node_operand(n, node, &other);

    if (from < 0 && node->nin == 2 && node->in[0] >= 0 && node->in[1] >= 0 && n->values[node->in[0]].data) {
        take_rows(n, node);
        return;
    }
    if (from < 0)
        return;
    if (take_bias(n, node, from, other) || take_into_norm(n, node, from, other) || take_place(n, node, from, other))
        return;
    node->role = ROLE_ACTIVATION;
    node->kind = LAYER_RELU;
    node->alike = true;
    node->from = from;
}

/* 1 + erf(x / sqrt 2), or 1 + tanh(0.8 (x + 0.04 x^3)): x, else NET_NONE. */
static int gelu_argument(const struct net *n, int value, int x)
{
    const struct node *sum = value_producer(n, value), *of;
    int other, inner;

    if (!sum || !(node_is(sum, "Add") || node_is(sum, "aten.add")) || node_operand(n, sum, &other) < 0)
        return NET_NONE;
    of = value_producer(n, node_operand(n, sum, &other));
    if (!of || !of->nin)
        return NET_NONE;
    inner = without_scale(n, of->in[0]);
    if (node_is(of, "Erf") || node_is(of, "aten.erf"))
        return inner == x ? x : NET_NONE;
    sum = value_producer(n, inner);
    if (!(node_is(of, "Tanh") || node_is(of, "aten.tanh")) || !sum || sum->role != ROLE_ADD || sum->nin < 2)
        return NET_NONE;
    return sum->in[0] == x || sum->in[1] == x ? x : NET_NONE;
}

static bool become(struct node *node, enum layer_kind kind, int from, bool open)
{
    node->role = ROLE_ACTIVATION;
    node->kind = kind;
    node->from = from;
    node->alike = false;
    node->open = open;
    return true;
}

/* x times its sigmoid, or times 1 + erf. */
static bool take_gate(struct net *n, struct node *node)
{
    for (int i = 0; i < 2; i++) {
        int x = without_scale(n, node->in[i]), gate = without_scale(n, node->in[1 - i]);
        const struct node *of = value_producer(n, gate);
        if (of && of->role == ROLE_ACTIVATION && of->kind == LAYER_SIGMOID && !of->alike && of->from >= 0 &&
            without_scale(n, of->from) == x)
            return become(node, LAYER_SILU, x, false);
        if (gelu_argument(n, gate, x) >= 0)
            return become(node, LAYER_GELU, x, true);
    }
    return false;
}

/* 1 / sqrt(mean(x^2) + e), by up to six nodes that change one value each. */
static bool is_deviation_of(const struct net *n, int value, int x)
{
    for (int i = 0; i < 6; i++) {
        const struct node *node = value_producer(n, value);
        int other;
        if (!node || !node->nin)
            return false;
        if (node->role == ROLE_MEAN) {
            const struct node *square = value_producer(n, node->in[0]);
            return square && square->nin && square->in[0] == x &&
                   (node_is(square, "Pow") || node_is(square, "aten.pow") ||
                    (square->role == ROLE_MUL && square->in[square->nin - 1] == x));
        }
        value = node->role == ROLE_ACTIVATION ? node->from : node_operand(n, node, &other);
    }
    return false;
}

static bool take_rms(struct net *n, struct node *node)
{
    for (int i = 0; i < 2; i++)
        if (is_deviation_of(n, node->in[1 - i], node->in[i])) {
            node->role = ROLE_RMSNORM;
            node->from = node->in[i];
            node->open = true;
            return true;
        }
    return false;
}

static void fuse_mul(struct net *n, struct node *node)
{
    int other, from = node_operand(n, node, &other);
    const struct node *before = value_producer(n, from);

    if (from < 0) {
        if (node->nin == 2 && node->in[0] >= 0 && node->in[1] >= 0 && n->values[node->in[0]].data &&
            !take_gate(n, node))
            take_rms(n, node);
        return;
    }
    if (take_into_norm(n, node, from, other))
        return;
    if (before && before->open && before->role == ROLE_ACTIVATION && before->kind == LAYER_GELU) {
        become(node, LAYER_GELU, before->from, false);
        return;
    }
    become(node, LAYER_RELU, from, false);
    node->alike = true;
}

/* (x - mean(x)) / deviation, and x / root of the mean square. */
static void fuse_quotient(struct net *n, struct node *node)
{
    const struct node *difference = node->nin == 2 ? value_producer(n, node->in[0]) : NULL;
    const struct node *mean;

    if (node->nin != 2 || !(node_is(node, "Div") || node_is(node, "aten.div")) || node->in[0] < 0 || node->in[1] < 0)
        return;
    if (is_deviation_of(n, node->in[1], node->in[0]) && difference && difference->nin == 2 &&
        (node_is(difference, "Sub") || node_is(difference, "aten.sub"))) {
        mean = value_producer(n, difference->in[1]);
        if (mean && mean->role == ROLE_MEAN && mean->from == difference->in[0]) {
            node->role = ROLE_LAYERNORM;
            node->from = difference->in[0];
            node->open = true;
            return;
        }
    }
    if (is_deviation_of(n, node->in[1], node->in[0])) {
        node->role = ROLE_RMSNORM;
        node->from = node->in[0];
        node->open = true;
    }
}

void onnx_fuse(struct net *n)
{
    for (int i = 0; i < n->nnodes; i++) {
        struct node *node = &n->nodes[i];
        if (!node->nout || node->out[0] < 0)
            continue;
        onnx_bind(n, node);
        switch (node->role) {
        case ROLE_ADD: fuse_add(n, node); break;
        case ROLE_MUL: fuse_mul(n, node); break;
        case ROLE_ARITHMETIC: fuse_quotient(n, node); break;
        default: break;
        }
    }
}
