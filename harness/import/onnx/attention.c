/* attention.c - projections, softmax(Q K) V and the projection of its output become one node: the last of them. */
#include <string.h>

#include "harness/import/onnx/net.h"

enum { DEEP = 12, FAR = 64 };

/* What is known of one attention while its parts are looked for. */
struct found {
    int q, k, v, mask; /* values; mask may be NET_NONE */
    int64_t heads;
    bool causal;
};

/* The one matrix that a value comes from, by way of what changes its layout or works value by value; NET_NONE if there
 * is none, or more than one. 'left' bounds the search. */
static int matrix_of(const struct net *n, int value, int depth, int *left)
{
    const struct node *node = value_producer(n, value);
    int found = NET_NONE;

    if (!node || depth > DEEP * 2 || --*left < 0)
        return NET_NONE;
    switch (node->role) {
    case ROLE_LINEAR: return (int)(node - n->nodes);
    case ROLE_LAYOUT:
    case ROLE_ADD:
    case ROLE_MUL:
    case ROLE_CONCAT:
    case ROLE_ACTIVATION:
    case ROLE_DROPOUT:
    case ROLE_LAYERNORM:
    case ROLE_RMSNORM: break;
    default: return NET_NONE;
    }
    for (int i = 0; i < node->nin; i++) {
        if (node->in[i] < 0 || !n->values[node->in[i]].data)
            continue;
        int one = matrix_of(n, node->in[i], depth + 1, left);
        if (one < 0 || (found >= 0 && one != found))
            return NET_NONE;
        found = one;
    }
    return found;
}

/* The product of queries and keys behind scales, masks and types; 'left' bounds the search. */
static const struct node *scores_of(const struct net *n, int value, struct found *f, int *left)
{
    const struct node *node = value_producer(n, value);

    if (!node || --*left < 0)
        return NULL;
    if (node->role == ROLE_MATMUL)
        return node;
    if (node->role != ROLE_LAYOUT && node->role != ROLE_ADD && node->role != ROLE_MUL &&
        node->role != ROLE_ACTIVATION && node->role != ROLE_SELECT && node->role != ROLE_ARITHMETIC &&
        node->role != ROLE_DROPOUT)
        return NULL;
    for (int i = 0; i < node->nin; i++) {
        const struct node *scores = scores_of(n, node->in[i], f, left);
        if (!scores)
            continue;
        for (int k = 0; k < node->nin && node->role != ROLE_LAYOUT; k++)
            if (k != i && node->in[k] >= 0 && value_volume(&n->values[node->in[k]]) != 1)
                f->mask = node->in[k];
        return scores;
    }
    return NULL;
}

/* Softmax behind what drops probabilities, or replaces those that are no numbers. */
static const struct node *softmax_of(const struct net *n, int value)
{
    for (int i = 0; i < DEEP; i++) {
        const struct node *node = value_producer(n, value);
        if (!node || node->role == ROLE_SOFTMAX)
            return node;
        if (node->from < 0 ||
            (node->role != ROLE_LAYOUT && node->role != ROLE_DROPOUT && node->role != ROLE_ACTIVATION))
            return NULL;
        value = node->from;
    }
    return NULL;
}

static bool match_core(const struct net *n, const struct node *core, struct found *f)
{
    const struct value *q = node_input(n, core, 0);

    if (core->nin < 3 || !q || core->in[1] < 0 || core->in[2] < 0)
        return false;
    f->q = core->in[0], f->k = core->in[1], f->v = core->in[2];
    f->mask = core->nin > 3 && !node_is(core, "MultiHeadAttention") ? core->in[3] : NET_NONE;
    f->heads = node_int(core, "num_heads", node_int(core, "q_num_heads", q->rank == 4 ? q->dim[1] : 0));
    f->causal = node_int(core, "is_causal", node_int(core, "unidirectional", 0));
    return true;
}

static bool match_products(const struct net *n, const struct node *core, struct found *f)
{
    const struct node *softmax = core->nin == 2 ? softmax_of(n, core->in[0]) : NULL, *scores;
    const struct value *shape;
    int left = FAR;

    f->mask = NET_NONE;
    scores = softmax ? scores_of(n, softmax->from, f, &left) : NULL;
    if (!scores || scores->nin < 2)
        return false;
    f->q = scores->in[0], f->k = scores->in[1], f->v = core->in[1];
    shape = &n->values[n->values[scores->out[0]].rank < 0 ? f->q : scores->out[0]];
    f->heads = shape->rank == 4 ? shape->dim[1] : shape->rank == 3 ? shape->dim[0] / (n->batch ? n->batch : 1) : 0;
    return true;
}

/* Does any node that a mask is made by compare positions? Bounded: a mask is made of few nodes. */
static bool compares(const struct net *n, int value, int depth, int *left)
{
    const struct node *node = value_producer(n, value);
    static const char *const ops[] = { "Trilu",   "Less",    "LessOrEqual", "Greater",  "GreaterOrEqual",
                                       "aten.le", "aten.lt", "aten.tril",   "aten.triu" };

    if (!node || depth > 4 * DEEP || --*left < 0)
        return false;
    for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
        if (node_is(node, ops[i]))
            return true;
    for (int i = 0; i < node->nin; i++)
        if (compares(n, node->in[i], depth + 1, left))
            return true;
    return false;
}

/* A constant mask whose first row is not like its last one: of the bytes of the file, if they are in it. */
static bool differs_by_row(const struct value *mask)
{
    const Onnx__Tensor *t = mask->of;
    int64_t volume = value_volume(mask), rows = mask->rank >= 2 ? mask->dim[mask->rank - 2] : 0;

    if (!t || rows < 2 || volume < 1 || !t->has_raw_data || t->raw_data.len < (size_t)volume ||
        t->raw_data.len % (size_t)volume)
        return false;
    size_t row = t->raw_data.len / (size_t)(volume / mask->dim[mask->rank - 1]);
    return memcmp(t->raw_data.data, t->raw_data.data + (size_t)(rows - 1) * row, row) != 0;
}

static bool is_causal(const struct net *n, const struct found *f)
{
    int left = FAR * 4, origin;

    if (f->causal || f->mask < 0)
        return f->causal;
    origin = value_strip(n, f->mask, true);
    return differs_by_row(&n->values[origin]) || compares(n, f->mask, 0, &left);
}

static void become_attention(struct net *n, struct node *last, const struct found *f, const int parts[3])
{
    const struct node *q = &n->nodes[parts[0]], *k = &n->nodes[parts[1]];
    int64_t width = last->units, head = width / f->heads, kv = k->units;

    if (parts[0] == parts[1])
        kv = parts[1] == parts[2] ? (q->units - width) / 2 : q->units - width;
    memcpy(last->parts, parts, 3 * sizeof(*parts));
    last->parts[3] = (int)(last - n->nodes);
    last->role = ROLE_ATTENTION;
    last->from = value_strip(n, q->from, false);
    last->heads = f->heads;
    last->kv_heads = kv / head;
    last->causal = is_causal(n, f);
    for (int mask = f->mask, i = 0; mask >= 0 && i < DEEP; i++) {
        const struct node *made = value_producer(n, mask);
        if (n->values[mask].initializer)
            n->values[mask].statistic = true; /* a mask is no parameter */
        mask = made && made->nin && (made->role == ROLE_LAYOUT || made->role == ROLE_SELECT) ? made->in[0] : NET_NONE;
    }
}

/* Why these are no attention as a model has it, or NULL. */
static const char *unlike(const struct net *n, const struct node *last, const struct found *f, const int parts[3])
{
    const struct node *q = &n->nodes[parts[0]], *k = &n->nodes[parts[1]], *v = &n->nodes[parts[2]];
    int64_t width = last->units, sum = q->units;

    if (value_strip(n, q->from, false) != value_strip(n, k->from, false) ||
        value_strip(n, k->from, false) != value_strip(n, v->from, false))
        return "keys and values are made from another value than queries";
    if (k != q)
        sum += k->units;
    if (v != k && v != q)
        sum += v->units;
    if (f->heads < 1 || width % f->heads || q->inputs != width || last->inputs != width || k->inputs != width ||
        v->inputs != width)
        return "its projections are not of the width of what it reads";
    if (sum <= width || (sum - width) % 2 || (sum - width) / 2 % (width / f->heads) ||
        (sum - width) / 2 / (width / f->heads) > f->heads ||
        (q != k && q != v && (q->units != width || (k != v && k->units != v->units))))
        return "its queries, keys and values are not of the width of what it reads";
    return NULL;
}

void onnx_attention(struct net *n)
{
    for (int i = 0; i < n->nnodes; i++) {
        struct node *last = &n->nodes[i];
        const struct node *core =
            last->role == ROLE_LINEAR ? value_producer(n, value_strip(n, last->from, true)) : NULL;
        struct found f = { .mask = NET_NONE };
        int parts[3], values[3];

        if (!core || !((core->role == ROLE_CORE && match_core(n, core, &f)) ||
                       (core->role == ROLE_MATMUL && match_products(n, core, &f))))
            continue;
        memcpy(values, (int[]){ f.q, f.k, f.v }, sizeof(values));
        bool all = true;
        for (int k = 0; k < 3; k++) {
            int left = FAR;
            parts[k] = matrix_of(n, values[k], 0, &left);
            all &= parts[k] >= 0;
        }
        const char *why =
            all ? unlike(n, last, &f, parts) : "its queries, keys and values are not from one matrix each";
        if (why)
            n->nodes[core - n->nodes].why = onnx_text(n, "an attention of this kind has no layer: %s", why);
        else
            become_attention(n, last, &f, parts);
    }
}
