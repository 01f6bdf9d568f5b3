#include "tests/model/graph/graph_nets.h"

#include <stdbool.h>

#include "model/status.h"
#include "tests/draw.h"
#include "tests/test.h"

static struct model infer(const struct model_spec *spec)
{
    struct model m;
    char why[200] = "";

    if (model_infer(spec, &m, why, sizeof(why)) != E_OK)
        fail_msg("%s", why);
    return m;
}

struct model nets_vgg_19(void)
{
    static const struct {
        int64_t convs, channels;
    } stages[] = { { 2, 64 }, { 2, 128 }, { 4, 256 }, { 4, 512 }, { 4, 512 } };
    struct layer_spec list[64];
    size_t n = 0;

    for (size_t i = 0; i < COUNT(stages); i++) {
        for (int64_t k = 0; k < stages[i].convs; k++) {
            list[n++] = (struct layer_spec){
                .kind = LAYER_CONV, .channels = stages[i].channels, .kernel = 3, .pad = 1, .bias = 1
            };
            list[n++] = (struct layer_spec){ .kind = LAYER_RELU };
        }
        list[n++] = (struct layer_spec){ .kind = LAYER_MAXPOOL, .kernel = 2 };
    }
    for (int k = 0; k < 2; k++) {
        list[n++] = (struct layer_spec){ .kind = LAYER_FC, .units = 4096, .bias = 1 };
        list[n++] = (struct layer_spec){ .kind = LAYER_RELU };
        list[n++] = (struct layer_spec){ .kind = LAYER_DROPOUT };
    }
    list[n++] = (struct layer_spec){ .kind = LAYER_CLASSIFIER, .bias = 1 };
    list[n++] = (struct layer_spec){ .kind = LAYER_SOFTMAX };
    return infer(&(struct model_spec){
        .name = "vgg-19", .channels = 3, .height = 224, .width = 224, .classes = 1000, .layers = list, .nlayers = n });
}

/* A convolution and its norm, with a ReLU unless it ends the path. */
static size_t conv(struct layer_spec *list, int64_t channels, int64_t kernel, int64_t stride, bool relu)
{
    size_t n = 0;

    list[n++] = (struct layer_spec){
        .kind = LAYER_CONV, .channels = channels, .kernel = kernel, .stride = stride, .pad = kernel / 2
    };
    list[n++] = (struct layer_spec){ .kind = LAYER_BATCHNORM };
    if (relu)
        list[n++] = (struct layer_spec){ .kind = LAYER_RELU };
    return n;
}

struct model nets_resnet(int64_t depth)
{
    static const int64_t blocks_18[] = { 2, 2, 2, 2 }, blocks_50[] = { 3, 4, 6, 3 }, blocks_152[] = { 3, 8, 36, 3 };
    const int64_t *blocks = depth == 18 ? blocks_18 : depth == 50 ? blocks_50 : blocks_152;
    struct layer_spec paths[8][8], list[16];
    size_t n = conv(list, 64, 7, 2, 1);

    list[n++] = (struct layer_spec){ .kind = LAYER_MAXPOOL, .kernel = 3, .stride = 2, .pad = 1 };
    for (int stage = 0; stage < 4; stage++) {
        /* The first block of a stage strides in a convolution of its own, the others do not. */
        for (int rest = 0; rest < 2; rest++) {
            struct layer_spec *path = paths[2 * stage + rest];
            int64_t channels = 64 << stage, stride = stage && !rest ? 2 : 1;
            size_t length;
            if (depth == 18) {
                length = conv(path, channels, 3, stride, 1);
                length += conv(&path[length], channels, 3, 1, 0);
            } else {
                length = conv(path, channels, 1, 1, 1);
                length += conv(&path[length], channels, 3, stride, 1);
                length += conv(&path[length], 4 * channels, 1, 1, 0);
            }
            list[n++] = (struct layer_spec){ .kind = LAYER_BLOCK,
                                             .repeat = rest ? blocks[stage] - 1 : 1,
                                             .shortcut = SHORTCUT_PROJECTION,
                                             .shortcut_norm = 1,
                                             .relu = 1,
                                             .layers = path,
                                             .nlayers = length };
        }
    }
    list[n++] = (struct layer_spec){ .kind = LAYER_AVGPOOL };
    list[n++] = (struct layer_spec){ .kind = LAYER_CLASSIFIER, .bias = 1 };
    list[n++] = (struct layer_spec){ .kind = LAYER_SOFTMAX };
    return infer(&(struct model_spec){
        .name = "resnet", .channels = 3, .height = 224, .width = 224, .classes = 1000, .layers = list, .nlayers = n });
}

/* Memory for the layers of a random network. */
struct nursery {
    uint64_t *state;
    struct layer_spec specs[256];
    size_t n;
    bool branches;
};

static uint64_t under(struct nursery *s, uint64_t n)
{
    return draw(s->state) % n;
}

static struct layer_spec some_layer(struct nursery *s)
{
    static const int64_t channels[] = { 4, 8, 16 };
    struct layer_spec l = { .kind = LAYER_CONV };

    switch (under(s, 12)) {
    case 0: return (struct layer_spec){ .kind = LAYER_RELU };
    case 1: return (struct layer_spec){ .kind = LAYER_RELU };
    case 2: return (struct layer_spec){ .kind = LAYER_BATCHNORM };
    case 3: return (struct layer_spec){ .kind = LAYER_BATCHNORM };
    case 4: return (struct layer_spec){ .kind = LAYER_DROPOUT };
    case 5: return (struct layer_spec){ .kind = LAYER_SIGMOID };
    case 6: return (struct layer_spec){ .kind = LAYER_MAXPOOL, .kernel = 3, .stride = 1, .pad = 1 };
    case 7: return (struct layer_spec){ .kind = LAYER_AVGPOOL, .kernel = 3, .stride = 1, .pad = 1 };
    default:
        l.channels = channels[under(s, 3)];
        l.kernel = under(s, 2) ? 3 : 1;
        l.pad = l.kernel / 2;
        l.bias = under(s, 2);
        return l;
    }
}

static struct layer_spec *some_layers(struct nursery *s, size_t n, int depth)
{
    struct layer_spec *list = &s->specs[s->n];

    s->n += n;
    for (size_t i = 0; i < n; i++) {
        if (depth >= 3 || under(s, 4) || s->n > COUNT(s->specs) - 16) {
            list[i] = some_layer(s);
            continue;
        }
        size_t inner = 1 + under(s, 4);
        struct layer_spec *path = some_layers(s, inner, depth + 1);
        if (s->branches && inner > 1 && under(s, 2)) {
            list[i] = (struct layer_spec){ .kind = LAYER_CONCAT, .layers = path, .nlayers = inner };
            continue;
        }
        list[i] = (struct layer_spec){ .kind = LAYER_BLOCK,
                                       .repeat = 1 + (int64_t)under(s, 2),
                                       .downsample = under(s, 3) ? 1 : 2,
                                       .shortcut = (enum shortcut_kind)under(s, 3),
                                       .shortcut_norm = under(s, 2),
                                       .relu = under(s, 2),
                                       .layers = path,
                                       .nlayers = inner };
    }
    return list;
}

static bool some_images(uint64_t *state, bool branches, struct model *out)
{
    struct nursery s = { .state = state, .branches = branches };
    size_t n = 1 + draw(state) % 8;
    struct layer_spec *body = some_layers(&s, n, 0), list[16];
    char why[200];

    for (size_t i = 0; i < n; i++)
        list[i] = body[i];
    if (under(&s, 2)) {
        list[n++] = (struct layer_spec){ .kind = LAYER_FC, .units = 12, .bias = 1 };
        if (under(&s, 2))
            list[n++] = (struct layer_spec){ .kind = LAYER_RELU };
        if (under(&s, 2))
            list[n++] = (struct layer_spec){ .kind = LAYER_DROPOUT };
    }
    if (under(&s, 2))
        list[n++] = (struct layer_spec){ .kind = LAYER_CLASSIFIER };
    if (under(&s, 2))
        list[n++] = (struct layer_spec){ .kind = LAYER_SOFTMAX };
    struct model_spec spec = { .name = "random",
                               .channels = under(&s, 2) ? 3 : 4,
                               .height = 12 + (int64_t)under(&s, 9),
                               .width = 12 + (int64_t)under(&s, 9),
                               .classes = 10,
                               .layers = list,
                               .nlayers = n };
    return model_infer(&spec, out, why, sizeof(why)) == E_OK;
}

bool nets_random(uint64_t *state, struct model *out)
{
    return some_images(state, 0, out);
}

bool nets_random_branches(uint64_t *state, struct model *out)
{
    return some_images(state, 1, out);
}

enum { WIDTH = 8 };

static void some_sequence(struct nursery *s, struct layer_spec *list, size_t n, const char *memory, int depth);

/* What it reads may be all of a sequence, or its first position. */
static struct layer_spec some_side(struct nursery *s, const char *memory, int depth)
{
    size_t inner = 1 + under(s, 3);
    struct layer_spec side = { .kind = LAYER_SIDE, .layers = &s->specs[s->n], .nlayers = inner };

    s->n += inner;
    some_sequence(s, side.layers, inner, memory, depth + 1);
    if (under(s, 2))
        side.layers[0] = (struct layer_spec){ .kind = LAYER_FIRST };
    return side;
}

static struct layer_spec some_product(struct nursery *s, const char *memory, int depth)
{
    size_t branches = 2 + under(s, 2);
    struct layer_spec product = { .kind = LAYER_PRODUCT, .layers = &s->specs[s->n], .nlayers = branches };

    s->n += branches;
    some_sequence(s, product.layers, branches, memory, depth + 1);
    return product;
}

/* Layers that keep a sequence's shape; with a memory, attentions to it among them. */
static void some_sequence(struct nursery *s, struct layer_spec *list, size_t n, const char *memory, int depth)
{
    for (size_t i = 0; i < n; i++) {
        switch (under(s, depth < 2 ? 16 : 11)) {
        case 0: list[i] = (struct layer_spec){ .kind = LAYER_RELU }; break;
        case 1: list[i] = (struct layer_spec){ .kind = LAYER_DROPOUT, .rate = 0.25 }; break;
        case 2: list[i] = (struct layer_spec){ .kind = LAYER_LAYERNORM }; break;
        case 3: list[i] = (struct layer_spec){ .kind = LAYER_LINEAR, .units = WIDTH, .bias = under(s, 2) }; break;
        case 4:
        case 5:
            list[i] =
                (struct layer_spec){ .kind = LAYER_ATTENTION, .bias = 1, .heads = 4, .kv_heads = 1 << under(s, 3) };
            list[i].memory = under(s, 2) ? memory : NULL;
            list[i].causal = !list[i].memory && under(s, 2);
            break;
        case 6: list[i] = (struct layer_spec){ .kind = LAYER_GELU }; break;
        case 7: list[i] = (struct layer_spec){ .kind = LAYER_TANH }; break;
        case 8:
            list[i] = (struct layer_spec){ .kind = LAYER_PLACE, .rows = 6, .by = (enum place_by)under(s, 2) };
            break;
        case 9: list[i] = (struct layer_spec){ .kind = LAYER_RMSNORM }; break;
        case 10: list[i] = (struct layer_spec){ .kind = LAYER_SILU }; break;
        case 11: list[i] = some_side(s, memory, depth); break;
        case 12: list[i] = some_product(s, memory, depth); break;
        default: {
            size_t inner = 1 + under(s, 3);
            list[i] = (struct layer_spec){ .kind = LAYER_BLOCK,
                                           .repeat = 1 + (int64_t)under(s, 2),
                                           .shortcut = under(s, 4) ? SHORTCUT_IDENTITY : SHORTCUT_NONE,
                                           .layers = &s->specs[s->n],
                                           .nlayers = inner };
            s->n += inner;
            some_sequence(s, list[i].layers, inner, memory, depth + 1);
        }
        }
    }
}

bool nets_random_sequences(uint64_t *state, struct model *out)
{
    struct nursery s = { .state = state };
    struct model_spec spec = { .name = "random", .classes = 10 };
    struct layer_spec list[16];
    size_t n = 0, encoder = under(&s, 3), decoder = 1 + under(&s, 4);
    char why[200];

    if (under(&s, 3))
        list[n++] = (struct layer_spec){ .kind = LAYER_TOKENS, .rows = 9, .dim = WIDTH, .positions = 5 };
    else if (under(&s, 2))
        spec.channels = 5, spec.height = 1, spec.width = WIDTH;
    else { /* as a vision transformer begins */
        spec.channels = 3, spec.height = spec.width = 4;
        list[n++] = (struct layer_spec){ .kind = LAYER_CONV, .channels = WIDTH, .kernel = 2, .stride = 2 };
        list[n++] = (struct layer_spec){ .kind = LAYER_SEQUENCE };
        list[n++] = (struct layer_spec){ .kind = LAYER_PREPEND };
    }
    some_sequence(&s, &list[n], encoder, NULL, 0);
    n += encoder;
    list[n++] = (struct layer_spec){ .kind = LAYER_LAYERNORM, .name = "memory" };
    if (under(&s, 2)) {
        list[n++] = (struct layer_spec){
            .kind = LAYER_TOKENS, .stream = STREAM_TARGET, .rows = 7, .dim = WIDTH, .positions = 3
        };
        list[n++] = (struct layer_spec){ .kind = LAYER_ATTENTION, .bias = 1, .heads = 2, .memory = "memory" };
    }
    some_sequence(&s, &list[n], decoder, "memory", 0);
    n += decoder;
    if (under(&s, 2))
        list[n++] = (struct layer_spec){ .kind = LAYER_LINEAR, .units = 6 };
    if (!under(&s, 3))
        list[n++] = (struct layer_spec){ .kind = LAYER_SUM };
    if (under(&s, 2))
        list[n++] = (struct layer_spec){ .kind = under(&s, 2) ? LAYER_SOFTMAX : LAYER_SIGMOID };
    spec.layers = list;
    spec.nlayers = n;
    return model_infer(&spec, out, why, sizeof(why)) == E_OK;
}

struct model nets_recommender(bool dense)
{
    struct layer_spec list[] = {
        { .kind = LAYER_FC, .units = 4, .bias = 1 },
        { .kind = LAYER_RELU },
        { .kind = LAYER_EMBEDDING, .tables = 3, .rows = 30, .dim = 4, .lookups = 2 },
        { .kind = LAYER_INTERACTION, .dim = 4 },
        { .kind = LAYER_FC, .units = 8, .bias = 1 },
        { .kind = LAYER_RELU },
        { .kind = LAYER_FC, .units = 1, .bias = 1 },
        { .kind = LAYER_SIGMOID },
    };
    struct model_spec spec = { .name = "recommender", .channels = dense ? 13 : 4, .height = 1, .width = 1 };

    spec.layers = dense ? list : list + 2;
    spec.nlayers = COUNT(list) - (dense ? 0 : 2);
    return infer(&spec);
}
