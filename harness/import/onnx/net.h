/* net.h - the graph of an ONNX file while it is being understood.
 * Ownership  all that onnx_take() gives lives as long as the net.
 * Errors     what is wrong with the file, and memory that runs out, ends onnx_read() at once: onnx_refuse(),
 *            onnx_take() and what calls them do not return then. */
#ifndef NARROWS_HARNESS_IMPORT_ONNX_NET_H
#define NARROWS_HARNESS_IMPORT_ONNX_NET_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/import/onnx/onnx.h"
#include "harness/import/onnx/onnx.pb-c.h"

enum { NET_RANK = 8, NET_INTS = 4096, NET_NONE = -1, NET_MOST = 200000, NET_STRIP = 1000 };

enum element { ELEMENT_UNKNOWN, ELEMENT_FLOAT, ELEMENT_INT, ELEMENT_BOOL };

/* What a node is to the model. */
enum role {
    ROLE_OTHER, /* no layer, and none that is as costly */
    ROLE_CONV,
    ROLE_LINEAR, /* a matrix of parameters, perhaps with a bias */
    ROLE_MATMUL, /* of two values that both depend on the input */
    ROLE_BATCHNORM,
    ROLE_LAYERNORM,
    ROLE_RMSNORM,
    ROLE_MAXPOOL,
    ROLE_AVGPOOL,
    ROLE_ADAPTIVE, /* a pool that is given the size of its output */
    ROLE_MEAN,
    ROLE_ADD,
    ROLE_MUL,
    ROLE_ARITHMETIC, /* value by value, of two inputs: subtraction, division, power */
    ROLE_SELECT,     /* of two inputs by a third */
    ROLE_CONCAT,
    ROLE_GATHER,
    ROLE_TOKENS,
    ROLE_PLACE,
    ROLE_PREPEND,
    ROLE_SOFTMAX,
    ROLE_CORE, /* softmax(Q K) V in one node */
    ROLE_ATTENTION,
    ROLE_ACTIVATION, /* value by value, of one input */
    ROLE_DROPOUT,
    ROLE_LAYOUT, /* the same values, or a part of them, in another order or type */
    ROLE_SHAPE,  /* reads the shape of its input alone */
};

struct value {
    const char *name;
    int producer; /* node; NET_NONE: an input, an initializer or a constant */
    int rank;     /* -1: unknown */
    int64_t dim[NET_RANK];
    enum element element;
    bool data;              /* depends on an input of the network */
    bool initializer;       /* of the graph; a constant in a node is none */
    bool statistic;         /* of a batch norm: no parameter */
    bool used;              /* a layer of the model has it */
    int origin;             /* the initializer that has these values, perhaps in another order, or NET_NONE */
    const int64_t *ints;    /* its values, if they are whole numbers that are known; else NULL */
    const Onnx__Tensor *of; /* its initializer or constant, or NULL */
};

struct node {
    const Onnx__Node *proto;
    const char *op;
    enum role role;
    enum layer_kind kind; /* of an activation */
    bool alike;           /* the activation is another one, of the same cost */
    bool open;            /* more nodes may belong to it: a norm's scale and shift, a GELU's factor */
    int *in, *out, nin, nout;
    int from;              /* the value that the layer reads; of joins NET_NONE */
    int weight, bias;      /* values, or NET_NONE; of a norm its scales and shifts, of a place its table or its rows */
    int64_t units, inputs; /* linear: of the matrix; attention: units of the values */
    bool transposed;       /* linear: the matrix is [units, inputs] */
    int64_t heads, kv_heads;
    bool causal;
    int parts[4]; /* attention: its linear nodes, query, key, value, output; those of one matrix are the same */
    int depth, dominator;
    const char *why; /* it is no part of an attention, or NULL */
    bool reached;    /* by the network's outputs */
    bool placed;     /* it is a layer already */
    bool inner;      /* a part of an attention */
};

struct note {
    const char *text;
    int times;
};

struct net {
    jmp_buf failed;
    int rc;
    const char *file;
    FILE *err;
    const struct onnx_options *options;
    struct chunk *chunks;
    Onnx__Model *model;
    struct value *values;
    int nvalues, capacity;
    int *slots; /* of a hash table of names */
    int nslots;
    struct node *nodes;
    int nnodes, refused;
    int64_t batch;
    struct note *notes;
    int nnotes;
};

void *onnx_take(struct net *n, size_t size); /* zeros */
const char *onnx_text(struct net *n, const char *format, ...) __attribute__((format(printf, 2, 3)));
_Noreturn void onnx_refuse(struct net *n, const char *format, ...) __attribute__((format(printf, 2, 3)));
void onnx_add_note(struct net *n, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A node that a model file has no layer for: said, and the net refused when all of them are. */
void onnx_lack(struct net *n, const struct node *node, const char *format, ...) __attribute__((format(printf, 3, 4)));
const char *onnx_node_text(struct net *n, const struct node *node); /* "Conv 'conv1'" */
void onnx_net_free(struct net *n);

/* Values by name; NET_NONE if there is none. */
int onnx_find(const struct net *n, const char *name);
int onnx_add_value(struct net *n, const char *name);

/* Into the net: values and nodes, in the order of the file, which is that of the computation. */
void onnx_load(struct net *n);
void onnx_roles(struct net *n);
void onnx_shapes(struct net *n);
void onnx_bind(struct net *n, struct node *node); /* what a node reads and which parameters it has, by its role */
void onnx_fuse(struct net *n);                    /* of all nodes, and several that are one layer become one */
void onnx_attention(struct net *n);
void onnx_structure(struct net *n, struct model_spec *spec);
void onnx_repeats(struct net *n, struct model_spec *spec);

/* Attributes; the default where there is none. */
const Onnx__Attribute *node_attribute(const struct node *node, const char *name);
int64_t node_int(const struct node *node, const char *name, int64_t otherwise);
size_t node_ints(const struct node *node, const char *name, const int64_t **list);
bool node_is(const struct node *node, const char *op); /* of ONNX, or "aten.add" of any overload */

static inline struct value *node_input(const struct net *n, const struct node *node, int i)
{
    return i < node->nin && node->in[i] >= 0 ? &n->values[node->in[i]] : NULL;
}

static inline struct node *value_producer(const struct net *n, int value)
{
    return value >= 0 && n->values[value].producer >= 0 ? &n->nodes[n->values[value].producer] : NULL;
}

int64_t value_volume(const struct value *v); /* -1: unknown, or past 2^48 */
bool value_same_shape(const struct value *a, const struct value *b);
/* Before what changes the layout alone and drops nothing, and before dropouts if they are to be passed. */
int value_strip(const struct net *n, int value, bool dropouts);
bool value_is_fixed(const struct net *n, int value); /* there, and the same for every sample */

/* Of a node with one operand that depends on the sample: that one, and the other or NET_NONE (a number that is an
 * attribute); NET_NONE if there are two or none. */
int node_operand(const struct net *n, const struct node *node, int *other);

/* Names of operators and what they are; NULL: unknown. */
struct operator
{
    const char *name;
    enum role role;
    enum layer_kind kind;
    bool alike;
};
const struct operator* operator_find(const char *op);

#endif
