/* layer.c - a node that reads one value as a layer. */
#include <string.h>

#include "harness/import/onnx/structure.h"

void structure_use(struct net *n, int value)
{
    if (value < 0)
        return;
    n->values[value].used = true;
    if (n->values[value].origin >= 0)
        n->values[n->values[value].origin].used = true;
}

bool structure_has(const struct net *n, int value)
{
    return value >= 0 && n->values[value].origin >= 0;
}

static int64_t last_side(const struct value *v)
{
    return v->rank > 0 ? v->dim[v->rank - 1] : 0;
}

/* Vectors of a value for each sample: positions of a sequence. */
static int64_t positions_of(const struct net *n, int value)
{
    const struct value *v = &n->values[value];
    int64_t volume = value_volume(v), side = last_side(v);

    return volume < 1 || side < 1 ? 0 : volume / side / n->batch;
}

static void push_matrix(struct net *n, struct node *node, struct layers *l)
{
    const struct node *tokens = NULL;
    int origin = n->values[node->weight].origin;
    bool vector = n->values[node->from].rank < 3 && positions_of(n, node->from) == 1;

    for (int i = 0; i < n->nnodes && origin >= 0; i++)
        if (n->nodes[i].role == ROLE_TOKENS && n->values[n->nodes[i].weight].origin == origin)
            tokens = &n->nodes[i];
    if (!vector && last_side(&n->values[node->from]) != node->inputs) {
        onnx_lack(n, node, "expected vectors of %lld values, got %lld", (long long)node->inputs,
                  (long long)last_side(&n->values[node->from]));
        return;
    }
    struct layer_spec *s = layers_push(n, l, vector ? LAYER_FC : LAYER_LINEAR);
    s->units = node->units;
    s->bias = structure_has(n, node->bias);
    if (tokens && !vector)
        s->shared = "words";
    structure_use(n, node->weight);
    structure_use(n, node->bias);
}

static void push_norm(struct net *n, struct node *node, struct layers *l)
{
    const struct value *x = &n->values[node->from];
    bool batch = node->role == ROLE_BATCHNORM;
    int64_t side = batch ? (x->rank > 1 ? x->dim[1] : 0) : last_side(x);

    if (batch ? x->rank != 4 && x->rank != 2 : x->rank > 3) {
        onnx_lack(n, node, "expected %s, got %d dimensions", batch ? "an image" : "a sequence", x->rank);
        return;
    }
    if (node->weight < 0 || (node->bias < 0 && node->role != ROLE_RMSNORM))
        onnx_add_note(n, "a norm without scales or shifts has them in the model file");
    else if (value_volume(&n->values[node->weight]) != side) {
        onnx_lack(n, node, "expected a norm of %lld values, got %lld scales", (long long)side,
                  (long long)value_volume(&n->values[node->weight]));
        return;
    }
    layers_push(n, l, batch ? LAYER_BATCHNORM : node->role == ROLE_LAYERNORM ? LAYER_LAYERNORM : LAYER_RMSNORM);
    structure_use(n, node->weight);
    structure_use(n, node->bias);
}

static void push_tokens(struct net *n, struct node *node, struct layers *l)
{
    const struct value *table = &n->values[node->weight];
    struct layer_spec *s;

    if (table->rank != 2 || positions_of(n, node->out[0]) < 1) {
        onnx_lack(n, node, "expected rows of a table with 2 dimensions, got %d", table->rank);
        return;
    }
    s = layers_push(n, l, LAYER_TOKENS);
    s->name = "words";
    s->rows = table->dim[0];
    s->dim = table->dim[1];
    s->positions = positions_of(n, node->out[0]);
    s->place = PLACE_NONE;
    structure_use(n, node->weight);
}

static void push_place(struct net *n, struct node *node, struct layers *l)
{
    const struct value *table = &n->values[node->weight];
    struct layer_spec *s = layers_push(n, l, LAYER_PLACE);

    s->rows = last_side(table) ? value_volume(table) / last_side(table) : 0;
    s->by = s->rows < positions_of(n, node->out[0]) ? PLACE_BY_SEGMENT : PLACE_BY_POSITION;
    structure_use(n, node->weight);
}

static void push_attention(struct net *n, struct node *node, struct layers *l)
{
    struct layer_spec *s = layers_push(n, l, LAYER_ATTENTION);
    int biased = 0;

    s->heads = node->heads;
    s->kv_heads = node->kv_heads == node->heads ? 0 : node->kv_heads;
    s->causal = node->causal;
    for (int i = 0; i < 4; i++) {
        structure_use(n, n->nodes[node->parts[i]].weight);
        structure_use(n, n->nodes[node->parts[i]].bias);
        biased += structure_has(n, n->nodes[node->parts[i]].bias);
    }
    s->bias = biased >= 2;
    if (biased && biased < 4)
        onnx_add_note(n, "an attention of which %d of 4 projections have a bias has %s", biased,
                      s->bias ? "4" : "none");
}

/* The rate is a number of the node, or of a constant. */
static double rate_of(const struct net *n, const struct node *node)
{
    const Onnx__Attribute *a = node_attribute(node, "ratio");
    const struct value *v = !strcmp(node->op, "Dropout") ? node_input(n, node, 1) : NULL;
    float rate = 0.5f;

    a = a ? a : node_attribute(node, "p");
    if (a && a->has_f)
        return (double)a->f;
    if (v && v->of && v->of->data_type == 1 && v->of->raw_data.len == sizeof(rate))
        memcpy(&rate, v->of->raw_data.data, sizeof(rate));
    return (double)rate;
}

static void push_dropout(struct net *n, struct node *node, struct layers *l)
{
    double rate = rate_of(n, node);

    if (rate > 0 && rate <= 0.99)
        layers_push(n, l, LAYER_DROPOUT)->rate = (double)(int)(rate * 1e6 + 0.5) / 1e6;
}

static void push_activation(struct net *n, struct node *node, struct layers *l)
{
    if (node->alike)
        onnx_add_note(n, "%.60s is passed through as %s, which has about its cost", node->op,
                      layer_kind_name(node->kind));
    layers_push(n, l, node->kind);
}

void structure_layer(struct net *n, struct node *node, struct layers *l)
{
    switch (node->role) {
    case ROLE_CONV:
    case ROLE_MAXPOOL:
    case ROLE_AVGPOOL:
    case ROLE_ADAPTIVE:
    case ROLE_MEAN: structure_window(n, node, l); return;
    case ROLE_LINEAR: push_matrix(n, node, l); return;
    case ROLE_BATCHNORM:
    case ROLE_LAYERNORM:
    case ROLE_RMSNORM: push_norm(n, node, l); return;
    case ROLE_TOKENS: push_tokens(n, node, l); return;
    case ROLE_PLACE: push_place(n, node, l); return;
    case ROLE_PREPEND: layers_push(n, l, LAYER_PREPEND), structure_use(n, node->weight); return;
    case ROLE_ATTENTION: push_attention(n, node, l); return;
    case ROLE_SOFTMAX: layers_push(n, l, LAYER_SOFTMAX); return;
    case ROLE_ACTIVATION: push_activation(n, node, l); return;
    case ROLE_DROPOUT: push_dropout(n, node, l); return;
    default: onnx_lack(n, node, "%s", node->why ? node->why : "a model file has no layer for this operator"); return;
    }
}

/* Images, sequences and vectors that become one another. */
void structure_bridge(struct net *n, int from, int to, struct layers *l)
{
    const struct value *a = &n->values[from], *b = &n->values[to];
    const struct node *node = value_producer(n, to);
    int64_t before = value_volume(a), after = value_volume(b);
    bool rows = a->rank > 0 && b->rank > 0 && last_side(a) == last_side(b);

    if (from == to || !node || value_same_shape(a, b))
        return;
    if (before < 0 || after < 0) {
        onnx_lack(n, node, "expected shapes that are known or can be inferred, got none");
    } else if (before == after && a->rank == 4 && b->rank == 3) {
        struct layer_spec *s = layers_push(n, l, LAYER_SEQUENCE);
        if (b->dim[2] != a->dim[1])
            s->dim = b->dim[2];
    } else if (before == after && (rows || b->rank < 3 || (a->rank == 2 && b->rank == 4 && b->dim[2] == 1))) {
        return;
    } else if (a->rank == 3 && rows && after == n->batch * last_side(a)) {
        layers_push(n, l, LAYER_FIRST);
    } else {
        onnx_lack(n, node, "no layer changes the layout in this way, from %d dimensions and %lld values to %d and %lld",
                  a->rank, (long long)before, b->rank, (long long)after);
    }
}
