#include "tests/offload/jobs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"

enum { MARGIN = 64, SENTINEL = 0xc3, ROUNDS = 3 };

const struct named_job jobs[NJOBS] = {
    { "push", job_push }, { "update", job_update }, { "pull", job_pull }, { "tensors", job_tensors }
};

static void host_bytes(void *dst, const void *src, size_t nbytes)
{
    memcpy(dst, src, nbytes);
}

static void host_work(void *arg, void *stream)
{
    const struct device_copy *c = arg;

    (void)stream;
    memcpy(c->dst, c->src, c->nbytes);
}

const struct machine host_machine = { host_bytes, host_bytes, host_work };

/* Word i of a tensor's version: no two alike nearby, so that what is stale, shifted or another's differs. */
static uint32_t word(size_t tensor, int version, size_t i)
{
    uint32_t x = (uint32_t)i * 2654435761u ^ (uint32_t)tensor * 40503u ^ (uint32_t)version * 0x9e3779b9u;

    x ^= x >> 15;
    x *= 0x85ebca6bu;
    return x ^ x >> 13;
}

static void fill(uint32_t *at, size_t tensor, int version, size_t n)
{
    for (size_t i = 0; i < n; i++)
        at[i] = word(tensor, version, i);
}

/* Device memory between two margins of sentinels. */
static uint8_t *guarded_room(const struct machine *m, struct offload *o, size_t nbytes, size_t shift)
{
    size_t whole = nbytes + shift + 2 * MARGIN;
    uint8_t *memory = offload_alloc(o, BACKEND_DEVICE, whole), *bytes = malloc(whole);

    assert(memory && bytes);
    memset(bytes, SENTINEL, whole);
    m->write(memory, bytes, whole);
    free(bytes);
    return memory + MARGIN + shift;
}

/* Bytes on the device that differ from 'want', the margins included. */
static long compare(const struct machine *m, const uint8_t *device, const void *want, size_t nbytes)
{
    uint8_t *seen = malloc(nbytes + 2 * MARGIN);
    long wrong = 0;

    assert(seen);
    m->read(seen, device - MARGIN, nbytes + 2 * MARGIN);
    for (size_t i = 0; i < MARGIN; i++)
        wrong += (seen[i] != SENTINEL) + (seen[MARGIN + nbytes + i] != SENTINEL);
    for (size_t i = 0; i < nbytes; i++)
        wrong += seen[MARGIN + i] != ((const uint8_t *)want)[i];
    free(seen);
    return wrong;
}

/* What the device should hold: the kept bytes, zeros below. */
static long compare_layer(const struct machine *m, const struct offload_layer *l, size_t tensor, int version)
{
    uint32_t *want = malloc(4 * l->n + 1);
    long wrong;

    assert(want);
    for (size_t i = 0; i < l->n; i++)
        want[i] = word(tensor, version, i) & 0xffffffffu << (32 - 8 * l->bytes_per_weight);
    wrong = compare(m, l->device, want, 4 * l->n);
    free(want);
    return wrong;
}

static const size_t sizes[] = { 0, 1, 2, 3, 63, 64, 65, 0, 130, 255, 257, 1000, 4097, 1, 0, 9001, 5, 0 };

struct finding job_push(const struct machine *m, struct offload *o)
{
    struct offload_layer layers[4 * COUNT(sizes)];
    uint32_t *host[COUNT(layers)];
    struct finding f = { 0 };
    int64_t ticket = 0;

    for (size_t i = 0; i < COUNT(layers); i++) {
        size_t n = sizes[i % COUNT(sizes)];

        host[i] = malloc(4 * n + 1);
        assert(host[i]);
        layers[i] = (struct offload_layer){ host[i], guarded_room(m, o, 4 * n, 4 * (i % 5)), n,
                                            1 + (int)((i + i / COUNT(sizes)) % 4) };
    }
    for (int version = 0; version < ROUNDS && !f.rc; version++) {
        offload_begin_step(o);
        for (size_t i = 0; i < COUNT(layers); i++)
            fill(host[i], i, version, layers[i].n);
        f.rc = offload_push(o, layers, COUNT(layers), &ticket);
        for (size_t i = 0; i < COUNT(layers); i++) /* they are the caller's again */
            memset(host[i], 0xee, 4 * layers[i].n);
        if (!f.rc)
            f.rc = offload_wait(o, ticket);
        offload_end_step(o);
        for (size_t i = 0; i < COUNT(layers) && !f.rc; i++)
            f.wrong += compare_layer(m, &layers[i], i, version);
    }
    for (size_t i = 0; i < COUNT(layers); i++)
        free(host[i]);
    return f;
}

/* Version v of the weights is copied aside by launched work, while version v + 1 is already pushed. */
struct finding job_update(const struct machine *m, struct offload *o)
{
    enum { N = 5000, VERSIONS = 6 };
    static struct device_copy keep[VERSIONS]; /* launched work of a broken back end may run after this job */
    struct offload_layer l = { malloc(4 * N), guarded_room(m, o, 4 * N, 0), N, 3 };
    struct finding f = { 0 };
    int64_t ticket = 0;

    assert(l.host);
    for (int v = 0; v < VERSIONS; v++)
        keep[v] = (struct device_copy){ guarded_room(m, o, 4 * N, 0), l.device, 4 * N };
    offload_begin_step(o);
    for (int v = 0; v < VERSIONS && !f.rc; v++) {
        fill((uint32_t *)l.host, 7, v, N);
        f.rc = offload_push(o, &l, 1, &ticket);
        if (!f.rc)
            f.rc = offload_order(o, ticket);
        if (!f.rc)
            f.rc = offload_launch(o, m->copy, &keep[v]);
    }
    offload_end_step(o);
    if (!f.rc)
        f.rc = offload_mark(o, &ticket);
    if (!f.rc)
        f.rc = offload_wait(o, ticket);
    for (int v = 0; v < VERSIONS && !f.rc; v++) {
        struct offload_layer seen = { NULL, keep[v].dst, N, l.bytes_per_weight };

        f.wrong += compare_layer(m, &seen, 7, v);
    }
    free((void *)l.host);
    return f;
}

struct finding job_pull(const struct machine *m, struct offload *o)
{
    struct offload_piece pieces[2 * COUNT(sizes)];
    uint8_t *want[COUNT(pieces)];
    struct finding f = { 0 };

    for (size_t i = 0; i < COUNT(pieces); i++) {
        size_t nbytes = 3 * sizes[i % COUNT(sizes)];
        uint8_t *host = malloc(nbytes + 2 * MARGIN);

        want[i] = malloc(nbytes + 4);
        assert(host && want[i]);
        memset(host, SENTINEL, nbytes + 2 * MARGIN);
        pieces[i] = (struct offload_piece){ host + MARGIN, guarded_room(m, o, nbytes, i % 7), nbytes };
    }
    for (int version = 0; version < ROUNDS && !f.rc; version++) {
        for (size_t i = 0; i < COUNT(pieces); i++) {
            fill((uint32_t *)want[i], i, version, (pieces[i].nbytes + 3) / 4);
            m->write((void *)pieces[i].device, want[i], pieces[i].nbytes);
        }
        offload_begin_step(o);
        f.rc = offload_pull(o, pieces, COUNT(pieces));
        offload_end_step(o);
        for (size_t i = 0; i < COUNT(pieces) && !f.rc; i++)
            f.wrong += compare(&host_machine, pieces[i].host, want[i], pieces[i].nbytes);
    }
    for (size_t i = 0; i < COUNT(pieces); i++) {
        free((uint8_t *)pieces[i].host - MARGIN);
        free(want[i]);
    }
    return f;
}

/* Layer i computes its tensor into one of few buffers, which is free again when the tensor that many before it has
 * left. On the way back the buffers are filled from home, and each tensor is read by launched work. */
enum { LAYERS = 40, BUFFERS = 3, TENSOR = 3000 };

struct network {
    struct offload_tensor tensors[LAYERS];
    struct device_copy forward[LAYERS], backward[LAYERS];
    uint8_t *buffers[BUFFERS];
};

static int go_forward(const struct machine *m, struct offload *o, struct network *w)
{
    int rc = 0;

    for (int i = 0; i < LAYERS && !rc; i++) {
        w->forward[i].dst = w->tensors[i].device = w->buffers[i % BUFFERS];
        if (i >= BUFFERS)
            rc = offload_order(o, w->tensors[i - BUFFERS].ticket);
        if (!rc)
            rc = offload_launch(o, m->copy, &w->forward[i]);
        if (!rc)
            rc = offload_evict(o, &w->tensors[i]);
    }
    return rc;
}

/* The prefetch of layer i - 1 is started before the work of layer i, which it overlaps. The buffers turn the other way
 * round, so that tensors return to other places than those they left. */
static int go_backward(const struct machine *m, struct offload *o, struct network *w)
{
    int rc = 0;

    for (int j = 0; j < BUFFERS && !rc; j++) /* not before the last tensors have left the buffers */
        rc = offload_order(o, w->tensors[LAYERS - 1 - j].ticket);
    for (int i = LAYERS - 1; i >= -1 && !rc; i--) {
        if (i >= 0) {
            w->tensors[i].device = w->buffers[(LAYERS - i) % BUFFERS];
            rc = offload_prefetch(o, &w->tensors[i]);
        }
        if (!rc && i < LAYERS - 1) {
            w->backward[i + 1].src = w->tensors[i + 1].device;
            rc = offload_order(o, w->tensors[i + 1].ticket);
            if (!rc)
                rc = offload_launch(o, m->copy, &w->backward[i + 1]);
        }
    }
    return rc;
}

struct finding job_tensors(const struct machine *m, struct offload *o)
{
    static struct network w;
    static uint32_t values[TENSOR / 4];
    struct finding f = { 0 };
    int64_t ticket = 0;

    memset(&w, 0, sizeof(w));
    for (int b = 0; b < BUFFERS; b++)
        w.buffers[b] = guarded_room(m, o, TENSOR, 0);
    for (int i = 0; i < LAYERS; i++) {
        w.tensors[i] = (struct offload_tensor){ .home = offload_alloc(o, BACKEND_PINNED, TENSOR), .nbytes = TENSOR };
        w.forward[i] = (struct device_copy){ NULL, guarded_room(m, o, TENSOR, 0), TENSOR };
        w.backward[i] = (struct device_copy){ guarded_room(m, o, TENSOR, 0), NULL, TENSOR };
        assert(w.tensors[i].home);
        memset(w.tensors[i].home, 0x11, TENSOR);
    }
    for (int version = 0; version < ROUNDS && !f.rc; version++) {
        for (size_t i = 0; i < LAYERS; i++) {
            fill(values, i, version, COUNT(values));
            m->write((void *)w.forward[i].src, values, TENSOR);
        }
        offload_begin_step(o);
        f.rc = go_forward(m, o, &w);
        if (!f.rc)
            f.rc = go_backward(m, o, &w);
        offload_end_step(o);
        if (!f.rc)
            f.rc = offload_mark(o, &ticket);
        if (!f.rc)
            f.rc = offload_wait(o, ticket);
        for (size_t i = 0; i < LAYERS && !f.rc; i++) {
            fill(values, i, version, COUNT(values));
            f.wrong += compare(m, w.backward[i].dst, values, TENSOR);
        }
    }
    return f;
}
