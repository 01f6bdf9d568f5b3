/* l2norm.c - the group "l2norm": the norms that AWP watches, one per layer. */
#include "kernels/l2norm/l2norm.h"

#include <stdint.h>

#include "harness/bench/device.h"
#include "harness/bench/group/groups.h"
#include "harness/status.h"
#ifdef NW_CUDA
#include "kernels/l2norm/device.h"
#endif

struct job {
    struct session *s;
    const struct l2norm_impl *row;
    double *norm, *work;
    const size_t *layers; /* their sizes */
    size_t nlayers;
    void *table, *first, *finished; /* of a device: all layers in one launch */
    uint32_t nblocks;
};

static void norms(struct work *w)
{
    const struct job *j = w->arg;

    for (size_t i = 0, at = 0; i < j->nlayers; at += j->layers[i++])
        j->row->run(&j->row->impl, j->norm, j->s->change + at, j->layers[i], j->work);
}

static int time_norms(struct job *j, const char *impl, void (*run)(struct work *))
{
    return session_loops(j->s, &(struct loop){ "l2norm", ANCHOR_READ, 4, 0, run, NULL }, 1, impl, "", j);
}

#ifdef NW_CUDA
static void norms_at_once(struct work *w)
{
    const struct job *j = w->arg;

    l2norm_layers_cuda(j->table, j->first, j->nlayers, j->nblocks, j->finished, NULL);
}

/* The layers' sums lie one behind the other: at most one more than there are blocks of values, for each layer. */
static int at_once(struct job *j)
{
    double *norm = session_alloc(j->s, (j->nlayers + j->s->n / L2NORM_BLOCK + j->nlayers) * sizeof(double));
    double *work = norm ? norm + j->nlayers : NULL;
    struct l2norm_layer layer;
    uint32_t first[2] = { 0, 0 };

    j->table = norm ? session_alloc(j->s, j->nlayers * sizeof(layer)) : NULL;
    j->first = j->table ? session_alloc(j->s, (j->nlayers + 1) * sizeof(*first)) : NULL;
    j->finished = j->first ? session_alloc(j->s, j->nlayers * sizeof(unsigned)) : NULL;
    if (!j->finished)
        return NW_ENOMEM;
    device_fill(j->finished, 0, j->nlayers * sizeof(unsigned));
    device_write(j->first, first, sizeof(*first));
    j->nblocks = 0;
    for (size_t i = 0, at = 0; i < j->nlayers; at += j->layers[i++]) {
        layer = (struct l2norm_layer){ j->s->change + at, norm + i, work, j->layers[i] };
        work += l2norm_work(layer.n);
        device_write((struct l2norm_layer *)j->table + i, &layer, sizeof(layer));
        l2norm_layers_plan(first, &layer, 1);
        j->nblocks += first[1];
        device_write((uint32_t *)j->first + i + 1, &j->nblocks, sizeof(j->nblocks));
    }
    return time_norms(j, "cuda, one launch", norms_at_once);
}
#else
static int at_once(struct job *j)
{
    (void)j;
    return NW_OK;
}
#endif

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
    for (j.row = l2norm_impls; j.row->impl.name && !rc; j.row++)
        if (session_wants(s, &j.row->impl)) {
            rc = time_norms(&j, j.row->impl.name, norms);
            if (!rc && j.row->impl.where == IMPL_DEVICE)
                rc = at_once(&j);
        }
    return rc;
}

const struct group group_l2norm = { "l2norm", "l2 norms of layers, in double precision", rows };
