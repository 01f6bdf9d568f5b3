/* ops.c - the group "ops": what a training step of --model asks of each backend of operations, kind by kind (all the
 * step's convolutions forward, all its batch norms backward ...), and the whole step, with momentum. The network is
 * set up and run as the trainer does it; a kind's operations are run alone, again and again on what the last step
 * left in memory. The best backend is what the others are compared with. Batch 32, or 128 where there is no
 * convolution; on the host alone. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/bench/group/groups.h"
#include "harness/status.h"
#include "train/net/context.h"

enum { BACKENDS_MOST = 8, KINDS_MOST = 64 };

/* A network on one backend. */
struct rig {
    struct context lane;
    struct net net;
    float *dense, *tables, *gradients, *velocity;
    struct pass pass;
};

/* The operations of a step that are called alike; all of them, "step". */
struct kind {
    char name[40];
    struct operation *operations;
    int64_t *workspace_at;
    size_t n;
    double flops, bytes;
};

struct job {
    struct net net; /* the rig's, with a kind's operations alone */
    struct pass pass;
    struct rig *rig;
    int failed;
};

static void run(struct work *w)
{
    struct job *j = w->arg;

    if (pass_run(&j->pass, &j->rig->lane))
        j->failed = 1;
}

/* So small a rate that the weights stay what they are. */
static void run_step(struct work *w)
{
    struct job *j = w->arg;
    struct rig *r = j->rig;
    const struct ops_backend *b = r->lane.backend;
    int64_t n = j->pass.map->ndense;

    if (b->zero(r->lane.handle, r->gradients, sizeof(float) * (size_t)n, NULL) || pass_run(&j->pass, &r->lane) ||
        b->sgd_update(r->lane.handle, n, 1e-9f, 0.9f, 1e-4f, r->gradients, r->velocity, r->dense, NULL))
        j->failed = 1;
}

/* --- a network on a backend -------------------------------------------------------------------------------------- */

static int failed(const char *backend, const char *why)
{
    return status_error(NW_EENV, "bench: backend %s: %s\n", backend, why);
}

static float draw(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return (float)(*state >> 8) / 8388608 - 1;
}

/* Values in [-1, 1), labels of any class, and of each table the first row. */
static int feed(struct rig *r, const struct model *m, int64_t batch)
{
    const struct shape *classes = &m->layers[m->nlayers - 1].out;
    int64_t nimages = batch * m->input.channels * m->input.height * m->input.width, nlabels = batch * model_labels(m);
    int64_t of = m->layers[m->nlayers - 1].kind == LAYER_SIGMOID ? 2 : classes->channels;
    struct batch b = { calloc((size_t)nimages + 1, sizeof(float)), calloc((size_t)(batch * model_ids(m)) + 1, 4),
                       calloc((size_t)nlabels, 4) };
    uint32_t state = 1;
    int rc = NW_ENOMEM;

    if (b.images && b.ids && b.labels) {
        for (int64_t i = 0; i < nimages; i++)
            b.images[i] = draw(&state);
        for (int64_t i = 0; i < nlabels; i++)
            b.labels[i] = (int32_t)(i % of);
        rc = context_feed(&r->lane, &r->net, &b) ? failed(r->lane.backend->name, r->lane.why) : NW_OK;
    }
    free(b.images);
    free(b.ids);
    free(b.labels);
    return rc;
}

static int upload_start(struct rig *r, const struct model *m, const struct parameter_map *map)
{
    const struct ops_backend *b = r->lane.backend;
    const struct initialization how = { .scheme = INITIALIZE_HE };
    size_t ndense = sizeof(float) * (size_t)map->ndense, ntable = sizeof(float) * (size_t)map->ntable;
    float *dense = malloc(ndense + 1), *tables = malloc(ntable + 1);
    int rc = NW_ENOMEM;

    r->dense = b->alloc(r->lane.handle, ndense + 1);
    r->gradients = b->alloc(r->lane.handle, ndense + 1);
    r->velocity = b->alloc(r->lane.handle, ndense + 1);
    r->tables = b->alloc(r->lane.handle, ntable + 1);
    if (dense && tables && r->dense && r->gradients && r->velocity && r->tables) {
        parameters_initialize(map, m, &how, 1, dense, tables);
        rc = context_upload(&r->lane, r->dense, dense, ndense) || context_upload(&r->lane, r->tables, tables, ntable) ||
                     b->zero(r->lane.handle, r->gradients, ndense, NULL) ||
                     b->zero(r->lane.handle, r->velocity, ndense, NULL)
                 ? failed(b->name, b->error(r->lane.handle))
                 : NW_OK;
    }
    free(dense);
    free(tables);
    return rc;
}

static void rig_close(struct rig *r)
{
    const struct ops_backend *b = r->lane.backend;

    if (r->lane.handle) {
        b->release(r->lane.handle, r->dense);
        b->release(r->lane.handle, r->gradients);
        b->release(r->lane.handle, r->velocity);
        b->release(r->lane.handle, r->tables);
    }
    net_free(&r->net);
    context_close(&r->lane);
}

static int rig_open(struct rig *r, const struct ops_backend *b, const struct model *m, int64_t batch,
                    const struct parameter_map *map)
{
    char why[256];
    int rc = NW_OK;

    if (context_open(b, &r->lane))
        return failed(b->name, r->lane.why);
    if (net_make(m, NET_TRAIN, batch, NULL, b, r->lane.handle, &r->net, why, sizeof(why)))
        return failed(b->name, why);
    if (context_reserve(&r->lane, &r->net))
        return failed(b->name, r->lane.why);
    rc = feed(r, m, batch);
    if (!rc)
        rc = upload_start(r, m, map);
    if (rc)
        return rc;
    r->pass = (struct pass){
        .net = &r->net, .map = map, .dense = r->dense, .tables = r->tables, .gradients = r->gradients, .seed = 1
    };
    return pass_run(&r->pass, &r->lane) ? failed(b->name, r->lane.why) : NW_OK;
}

/* --- kinds of operations ----------------------------------------------------------------------------------------- */

static void name_of(const struct net *n, const struct operation *o, char *name, size_t size)
{
    if (o->kind == OPERATION_LAYER)
        snprintf(name, size, "%s-%s", layer_kind_name(n->model->layers[o->layer].kind),
                 o->backward ? "backward" : "forward");
    else
        snprintf(name, size, "%s", o->kind == OPERATION_SUM ? "sum-of-errors" : "patches");
}

static void add(struct kind *k, const struct net *n, size_t i)
{
    const struct operation *o = &n->graph.operations[i];

    k->operations[k->n] = *o;
    k->workspace_at[k->n++] = n->workspace_at[i];
    k->flops += o->compute_bound ? o->flops : 0;
    k->bytes += o->bytes;
}

static void kinds_free(struct kind *kinds)
{
    for (size_t i = 0; i < KINDS_MOST; i++) {
        free(kinds[i].operations);
        free(kinds[i].workspace_at);
    }
}

/* The step first, then its kinds in the order of their first operations. Returns how many; 0: no memory. */
static size_t kinds_of(const struct net *n, struct kind *kinds)
{
    size_t count = 1;

    snprintf(kinds[0].name, sizeof(kinds[0].name), "step");
    for (size_t i = 0; i < n->noperations; i++) {
        char name[sizeof(kinds[0].name)];
        size_t k = 1;

        name_of(n, &n->graph.operations[i], name, sizeof(name));
        while (k < count && strcmp(kinds[k].name, name) != 0)
            k++;
        if (k == KINDS_MOST)
            continue; /* there are not so many layers' kinds */
        memcpy(kinds[k].name, name, sizeof(name));
        count = k == count ? count + 1 : count;
        for (size_t of = 0; of <= k; of += k) {
            if (!kinds[of].operations) {
                kinds[of].operations = calloc(n->noperations, sizeof(struct operation));
                kinds[of].workspace_at = calloc(n->noperations, sizeof(int64_t));
            }
            if (!kinds[of].operations || !kinds[of].workspace_at)
                return 0;
            add(&kinds[of], n, i);
        }
    }
    return count;
}

/* A kind on all backends: each has a network of its own, with the same operations but its own workspaces. */
static int time_kind(struct session *s, struct rig *rigs, size_t nrigs, struct kind (*kinds)[KINDS_MOST], size_t kind,
                     int64_t batch)
{
    struct job jobs[BACKENDS_MOST];
    struct work works[BACKENDS_MOST];
    int rc;

    for (size_t i = 0; i < nrigs; i++) {
        struct kind *k = &kinds[i][kind];

        jobs[i] = (struct job){ .net = rigs[i].net, .pass = rigs[i].pass, .rig = &rigs[i] };
        jobs[i].net.graph.operations = k->operations;
        jobs[i].net.workspace_at = k->workspace_at;
        jobs[i].net.noperations = k->n;
        jobs[i].pass.net = &jobs[i].net;
        works[i] = (struct work){ .kernel = k->name,
                                  .impl = rigs[i].lane.backend->name,
                                  .nbytes = k->bytes,
                                  .flops = k->flops,
                                  .run = kind ? run : run_step,
                                  .arg = &jobs[i] };
        snprintf(works[i].variant, sizeof(works[i].variant), "batch=%lld", (long long)batch);
    }
    rc = session_time(s, &works[0], works, nrigs);
    for (size_t i = 0; i < nrigs && !rc; i++)
        rc = jobs[i].failed ? failed(rigs[i].lane.backend->name, rigs[i].lane.why) : NW_OK;
    return rc;
}

static int64_t batch_of(const struct model *m)
{
    for (size_t i = 0; i < m->nlayers; i++)
        if (m->layers[i].kind == LAYER_CONV)
            return 32;
    return 128;
}

/* The plain loops only where they are asked for by name: they take long. */
static bool wanted(const struct session *s, const struct ops_backend *b)
{
    bool any = session_wants_peer(s, "");

    return !b->on_device && b->usable() && session_wants_peer(s, b->name) && !(any && b == &ops_reference);
}

static int rows(struct session *s)
{
    static struct kind kinds[BACKENDS_MOST][KINDS_MOST];
    const struct model *m = s->o->model;
    struct rig rigs[BACKENDS_MOST] = { 0 };
    struct parameter_map map = { 0 };
    size_t nrigs = 0, nkinds = 0;
    int rc = NW_OK;

    if (!m)
        return NW_OK;
    if (parameter_map_make(m, &map))
        return NW_ENOMEM;
    memset(kinds, 0, sizeof(kinds));
    for (size_t i = 0; ops_backends[i] && nrigs < BACKENDS_MOST && !rc; i++)
        if (wanted(s, ops_backends[i])) {
            rc = rig_open(&rigs[nrigs], ops_backends[i], m, batch_of(m), &map);
            nkinds = rc ? 0 : kinds_of(&rigs[nrigs].net, kinds[nrigs]);
            rc = rc || nkinds ? rc : NW_ENOMEM;
            nrigs++;
        }
    for (size_t k = 0; k < nkinds && !rc; k++)
        rc = time_kind(s, rigs, nrigs, kinds, k, batch_of(m));
    for (size_t i = 0; i < nrigs; i++) {
        kinds_free(kinds[i]);
        rig_close(&rigs[i]);
    }
    parameter_map_free(&map);
    return rc;
}

const struct group group_ops = { "ops", "a training step of --model, operation by operation", rows };
