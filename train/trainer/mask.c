#include "train/trainer/mask.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/topk_rows/topk_rows.h"
#include "model/status.h"

enum { ALIGN = 64 };

/* What is masked of one layer: of each row so many values are kept. */
struct rows {
    size_t rows, columns, kept;
};

/* Algorithm 2 keeps what is at or above the floor(columns * dropped)-th value in rising order. */
static size_t kept_of(size_t columns, double dropped)
{
    size_t below = (size_t)((double)columns * dropped);

    return below ? columns - below + 1 : columns;
}

static struct rows rows_of(const struct mask *m, const struct net *net, size_t which)
{
    struct shape s = m->model->layers[m->options.layers[which]].out;
    struct rows r = { (size_t)net->batch, (size_t)(s.channels * s.height * s.width), 0 };

    if (s.width > 1 && s.height == 1) { /* a sequence: a row for each position */
        r.rows *= (size_t)s.channels;
        r.columns = (size_t)s.width;
    }
    r.kept = kept_of(r.columns, m->options.dropped);
    return r;
}

static size_t aligned(size_t nbytes)
{
    return (nbytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* Of one layer, so that any share of its values can be chosen. */
struct sizes {
    size_t mask, values, work;
};

static struct sizes sizes_of(const struct rows *s)
{
    return (struct sizes){ aligned(s->rows * topk_mask_words(s->columns) * sizeof(uint64_t)),
                           aligned(4 * s->rows * s->columns), aligned(topk_work(s->rows, s->columns)) };
}

size_t mask_thresholds(const struct mask *m)
{
    return m->options.nlayers * m->options.nwatched;
}

int mask_run_open(const struct mask *m, const struct net *net, double *thresholds, struct mask_run *out)
{
    struct mask_run r = { .mask = m, .net = net, .thresholds = thresholds };
    size_t n = m->options.nlayers, masks = 0, values = 0, work = 0;

    r.masks = calloc(n + 1, sizeof(*r.masks));
    for (size_t i = 0; i < n; i++) {
        struct rows s = rows_of(m, net, i);
        struct sizes needed = sizes_of(&s);

        masks += needed.mask;
        values = needed.values > values ? needed.values : values;
        work = needed.work > work ? needed.work : work;
    }
    r.memory = aligned_alloc(ALIGN, masks + 2 * values + work + ALIGN);
    if (!r.masks || !r.memory) {
        mask_run_close(&r);
        return E_NOMEM;
    }
    char *at = r.memory;
    for (size_t i = 0; i < n; i++) {
        struct rows s = rows_of(m, net, i);

        r.masks[i] = (uint64_t *)(void *)at;
        at += sizes_of(&s).mask;
    }
    r.values = (float *)(void *)at;
    r.whole = (float *)(void *)(at + values);
    r.work = at + 2 * values;
    *out = r;
    return 0;
}

void mask_run_close(struct mask_run *r)
{
    free(r->masks);
    free(r->memory);
    *r = (struct mask_run){ 0 };
}

/* The serial row: contexts run at the same time. */
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

/* Uses the place of this batch's mask as scratch: the mask is written later. */
static void watch(struct mask_run *r, const struct rows *s, int which, const float *x)
{
    const struct mask_options *o = &r->mask->options;

    for (size_t k = 0; k < o->nwatched; k++) {
        size_t kept = kept_of(s->columns, o->watched[k]);
        double sum = 0;

        implementation()->select(&implementation()->impl, r->masks[which], r->values, x, s->rows, s->columns, kept,
                                 r->work);
        for (size_t row = 0; row < s->rows; row++) {
            float least = INFINITY;

            for (size_t i = row * kept; i < (row + 1) * kept; i++)
                least = fminf(least, fabsf(r->values[i]));
            sum += (double)least;
        }
        r->thresholds[(size_t)which * o->nwatched + k] = sum / (double)s->rows;
    }
}

static void drop(struct mask_run *r, const struct rows *s, int which, bool choose, float *x)
{
    const struct topk_impl *im = implementation();

    if (choose)
        im->select(&im->impl, r->masks[which], r->values, x, s->rows, s->columns, s->kept, r->work);
    else
        im->gather(&im->impl, r->values, r->masks[which], x, s->rows, s->columns, s->kept);
    im->scatter(&im->impl, x, CODEC_STORE, r->masks[which], r->values, s->rows, s->columns, s->kept);
    if (choose)
        r->traffic.bytes[0] += (int64_t)(s->rows * topk_mask_words(s->columns) * sizeof(uint64_t));
}

/* Activations choose, errors follow. On a device both go through the host's memory. */
static int mask_tensor(struct mask_run *r, struct context *context, int which, bool choose, int32_t tensor)
{
    struct rows s = rows_of(r->mask, r->net, (size_t)which);
    float *at = context_tensor(context, r->net, tensor), *x = context->backend->on_device ? r->whole : at;
    bool drops = s.kept < s.columns, watches = choose && r->thresholds;
    size_t nbytes = 4 * s.rows * s.columns;
    int rc = x == at || !(drops || watches) ? 0 : context_download(context, x, at, nbytes);

    r->traffic.bytes[!choose] += (int64_t)(4 * s.rows * s.kept);
    if (!rc && watches)
        watch(r, &s, which, x);
    if (rc || !drops)
        return rc;
    drop(r, &s, which, choose, x);
    return x == at ? 0 : context_upload(context, at, x, nbytes);
}

static int before(void *own, const struct operation *o, struct context *context)
{
    struct mask_run *r = own;
    int which = o->backward ? masked_layer(r, o) : -1;

    return which < 0 ? 0 : mask_tensor(r, context, which, 0, o->dy);
}

static int after(void *own, const struct operation *o, struct context *context)
{
    struct mask_run *r = own;
    int which = o->backward ? -1 : masked_layer(r, o);

    return which < 0 ? 0 : mask_tensor(r, context, which, 1, o->y);
}

struct pass_hook mask_hook(struct mask_run *r)
{
    return (struct pass_hook){ before, after, r };
}
