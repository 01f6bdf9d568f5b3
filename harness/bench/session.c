/* session.c - memory, data and questions of one session. */
#include "harness/bench/session.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/bench/device.h"
#include "harness/status.h"
#include "kernels/anchor/anchor.h"

static struct buffer *host_room(struct session *s, size_t nbytes)
{
    struct buffer *b = s->nhost < SESSION_BUFFERS ? &s->host[s->nhost] : NULL;

    if (!b) {
        fprintf(stderr, "bench: %s wants more than %d pieces of memory\n", s->group->name, SESSION_BUFFERS);
        return NULL;
    }
    if (buffer_make(b, nbytes ? nbytes : 1))
        return NULL;
    s->nhost++;
    buffer_weights(b->p, (nbytes + 3) / 4);
    return b;
}

/* On a device what the host would get is copied there; the host's own copy goes back at once. */
static void *device_room(struct session *s, size_t nbytes)
{
    void *p = s->ndevice < SESSION_BUFFERS ? device_alloc(nbytes ? nbytes : 1) : NULL;
    struct buffer *b = p ? host_room(s, nbytes) : NULL;

    if (!b) {
        fprintf(stderr, "bench: no %.0f MB on the device: %s\n", 1e-6 * (double)nbytes,
                p ? "none here" : device_error());
        device_free(p);
        return NULL;
    }
    device_write(p, b->p, nbytes);
    buffer_free(b);
    s->nhost--;
    s->on_device[s->ndevice++] = p;
    return p;
}

void *session_alloc(struct session *s, size_t nbytes)
{
    struct buffer *b;

    if (s->device)
        return device_room(s, nbytes);
    b = host_room(s, nbytes);
    return b ? b->p : NULL;
}

static bool is_called(const char *name, const char *wanted)
{
    size_t n = wanted ? strlen(wanted) : 0;

    return !wanted || (!strncmp(name, wanted, n) && (!name[n] || name[n] == '+'));
}

bool session_fits(const struct session *s, const struct impl *im)
{
    if (s->device)
        return im->where == IMPL_DEVICE && im->usable();
    return im->where == IMPL_HOST && im->parallel == (s->threads > 1) && im->usable();
}

bool session_wants(const struct session *s, const struct impl *im)
{
    return session_fits(s, im) && is_called(im->name, s->o->impl);
}

bool session_wants_peer(const struct session *s, const char *name)
{
    return !s->device && is_called(name, s->o->impl);
}

static void run_copy(struct work *w)
{
    const struct anchor_loops *a = w->arg;

    a->row->copy(&a->row->impl, a->s->result, a->s->change, a->s->n);
}

static void run_update(struct work *w)
{
    const struct anchor_loops *a = w->arg;

    a->row->update(&a->row->impl, a->s->state, a->s->change, a->s->n);
}

static void run_scale(struct work *w)
{
    const struct anchor_loops *a = w->arg;

    a->row->scale(&a->row->impl, a->s->state, a->s->n);
}

static void run_read(struct work *w)
{
    const struct anchor_loops *a = w->arg;

    a->row->read(&a->row->impl, a->s->anchor_result, a->s->change, a->s->n);
}

void session_anchor_loops(struct session *s, const struct anchor_impl *row, struct anchor_loops *out)
{
    static const struct {
        const char *name;
        int bytes;
        void (*run)(struct work *w);
    } anchors[NANCHORS] = { [ANCHOR_COPY] = { "copy", 8, run_copy },
                            [ANCHOR_UPDATE] = { "update", 12, run_update },
                            [ANCHOR_SCALE] = { "scale", 8, run_scale },
                            [ANCHOR_READ] = { "read", 4, run_read } };

    *out = (struct anchor_loops){ .s = s, .row = row };
    for (int i = 0; i < NANCHORS; i++)
        out->works[i] = (struct work){ .kernel = anchors[i].name,
                                       .impl = row->impl.name,
                                       .nbytes = anchors[i].bytes * (double)s->n,
                                       .run = anchors[i].run,
                                       .arg = out };
}

static void choose_anchors(struct session *s)
{
    s->anchor_row = anchor_impls;
    while (!session_fits(s, &s->anchor_row->impl)) /* ends: "scalar" is usable, "scalar+omp" with threads */
        s->anchor_row++;
    session_anchor_loops(s, s->anchor_row, &s->anchor_loops);
    s->anchors = s->anchor_loops.works;
}

int session_begin(struct session *s)
{
    s->n = 0;
    for (size_t i = 0; i < s->size->nlayers; i++)
        s->n += s->size->layers[i];
    s->change = session_alloc(s, 4 * s->n);
    s->state = s->change ? session_alloc(s, 4 * s->n) : NULL;
    s->result = s->state ? session_alloc(s, 4 * s->n) : NULL;
    s->anchor_result = s->result ? session_alloc(s, sizeof(float)) : NULL;
    if (!s->anchor_result)
        return s->device ? NW_EENV : NW_ENOMEM;
    choose_anchors(s);
    return NW_OK;
}

static void free_rooms(struct session *s, size_t nhost, size_t ndevice)
{
    while (s->nhost > nhost)
        buffer_free(&s->host[--s->nhost]);
    while (s->ndevice > ndevice)
        device_free(s->on_device[--s->ndevice]);
}

void session_let_go(struct session *s)
{
    free_rooms(s, s->own_host, s->own_device);
}

int session_group(struct session *s, const struct group *g)
{
    int rc;

    s->group = g;
    s->own_host = s->nhost;
    s->own_device = s->ndevice;
    rc = g->rows(s);
    session_let_go(s);
    return rc;
}

void session_end(struct session *s)
{
    free_rooms(s, 0, 0);
}
