/* ints.c - whole numbers that shapes are made of, computed as far as they are known. */
#include <string.h>

#include "harness/import/onnx/infer.h"

static int64_t *new_list(struct net *n, const struct value *to)
{
    int64_t volume = value_volume(to);

    return volume < 0 || volume > NET_INTS ? NULL : onnx_take(n, (size_t)(volume + 1) * sizeof(int64_t));
}

/* 0 where the operator has no result. */
static int64_t apply(const char *op, int64_t a, int64_t b)
{
    int64_t result = 0;

    if (!strcmp(op, "Add"))
        return __builtin_add_overflow(a, b, &result) ? 0 : result;
    if (!strcmp(op, "Sub"))
        return __builtin_sub_overflow(a, b, &result) ? 0 : result;
    if (!strcmp(op, "Mul"))
        return __builtin_mul_overflow(a, b, &result) ? 0 : result;
    if (!strcmp(op, "Div"))
        return b > 0 ? a / b : 0;
    if (!strcmp(op, "Mod"))
        return b > 0 ? a % b : 0;
    if (!strcmp(op, "Min"))
        return a < b ? a : b;
    if (!strcmp(op, "Max"))
        return a > b ? a : b;
    return !strcmp(op, "Equal") && a == b;
}

/* Lists of one length, or of one number. */
static int64_t number(const struct value *v, int64_t i)
{
    return v->ints[value_volume(v) == 1 ? 0 : i];
}

static bool fits(const struct value *v, int64_t volume)
{
    return v && v->ints && (value_volume(v) == 1 || value_volume(v) == volume);
}

static void elementwise(struct net *n, struct node *node, struct value *to)
{
    const struct value *a = node_input(n, node, 0), *b = node_input(n, node, 1), *c = node_input(n, node, 2);
    int64_t volume = value_volume(to);
    bool select = node->role == ROLE_SELECT;
    static const char *const known[] = { "Add", "Sub", "Mul", "Div", "Mod", "Min", "Max", "Equal" };
    bool can = select;
    int64_t *list;

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        can |= !strcmp(node->op, known[i]);
    if (!can || !fits(a, volume) || !fits(b, volume) || (select && !fits(c, volume)) || !(list = new_list(n, to)))
        return;
    for (int64_t i = 0; i < volume; i++)
        list[i] = select ? number(number(a, i) ? b : c, i) : apply(node->op, number(a, i), number(b, i));
    to->ints = list;
}

static void join(struct net *n, const struct node *node, struct value *to)
{
    int64_t *list, at = 0, sum = 0;

    for (int i = 0; i < node->nin; i++) {
        const struct value *v = node_input(n, node, i);
        if (!v || !v->ints || v->rank != 1)
            return;
        sum += v->dim[0];
    }
    if (sum != value_volume(to) || !(list = new_list(n, to)))
        return;
    for (int i = 0; i < node->nin; i++) {
        const struct value *v = node_input(n, node, i);
        memcpy(list + at, v->ints, (size_t)v->dim[0] * sizeof(*list));
        at += v->dim[0];
    }
    to->ints = list;
}

static void pick(struct net *n, const struct node *node, struct value *to)
{
    const struct value *x = node_input(n, node, 0), *by = node_input(n, node, 1);
    int64_t *list;

    if (!x || !by || !x->ints || !by->ints || x->rank != 1 || value_volume(by) != value_volume(to) ||
        !(list = new_list(n, to)))
        return;
    for (int64_t i = 0; i < value_volume(by); i++) {
        int64_t at = by->ints[i] < 0 ? by->ints[i] + x->dim[0] : by->ints[i];
        if (at < 0 || at >= x->dim[0])
            return;
        list[i] = x->ints[at];
    }
    to->ints = list;
}

/* A list cut at one place, with steps of one. */
static void cut(struct net *n, const struct node *node, struct value *to)
{
    const struct value *x = node_input(n, node, 0), *from = node_input(n, node, 1), *by = node_input(n, node, 4);
    int64_t start, *list;

    if (!x || !x->ints || x->rank != 1 || !from || !from->ints || value_volume(from) != 1 || to->rank != 1 ||
        (by && (!by->ints || value_volume(by) != 1 || by->ints[0] != 1)))
        return;
    start = from->ints[0] < -x->dim[0] ? 0 : from->ints[0] < 0 ? from->ints[0] + x->dim[0] : from->ints[0];
    if (start > x->dim[0] - to->dim[0] || !(list = new_list(n, to)))
        return;
    memcpy(list, x->ints + start, (size_t)to->dim[0] * sizeof(*list));
    to->ints = list;
}

static void shape_made(struct net *n, const struct node *node, struct value *to)
{
    const struct value *x = node_input(n, node, 0);
    const Onnx__Attribute *a = node_attribute(node, "value");
    const int64_t *given = NULL;
    int64_t *list, one = node_int(node, "value_int", 0);

    if (!(node_is(node, "Shape") || node_is(node, "Constant") || node_is(node, "ConstantOfShape")) || to->rank < 0 ||
        !(list = new_list(n, to)))
        return;
    if (node_is(node, "Shape")) {
        if (!x || x->rank != value_volume(to) || node_int(node, "start", 0) || node_attribute(node, "end"))
            return;
        memcpy(list, x->dim, (size_t)x->rank * sizeof(*list));
    } else if (node_is(node, "Constant")) {
        size_t count = node_ints(node, "value_ints", &given);
        if (count ? value_volume(to) != (int64_t)count : value_volume(to) != 1 || !node_attribute(node, "value_int"))
            return;
        memcpy(list, count ? given : &one, (count ? count : 1) * sizeof(*list));
    } else {
        int64_t fill = 0;
        if (a && a->t && a->t->data_type != 7)
            return;
        if (a && a->t && a->t->n_int64_data == 1)
            fill = a->t->int64_data[0];
        else if (a && a->t && a->t->raw_data.len == 8)
            memcpy(&fill, a->t->raw_data.data, 8);
        for (int64_t i = 0; i < value_volume(to); i++)
            list[i] = fill;
    }
    to->ints = list;
}

void infer_ints(struct net *n, struct node *node)
{
    struct value *to = node->nout && node->out[0] >= 0 ? &n->values[node->out[0]] : NULL;
    const struct value *x = node_input(n, node, 0);

    if (!to || to->ints || to->rank < 0 || !strncmp(node->op, "aten.", 5))
        return;
    if (node->role == ROLE_SHAPE)
        shape_made(n, node, to);
    else if (node->role == ROLE_ADD || node->role == ROLE_MUL || node->role == ROLE_ARITHMETIC ||
             node->role == ROLE_SELECT)
        elementwise(n, node, to);
    else if (node->role == ROLE_CONCAT)
        join(n, node, to);
    else if (node->role == ROLE_GATHER)
        pick(n, node, to);
    else if (node_is(node, "Slice"))
        cut(n, node, to);
    else if (node->role == ROLE_LAYOUT && !node_is(node, "Transpose") && !node_is(node, "Not") && x && x->ints &&
             value_volume(x) == value_volume(to))
        to->ints = x->ints;
}
