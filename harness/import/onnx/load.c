/* load.c - from the messages of the file to values and nodes. */
#include <string.h>

#include "harness/import/onnx/net.h"

static const int64_t most_side = (int64_t)1 << 31;

/* Of TensorProto.DataType. */
static enum element element_of(int32_t type)
{
    switch (type) {
    case 1:  /* float */
    case 10: /* float16 */
    case 11: /* double */
    case 16: /* bfloat16 */
    case 17: /* float8, in four forms */
    case 18:
    case 19:
    case 20: return ELEMENT_FLOAT;
    case 2: /* uint8, int8, uint16, int16, int32, int64 */
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
    case 12: /* uint32, uint64, and of 4 bits */
    case 13:
    case 21:
    case 22: return ELEMENT_INT;
    case 9: return ELEMENT_BOOL;
    default: return ELEMENT_UNKNOWN;
    }
}

static bool known_size(const struct net *n, const char *name, int64_t *size)
{
    for (size_t i = 0; i < n->options->ndims; i++)
        if (!strcmp(n->options->dims[i].name, name)) {
            *size = n->options->dims[i].size;
            return true;
        }
    return false;
}

/* A dimension that is only named is what the options say, else 1 at an input; elsewhere it makes the shape unknown. */
static void take_dims(struct net *n, struct value *v, const Onnx__Shape *s, bool input)
{
    int64_t dim[NET_RANK];

    if (s->n_dim > NET_RANK)
        onnx_refuse(n, "value '%.80s': expected at most %d dimensions, got %zu", v->name, NET_RANK, s->n_dim);
    for (size_t i = 0; i < s->n_dim; i++) {
        const Onnx__Dimension *d = s->dim[i];
        const char *name = d->dim_param ? d->dim_param : "";
        if (d->has_dim_value) {
            dim[i] = d->dim_value;
        } else if (!known_size(n, name, &dim[i])) {
            if (!input)
                return;
            dim[i] = 1;
            onnx_add_note(n, "dimension %zu of input '%.60s', '%.40s', has no size in the file: taken as 1 (--dim)", i,
                          v->name, name);
        }
        if (dim[i] < 0 || dim[i] > most_side)
            onnx_refuse(n, "value '%.80s': expected dimension %zu in 0..2^31, got %lld", v->name, i, (long long)dim[i]);
    }
    memcpy(v->dim, dim, sizeof(v->dim[0]) * s->n_dim);
    v->rank = (int)s->n_dim;
    if (value_volume(v) < 0)
        onnx_refuse(n, "value '%.80s': expected at most 2^48 values, got more", v->name);
}

static void take_info(struct net *n, const Onnx__ValueInfo *info, bool input)
{
    int i = info->name && *info->name ? onnx_find(n, info->name) : NET_NONE;
    struct value *v = i < 0 ? NULL : &n->values[i];

    if (!v || v->of || !info->type || !info->type->tensor_type)
        return;
    v->element = element_of(info->type->tensor_type->elem_type);
    if (info->type->tensor_type->shape)
        take_dims(n, v, info->type->tensor_type->shape, input);
}

/* The whole numbers of a small tensor, of which the file may have none. */
static const int64_t *ints_of(struct net *n, const Onnx__Tensor *t, int64_t volume)
{
    int64_t *list;
    size_t width = t->data_type == 7 ? 8 : t->data_type == 6 ? 4 : t->data_type == 9 ? 1 : 0;

    if (!width || volume > NET_INTS)
        return NULL;
    list = onnx_take(n, (size_t)(volume + 1) * sizeof(*list));
    if (t->has_raw_data && t->raw_data.len == width * (size_t)volume) {
        for (int64_t i = 0; i < volume; i++) {
            const uint8_t *p = t->raw_data.data + (size_t)i * width;
            int32_t four;
            if (width == 8)
                memcpy(&list[i], p, 8);
            else if (width == 4)
                list[i] = (memcpy(&four, p, 4), four);
            else
                list[i] = *p;
        }
        return list;
    }
    if (!volume)
        return list;
    if (width == 8 && t->n_int64_data == (size_t)volume)
        memcpy(list, t->int64_data, (size_t)volume * sizeof(*list));
    else if (width < 8 && t->n_int32_data == (size_t)volume)
        for (int64_t i = 0; i < volume; i++)
            list[i] = t->int32_data[i];
    else
        return NULL;
    return list;
}

static void take_tensor(struct net *n, int value, const Onnx__Tensor *t)
{
    struct value *v = &n->values[value];

    if (t->n_dims > NET_RANK)
        onnx_refuse(n, "tensor '%.80s': expected at most %d dimensions, got %zu", v->name, NET_RANK, t->n_dims);
    for (size_t i = 0; i < t->n_dims; i++) {
        if (t->dims[i] < 0 || t->dims[i] > most_side)
            onnx_refuse(n, "tensor '%.80s': expected dimension %zu in 0..2^31, got %lld", v->name, i,
                        (long long)t->dims[i]);
        v->dim[i] = t->dims[i];
    }
    v->rank = (int)t->n_dims;
    v->element = element_of(t->data_type);
    if (v->element == ELEMENT_UNKNOWN)
        onnx_refuse(n, "tensor '%.80s': expected numbers or truth values, got the element type %d", v->name,
                    t->data_type);
    if (value_volume(v) < 0)
        onnx_refuse(n, "tensor '%.80s': expected at most 2^48 values, got more", v->name);
    v->of = t;
    v->ints = ints_of(n, t, value_volume(v));
}

static void load_initializers(struct net *n, const Onnx__Graph *g)
{
    for (size_t i = 0; i < g->n_initializer; i++) {
        const char *name = g->initializer[i]->name;
        if (!name || !*name)
            onnx_refuse(n, "initializer %zu: expected a name, got none", i);
        if (onnx_find(n, name) >= 0)
            onnx_refuse(n, "initializer '%.80s': expected one of this name, got another", name);
        int v = onnx_add_value(n, name);
        take_tensor(n, v, g->initializer[i]);
        n->values[v].initializer = true;
        n->values[v].origin = v;
    }
}

static void load_inputs(struct net *n, const Onnx__Graph *g)
{
    for (size_t i = 0; i < g->n_input; i++) {
        const char *name = g->input[i]->name;
        if (!name || !*name)
            onnx_refuse(n, "input %zu: expected a name, got none", i);
        struct value *v = &n->values[onnx_add_value(n, name)];
        if (v->of)
            continue; /* older files list initializers among the inputs */
        v->data = true;
        take_info(n, g->input[i], true);
        if (v->rank < 0)
            onnx_refuse(n, "input '%.80s': expected a tensor of known rank, got none", name);
    }
}

static int read_value(struct net *n, const Onnx__Node *p, const struct node *node, const char *name)
{
    int v;

    if (!*name)
        return NET_NONE;
    v = onnx_find(n, name);
    if (v >= 0)
        return v;
    for (size_t i = 0; i < n->model->graph->n_node; i++)
        for (size_t k = 0; k < n->model->graph->node[i]->n_output; k++)
            if (!strcmp(n->model->graph->node[i]->output[k], name))
                onnx_refuse(n, "%s: expected inputs that are computed before, got '%.80s', which %s",
                            onnx_node_text(n, node), name,
                            n->model->graph->node[i] == p ? "is its own output" : "is computed after it");
    onnx_refuse(n, "%s: expected an input of the graph, an initializer or an output of a node, got '%.80s'",
                onnx_node_text(n, node), name);
}

static void write_value(struct net *n, struct node *node, int index, const char *name)
{
    if (!*name) {
        node->out[index] = NET_NONE;
        return;
    }
    if (onnx_find(n, name) >= 0)
        onnx_refuse(n, "%s: expected outputs with names of their own, got '%.80s' again", onnx_node_text(n, node),
                    name);
    node->out[index] = onnx_add_value(n, name);
    n->values[node->out[index]].producer = (int)(node - n->nodes);
    if (!index && !strcmp(node->op, "Constant") && node_attribute(node, "value") && node_attribute(node, "value")->t) {
        take_tensor(n, node->out[0], node_attribute(node, "value")->t);
        n->values[node->out[0]].producer = NET_NONE;
    }
}

static void load_node(struct net *n, const Onnx__Node *p)
{
    struct node *node = &n->nodes[n->nnodes++];

    *node = (struct node){ .proto = p, .op = p->op_type ? p->op_type : "" };
    node->from = node->weight = node->bias = NET_NONE;
    node->in = onnx_take(n, (p->n_input + 1) * sizeof(int));
    node->out = onnx_take(n, (p->n_output + 1) * sizeof(int));
    if (!*node->op)
        onnx_refuse(n, "node %d: expected an operator, got none", n->nnodes - 1);
    for (size_t i = 0; i < p->n_input; i++) {
        node->in[node->nin++] = read_value(n, p, node, p->input[i]);
    }
    for (size_t i = 0; i < p->n_output; i++)
        write_value(n, node, node->nout++, p->output[i]);
}

void onnx_load(struct net *n)
{
    const Onnx__Graph *g = n->model->graph;
    size_t values;

    if (!g)
        onnx_refuse(n, "expected a model with a graph, got none");
    values = g->n_initializer + g->n_input;
    for (size_t i = 0; i < g->n_node; i++)
        values += g->node[i]->n_output;
    if (!g->n_node || !g->n_output)
        onnx_refuse(n, "expected a graph with nodes and an output, got %zu nodes and %zu outputs", g->n_node,
                    g->n_output);
    if (values > NET_MOST || g->n_node > NET_MOST)
        onnx_refuse(n, "expected at most %d values and nodes, got more", NET_MOST);
    n->values = onnx_take(n, (values + 1) * sizeof(*n->values));
    n->nodes = onnx_take(n, (g->n_node + 1) * sizeof(*n->nodes));
    for (n->nslots = 64; (size_t)n->nslots < 2 * values + 2;)
        n->nslots *= 2;
    n->slots = onnx_take(n, (size_t)n->nslots * sizeof(*n->slots));
    load_initializers(n, g);
    load_inputs(n, g);
    for (size_t i = 0; i < g->n_node; i++)
        load_node(n, g->node[i]);
    for (size_t i = 0; i < g->n_output; i++)
        take_info(n, g->output[i], false);
    for (size_t i = 0; i < g->n_value_info; i++)
        take_info(n, g->value_info[i], false);
}
