#include "train/trainer/mask.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/topk_rows/topk_rows.h"

enum { ALIGN = 64 };

/* What is masked of one layer: of each row so many values are kept. */
struct rows {
    size_t rows, columns, kept;
};

static struct rows rows_of(const struct mask *m, const struct net *net, size_t which)
{
    struct shape s = m->model->layers[m->options.layers[which]].out;
    struct rows r = { (size_t)net->batch, (size_t)(s.channels * s.height * s.width), 0 };

    if (s.width > 1 && s.height == 1) { /* a sequence: a row for each position */
        r.rows *= (size_t)s.channels;
        r.columns = (size_t)s.width;
    }
    /* Algorithm 2 keeps what is at or above the floor(columns * dropped)-th value in rising order. */
    size_t below = (size_t)((double)r.columns * m->options.dropped);
    r.kept = below ? r.columns - below + 1 : r.columns;
    return r;
}

static size_t aligned(size_t nbytes)
{
    return (nbytes + ALIGN - 1) / ALIGN * ALIGN;
}

int mask_run_open(const struct mask *m, const struct net *net, struct mask_run *out)
{
    struct mask_run r = { .mask = m, .net = net };
    size_t n = m->options.nlayers, masks = 0, values = 0, whole = 0, work = 0;

    r.masks = calloc(n + 1, sizeof(*r.masks));
    for (size_t i = 0; i < n; i++) {
        struct rows s = rows_of(m, net, i);
        size_t needed = topk_work(s.rows, s.columns);

        masks += aligned(s.rows * topk_mask_words(s.columns) * sizeof(uint64_t));
        values = 4 * s.rows * s.kept > values ? 4 * s.rows * s.kept : values;
        whole = 4 * s.rows * s.columns > whole ? 4 * s.rows * s.columns : whole;
        work = needed > work ? needed : work;
    }
    r.memory = aligned_alloc(ALIGN, masks + aligned(values) + aligned(whole) + aligned(work) + ALIGN);
    if (!r.masks || !r.memory) {
        mask_run_close(&r);
        return TRAINER_ENOMEM;
    }
    char *at = r.memory;
    for (size_t i = 0; i < n; i++) {
        struct rows s = rows_of(m, net, i);

        r.masks[i] = (uint64_t *)(void *)at;
        at += aligned(s.rows * topk_mask_words(s.columns) * sizeof(uint64_t));
    }
    r.values = (float *)(void *)at;
    r.whole = (float *)(void *)(at + aligned(values));
    r.work = at + aligned(values) + aligned(whole);
    *out = r;
    return 0;
}

void mask_run_close(struct mask_run *r)
{
    free(r->masks);
    free(r->memory);
    *r = (struct mask_run){ 0 };
}

/* The serial row: lanes run side by side. */
static const struct topk_impl *implementation(void)
{
    const struct topk_impl *im = topk_impls;

    while (im->impl.where != IMPL_HOST || im->impl.parallel || !im->impl.usable())
        im++; /* the reference is there and usable */
    return im;
}

static int masked_layer(const struct mask_run *r, const struct operation *o)
{
    if (o->kind == OPERATION_LAYER)
        for (size_t i = 0; i < r->mask->options.nlayers; i++)
            if (r->mask->options.layers[i] == o->layer)
                return (int)i;
    return -1;
}

/* Activations choose, errors follow. On a device both go through the host's memory. */
static int mask_tensor(struct mask_run *r, struct lane *lane, int which, _Bool choose, int32_t tensor)
{
    const struct topk_impl *im = implementation();
    struct rows s = rows_of(r->mask, r->net, (size_t)which);
    float *at = lane_tensor(lane, r->net, tensor), *x = lane->backend->on_device ? r->whole : at;
    size_t nbytes = 4 * s.rows * s.columns;
    int rc = x == at ? 0 : lane_download(lane, x, at, nbytes);

    if (rc)
        return rc;
    if (choose)
        im->select(r->masks[which], r->values, x, s.rows, s.columns, s.kept, r->work);
    else
        im->gather(r->values, r->masks[which], x, s.rows, s.columns, s.kept);
    im->scatter(x, CODEC_STORE, r->masks[which], r->values, s.rows, s.columns, s.kept);
    r->traffic.bytes[!choose] += (int64_t)(4 * s.rows * s.kept);
    if (choose)
        r->traffic.bytes[0] += (int64_t)(s.rows * topk_mask_words(s.columns) * sizeof(uint64_t));
    return x == at ? 0 : lane_upload(lane, at, x, nbytes);
}

static int before(void *context, const struct operation *o, struct lane *lane)
{
    struct mask_run *r = context;
    int which = o->backward ? masked_layer(r, o) : -1;

    return which < 0 ? 0 : mask_tensor(r, lane, which, 0, o->dy);
}

static int after(void *context, const struct operation *o, struct lane *lane)
{
    struct mask_run *r = context;
    int which = o->backward ? -1 : masked_layer(r, o);

    return which < 0 ? 0 : mask_tensor(r, lane, which, 1, o->y);
}

struct pass_hook mask_hook(struct mask_run *r)
{
    return (struct pass_hook){ before, after, r };
}
