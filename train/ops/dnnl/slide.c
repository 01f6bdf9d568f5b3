/* slide.c - convolution forward, and backward to the data: what is written is cut into strips and blocks of channels.
 * All strips that are read are converted to oneDNN's layout first, since every block reads them. */
#include <string.h>

#include "train/number.h"
#include "train/ops/dnnl/ops.h"

/* Rows of a strip and channels of a block, at least: fewer, and oneDNN's inner loops run short. Groups of images, at
 * least, that small ones make: as many can be computed at a time. */
enum { STRIP_ROWS = 7, BLOCK_CHANNELS = 64, KINDS_MOST = 4, GROUPS = 8 };

/* Strips of the same shape share what is compiled for it. */
struct kind {
    struct onednn_strip strip;
    struct onednn_conv conv;
    struct onednn_step compute, in_reorder, out_reorder;
    dnnl_memory_desc_t in_user, out_user;
};

struct onednn_slide {
    enum onednn_direction direction;
    struct conv_shape shape;
    bool bias, whole; /* all of the output is written by strips; else the rest is 0 */
    struct onednn_strip columns;
    int64_t nstrips, nblocks, block; /* per image; 'block' channels each */
    int64_t group;                   /* images that are computed together, where they are not cut */
    struct onednn_strip *strips;
    size_t *kind_of;
    struct kind kinds[KINDS_MOST];
    size_t nkinds;
    struct onednn_step w_reorder;
    dnnl_memory_desc_t w_user, bias_md;
    size_t nweights, nin, nout, nscratchpad; /* bytes: a block of weights, a strip in, a piece out */
};

/* The written tensor's strips and blocks, by the call's shape alone. */
static void cut(struct onednn_slide *p)
{
    const struct conv_shape *s = &p->shape;
    int64_t rows = p->direction == ONEDNN_FORWARD ? s->out_height : s->in_height;
    int64_t channels = p->direction == ONEDNN_FORWARD ? s->out_channels : s->in_channels;
    int64_t pieces = (onednn_pieces(s) + s->batch - 1) / s->batch;
    int64_t height = most(STRIP_ROWS, (rows + pieces - 1) / pieces);

    height = (height + s->stride - 1) / s->stride * s->stride;
    p->nstrips = (rows + height - 1) / height;
    p->nblocks = 1;
    while (p->nstrips * p->nblocks < pieces && channels % (2 * p->nblocks * BLOCK_CHANNELS) == 0)
        p->nblocks *= 2;
    p->block = channels / p->nblocks;
    p->group = 1;
    for (int64_t i = 2; i * GROUPS <= s->batch && p->nstrips * p->nblocks == 1; i++)
        p->group = s->batch % i ? p->group : i;
    p->strips = calloc((size_t)p->nstrips, sizeof(*p->strips));
    p->kind_of = calloc((size_t)p->nstrips, sizeof(*p->kind_of));
    for (int64_t i = 0; i < p->nstrips && p->strips; i++) {
        struct onednn_axis axis = onednn_rows(s);
        int64_t from = i * height, to = least(rows, from + height);

        p->strips[i] =
            p->direction == ONEDNN_FORWARD ? onednn_window_strip(&axis, from, to) : onednn_image_strip(&axis, from, to);
    }
}

/* The strips are all usable; is the whole output written? */
static bool usable(struct onednn_slide *p)
{
    struct onednn_axis rows = onednn_rows(&p->shape), columns = onednn_columns(&p->shape);
    int64_t covered = 0;

    p->columns = p->direction == ONEDNN_FORWARD ? onednn_window_strip(&columns, 0, columns.window)
                                                : onednn_image_strip(&columns, 0, columns.image);
    if (!onednn_strip_usable(&columns, &p->columns))
        return false;
    for (int64_t i = 0; i < p->nstrips; i++) {
        if (!onednn_strip_usable(&rows, &p->strips[i]))
            return false;
        covered += p->strips[i].image;
    }
    p->whole = p->direction == ONEDNN_FORWARD || (covered == rows.image && p->columns.image == columns.image);
    return true;
}

static bool same_kind(const struct onednn_strip *a, const struct onednn_strip *b)
{
    return a->image == b->image && a->window == b->window && a->before == b->before && a->after == b->after;
}

static struct conv_shape piece_shape(const struct onednn_slide *p, const struct onednn_strip *strip)
{
    struct conv_shape s = p->shape;

    s.batch = p->group;
    s.in_height = strip->image;
    s.out_height = strip->window;
    s.pad_top = strip->before;
    s.pad_bottom = strip->after;
    s.in_width = p->columns.image;
    s.out_width = p->columns.window;
    s.pad_left = p->columns.before;
    s.pad_right = p->columns.after;
    if (p->direction == ONEDNN_FORWARD)
        s.out_channels = p->block;
    else
        s.in_channels = p->block;
    return s;
}

/* The weights' layout is that of the first kind, since all kinds read the same weights. */
static dnnl_status_t compile(struct onednn_ops *d, struct onednn_slide *p, const struct onednn_strip *strip)
{
    struct kind *k = &p->kinds[p->nkinds];
    const struct conv_shape *s = &k->conv.shape;
    bool forward = p->direction == ONEDNN_FORWARD;
    const dnnl_memory_desc_t *in, *out;
    dnnl_status_t rc;

    k->strip = *strip;
    k->conv = (struct onednn_conv){ .direction = p->direction, .shape = piece_shape(p, strip), .bias = p->bias };
    onednn_conv_any(&k->conv);
    if (p->nkinds)
        k->conv.w = p->kinds[0].conv.w;
    p->nkinds++;
    rc = onednn_conv_step(d, &k->conv, &k->compute);
    if (rc)
        return rc;
    const dnnl_dims_t image = { s->batch, s->in_channels, s->in_height, s->in_width };
    const dnnl_dims_t window = { s->batch, s->out_channels, s->out_height, s->out_width };

    onednn_view(forward ? &k->in_user : &k->out_user, image, p->shape.in_channels, p->shape.in_height,
                p->shape.in_width);
    onednn_view(forward ? &k->out_user : &k->in_user, window, p->shape.out_channels, p->shape.out_height,
                p->shape.out_width);
    in = forward ? &k->conv.x : &k->conv.y;
    out = forward ? &k->conv.y : &k->conv.x;
    rc = onednn_reorder_step(d, &k->in_user, in, false, &k->in_reorder);
    if (!rc)
        rc = onednn_reorder_step(d, out, &k->out_user, false, &k->out_reorder);
    p->nin = onednn_bytes(in) > p->nin ? onednn_bytes(in) : p->nin;
    p->nout = onednn_bytes(out) > p->nout ? onednn_bytes(out) : p->nout;
    const struct onednn_step *steps[] = { &k->compute, &k->in_reorder, &k->out_reorder };

    for (size_t i = 0; i < 3 && !rc; i++)
        if (onednn_bytes(&steps[i]->scratchpad) > p->nscratchpad)
            p->nscratchpad = onednn_bytes(&steps[i]->scratchpad);
    return rc;
}

static dnnl_status_t compile_all(struct onednn_ops *d, struct onednn_slide *p)
{
    const struct conv_shape *s = &p->shape;
    const dnnl_dims_t w = { p->direction == ONEDNN_FORWARD ? p->block : s->out_channels,
                            p->direction == ONEDNN_FORWARD ? s->in_channels : p->block, s->kernel, s->kernel };
    const dnnl_dims_t nbias = { p->block };
    dnnl_status_t rc = dnnl_success;

    for (int64_t i = 0; i < p->nstrips && !rc; i++) {
        size_t kind = 0;

        while (kind < p->nkinds && !same_kind(&p->kinds[kind].strip, &p->strips[i]))
            kind++;
        if (kind == KINDS_MOST)
            return dnnl_unimplemented;
        if (kind == p->nkinds)
            rc = compile(d, p, &p->strips[i]);
        p->kind_of[i] = kind;
    }
    if (rc)
        return rc;
    dnnl_memory_desc_init_by_tag(&p->bias_md, 1, nbias, dnnl_f32, dnnl_x);
    onednn_view(&p->w_user, w, s->in_channels, s->kernel, s->kernel);
    p->nweights = onednn_bytes(&p->kinds[0].conv.w);
    rc = onednn_reorder_step(d, &p->w_user, &p->kinds[0].conv.w, false, &p->w_reorder);
    if (!rc && onednn_bytes(&p->w_reorder.scratchpad) > p->nscratchpad)
        p->nscratchpad = onednn_bytes(&p->w_reorder.scratchpad);
    return rc;
}

dnnl_status_t onednn_slide_make(struct onednn_ops *d, enum onednn_direction direction, const struct conv_shape *s,
                                bool bias, struct onednn_slide **out)
{
    struct onednn_slide *p = calloc(1, sizeof(*p));
    dnnl_status_t rc = dnnl_out_of_memory;

    if (!p)
        return rc;
    p->direction = direction;
    p->shape = *s;
    p->bias = bias;
    cut(p);
    if (p->strips && p->kind_of)
        rc = usable(p) ? compile_all(d, p) : dnnl_unimplemented;
    if (rc)
        onednn_slide_free(p);
    else
        *out = p;
    return rc;
}

void onednn_slide_free(struct onednn_slide *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->nkinds; i++) {
        onednn_step_free(&p->kinds[i].compute);
        onednn_step_free(&p->kinds[i].in_reorder);
        onednn_step_free(&p->kinds[i].out_reorder);
    }
    onednn_step_free(&p->w_reorder);
    free(p->strips);
    free(p->kind_of);
    free(p);
}

/* Weights, all strips of what is read, and per thread a piece of what is written with a scratchpad. */
size_t onednn_slide_size(const struct onednn_slide *p)
{
    return (size_t)p->nblocks * p->nweights + (size_t)(p->shape.batch / p->group * p->nstrips) * p->nin +
           (size_t)onednn_threads() * (p->nout + p->nscratchpad);
}

/* One call under way. */
struct call {
    struct onednn_ops *d;
    const struct onednn_slide *p;
    const float *in, *w, *bias;
    float *out;
    char *weights, *strips, *own; /* own: of the thread's, out and scratchpad */
};

static dnnl_status_t put_weights(const struct call *c, int64_t block, char *own)
{
    const struct onednn_slide *p = c->p;
    int64_t taps = p->block * p->shape.kernel * p->shape.kernel;
    const struct onednn_tensor t[] = {
        { DNNL_ARG_FROM, &p->w_user,
          c->w + block * (p->direction == ONEDNN_FORWARD ? p->shape.in_channels * taps : taps) },
        { DNNL_ARG_TO, &p->kinds[0].conv.w, c->weights + (size_t)block * p->nweights },
    };

    return onednn_run(c->d, &p->w_reorder, t, 2, own + p->nout);
}

/* Where the strip's part of the written or read tensor begins in image n. */
static int64_t image_offset(const struct onednn_slide *p, int64_t n, const struct onednn_strip *strip)
{
    const struct conv_shape *s = &p->shape;

    return (n * s->in_channels * s->in_height + strip->image_at) * s->in_width + p->columns.image_at;
}

static int64_t window_offset(const struct onednn_slide *p, int64_t n, const struct onednn_strip *strip)
{
    const struct conv_shape *s = &p->shape;

    return (n * s->out_channels * s->out_height + strip->window_at) * s->out_width + p->columns.window_at;
}

static dnnl_status_t put_strip(const struct call *c, int64_t at, char *own)
{
    const struct onednn_slide *p = c->p;
    const struct onednn_strip *strip = &p->strips[at % p->nstrips];
    const struct kind *k = &p->kinds[p->kind_of[at % p->nstrips]];
    bool forward = p->direction == ONEDNN_FORWARD;
    int64_t n = at / p->nstrips * p->group;
    const struct onednn_tensor t[] = {
        { DNNL_ARG_FROM, &k->in_user, c->in + (forward ? image_offset(p, n, strip) : window_offset(p, n, strip)) },
        { DNNL_ARG_TO, forward ? &k->conv.x : &k->conv.y, c->strips + (size_t)at * p->nin },
    };

    return onednn_run(c->d, &k->in_reorder, t, 2, own + p->nout);
}

static dnnl_status_t compute(const struct call *c, int64_t at, int64_t block, char *own)
{
    const struct onednn_slide *p = c->p;
    const struct onednn_strip *strip = &p->strips[at % p->nstrips];
    const struct kind *k = &p->kinds[p->kind_of[at % p->nstrips]];
    bool forward = p->direction == ONEDNN_FORWARD;
    int64_t n = at / p->nstrips * p->group;
    int64_t to = forward ? window_offset(p, n, strip) + block * p->block * p->shape.out_height * p->shape.out_width
                         : image_offset(p, n, strip) + block * p->block * p->shape.in_height * p->shape.in_width;
    const struct onednn_tensor t[] = {
        { forward ? DNNL_ARG_SRC : DNNL_ARG_DIFF_DST, forward ? &k->conv.x : &k->conv.y,
          c->strips + (size_t)at * p->nin },
        { DNNL_ARG_WEIGHTS, &k->conv.w, c->weights + (size_t)block * p->nweights },
        { forward ? DNNL_ARG_DST : DNNL_ARG_DIFF_SRC, forward ? &k->conv.y : &k->conv.x, own },
        { DNNL_ARG_BIAS, &p->bias_md, p->bias ? c->bias + block * p->block : NULL },
    };
    const struct onednn_tensor back[] = {
        { DNNL_ARG_FROM, forward ? &k->conv.y : &k->conv.x, own },
        { DNNL_ARG_TO, &k->out_user, c->out + to },
    };
    dnnl_status_t rc = onednn_run(c->d, &k->compute, t, p->bias ? 4 : 3, own + p->nout);

    return rc ? rc : onednn_run(c->d, &k->out_reorder, back, 2, own + p->nout);
}

dnnl_status_t onednn_slide_run(struct onednn_ops *d, const struct onednn_slide *p, const float *in, const float *w,
                               const float *bias, float *out, char *scratch)
{
    int64_t nstrips = p->shape.batch / p->group * p->nstrips;
    struct call c = { d, p, in, w, bias, out, scratch, scratch + (size_t)p->nblocks * p->nweights, NULL };
    int failed = 0;

    c.own = c.strips + (size_t)nstrips * p->nin;
    if (!p->whole)
        memset(out, 0,
               sizeof(*out) * (size_t)(p->shape.batch * p->shape.in_channels * p->shape.in_height * p->shape.in_width));
#pragma omp parallel reduction(max : failed)
    {
        char *own = c.own + (size_t)onednn_thread_number() * (p->nout + p->nscratchpad);
        dnnl_status_t rc;

        onednn_one_thread();
#pragma omp for schedule(dynamic) nowait
        for (int64_t i = 0; i < p->nblocks; i++)
            if ((rc = put_weights(&c, i, own)))
                failed = (int)rc;
#pragma omp for schedule(dynamic)
        for (int64_t i = 0; i < nstrips; i++)
            if ((rc = put_strip(&c, i, own)))
                failed = (int)rc;
#pragma omp for schedule(dynamic)
        for (int64_t i = 0; i < nstrips * p->nblocks; i++)
            if ((rc = compute(&c, i / p->nblocks, i % p->nblocks, own)))
                failed = (int)rc;
    }
    return (dnnl_status_t)failed;
}
