/* model.h - a neural network as layers, and what follows from their shapes.
 * Units      counts of values (not bytes) and floating-point operations (a multiply and an add are two),
 *            per sample unless a name says otherwise. Nothing here is typed in: parameters, activations
 *            and FLOPs are inferred from the specification.
 * Ownership  model_infer() copies everything it keeps, names too; model_free() releases it.
 * Errors     status; the reason goes to the caller's buffer: the entry it is about ("layers[3].layers[0]: ",
 *            "gpt.heads: ", nothing for the model as a whole), then what is wrong, with the layer's name. */
#ifndef NARROWS_MODEL_MODEL_H
#define NARROWS_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum layer_kind {
    LAYER_CONV,       /* convolution: channels, kernel, stride, pad, groups, bias */
    LAYER_FC,         /* fully connected: units, bias; flattens its input */
    LAYER_CLASSIFIER, /* fully connected onto the model's 'classes' */
    LAYER_MAXPOOL,    /* kernel, stride, pad; a window that hangs over the edge is dropped (floor) */
    LAYER_AVGPOOL,    /* kernel 0: the whole plane */
    LAYER_RELU,
    LAYER_BATCHNORM, /* a scale and a shift per channel */
    LAYER_DROPOUT,   /* rate */
    LAYER_SOFTMAX,   /* of a sequence: at each position */
    LAYER_SIGMOID,
    LAYER_GELU, /* x Phi(x) with the exact normal distribution (arXiv 1606.08415) */
    LAYER_SILU, /* x times its sigmoid */
    LAYER_TANH,
    /* Tables, rows, dim, lookups: looks up rows and sums those of each table. Its output is its input, followed by a
       vector of dim values of each table. */
    LAYER_EMBEDDING,
    /* Dim: its input is vectors of dim values, its output the first of them, then the dot product of each pair (DLRM,
       arXiv 1906.00091). */
    LAYER_INTERACTION,
    /* Rows (the vocabulary), dim, positions, stream, place: starts a sequence. It reads no layer but integers, a second
       input of the sample. Its output is their rows of a table times the root of dim, plus a sinusoid of the position
       (arXiv 1706.03762, sections 3.4 and 3.5); with PLACE_NONE the rows as they are. */
    LAYER_TOKENS,
    LAYER_LINEAR,    /* units, bias, shared: fully connected on the vector of each position */
    LAYER_LAYERNORM, /* over the vector of each position: a scale and a shift per value of it */
    LAYER_RMSNORM,   /* over the vector of each position: a scale per value of it (arXiv 1910.07467) */
    /* Heads, kv_heads, causal, memory, past, relative, bias: multi-head, with its projections (arXiv 1706.03762,
       section 3.2). Several heads may share keys and values (arXiv 2305.13245). Keys and values are also made from what
       it read at 'past' positions of the segment before; relative: queries are also multiplied with a projection of the
       distance, and two vectors, which all such layers share, are added to them (arXiv 1901.02860). */
    LAYER_ATTENTION,
    /* Rows, by: adds a row of a table to the vector of each position: that of the position itself, so there are at
       least as many rows as positions, or that of the segment it is of, an integer of its own (arXiv 1810.04805). */
    LAYER_PLACE,
    LAYER_FIRST, /* the first position of a sequence alone */
    /* An image as a sequence: the vector of a position is its pixel's channels. With dim, its values in their order as
       vectors of dim. */
    LAYER_SEQUENCE,
    LAYER_PREPEND, /* a learned vector before the first position, as the class token of arXiv 2010.11929 */
    LAYER_SUM,     /* of all values, one */
    /* Parallel 'layers': each reads the concat's input, and their channels are concatenated. Inferred as one layer
       where each after the first joins those before it. */
    LAYER_CONCAT,
    LAYER_PRODUCT, /* as a concat, but the branches have one shape, and are multiplied value by value */
    /* 'layers' one after another, whose last output is one of the network's own, with a loss of its own; what follows
       reads what the first of them read. Inferred as these layers. */
    LAYER_SIDE,
    LAYER_BLOCK, /* 'layers' 'repeat' times, each time with a shortcut around them (residual) */
    LAYER_ADD,   /* inferred only: where a block's shortcut joins */
};

enum shortcut_kind {
    SHORTCUT_IDENTITY,   /* option A: zero-padded channels and strided subsampling, no parameters */
    SHORTCUT_PROJECTION, /* option B: a 1x1 convolution where the shape changes */
    SHORTCUT_NONE,       /* a plain repetition */
};

enum token_stream { STREAM_SOURCE, STREAM_TARGET }; /* of translation: the sentence read, the one written so far */
enum token_place { PLACE_SINUSOID, PLACE_NONE };    /* what tokens add for the position */
enum place_by { PLACE_BY_POSITION, PLACE_BY_SEGMENT };

/* One entry of a model file. Zero means "not given" except where a default is stated. */
struct layer_spec {
    const char *name; /* "" names it by kind and position: conv1, fc2 */
    enum layer_kind kind;
    int64_t channels;                /* conv: output channels */
    int64_t units;                   /* fc: output values; linear: of a position */
    int64_t kernel, stride, pad;     /* square windows; stride 0 is 1, for a pool it is the kernel */
    int64_t kernel_width, pad_width; /* conv: if not 0, 'kernel' and 'pad' are along the height alone */
    int64_t groups;                  /* conv: convolutions side by side, each of its share of the channels; 0 is 1 */
    bool bias;                       /* conv, fc, classifier, linear, attention */
    int64_t tables, rows;            /* embedding: rows of all tables together; tokens, place: rows */
    int64_t dim;                     /* embedding, interaction, tokens, sequence: values of a vector */
    int64_t lookups;                 /* embedding: rows of each table that a sample looks up; 0 is 1 */
    int64_t positions;               /* tokens: of a sequence */
    enum token_stream stream;        /* tokens */
    enum token_place place;          /* tokens */
    enum place_by by;                /* place */
    int64_t heads;                   /* attention */
    int64_t kv_heads;                /* attention: of keys and values, a divisor of 'heads'; 0 is as many */
    bool causal;                     /* attention: no position sees a later one */
    int64_t past;                    /* attention: positions of an earlier segment */
    bool relative;                   /* attention */
    /* Attention: the layer whose output gives keys and values, the nearest before it with this inferred name
       ("block2.norm1"); "" or NULL: its own input. */
    const char *memory;
    const char *shared; /* linear: the tokens or linear layer, named as in 'memory', whose weights it takes; or none */
    double rate;        /* dropout: share that is dropped; 0 is 0.5 */
    int64_t repeat;     /* block */
    /* Block: stride of the first window layer of the first repetition; 0 is 1. Within a block that downsamples too, the
       strides multiply. */
    int64_t downsample;
    enum shortcut_kind shortcut; /* block */
    bool shortcut_norm;          /* block: a batch norm after the projection */
    bool relu;                   /* block: a ReLU after the shortcut has joined */
    struct layer_spec *layers;   /* block, concat */
    size_t nlayers;
};

enum gpt_style { GPT_GPT, GPT_LLAMA };

/* A decoder of 'layers' layers, each a causal attention and a feed-forward network with a norm before and a shortcut
 * around each of them; a norm, the matrix of words and a softmax at each position behind. Nothing is dropped.
 * GPT     learned positions, layer norms, GELU, biases, the output's matrix is the table of words (GPT-2, Megatron)
 * LLAMA   RMSNorm, SwiGLU, no biases, an output matrix of its own; turning queries and keys by their positions has no
 *         parameters, and is not counted (arXiv 2302.13971)
 * Experts in place of the feed-forward network, behind the first 'dense_layers': a router, a matrix without bias, sends
 *         each token to 'active' of 'experts' networks; a shared one may take every token (arXiv 2401.06066). LLAMA.
 * Latent  attention, where value_dim is given: keys and values are made from kv_latent values of a token, queries from
 *         query_latent, with an RMSNorm on each; a head's queries and keys have head_dim values and rotary_dim turned
 *         ones, which all heads of keys share, and are not made from the latent ones (arXiv 2405.04434). LLAMA. */
struct gpt_spec {
    enum gpt_style style;
    int64_t hidden; /* 0: no decoder */
    int64_t layers, heads, sequence, vocabulary;
    int64_t kv_heads;                                 /* 0: as many as heads */
    int64_t feed_forward;                             /* units; 0: 4 times hidden */
    int64_t experts;                                  /* of a layer; 0: none */
    int64_t active;                                   /* that a token is sent to */
    int64_t expert_feed_forward, shared_feed_forward; /* units; 0: as many as feed_forward; no shared one */
    int64_t dense_layers;
    double capacity;      /* tokens that an expert takes at most, over the mean; 0: all that come */
    int64_t query_latent; /* 0: queries are made from the layer's width */
    int64_t kv_latent, head_dim, rotary_dim;
    int64_t value_dim; /* of a head; 0: ordinary attention */
};

struct model_spec {
    const char *name;
    const char *title;
    const char *source;
    int64_t channels, height, width; /* of one input sample; all 0: it has no values, tokens only */
    int64_t classes;
    struct gpt_spec gpt; /* in place of layers */
    struct layer_spec *layers;
    size_t nlayers;
};

enum { LAYER_NO_LAYER = -1 };

/* A sequence is {positions, 1, width > 1}: a dense vector at each position. */
struct shape {
    int64_t channels, height, width;
};

struct layer {
    char name[48];
    enum layer_kind kind;
    int block; /* index of its residual block, -1 outside of any: AWP's "per block" */
    int input; /* index of the layer whose output it reads; LAYER_NO_LAYER: the network's input, of tokens none */
    /* LAYER_ADD: the shortcut's last layer (LAYER_NO_LAYER: the network's input). LAYER_CONCAT: the layer whose
       channels come last. LAYER_PRODUCT: the other factor. LAYER_ATTENTION: what keys and values are made from, if that
       is not its input. Else LAYER_NO_LAYER. */
    int second;
    struct shape in, out; /* of tokens 'in' counts the integers */
    /* Of its window, height and width; kernel 0: none (avgpool: the whole plane). LAYER_ADD: the shortcut keeps every
       stride-th position and pads its channels with zeros. */
    int64_t kernel, stride, pad, kernel_width, pad_width;
    int64_t groups;                     /* of a convolution, else 0 */
    int64_t tables, rows, dim, lookups; /* as given, 'lookups' with its default */
    enum token_stream stream;
    enum token_place place;
    enum place_by by;
    bool ends_side;                            /* the last layer of a side: nothing reads it */
    int64_t heads, kv_heads, memory_positions; /* of what keys and values are made from, those of the past too */
    int64_t past;
    bool causal, relative;
    double rate;
    /* Exchanged as a whole and packed by ADT: [out, in], of convolutions [out, in / groups, kernel, kernel_width],
       of tokens [rows, dim], of attention a [dim, dim] each for query, key, value and output, key and value with
       kv_heads / heads of the rows, and of a relative one for the distance. */
    int64_t weights;
    int shares; /* the layer whose weights it multiplies with, and whose gradient it adds to; LAYER_NO_LAYER: none */
    int64_t shared_weights; /* of that layer, else 0 */
    /* Parameters of which a step touches a few: embedding tables. They are not among the weights: their gradient is
       sparse, so no method sends or updates them as a whole. */
    int64_t table_values;
    int64_t sparse_values; /* of these, how many a sample reads and has a gradient of */
    int64_t biases;        /* biases; a norm's scales, then its shifts: sent as they are */
    int64_t activations;   /* output values */
    int64_t flops_forward;
    /* gradients of weights and of inputs; the first parametrized layer needs no input gradient */
    int64_t flops_backward;
};

struct model {
    char name[64];
    struct gpt_spec gpt; /* with its defaults filled in; hidden 0: it was given layer by layer */
    struct shape input;
    struct layer *layers;
    size_t nlayers; /* 0: a decoder that no kinds of layers express; of the sums it has all but
                       'activations' */
    int64_t weights, biases, table_values, activations, flops_forward, flops_backward; /* sums over the layers */
};

/* Infer every layer of 'spec', or of its decoder. On failure E_INVAL (a shape that does not fit, an output that nothing
 * reads; the text in why[0..nwhy)), E_RANGE (a layer's count past 2^48, a sum past 2^63) or E_NOMEM, and *out is
 * untouched. */
int model_infer(const struct model_spec *spec, struct model *out, char *why, size_t nwhy);
void model_free(struct model *m); /* accepts an all-zero model */

/* Experts or latent attention: there are no kinds of layers for them. */
bool gpt_has_no_layers(const struct gpt_spec *g);

const char *layer_kind_name(enum layer_kind kind);

bool layer_has_second(const struct layer *l);    /* reads 'second', which of a sum may be the network's input */
int layer_earliest(const struct layer *l);       /* first layer it reads, LAYER_NO_LAYER: the input; INT_MAX: none */
bool layer_is_norm(const struct layer *l);       /* its biases are scales, then as many shifts */
int64_t layer_weight_row(const struct layer *l); /* weights that make one output value, or one row of a table; or 0 */
bool shape_is_sequence(struct shape s);

/* Distributions that a softmax gives: one at each position of a sequence, else one over all values of the sample. */
int64_t model_softmax_rows(const struct layer *l);
int64_t model_labels(const struct model *m); /* that a sample has: the rows of a softmax at the end, else 1 */

/* Integers of a sample, in the order of the layers that take them: an embedding takes 'lookups' rows of each table in
 * turn, tokens one for each position. */
int64_t layer_ids(const struct layer *l);
int64_t model_ids(const struct model *m);

#endif
