/* model.c - the keys of a model file. */
#include "model/model.h"
#include "harness/scenario/schema/rows.h"
#include "harness/scenario/schema/schema.h"

WORDS(kind_names, LAYER_ADD, "conv", "fc", "classifier", "maxpool", "avgpool", "relu", "batchnorm", "dropout",
      "softmax", "sigmoid", "gelu", "silu", "tanh", "embedding", "interaction", "tokens", "linear", "layernorm",
      "rmsnorm", "attention", "place", "first", "sequence", "prepend", "sum", "concat", "product", "side", "block");
static const char *const shortcut_names[] = { "identity", "projection", "none", NULL };
static const char *const stream_names[] = { "source", "target", NULL };
static const char *const place_names[] = { "sinusoid", "none", NULL };
static const char *const by_names[] = { "position", "segment", NULL };

enum {
    CONV = 1 << LAYER_CONV,
    FC = 1 << LAYER_FC,
    CLASSIFIER = 1 << LAYER_CLASSIFIER,
    POOL = 1 << LAYER_MAXPOOL | 1 << LAYER_AVGPOOL,
    MAXPOOL = 1 << LAYER_MAXPOOL,
    EMBEDDING = 1 << LAYER_EMBEDDING,
    INTERACTION = 1 << LAYER_INTERACTION,
    DROPOUT = 1 << LAYER_DROPOUT,
    TOKENS = 1 << LAYER_TOKENS,
    LINEAR = 1 << LAYER_LINEAR,
    ATTENTION = 1 << LAYER_ATTENTION,
    PLACE = 1 << LAYER_PLACE,
    SEQUENCE = 1 << LAYER_SEQUENCE,
    CONCAT = 1 << LAYER_CONCAT,
    PRODUCT = 1 << LAYER_PRODUCT,
    SIDE = 1 << LAYER_SIDE,
    BLOCK = 1 << LAYER_BLOCK,
};
enum { LARGEST = 1 << 24 }; /* of a shape's side: keeps products of three of them far from 2^63 */

static const struct schema layer_schema;

static const struct field layer_fields[] = {
    { "kind", CHOICE(layer_spec, kind, kind_names), FLAGS(FIELD_REQUIRED | FIELD_FIXED), DOC("kind of layer") },
    { "name", TEXT(layer_spec, name), MOST(47), DOC("by default its kind and position: conv1, fc2") },
    { "channels", INTEGER(layer_spec, channels), RANGE(1, LARGEST), NEEDED(CONV), DOC("output channels") },
    { "units", INTEGER(layer_spec, units), RANGE(1, LARGEST), NEEDED(FC | LINEAR),
      DOC("output values; of a linear layer, at each position") },
    { "kernel", INTEGER(layer_spec, kernel), RANGE(1, LARGEST), ONLY(CONV | POOL), .needs = CONV | MAXPOOL,
      DOC("side of the square window; an avgpool without it takes the whole plane") },
    { "stride", INTEGER(layer_spec, stride), RANGE(1, LARGEST), ONLY(CONV | POOL),
      DOC("by default 1 for a convolution and the kernel for a pool") },
    { "pad", INTEGER(layer_spec, pad), MOST(LARGEST), ONLY(CONV | POOL), DOC("zeros on each side") },
    { "kernel_width", INTEGER(layer_spec, kernel_width), RANGE(1, LARGEST), ONLY(CONV),
      DOC("width of a window that is not square; 'kernel' and 'pad' are along the height then") },
    { "pad_width", INTEGER(layer_spec, pad_width), MOST(LARGEST), ONLY(CONV),
      DOC("with kernel_width: zeros on the left and on the right") },
    { "groups", INTEGER(layer_spec, groups), RANGE(1, LARGEST), ONLY(CONV), DEFAULT("1"),
      DOC("convolutions side by side, each from its share of the input channels to its share of the output's") },
    { "bias", BOOL(layer_spec, bias), ONLY(CONV | FC | CLASSIFIER | LINEAR | ATTENTION), DEFAULT("true"),
      DOC("one value per channel or unit; of an attention, of each of its four projections") },
    { "tables", INTEGER(layer_spec, tables), RANGE(1, LARGEST), NEEDED(EMBEDDING),
      DOC("number of tables; each adds a vector to the input") },
    { "rows", INTEGER(layer_spec, rows), RANGE(1, 1e12), NEEDED(EMBEDDING | TOKENS | PLACE),
      DOC("rows of all tables together; of tokens, the size of the vocabulary; of places, positions or segments") },
    { "dim", INTEGER(layer_spec, dim), RANGE(1, LARGEST), ONLY(EMBEDDING | INTERACTION | TOKENS | SEQUENCE),
      .needs = EMBEDDING | INTERACTION | TOKENS,
      DOC("values of a vector: a row of a table, one of the vectors that interact in pairs, or the vector at a "
          "position; a sequence without it takes the channels of each pixel") },
    { "lookups", INTEGER(layer_spec, lookups), RANGE(1, LARGEST), ONLY(EMBEDDING), DEFAULT("1"),
      DOC("rows of each table that are looked up and summed per sample") },
    { "positions", INTEGER(layer_spec, positions), RANGE(1, LARGEST), NEEDED(TOKENS),
      DOC("positions of a sequence, whose shape is positions x 1 x dim") },
    { "stream", CHOICE(layer_spec, stream, stream_names), ONLY(TOKENS),
      DOC("sentence that the tokens belong to: the one that is read, or the one that is written") },
    { "place", CHOICE(layer_spec, place, place_names), ONLY(TOKENS), DEFAULT("sinusoid"),
      DOC("sinusoid: rows are scaled by the root of dim, and a sinusoid of the position is added; none: rows alone") },
    { "by", CHOICE(layer_spec, by, by_names), ONLY(PLACE), DEFAULT("position"),
      DOC("what chooses the row that is added: the position, or the segment that it belongs to") },
    { "shared", TEXT(layer_spec, shared), MOST(47), ONLY(LINEAR),
      DOC("name of the tokens or of the linear layer, as 'narrows show model' prints it, whose weights it multiplies "
          "with: the nearest one before; by default it has weights of its own") },
    { "heads", INTEGER(layer_spec, heads), RANGE(1, LARGEST), NEEDED(ATTENTION),
      DOC("attention heads, which divide a position's values evenly") },
    { "kv_heads", INTEGER(layer_spec, kv_heads), RANGE(1, LARGEST), ONLY(ATTENTION),
      DOC("heads of keys and values, each shared by as many attention heads; by default as many as heads") },
    { "causal", BOOL(layer_spec, causal), ONLY(ATTENTION), DOC("no position attends to a later one") },
    { "past", INTEGER(layer_spec, past), MOST(LARGEST), ONLY(ATTENTION),
      DOC("positions before the first one, kept from the segment before, of which keys and values are made as well") },
    { "relative", BOOL(layer_spec, relative), ONLY(ATTENTION),
      DOC("positions by their distance, which has a projection of its own (Transformer-XL)") },
    { "memory", TEXT(layer_spec, memory), MOST(47), ONLY(ATTENTION),
      DOC("name of the layer whose output gives keys and values, as 'narrows show model' prints it "
          "('block2.norm1'): the nearest one before; by default the layer's own input") },
    { "rate", NUMBER(layer_spec, rate), FLAGS(FIELD_ABOVE), MOST(0.99), ONLY(DROPOUT), DEFAULT("0.5"),
      DOC("share of the values that are dropped") },
    { "repeat", INTEGER(layer_spec, repeat), RANGE(1, 10000), ONLY(BLOCK), DEFAULT("1"),
      DOC("repetitions of the layers") },
    { "downsample", INTEGER(layer_spec, downsample), RANGE(1, LARGEST), ONLY(BLOCK), DEFAULT("1"),
      DOC("stride of the first window layer of the first repetition") },
    { "shortcut", CHOICE(layer_spec, shortcut, shortcut_names), ONLY(BLOCK), DEFAULT("identity"),
      DOC("identity: zero-padded; projection: a 1x1 convolution; none: a plain repetition") },
    { "shortcut_norm", BOOL(layer_spec, shortcut_norm), ONLY(BLOCK), DOC("add a batch norm after the projection") },
    { "relu", BOOL(layer_spec, relu), ONLY(BLOCK), DOC("add a ReLU after the shortcut is added") },
    { "layers", LIST(layer_spec, layers, nlayers, layer_schema, 4096), NEEDED(CONCAT | PRODUCT | SIDE | BLOCK),
      DOC("layers that a block repeats, the parallel branches of a concat or a product, in which a block is a "
          "chain, or the layers of a side, which end in an output of their own") },
};
static const struct schema layer_schema = SCHEMA("layer", layer_spec, layer_fields, "kind");

static const struct field input_fields[] = {
    { "channels", INTEGER(model_spec, channels), FLAGS(FIELD_REQUIRED), RANGE(1, LARGEST), DOC("output channels") },
    { "height", INTEGER(model_spec, height), FLAGS(FIELD_REQUIRED), RANGE(1, LARGEST), DOC("pixels") },
    { "width", INTEGER(model_spec, width), FLAGS(FIELD_REQUIRED), RANGE(1, LARGEST), DOC("pixels") },
};
static const struct schema input_schema = SCHEMA("input", model_spec, input_fields, NULL);

static const char *const style_names[] = { "gpt", "llama", NULL };

static const struct field gpt_fields[] = {
    { "hidden", INTEGER(gpt_spec, hidden), FLAGS(FIELD_REQUIRED), RANGE(2, LARGEST),
      DOC("values of the vector at each position") },
    { "layers", INTEGER(gpt_spec, layers), FLAGS(FIELD_REQUIRED), RANGE(1, 10000),
      DOC("layers of an attention and a feed-forward network") },
    { "heads", INTEGER(gpt_spec, heads), FLAGS(FIELD_REQUIRED), RANGE(1, LARGEST),
      DOC("attention heads, which divide 'hidden' evenly") },
    { "sequence", INTEGER(gpt_spec, sequence), FLAGS(FIELD_REQUIRED), RANGE(1, LARGEST), DOC("positions of a sample") },
    { "vocabulary", INTEGER(gpt_spec, vocabulary), FLAGS(FIELD_REQUIRED), RANGE(1, LARGEST),
      DOC("words, with what pads their table") },
    { "kv_heads", INTEGER(gpt_spec, kv_heads), RANGE(1, LARGEST),
      DOC("heads of keys and values; by default as many as heads") },
    { "feed_forward", INTEGER(gpt_spec, feed_forward), RANGE(1, LARGEST),
      DOC("units of the feed-forward network; by default 4 times 'hidden'") },
    { "style", CHOICE(gpt_spec, style, style_names), DEFAULT("gpt"),
      DOC("gpt: learned positions, layer norms, GELU, biases, words and output share a table; llama: RMSNorm, SwiGLU, "
          "no biases, an output matrix of its own") },
    { "experts", INTEGER(gpt_spec, experts), MOST(1 << 16), DEFAULT("0"),
      DOC("networks of a layer in place of its feed-forward network, to some of which a router sends each token; 0: "
          "none. Models that have them, or latent attention, are for the method sharded alone") },
    { "active", INTEGER(gpt_spec, active), RANGE(1, 1 << 16), DOC("experts that a token is sent to") },
    { "expert_feed_forward", INTEGER(gpt_spec, expert_feed_forward), RANGE(1, LARGEST),
      DOC("units of an expert; by default as many as feed_forward") },
    { "shared_feed_forward", INTEGER(gpt_spec, shared_feed_forward), MOST(LARGEST), DEFAULT("0"),
      DOC("units of an expert that takes every token, of all such together; 0: none") },
    { "dense_layers", INTEGER(gpt_spec, dense_layers), MOST(10000), DEFAULT("0"),
      DOC("layers before the first that has experts") },
    { "capacity", NUMBER(gpt_spec, capacity), MOST(1e6), DEFAULT("0"),
      DOC("tokens that an expert takes at most, over the mean sequence x active / experts; others are dropped; 0: all "
          "that come") },
    { "value_dim", INTEGER(gpt_spec, value_dim), MOST(LARGEST), DEFAULT("0"),
      DOC("of latent attention, values of a head; 0: ordinary attention") },
    { "head_dim", INTEGER(gpt_spec, head_dim), RANGE(1, LARGEST),
      DOC("of latent attention, values of a head's query and key without what is turned by the position") },
    { "rotary_dim", INTEGER(gpt_spec, rotary_dim), MOST(LARGEST), DEFAULT("0"),
      DOC("of latent attention, values that are turned by the position: of each head's query, and of a key that all "
          "share") },
    { "kv_latent", INTEGER(gpt_spec, kv_latent), RANGE(1, LARGEST),
      DOC("of latent attention, values of a token that keys and values of all heads are made from") },
    { "query_latent", INTEGER(gpt_spec, query_latent), MOST(LARGEST), DEFAULT("0"),
      DOC("of latent attention, values of a token that queries are made from; 0: from all of 'hidden'") },
};
static const struct schema gpt_schema = SCHEMA("gpt", gpt_spec, gpt_fields, NULL);

static const struct field model_fields[] = {
    { "name", TEXT(model_spec, name), FLAGS(FIELD_REQUIRED), MOST(63),
      DOC("short name, as tables and figures show it") },
    { "title", TEXT(model_spec, title), FLAGS(FIELD_SILENT), DOC("one line of description") },
    { "source", TEXT(model_spec, source), FLAGS(FIELD_SILENT), DOC("where the architecture comes from") },
    { "input", SAME(input_schema), FLAGS(FIELD_WHOLE),
      DOC("shape of one sample; left out if all layers begin with tokens") },
    { "classes", INTEGER(model_spec, classes), RANGE(1, LARGEST),
      DOC("outputs of the classifier; required if the model has one") },
    { "gpt", MAP(model_spec, gpt, gpt_schema), FLAGS(FIELD_WHOLE),
      DOC("a decoder by its dimensions, in place of layers") },
    { "layers", LIST(model_spec, layers, nlayers, layer_schema, 4096), DOC("from input to output") },
};
const struct schema schema_model = SCHEMA("model", model_spec, model_fields, NULL);
