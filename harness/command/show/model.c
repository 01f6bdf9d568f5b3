/* model.c - a model as a table of layers, with what their shapes come to. */
#include <stdbool.h>
#include <stdio.h>

#include "harness/command/show/show.h"
#include "model/gpt_counts.h"

static void shape_text(struct shape s, char *text, size_t size)
{
    if (s.height == 1 && s.width == 1)
        snprintf(text, size, "%lld", (long long)s.channels);
    else
        snprintf(text, size, "%lldx%lldx%lld", (long long)s.channels, (long long)s.height, (long long)s.width);
}

/* The columns of tables only where there are any. */
static void print_layers(const struct model *m)
{
    bool tables = m->table_values > 0;

    printf("%-22s %-11s %-14s %-14s %12s %8s", "layer", "kind", "in", "out", "weights", "biases");
    if (tables)
        printf(" %12s %11s", "table values", "of a sample");
    printf(" %12s %12s %12s\n", "activations", "fwd MFLOP", "bwd MFLOP");
    for (size_t i = 0; i < m->nlayers; i++) {
        const struct layer *l = &m->layers[i];
        char in[64], out[64];
        shape_text(l->in, in, sizeof(in));
        shape_text(l->out, out, sizeof(out));
        printf("%-22s %-11s %-14s %-14s %12lld %8lld", l->name, layer_kind_name(l->kind), in, out,
               (long long)l->weights, (long long)l->biases);
        if (tables)
            printf(" %12lld %11lld", (long long)l->table_values, (long long)l->sparse_values);
        printf(" %12lld %12.3f %12.3f\n", (long long)l->activations, (double)l->flops_forward / 1e6,
               (double)l->flops_backward / 1e6);
    }
}

/* 519.8 M, 475.6 k, 13 */
static void count_text(int64_t n, char *text, size_t size)
{
    if (n < 10000)
        snprintf(text, size, "%lld", (long long)n);
    else
        snprintf(text, size, n < 1000000 ? "%.1f k" : "%.1f M", (double)n / (n < 1000000 ? 1e3 : 1e6));
}

static void print_sums(const struct model *m)
{
    char weights[32], activations[32], values[32];
    int64_t sparse = 0;

    count_text(m->weights, weights, sizeof(weights));
    count_text(m->activations, activations, sizeof(activations));
    count_text(m->table_values, values, sizeof(values));
    printf("\n%s weights (%.1f MB in fp32), %lld biases and scales, %s activations, %.4g GFLOP forward, "
           "%.4g GFLOP backward\n",
           weights, 4.0 * (double)m->weights / 1e6, (long long)m->biases, activations, (double)m->flops_forward / 1e9,
           (double)m->flops_backward / 1e9);
    for (size_t i = 0; i < m->nlayers; i++)
        sparse += m->layers[i].sparse_values;
    if (m->table_values)
        printf(
            "%s values in embedding tables (%.1f MB in fp32), of which a sample reads, and has a gradient of, %lld\n",
            values, 4.0 * (double)m->table_values / 1e6, (long long)sparse);
}

/* What else an attention reads does not show in its shapes. */
static void print_memories(const struct model *m)
{
    for (size_t i = 0; i < m->nlayers; i++) {
        const struct layer *l = &m->layers[i];
        if (l->kind == LAYER_ATTENTION && l->second != LAYER_NO_LAYER)
            printf("%s takes keys and values from %s\n", l->name, m->layers[l->second].name);
        if (l->shares != LAYER_NO_LAYER)
            printf("%s multiplies with the weights of %s\n", l->name, m->layers[l->shares].name);
        if (l->ends_side)
            printf("%s is an output of its own\n", l->name);
    }
}

static void print_part(const char *part, int64_t values, int64_t layers, const char *note)
{
    if (values > 0 && layers > 0)
        printf("%-22s %16lld x %lld%s\n", part, (long long)values, (long long)layers, note);
}

static void print_decoder(const struct gpt_spec *g)
{
    int64_t sparse = gpt_expert_layers(g);
    struct gpt_counts c;
    char note[64];

    printf("%-22s %16s   layers\n", "part of a layer", "weights");
    print_part(g->value_dim ? "latent attention" : "attention", gpt_attention_values(g), g->layers, "");
    print_part("feed-forward network", gpt_dense_values(g), g->layers - sparse, "");
    print_part("router", gpt_router_values(g), sparse, "");
    print_part("shared expert", gpt_shared_values(g), sparse, "");
    snprintf(note, sizeof(note), " x %lld experts, %lld of which take a token", (long long)g->experts,
             (long long)g->active);
    print_part("expert", gpt_expert_values(g), sparse, note);
    if (!gpt_count(g, &c))
        printf(
            "\n%lld parameters (%.4g billion), %lld scales among them; a token is multiplied with %lld (%.4g billion); "
            "%.4g GFLOP forward, %.4g GFLOP backward\n",
            (long long)(c.matrices + c.scales), (double)(c.matrices + c.scales) / 1e9, (long long)c.scales,
            (long long)c.active, (double)c.active / 1e9, (double)c.flops_forward / 1e9,
            2 * (double)c.flops_forward / 1e9);
}

void show_model(const struct model_spec *spec, const struct model *m)
{
    printf("%s: %s (%s)\n", spec->name, spec->title, spec->source);
    if (!m->nlayers) {
        printf("input %lld integers; per sample; a multiply and an add are 2 FLOP\n\n", (long long)m->gpt.sequence);
        print_decoder(&m->gpt);
        return;
    }
    if (m->input.channels)
        printf("input %lldx%lldx%lld", (long long)spec->channels, (long long)spec->height, (long long)spec->width);
    else
        printf("input %lld integers", (long long)model_ids(m));
    if (spec->classes)
        printf(", %lld classes", (long long)spec->classes);
    printf("; per sample; a multiply and an add are 2 FLOP\n\n");
    print_layers(m);
    print_sums(m);
    print_memories(m);
}
