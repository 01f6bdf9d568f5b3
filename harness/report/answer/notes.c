/* notes.c - what stands in for what is not given, what does not fit, and what does nothing. */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/count.h"
#include "harness/report/answer/summary.h"
#include "harness/run/point/footprint.h"
#include "harness/status.h"
#include "harness/text/legible.h"

enum { MOST_POINTS = 2048, MOST_NOTES = 24, SHOWN = 8, NOTE = 512, WHO = 96 };

/* What is to be said, each once, with the variants that it is said of. */
struct notes {
    struct {
        char text[NOTE], who[WHO]; /* 'who': their names, parted by ", " */
    } items[MOST_NOTES];
    size_t n;
    int64_t idle, gpus; /* where the most of them do nothing */
    bool idle_varies;
    char idle_why[NOTE];
};

static bool names(const char *who, const char *variant)
{
    size_t n = strlen(variant);

    for (const char *at = who; (at = strstr(at, variant)); at++)
        if ((at == who || at[-1] == ' ') && (!at[n] || at[n] == ','))
            return true;
    return false;
}

__attribute__((format(printf, 3, 4))) static void note(struct notes *notes, const char *variant, const char *format,
                                                       ...)
{
    char text[NOTE];
    va_list arguments;
    size_t i = 0;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    while (i < notes->n && strcmp(notes->items[i].text, text) != 0)
        i++;
    if (i == MOST_NOTES)
        return;
    if (i == notes->n) {
        notes->n++;
        memcpy(notes->items[i].text, text, sizeof(text));
    }
    size_t used = strlen(notes->items[i].who);
    if (*variant && !names(notes->items[i].who, variant))
        snprintf(notes->items[i].who + used, sizeof(notes->items[i].who) - used, "%s%s", used ? ", " : "", variant);
}

/* "encode.rate 672 GB/s" */
static void add_rate(char *list, size_t size, const char *key, double Bps)
{
    char rate[LEGIBLE];
    size_t used = strlen(list);

    if (Bps > 0)
        snprintf(list + used, size - used, "%s%s %s/s", used ? ", " : "", key, legible_bytes(Bps, rate, sizeof(rate)));
    else
        snprintf(list + used, size - used, "%s%s unlimited", used ? ", " : "", key);
}

/* Those of one codec stand together: path "method.push.encode.rate", codec "method.push". */
static void note_rates(struct notes *notes, const struct point *p)
{
    for (size_t i = 0, k; i < p->ndefaults; i = k) {
        const struct point_default *d = &p->defaults[i];
        size_t codec = strlen("method.") + strcspn(d->path + strlen("method."), ".");
        char list[256] = "";

        for (k = i; k < p->ndefaults && !strncmp(p->defaults[k].path, d->path, codec + 1); k++)
            add_rate(list, sizeof(list), p->defaults[k].path + codec + 1, p->defaults[k].rate_Bps);
        if (d->rate_Bps > 0)
            note(notes, p->variant, "no rates are given for %.*s: %s, %s; %s", (int)codec, d->path, list, d->why,
                 d->measured ? "timing: measured takes those of this host" : "give your own");
        else
            note(notes, p->variant,
                 "no rates are given for %.*s, and %s: it takes no time; give encode.rate and decode.rate", (int)codec,
                 d->path, d->why);
    }
}

static bool profiled(const struct scenario *sc)
{
    const struct method *m = &sc->method;

    switch (m->kind) {
    case METHOD_PARAMETER_SERVER: return m->parameter_server.profile.samples > 0;
    case METHOD_ALLREDUCE: return m->allreduce.profile.samples > 0;
    case METHOD_MODEL_PARALLEL: return m->model_parallel.profile.samples > 0;
    case METHOD_MEMORY_PLAN: return m->memory_planned.plan.timing.nrates > 0;
    default: return false;
    }
}

static bool has_kind(const struct scenario *sc, bool convolution)
{
    char why[256];
    struct model m = { 0 };
    bool found = false;

    if (model_infer(&sc->model, &m, why, sizeof(why)))
        return false;
    for (size_t i = 0; i < m.nlayers; i++)
        found |= m.layers[i].flops_forward > 0 && (m.layers[i].kind == LAYER_CONV) == convolution;
    model_free(&m);
    return found;
}

/* Does anything run at the GPU's memory's speed that is simulated here? */
static bool streams(const struct point *p)
{
    enum method_kind kind = p->scenario.method.kind;

    for (size_t i = 0; i < p->ndefaults; i++)
        if (p->defaults[i].rate_Bps > 0 && !p->defaults[i].measured)
            return true;
    return kind == METHOD_HOST_SGD || kind == METHOD_MEMORY_PLAN;
}

/* Figures that are left at the default. */
struct shares {
    struct {
        const char *key; /* below 'base' */
        double value;
        bool used;
    } list[3];
    size_t n;
};

static void note_shares(struct notes *notes, const struct scenario_file *f, const struct point *p, const char *base,
                        const struct shares *shares, const char *or_else)
{
    char list[128] = "";
    size_t n = 0;

    for (size_t i = 0; i < shares->n; i++) {
        char path[64];
        size_t used = strlen(list);

        snprintf(path, sizeof(path), "%s%s", base, shares->list[i].key);
        if (shares->list[i].value != 1 || scenario_given(f, p, path) || !shares->list[i].used)
            continue;
        snprintf(list + used, sizeof(list) - used, "%s%s", used ? ", " : "", shares->list[i].key);
        n++;
    }
    if (n)
        note(notes, "", "not given: %s%s%s%s, so that the GPU reaches all of its datasheet there%s", base,
             n > 1 ? "{" : "", list, n > 1 ? "}" : "", or_else);
}

/* Sharded decoders are counted by the rates of matrix products and of fused attention, everything else by those of
 * layers. */
static void note_efficiencies(struct notes *notes, const struct scenario_file *f, const struct point *p)
{
    const struct scenario *sc = &p->scenario;
    const struct gpu_spec *g = &sc->platform.gpu;
    const bool sharded = sc->method.kind == METHOD_SHARDED;

    if (!footprint_gpus(sc) || profiled(sc))
        return;
    if (sharded && sc->model.gpt.hidden) {
        const struct shares decoder = {
            { { "matrix.share", g->matrix_share, true }, { "attention.share", g->attention_share, true } }, 2
        };
        note_shares(notes, f, p, "platform.gpu.", &decoder, "");
        return;
    }
    const struct shares layers = { { { "convolution", g->efficiency_convolution, has_kind(sc, true) },
                                     { "fully_connected", g->efficiency_fully_connected, has_kind(sc, false) },
                                     { "memory", g->efficiency_memory, streams(p) } },
                                   3 };
    note_shares(notes, f, p, "platform.gpu.efficiency.", &layers,
                sc->method.kind == METHOD_HOST_SGD || sharded ? ""
                                                              : "; or give times that you measured, as method.profile");
}

static void note_batch(struct notes *notes, const struct point *p)
{
    int64_t workers = footprint_workers(&p->scenario), batch = p->scenario.batch, more = batch % workers;

    if (workers < 2 || !more || !method_has_model(p->scenario.method.kind))
        return;
    note(notes, "", "batch %lld does not divide among %lld workers: %lld of them get %lld samples, the others %lld",
         (long long)batch, (long long)workers, (long long)more, (long long)(batch / workers + 1),
         (long long)(batch / workers));
}

static void note_idle(struct notes *notes, const struct point *p)
{
    const struct scenario *sc = &p->scenario;
    const struct method *m = &sc->method;
    int64_t used = footprint_gpus(sc), there = sc->platform.machines * sc->platform.gpu.count;
    char layout[128];

    if (!used || there <= used || (m->kind == METHOD_MEMORY_PLAN && used == 1)) /* a plan is of one GPU */
        return;
    if (m->kind == METHOD_MODEL_PARALLEL)
        snprintf(layout, sizeof(layout),
                 "%lld trainers of %lld stages take one GPU a stage, each on a machine of its own",
                 (long long)m->model_parallel.trainers, (long long)m->model_parallel.stages);
    else if (m->kind == METHOD_HOST_SGD)
        snprintf(layout, sizeof(layout), "host-sgd trains on one machine");
    else if (m->kind == METHOD_PARAMETER_SERVER && !m->parameter_server.colocated)
        snprintf(layout, sizeof(layout), "%lld workers have one each, and servers compute nothing on theirs",
                 (long long)used);
    else
        snprintf(layout, sizeof(layout), "method.workers is %lld, and each has one", (long long)used);
    notes->idle_varies |= notes->gpus && notes->idle != there - used;
    if (there - used <= notes->idle)
        return;
    notes->idle = there - used;
    notes->gpus = there;
    memcpy(notes->idle_why, layout, sizeof(layout));
}

/* The point of a variant that needs the most. */
static void note_memory(const struct answer *a, FILE *out)
{
    for (size_t i = 0; i < a->n; i++) {
        const struct answer_row *r = &a->rows[i];
        char needed[LEGIBLE], there[LEGIBLE];
        bool worst = r->memory_bytes > r->memory_limit_bytes;

        for (size_t k = 0; k < a->n && worst; k++)
            if (!strcmp(a->rows[k].variant, r->variant))
                worst = !(a->rows[k].memory_bytes > r->memory_bytes) &&
                        (k >= i || a->rows[k].memory_bytes != r->memory_bytes);
        if (worst)
            fprintf(out,
                    "! %s%sdoes not fit: it needs %s of a GPU that has %s (weights, gradients, optimizer, "
                    "activations, codecs, workspaces; estimated, in fp32, nothing offloaded)\n",
                    r->variant, *r->variant ? " " : "", legible_bytes(r->memory_bytes, needed, sizeof(needed)),
                    legible_bytes(r->memory_limit_bytes, there, sizeof(there)));
    }
}

static void print(const struct notes *notes, FILE *out)
{
    if (notes->idle)
        fprintf(out, "! %s%lld of %lld GPUs do nothing: %s\n", notes->idle_varies ? "up to " : "",
                (long long)notes->idle, (long long)notes->gpus, notes->idle_why);
    for (size_t i = 0; i < notes->n && i < SHOWN; i++)
        fprintf(out, "! %s%s%s\n", notes->items[i].who, *notes->items[i].who ? ": " : "", notes->items[i].text);
    if (notes->n > SHOWN)
        fprintf(out, "! ... and %zu more like these\n", notes->n - SHOWN);
}

int answer_notes(const struct answered_run *w, const struct answer *a, FILE *out)
{
    struct notes *notes = calloc(1, sizeof(*notes));
    size_t n = w->points ? w->npoints : scenario_npoints(w->file);
    int rc = notes ? NW_OK : NW_ENOMEM;

    for (size_t i = 0; i < n && i < MOST_POINTS && !rc; i++) {
        struct point p;

        rc = scenario_point(w->file, w->points ? w->points[i] : i, &p);
        if (rc)
            break;
        if (p.scenario.simulated) {
            note_rates(notes, &p);
            note_efficiencies(notes, w->file, &p);
            note_batch(notes, &p);
            note_idle(notes, &p);
        }
        point_free(&p);
    }
    if (!rc) {
        note_memory(a, out);
        print(notes, out);
    }
    free(notes);
    return rc;
}
