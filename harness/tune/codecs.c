/* codecs.c - the axis of codecs: edges advance together, so that every combination of them is one value. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/tune/axes.h"

enum { EDGES = 3, MOST_OF_EDGE = 8, MOST_KEYS = 4, WORD = 64, MOST_VALUES = 512 };

static const char *const edge_names[EDGES] = { "weights", "gradients", "activations" };

/* "blockwise:bits=8,block=128": the format and some keys of its codec. */
struct named {
    char format[WORD];
    char keys[MOST_KEYS][WORD], values[MOST_KEYS][WORD];
    size_t nkeys;
};

struct edge {
    struct named list[MOST_OF_EDGE];
    size_t n;
};

static int wrong(const char *text)
{
    return status_error(NW_EINPUT,
                        "narrows tune: --codec: expected EDGE=FORMAT or EDGE=FORMAT:KEY=VALUE,... with an edge of "
                        "weights, gradients, activations, got '%s'\n",
                        text);
}

/* What codecs call bits in texts is a share of a bit for 3lc, and another key of blockwise's. */
static const char *key_of(const char *format, const char *key)
{
    return !strcmp(format, "blockwise") && !strcmp(key, "bits") ? "code_bits" : key;
}

static bool copy(char out[WORD], const char *from, size_t n)
{
    if (!n || n >= WORD)
        return false;
    memcpy(out, from, n);
    out[n] = '\0';
    return true;
}

static int read_named(const char *text, struct edge edges[EDGES])
{
    const char *equals = strchr(text, '='), *at;
    struct named *out = NULL;
    char key[WORD];

    for (int e = 0; equals && e < EDGES; e++)
        if (strlen(edge_names[e]) == (size_t)(equals - text) && !strncmp(text, edge_names[e], strlen(edge_names[e])) &&
            edges[e].n < MOST_OF_EDGE)
            out = &edges[e].list[edges[e].n++];
    if (!out || !copy(out->format, equals + 1, strcspn(equals + 1, ":")))
        return wrong(text);
    at = equals + 1 + strlen(out->format);
    while (*at) {
        size_t n = strcspn(++at, "="), length;
        if (!at[n] || out->nkeys == MOST_KEYS || !copy(key, at, n))
            return wrong(text);
        at += n + 1;
        length = strcspn(at, ",");
        if (!copy(out->values[out->nkeys], at, length))
            return wrong(text);
        snprintf(out->keys[out->nkeys++], WORD, "%s", key_of(out->format, key));
        at += length;
    }
    return NW_OK;
}

/* Which of an edge's codecs a combination has; -1: none. */
static int chosen(const struct edge edges[EDGES], int edge, size_t combination)
{
    for (int e = 0; e < edge; e++)
        combination /= edges[e].n + 1;
    return (int)(combination % (edges[edge].n + 1)) - 1;
}

static const char *value_of(const struct named *n, const char *key)
{
    for (size_t i = 0; i < n->nkeys; i++)
        if (!strcmp(n->keys[i], key))
            return n->values[i];
    return NULL;
}

/* The value of a key in a codec that does not say it: any, since formats know their own keys only. */
static const char *any_value(const struct edge *e, int choice, const char *key)
{
    const char *value = choice >= 0 ? value_of(&e->list[choice], key) : NULL;

    for (size_t i = 0; !value && i < e->n; i++)
        value = value_of(&e->list[i], key);
    return value;
}

/* 'key' NULL: the format. */
static void add_axis(struct tuned_axes *a, const struct edge edges[EDGES], int edge, const char *key, size_t n)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (!out) {
        a->failed = true;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        int choice = chosen(edges, edge, i);
        const char *format = choice < 0 ? "none" : edges[edge].list[choice].format;
        fprintf(out, "%s%s", i ? ", " : "", key ? any_value(&edges[edge], choice, key) : format);
    }
    fclose(out);
    tuned_axes_add(a, "zip:method.codecs.%s.%s=%s", edge_names[edge], key ? key : "format", text);
    free(text);
}

static void add_edge(struct tuned_axes *a, const struct edge edges[EDGES], int edge, size_t n)
{
    const struct edge *e = &edges[edge];

    add_axis(a, edges, edge, NULL, n);
    for (size_t i = 0; i < e->n; i++)
        for (size_t k = 0; k < e->list[i].nkeys; k++) {
            bool before = false;
            for (size_t j = 0; j < i; j++)
                before |= value_of(&e->list[j], e->list[i].keys[k]) != NULL;
            if (!before)
                add_axis(a, edges, edge, e->list[i].keys[k], n);
        }
}

/* The scenario's own, where its codecs are not swept already. */
static void take_own(const struct point *p, struct edge edges[EDGES])
{
    const struct sharded *m = &p->scenario.method.sharded;
    const struct codec_spec *own[EDGES] = { &m->codec_weights, &m->codec_gradients, &m->codec_activations };

    for (size_t i = 0; i < p->nparams; i++)
        if (!strncmp(p->params[i].path, "method.codecs.", strlen("method.codecs.")))
            return;
    for (int e = 0; e < EDGES; e++)
        if (own[e]->format != WIRE_NONE) {
            snprintf(edges[e].list[0].format, WORD, "%s", codec_spec_name(own[e]));
            edges[e].n = 1;
        }
}

int tuned_axes_of_codecs(struct tuned_axes *a, const struct point *p, const char *const *codecs, size_t ncodecs)
{
    struct edge edges[EDGES] = { { .n = 0 } };
    size_t n = 1;
    int rc = NW_OK;

    for (size_t i = 0; !rc && i < ncodecs; i++)
        rc = read_named(codecs[i], edges);
    if (!rc && !ncodecs)
        take_own(p, edges);
    for (int e = 0; e < EDGES; e++)
        n *= edges[e].n + 1;
    if (!rc && n > MOST_VALUES)
        rc = status_error(NW_EINPUT, "narrows tune: --codec: expected at most %d combinations, got %zu\n", MOST_VALUES,
                          n);
    for (int e = 0; !rc && e < EDGES; e++)
        if (edges[e].n)
            add_edge(a, edges, e, n);
    return rc;
}
