/* adt.c - the group "adt": Bitpack and Bitunpack, layer by layer as ADT does it; packing with the norm in the same
 * pass, against packing alone; and a shuffle of bytes with a fast codec behind it as the peer. Unpacking reads the
 * bytes of the values themselves: what they say does not change what it costs. */
#include "kernels/adt/adt.h"

#include <stdio.h>

#include "harness/bench/device.h"
#include "harness/bench/group/groups.h"
#include "harness/status.h"
#include "kernels/l2norm/l2norm.h"
#ifdef NW_CUDA
#include "kernels/adt/device.h"
#endif

struct job {
    struct session *s;
    const struct adt_impl *row;
    int keep;
    double *norm, *work;
    const size_t *layers; /* their sizes */
    size_t nlayers;
    void *table, *first; /* of a device: all layers in one launch */
    uint32_t nblocks;
};

static void pack(struct work *w)
{
    const struct job *j = w->arg;
    uint8_t *to = (uint8_t *)j->s->result;
    const float *from = j->s->change;

    for (size_t i = 0, at = 0; i < j->nlayers; at += j->layers[i++])
        j->row->pack(&j->row->impl, to + (size_t)j->keep * at, from + at, j->layers[i], j->keep);
}

static void unpack(struct work *w)
{
    const struct job *j = w->arg;
    const uint8_t *from = (const uint8_t *)j->s->change;
    float *to = j->s->result;

    for (size_t i = 0, at = 0; i < j->nlayers; at += j->layers[i++])
        j->row->unpack(&j->row->impl, to + at, from + (size_t)j->keep * at, j->layers[i], j->keep);
}

static void pack_norm(struct work *w)
{
    const struct job *j = w->arg;
    uint8_t *to = (uint8_t *)j->s->result;
    const float *from = j->s->change;

    for (size_t i = 0, at = 0; i < j->nlayers; at += j->layers[i++])
        j->row->pack_norm(&j->row->impl, to + (size_t)j->keep * at, j->norm, from + at, j->layers[i], j->keep, j->work);
}

static struct work work_of(struct job *j, const char *kernel, const char *impl, void (*run)(struct work *))
{
    struct work w = { .kernel = kernel, .impl = impl, .nbytes = (double)j->s->n * (4 + j->keep), .run = run, .arg = j };

    snprintf(w.variant, sizeof(w.variant), "keep=%d", j->keep);
    return w;
}

#ifdef NW_CUDA
static void pack_at_once(struct work *w)
{
    const struct job *j = w->arg;

    adt_pack_layers_cuda(j->table, j->first, j->nlayers, j->nblocks, NULL);
}

static void unpack_at_once(struct work *w)
{
    const struct job *j = w->arg;

    adt_unpack_layers_cuda((const struct adt_layer *)j->table + j->nlayers, j->first, j->nlayers, j->nblocks, NULL);
}

/* The packed and the unpacked layers' records one behind the other, in buffers that fit a byte count of any size. */
static int at_once(struct job *j)
{
    struct adt_layer layer;
    uint32_t first[2] = { 0, 0 };
    struct work w[] = { work_of(j, "adt_pack", "cuda, one launch", pack_at_once),
                        work_of(j, "adt_unpack", "cuda, one launch", unpack_at_once) };

    j->table = session_alloc(j->s, 2 * j->nlayers * sizeof(layer));
    j->first = j->table ? session_alloc(j->s, (j->nlayers + 1) * sizeof(*first)) : NULL;
    if (!j->first)
        return NW_ENOMEM;
    device_write(j->first, first, sizeof(*first));
    j->nblocks = 0;
    for (size_t i = 0, at = 0; i < j->nlayers; at += j->layers[i++]) {
        uint8_t *to = (uint8_t *)j->s->result, *from = (uint8_t *)j->s->change;

        layer = (struct adt_layer){ to + (size_t)j->keep * at, from + 4 * at, j->layers[i], j->keep };
        device_write((struct adt_layer *)j->table + i, &layer, sizeof(layer));
        layer.dst = to + 4 * at;
        layer.src = from + (size_t)j->keep * at;
        device_write((struct adt_layer *)j->table + j->nlayers + i, &layer, sizeof(layer));
        adt_layers_plan(first, &layer, 1);
        j->nblocks += first[1];
        device_write((uint32_t *)j->first + i + 1, &j->nblocks, sizeof(j->nblocks));
    }
    return session_time(j->s, &j->s->anchors[ANCHOR_COPY], w, 2);
}
#else
static int at_once(struct job *j)
{
    (void)j;
    return NW_OK;
}
#endif

static int time_row(struct job *j)
{
    struct work w[] = { work_of(j, "adt_pack", j->row->impl.name, pack),
                        work_of(j, "adt_unpack", j->row->impl.name, unpack) };
    struct work norm = work_of(j, "adt_pack_norm", j->row->impl.name, pack_norm);
    int rc = session_time(j->s, &j->s->anchors[ANCHOR_COPY], w, 2);

    if (!rc && j->row->pack_norm)
        rc = session_time(j->s, &w[0], &norm, 1);
    if (!rc && j->row->impl.where == IMPL_DEVICE)
        rc = at_once(j);
    return rc;
}

static int rows(struct session *s)
{
    struct job j = { .s = s,
                     .layers = s->size->layers,
                     .nlayers = s->size->nlayers,
                     .norm = session_alloc(s, (l2norm_work(s->n) + 1) * sizeof(double)) };
    int rc = j.norm ? NW_OK : NW_ENOMEM;

    if (rc)
        return rc;
    j.work = j.norm + 1;
    for (j.keep = 1; j.keep <= 4; j.keep++)
        for (j.row = adt_impls; j.row->impl.name && !rc; j.row++)
            if ((!s->o->bytes_per_weight || s->o->bytes_per_weight == j.keep) && session_wants(s, &j.row->impl))
                rc = time_row(&j);
    return rc ? rc : blosc_rows(s);
}

const struct group group_adt = { "adt", "leading bytes of values: pack, unpack, pack with the l2 norm", rows };
