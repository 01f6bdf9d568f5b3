/* structure.c - the graph as a chain of layers, in which branches that part and join again are one entry. */
#include <string.h>

#include "harness/import/onnx/structure.h"

struct layer_spec *layers_push(struct net *n, struct layers *l, enum layer_kind kind)
{
    if (l->n == l->capacity) {
        int bigger = l->capacity ? 2 * l->capacity : 8;
        struct layer_spec *list = onnx_take(n, (size_t)bigger * sizeof(*list));
        if (l->n)
            memcpy(list, l->list, (size_t)l->n * sizeof(*list));
        l->list = list;
        l->capacity = bigger;
    }
    struct layer_spec *s = &l->list[l->n++];
    memset(s, 0, sizeof(*s)); /* compared as bytes later */
    s->kind = kind;
    return s;
}

void layers_turn(struct layers *l)
{
    for (int i = 0, k = l->n - 1; i < k; i++, k--) {
        struct layer_spec s = l->list[i];
        l->list[i] = l->list[k];
        l->list[k] = s;
    }
}

int node_sources(const struct net *n, const struct node *node, int most, int *list)
{
    int count = 0;

    if (node->from >= 0) {
        if (most)
            list[0] = node->from;
        return 1;
    }
    if (node->role == ROLE_TOKENS || node->role == ROLE_SHAPE)
        return 0;
    for (int i = 0; i < node->nin; i++)
        if (node->in[i] >= 0 && n->values[node->in[i]].data) {
            if (count < most)
                list[count] = node->in[i];
            count++;
        }
    return count;
}

/* The nearest node that every way to both of them goes through. */
static int common(const struct net *n, int a, int b)
{
    while (a != b) {
        if (a < 0 || b < 0)
            return NET_NONE;
        if (n->nodes[a].depth >= n->nodes[b].depth)
            a = n->nodes[a].dominator;
        else
            b = n->nodes[b].dominator;
    }
    return a;
}

static void find_dominators(struct net *n)
{
    for (int i = 0; i < n->nnodes; i++) {
        struct node *node = &n->nodes[i];
        int first = NET_NONE, count = node->reached ? node_sources(n, node, 0, NULL) : 0;
        int *sources = count > 0 ? onnx_take(n, (size_t)count * sizeof(*sources)) : NULL;

        count = count ? node_sources(n, node, count, sources) : 0;
        for (int k = 0; k < count; k++) {
            int from = n->values[sources[k]].producer;
            first = k ? common(n, first, from) : from;
        }
        node->dominator = first;
        node->depth = first < 0 ? 1 : n->nodes[first].depth + 1;
    }
}

static void reach(struct net *n, int value)
{
    int i = n->values[value].producer;

    if (i >= 0)
        n->nodes[i].reached = true;
    for (; i >= 0; i--) {
        struct node *node = &n->nodes[i];
        if (!node->reached)
            continue;
        if (node->from >= 0 && n->values[node->from].producer >= 0)
            n->nodes[n->values[node->from].producer].reached = true;
        for (int k = 0; k < node->nin && node->from < 0 && node->role != ROLE_TOKENS; k++)
            if (node->in[k] >= 0 && n->values[node->in[k]].data && n->values[node->in[k]].producer >= 0)
                n->nodes[n->values[node->in[k]].producer].reached = true;
    }
}

/* Sides that begin behind this node. */
static void push_sides(struct net *n, int at, int main, struct layers *l)
{
    const Onnx__Graph *g = n->model->graph;

    for (size_t i = g->n_output; i-- > 0;) {
        int value = onnx_find(n, g->output[i]->name ? g->output[i]->name : "");
        int producer = value < 0 ? NET_NONE : n->values[value].producer;
        struct layers side = { 0 };

        if (value == main || producer < 0 || !n->nodes[producer].reached ||
            common(n, producer, n->values[main].producer) != at || producer == at || n->nodes[producer].inner)
            continue;
        structure_chain(n, value, at, 1, &side);
        if (!side.n)
            continue;
        struct layer_spec *s = layers_push(n, l, LAYER_SIDE);
        s->layers = side.list;
        s->nlayers = (size_t)side.n;
    }
}

int structure_chain(struct net *n, int value, int stop, int depth, struct layers *l)
{
    int below = value, main = value;

    for (;;) {
        int at = n->values[value].producer;
        struct node *node = at < 0 ? NULL : &n->nodes[at];

        if (!depth && node)
            push_sides(n, at, main, l);
        if (!node || at == stop)
            break;
        if (node->role == ROLE_LAYOUT && node->from >= 0) {
            value = node->from;
            continue;
        }
        structure_bridge(n, value, below, l);
        if (node->placed) {
            onnx_lack(n, node, "two branches read it and do not join as a sum, a concatenation or a product");
            value = NET_NONE;
            break;
        }
        node->placed = true;
        if (node->from < 0 && (node->role == ROLE_ADD || node->role == ROLE_CONCAT || node->role == ROLE_MUL)) {
            value = structure_join(n, node, depth, l);
        } else {
            structure_layer(n, node, l);
            if (!node_sources(n, node, 1, &value))
                value = NET_NONE;
        }
        below = value;
        if (value < 0)
            break;
    }
    if (value >= 0)
        structure_bridge(n, value, below, l);
    layers_turn(l);
    return value;
}

/* The output that is computed last is the network's; any other is one on the way to it, or the end of a side. */
static int choose_output(struct net *n)
{
    const Onnx__Graph *g = n->model->graph;
    int main = NET_NONE;

    for (size_t i = 0; i < g->n_output; i++) {
        int v = onnx_find(n, g->output[i]->name ? g->output[i]->name : "");
        if (v < 0)
            onnx_refuse(n, "output '%.80s': expected a value of the graph, got none of this name",
                        g->output[i]->name ? g->output[i]->name : "");
        if (n->values[v].data && (main < 0 || n->values[v].producer > n->values[main].producer))
            main = v;
    }
    if (main < 0 || n->values[main].producer < 0)
        onnx_refuse(n, "expected an output that is computed from the input, got none");
    return main;
}

static void reach_outputs(struct net *n, int main)
{
    const Onnx__Graph *g = n->model->graph;

    for (int i = 0; i < n->nnodes; i++)
        for (int k = 0; k < 4 && n->nodes[i].role == ROLE_ATTENTION; k++)
            n->nodes[n->nodes[i].parts[k]].inner = n->nodes[i].parts[k] != i;
    reach(n, main);
    for (size_t i = 0; i < g->n_output; i++) {
        int v = onnx_find(n, g->output[i]->name);
        const struct node *made;
        for (made = value_producer(n, v); made && made->role == ROLE_LAYOUT && made->from >= 0;)
            made = value_producer(n, made->from);
        if (made && made->inner && !made->reached)
            onnx_add_note(n, "an output that is a part of an attention is left out");
        else if (n->values[v].data)
            reach(n, v);
    }
}

static void take_input(struct net *n, int value, struct model_spec *spec)
{
    const struct value *v = &n->values[value];

    if (v->rank < 2 || v->rank > 4 || v->element != ELEMENT_FLOAT)
        onnx_refuse(n,
                    "input '%.80s': expected images (4 dimensions), sequences (3) or vectors (2) of floating-point "
                    "numbers, got %d dimensions%s",
                    v->name, v->rank, v->element == ELEMENT_FLOAT ? "" : " of other ones");
    spec->channels = v->dim[1];
    spec->height = v->rank == 4 ? v->dim[2] : 1;
    spec->width = v->rank == 4 ? v->dim[3] : v->rank == 3 ? v->dim[2] : 1;
}

void onnx_structure(struct net *n, struct model_spec *spec)
{
    int main = choose_output(n), begin;
    struct layers l = { 0 };

    reach_outputs(n, main);
    find_dominators(n);
    begin = structure_chain(n, main, NET_NONE, 0, &l);
    if (n->refused)
        onnx_refuse(n, "%d node%s that a model file cannot say", n->refused, n->refused == 1 ? "" : "s");
    if (begin >= 0)
        take_input(n, begin, spec);
    if (l.n && l.list[l.n - 1].kind == LAYER_FC) {
        l.list[l.n - 1].kind = LAYER_CLASSIFIER;
        spec->classes = l.list[l.n - 1].units;
        l.list[l.n - 1].units = 0;
    }
    if (l.n && (l.list[l.n - 1].kind == LAYER_CLASSIFIER || l.list[l.n - 1].kind == LAYER_LINEAR)) {
        onnx_add_note(n, "a softmax is added at the end, which the framework computes with the loss");
        layers_push(n, &l, LAYER_SOFTMAX);
    }
    spec->layers = l.list;
    spec->nlayers = (size_t)l.n;
}
