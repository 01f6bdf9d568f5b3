/* state.c - what a checkpoint holds of a trainer, and how much memory it takes. */
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "train/trainer/private.h"

/* A device's memory is not read in place: what lies there has a copy in the host's for as long as it takes. */
static int staged(struct trainer *t, void **copy, const void *from, size_t nbytes)
{
    free(*copy);
    *copy = malloc(nbytes + 1);
    if (!*copy)
        return trainer_fail(t, E_NOMEM, "out of memory");
    return context_download(&t->contexts[0], *copy, from, nbytes) ? trainer_context_failed(t, &t->contexts[0]) : 0;
}

static void add(struct trainer_section *sections, size_t *n, const char *name, void *bytes, size_t nbytes)
{
    if (nbytes)
        sections[(*n)++] = (struct trainer_section){ name, bytes, nbytes };
}

int trainer_sections(struct trainer *t, struct trainer_section sections[TRAINER_SECTIONS], size_t *n)
{
    struct parameter_copies *c = &t->copies;
    size_t dense = 4 * (size_t)t->map.ndense, table = 4 * (size_t)t->map.ntable;
    bool device = t->contexts[0].backend->on_device;
    int rc = server_fetch(t);

    *n = 0;
    if (!rc && device && t->resident)
        rc = staged(t, &t->staged_velocity, c->velocity, dense);
    if (!rc && device)
        rc = staged(t, &t->staged_tables, c->tables, table);
    if (rc)
        return rc;
    add(sections, n, "progress", &t->so_far, sizeof(t->so_far));
    add(sections, n, "weights", c->server, dense);
    if (c->host_model != c->server)
        add(sections, n, "workers' weights", c->host_model, dense);
    add(sections, n, "velocity", t->staged_velocity ? t->staged_velocity : c->velocity, dense);
    add(sections, n, "tables", t->staged_tables ? t->staged_tables : c->tables, table);
    add(sections, n, "norm statistics", t->running, 4 * (size_t)t->nrunning);
    add(sections, n, "codec contexts", t->exchange.states, t->exchange.nstates);
    add(sections, n, "bytes of weights", t->exchange.bytes_per_weight,
        t->map.ntensors * sizeof(*t->exchange.bytes_per_weight));
    add(sections, n, "awp", t->units, t->awp.nunits * sizeof(*t->units));
    return 0;
}

int trainer_restored(struct trainer *t)
{
    struct parameter_copies *c = &t->copies;
    struct context *context = &t->contexts[0];
    size_t dense = 4 * (size_t)t->map.ndense, table = 4 * (size_t)t->map.ntable;

    if (t->staged_velocity && context_upload(context, c->velocity, t->staged_velocity, dense))
        return trainer_context_failed(t, context);
    if (t->staged_tables && context_upload(context, c->tables, t->staged_tables, table))
        return trainer_context_failed(t, context);
    return server_send(t);
}

struct trainer_memory trainer_memory(const struct trainer *t)
{
    const struct parameter_copies *c = &t->copies;
    struct trainer_memory m = { 0 };
    int64_t dense = 4 * t->map.ndense;

    for (int i = 0; i < t->ncontexts; i++)
        m.activations += (int64_t)(t->contexts[i].npool + t->contexts[i].nstatistics +
                                   t->contexts[i].backend->held(t->contexts[i].handle));
    m.parameters = dense * (1 + (c->gradient ? t->ncontexts : 0) + (c->host_model != c->model) +
                            (c->server != c->host_model) + (c->velocity != NULL) + (c->change != NULL));
    for (int64_t w = 0; w < t->options.workers; w++)
        m.parameters += t->workers[w].gradient ? dense : 0;
    m.parameters += 4 * t->map.ntable + (int64_t)(t->exchange.nstates + t->exchange.npayloads);
    return m;
}
