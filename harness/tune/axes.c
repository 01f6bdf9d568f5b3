#include "harness/tune/axes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/scenario/points/target.h"

enum { MOST_STAGES = 64, MOST_CHUNKS = 40, MOST_SAMPLES = 64, LIST = 512 };

void tuned_axes_add(struct tuned_axes *a, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;

    va_start(arguments, format);
    if (a->n == AXES_MOST || vasprintf(&text, format, arguments) < 0)
        a->failed = true;
    else
        a->list[a->n++] = text;
    va_end(arguments);
}

void tuned_axes_free(struct tuned_axes *a)
{
    for (size_t i = 0; i < a->n; i++)
        free(a->list[i]);
    a->n = 0;
}

/* "1, 2, 4" */
struct numbers {
    char text[LIST];
    size_t length, n;
};

static void put(struct numbers *l, int64_t value)
{
    size_t left = sizeof(l->text) - l->length;
    int n = snprintf(l->text + l->length, left, "%s%lld", l->n ? ", " : "", (long long)value);

    if ((size_t)n >= left)
        return;
    l->length += (size_t)n;
    l->n++;
}

static bool fixed(const struct point *p, const char *const *sets, size_t nsets, const char *path)
{
    for (size_t i = 0; i < p->nparams; i++)
        if (!strcmp(p->params[i].path, path))
            return true;
    for (size_t i = 0; i < nsets; i++) {
        char given[256];
        snprintf(given, sizeof(given), "%.*s", (int)strcspn(sets[i], "= "), sets[i]);
        if (path_matches(path, given))
            return true;
    }
    return false;
}

struct searched {
    struct tuned_axes *axes;
    const struct point *point;
    const char *const *sets;
    size_t nsets;
};

static void add(struct searched *s, const char *path, const char *values)
{
    if (*values && !fixed(s->point, s->sets, s->nsets, path))
        tuned_axes_add(s->axes, "%s=%s", path, values);
}

static void add_decoder(struct searched *s)
{
    const struct scenario *sc = &s->point->scenario;
    const struct gpt_spec *g = &sc->model.gpt;
    int64_t per_machine = sc->platform.gpu.count, gpus = per_machine * sc->platform.machines;
    struct numbers tensor = { "", 0, 0 }, stages = tensor, chunks = tensor;

    for (int64_t t = 1; t <= per_machine; t *= 2)
        if (g->heads % t == 0 && gpus % t == 0)
            put(&tensor, t);
    for (int64_t n = 1; n <= g->layers && n <= MOST_STAGES; n++)
        if (g->layers % n == 0 && gpus % n == 0)
            put(&stages, n);
    for (int64_t n = 1; n <= g->layers / 2 && n <= MOST_CHUNKS; n++)
        if (g->layers % n == 0)
            put(&chunks, n);
    add(s, "method.tensor", tensor.text);
    add(s, "method.pipeline", stages.text);
    add(s, "method.chunks", chunks.text);
    add(s, "method.sequence", "true, false");
}

void tuned_axes_of_layouts(struct tuned_axes *a, const struct point *p, const char *const *sets, size_t nsets)
{
    const struct scenario *sc = &p->scenario;
    struct searched s = { a, p, sets, nsets };
    struct numbers samples = { "", 0, 0 }, shard = { "", 0, 0 };
    bool decoder = sc->model.gpt.hidden > 0;

    if (decoder)
        add_decoder(&s);
    put(&shard, 0);
    for (int64_t n = 2; n <= sc->platform.gpu.count && sc->platform.machines > 1; n++)
        if (sc->platform.gpu.count % n == 0)
            put(&shard, n);
    for (int64_t n = 1; n <= MOST_SAMPLES && sc->batch % n == 0; n *= 2)
        put(&samples, n);
    add(&s, "method.shard", shard.text);
    add(&s, "method.micro_batch", samples.text);
    add(&s, "method.recompute", decoder ? "none, selective, full" : "none, full");
    add(&s, "method.level", "0, 1, 2, 3");
}
