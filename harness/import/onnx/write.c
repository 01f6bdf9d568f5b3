/* write.c - a model as a model file. */
#include <inttypes.h>

#include "harness/import/onnx/network.h"

static void put_number(FILE *out, const char *key, int64_t value)
{
    if (value)
        fprintf(out, ", %s: %" PRId64, key, value);
}

static void put_layer(FILE *out, const struct layer_spec *s)
{
    fprintf(out, "{kind: %s", layer_kind_name(s->kind));
    if (s->name)
        fprintf(out, ", name: %s", s->name);
    put_number(out, "channels", s->channels);
    put_number(out, "units", s->units);
    put_number(out, "kernel", s->kernel);
    put_number(out, "stride", s->kind == LAYER_CONV && s->stride == 1 ? 0 : s->stride);
    put_number(out, "pad", s->pad);
    put_number(out, "kernel_width", s->kernel_width);
    if (s->kernel_width)
        put_number(out, "pad_width", s->pad_width);
    put_number(out, "groups", s->groups > 1 ? s->groups : 0);
    put_number(out, "rows", s->rows);
    put_number(out, "dim", s->dim);
    put_number(out, "positions", s->positions);
    put_number(out, "heads", s->heads);
    put_number(out, "kv_heads", s->kv_heads);
    if (s->kind == LAYER_TOKENS)
        fprintf(out, ", place: none");
    if (s->kind == LAYER_PLACE && s->by == PLACE_BY_SEGMENT)
        fprintf(out, ", by: segment");
    if (s->causal)
        fprintf(out, ", causal: true");
    if (s->rate > 0)
        fprintf(out, ", rate: %.6g", s->rate);
    if (s->shared)
        fprintf(out, ", shared: %s", s->shared);
    if (!s->bias && (s->kind == LAYER_CONV || s->kind == LAYER_FC || s->kind == LAYER_CLASSIFIER ||
                     s->kind == LAYER_LINEAR || s->kind == LAYER_ATTENTION))
        fprintf(out, ", bias: false");
    fprintf(out, "}\n");
}

static void put_list(FILE *out, const struct layer_spec *list, size_t n, int indent);

static void put_entry(FILE *out, const struct layer_spec *s, int indent)
{
    static const char *const shortcuts[] = { "identity", "projection", "none" };

    fprintf(out, "%*s- ", indent, "");
    if (!s->nlayers) {
        put_layer(out, s);
        return;
    }
    fprintf(out, "kind: %s\n", layer_kind_name(s->kind));
    indent += 2;
    if (s->kind == LAYER_BLOCK) {
        if (s->repeat > 1)
            fprintf(out, "%*srepeat: %" PRId64 "\n", indent, "", s->repeat);
        fprintf(out, "%*sshortcut: %s\n", indent, "", shortcuts[s->shortcut]);
        if (s->shortcut_norm)
            fprintf(out, "%*sshortcut_norm: true\n", indent, "");
        if (s->relu)
            fprintf(out, "%*srelu: true\n", indent, "");
    }
    fprintf(out, "%*slayers:\n", indent, "");
    put_list(out, s->layers, s->nlayers, indent + 2);
}

static void put_list(FILE *out, const struct layer_spec *list, size_t n, int indent)
{
    for (size_t i = 0; i < n; i++)
        put_entry(out, &list[i], indent);
}

void onnx_write(FILE *out, const void *network)
{
    const struct onnx_network *n = network;
    const struct model_spec *spec = &n->spec;

    fprintf(out, "name: %s\ntitle: \"%s\"\nsource: \"%s\"\n", spec->name, spec->title, spec->source);
    if (spec->channels)
        fprintf(out, "input: {channels: %" PRId64 ", height: %" PRId64 ", width: %" PRId64 "}\n", spec->channels,
                spec->height, spec->width);
    if (spec->classes)
        fprintf(out, "classes: %" PRId64 "\n", spec->classes);
    fprintf(out, "layers:\n");
    put_list(out, spec->layers, spec->nlayers, 2);
}
