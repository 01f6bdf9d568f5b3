#include "harness/import/onnx/onnx.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "harness/count.h"
#include "harness/import/onnx/network.h"
#include "harness/status.h"

enum { NAME = 48 };

/* Letters, digits and what joins them: a name that needs no quotes in YAML and begins with a letter. */
static const char *plain_name(struct net *n, const char *given)
{
    char *name = onnx_take(n, NAME + 8);
    size_t at = 0;

    if (!isalpha((unsigned char)*given))
        at = (size_t)snprintf(name, 8, "model%s", *given ? "-" : "");
    for (; *given && at < NAME; given++)
        name[at++] = isalnum((unsigned char)*given) && (unsigned char)*given < 0x80 ? *given
                     : strchr("._-", *given) && *given                              ? *given
                                                                                    : '-';
    name[at] = 0;
    return name;
}

/* A text within quotes in YAML. */
static const char *plain_text(struct net *n, const char *text)
{
    char *copy = onnx_take(n, 81);

    snprintf(copy, 81, "%.80s", text ? text : "");
    for (char *p = copy; *p; p++)
        if (!isprint((unsigned char)*p) || *p == '"' || *p == '\\')
            *p = '?';
    return copy;
}

static void name_spec(struct net *n, struct model_spec *spec)
{
    const char *producer = plain_text(n, n->model->producer_name);
    const char *version = plain_text(n, n->model->producer_version);

    spec->name = plain_name(n, n->options->name        ? n->options->name
                               : n->model->graph->name ? n->model->graph->name
                                                       : "");
    spec->title = onnx_text(n, "%s, imported", spec->name);
    spec->source = onnx_text(n, "ONNX of %s %s", *producer ? producer : "an unnamed program", version);
}

/* Of these a model's parameters are made; what is left over belongs to no layer, and is said. */
static int64_t count_parameters(struct net *n)
{
    int64_t sum = 0;

    for (int i = 0; i < n->nvalues; i++) {
        const struct value *v = &n->values[i];
        int64_t volume = value_volume(v);
        if (!v->initializer || v->element != ELEMENT_FLOAT || v->statistic || (!v->used && volume <= 1))
            continue;
        if (sum > INT64_MAX / 2)
            onnx_refuse(n, "expected at most 2^62 parameters, got more");
        sum += volume;
        if (!v->used)
            onnx_add_note(n, "'%.80s' (%lld values) belongs to no layer of the model file", v->name, (long long)volume);
    }
    return sum;
}

/* The batch is the first dimension of the first input. */
static void find_batch(struct net *n)
{
    n->batch = 0;
    for (int i = 0; i < n->nvalues && !n->batch; i++)
        if (n->values[i].data && n->values[i].producer < 0 && n->values[i].rank > 0) {
            n->batch = n->values[i].dim[0];
            if (n->batch < 1)
                onnx_refuse(n, "input '%.80s': expected a batch of 1 or more, got %lld", n->values[i].name,
                            (long long)n->batch);
        }
    if (!n->batch)
        onnx_refuse(n, "expected an input with a batch, got none");
}

static void check_output(struct onnx_network *o)
{
    const struct model *m = &o->model;
    struct net *n = &o->net;
    size_t last = m->nlayers - 1;
    const Onnx__Graph *g = n->model->graph;
    int64_t volume = m->layers[last].activations;

    for (size_t i = 0; i < g->n_output; i++)
        if (value_volume(&n->values[onnx_find(n, g->output[i]->name)]) == volume * n->batch)
            return;
    onnx_add_note(n, "the model's output has %lld values a sample, which none of the graph's outputs has",
                  (long long)volume);
}

/* What a key of a model file may be (harness/scenario/schema/model.c). */
static void check_limits(struct net *n, const struct layer_spec *list, size_t nlist)
{
    const int64_t largest = 1 << 24, most_rows = 1000000000000, most_repeats = 10000;

    if (nlist > 4096)
        onnx_refuse(n, "expected at most 4096 layers in a list, got %zu", nlist);
    for (size_t i = 0; i < nlist; i++) {
        const struct layer_spec *s = &list[i];
        const int64_t sides[] = { s->channels,  s->units,  s->kernel, s->kernel_width, s->stride, s->pad,
                                  s->pad_width, s->groups, s->dim,    s->positions,    s->heads,  s->kv_heads };
        for (size_t k = 0; k < COUNT(sides); k++)
            if (sides[k] > largest || s->rows > most_rows || s->repeat > most_repeats)
                onnx_refuse(n, "layer of kind %s: expected sides up to %lld, got %lld", layer_kind_name(s->kind),
                            (long long)largest, (long long)(sides[k] > largest ? sides[k] : s->rows));
        check_limits(n, s->layers, s->nlayers);
    }
}

static void understand(struct onnx_network *o, const uint8_t *bytes, size_t size)
{
    struct net *n = &o->net;
    char why[256];

    n->model = onnx__model__unpack(NULL, size, bytes);
    if (!n->model)
        onnx_refuse(n, "expected an ONNX model, got %zu bytes that are not one, or only a part of one", size);
    if (!n->model->has_ir_version && !n->model->graph)
        onnx_refuse(n, "expected a model with a version and a graph, got neither");
    onnx_load(n);
    find_batch(n);
    onnx_roles(n);
    onnx_shapes(n);
    onnx_fuse(n);
    onnx_attention(n);
    name_spec(n, &o->spec);
    onnx_structure(n, &o->spec);
    onnx_repeats(n, &o->spec);
    check_limits(n, o->spec.layers, o->spec.nlayers);
    if (o->spec.channels > 1 << 24 || o->spec.height > 1 << 24 || o->spec.width > 1 << 24)
        onnx_refuse(n, "expected an input with sides up to %d, got %lldx%lldx%lld", 1 << 24,
                    (long long)o->spec.channels, (long long)o->spec.height, (long long)o->spec.width);
    o->parameters = count_parameters(n);
    int rc = model_infer(&o->spec, &o->model, why, sizeof(why));
    if (rc)
        onnx_refuse(n, "as a model: %s", *why ? why : "no memory");
    o->model_parameters = o->model.weights + o->model.biases + o->model.table_values;
    check_output(o);
}

int onnx_read(const char *file, const void *bytes, size_t size, const struct onnx_options *options, FILE *err,
              struct onnx_network **out)
{
    struct onnx_network *o = calloc(1, sizeof(*o));

    if (!o)
        return NW_ENOMEM;
    o->net = (struct net){ .file = file, .err = err, .options = options };
    if (setjmp(o->net.failed)) {
        int rc = o->net.rc;
        onnx_free(o);
        return rc;
    }
    understand(o, bytes, size);
    *out = o;
    return NW_OK;
}

void onnx_free(struct onnx_network *o)
{
    if (!o)
        return;
    onnx_net_free(&o->net);
    model_free(&o->model);
    free(o);
}

const struct model_spec *onnx_spec(const struct onnx_network *o)
{
    return &o->spec;
}

const struct model *onnx_model(const struct onnx_network *o)
{
    return &o->model;
}

int64_t onnx_parameters(const struct onnx_network *o)
{
    return o->parameters;
}

int64_t onnx_model_parameters(const struct onnx_network *o)
{
    return o->model_parameters;
}

size_t onnx_notes(const struct onnx_network *o)
{
    return (size_t)o->net.nnotes;
}

const char *onnx_note(const struct onnx_network *o, size_t i, int *times)
{
    *times = o->net.notes[i].times;
    return o->net.notes[i].text;
}
