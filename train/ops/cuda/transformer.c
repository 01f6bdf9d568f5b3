/* transformer.c - rows of the backend "cuda" that Transformers take. */
#include <math.h>

#include "train/ops/attention.h"
#include "train/ops/cuda/launch.h"
#include "train/ops/cuda/turn.h"
#include "train/ops/rows.h"

/* --- layer normalization ------------------------------------------------------------------------------------------ */

static int check_layernorm(struct ops *o, int64_t rows, int64_t dim)
{
    int rc = cpu_check_layernorm(o, rows, dim);

    if (!rc && (rows > INT32_MAX || dim > INT32_MAX))
        rc = cpu_fail(o, "layer norm: %lld rows of %lld values", (long long)rows, (long long)dim);
    return rc;
}

int cuda_layernorm_forward(struct ops *o, int64_t rows, int64_t dim, const float *x, const float *scale,
                           const float *shift, float *y, float *mean, float *inv_std, void *stream)
{
    int rc = check_layernorm(o, rows, dim);

    if (rc)
        return rc;
    launch_layernorm(y, mean, inv_std, rows, dim, x, scale, shift, stream);
    return turn_launched(o);
}

int cuda_layernorm_backward(struct ops *o, int64_t rows, int64_t dim, const float *x, const float *dy,
                            const float *scale, const float *mean, const float *inv_std, float *dx, float *dscale,
                            float *dshift, void *stream)
{
    int rc = check_layernorm(o, rows, dim);

    if (rc)
        return rc;
    launch_layernorm_backward(dx, dscale, dshift, rows, dim, x, dy, scale, mean, inv_std, stream);
    return turn_launched(o);
}

/* --- tokens ------------------------------------------------------------------------------------------------------- */

int cuda_tokens_forward(struct ops *o, int64_t batch, int64_t positions, int64_t dim, const int32_t *ids,
                        const float *table, float *y, void *stream)
{
    int rc = cpu_check_tokens(o, batch, positions, dim);

    if (rc)
        return rc;
    launch_tokens(y, batch, positions, dim, ids, table, stream);
    return turn_launched(o);
}

/* As bags of one row each: positions are tables that share their rows. */
int cuda_tokens_backward(struct ops *o, int64_t batch, int64_t positions, int64_t dim, const int32_t *ids,
                         const float *dy, float *dtable, void *stream)
{
    const struct bag_shape s = { .batch = batch, .tables = positions, .lookups = 1, .dim = dim };
    int rc = cpu_check_tokens(o, batch, positions, dim);

    if (!rc)
        rc = turn_check_count(o, "tokens", positions, dim);
    if (rc)
        return rc;
    launch_scatter(dtable, &s, (float)sqrt((double)dim), ids, dy, stream);
    return turn_launched(o);
}

/* --- attention ---------------------------------------------------------------------------------------------------- */

/* Shares, and their errors. */
static int64_t matrix(const struct attention_shape *s)
{
    return s->batch * s->heads * s->queries * s->keys;
}

static int64_t scratch_floats(const struct attention_shape *s)
{
    return 2 * matrix(s);
}

static int forward(struct ops *o, const struct attention_shape *s, const float *q, const float *k, const float *v,
                   float *c, float *scratch, void *stream)
{
    launch_attention(c, scratch, s, q, k, v, stream);
    return turn_launched(o);
}

static int backward(struct ops *o, const struct attention_shape *s, const float *q, const float *k, const float *v,
                    float *c, float *dc, float *dk, float *dv, float *scratch, void *stream)
{
    launch_attention(c, scratch, s, q, k, v, stream);
    launch_attention_backward(dc, dk, dv, scratch, scratch + matrix(s), s, q, k, v, stream);
    return turn_launched(o);
}

/* A warp for each query of each head. */
static int check_attention(struct ops *o, const struct attention_shape *s)
{
    return (double)s->batch * (double)s->heads * (double)s->queries > INT32_MAX || s->dim > INT32_MAX
               ? cpu_fail(o, "attention: more than %d queries of all heads, or values", INT32_MAX)
               : 0;
}

static const struct attention_core core = { scratch_floats, forward, backward };

size_t cuda_attention_workspace(struct ops *o, const struct attention_shape *s)
{
    return attention_workspace(o, &core, s);
}

int cuda_attention_forward(struct ops *o, const struct attention_shape *s, const float *x, const float *memory,
                           const float *w, const float *b, float *y, void *workspace, size_t nworkspace, void *stream)
{
    int rc = check_attention(o, s);

    if (rc)
        return rc;
    return attention_forward(o, &ops_cuda, &core, s, x, memory, w, b, y, workspace, nworkspace, stream);
}

int cuda_attention_backward(struct ops *o, const struct attention_shape *s, const float *x, const float *memory,
                            const float *dy, const float *w, const float *b, float *dx, float *dmemory, float *dw,
                            float *db, void *workspace, size_t nworkspace, void *stream)
{
    int rc = check_attention(o, s);

    if (rc)
        return rc;
    return attention_backward(o, &ops_cuda, &core, s, x, memory, dy, w, b, dx, dmemory, dw, db, workspace, nworkspace,
                              stream);
}

/* --- channels of two images --------------------------------------------------------------------------------------- */

static int64_t volume(const struct image_shape *s)
{
    return s->channels * s->height * s->width;
}

int cuda_concat(struct ops *o, const struct image_shape *a, const struct image_shape *b, const float *x,
                const float *x2, float *y, void *stream)
{
    int64_t na = volume(a), nb = volume(b);
    int rc = cpu_check_concat(o, a, b);

    if (rc)
        return rc;
    launch_copy_rows(y, na + nb, x, na, a->batch, na, stream);
    launch_copy_rows(y + na, na + nb, x2, nb, a->batch, nb, stream);
    return turn_launched(o);
}

int cuda_concat_backward(struct ops *o, const struct image_shape *a, const struct image_shape *b, const float *dy,
                         float *dx, float *dx2, void *stream)
{
    int64_t na = volume(a), nb = volume(b);
    int rc = cpu_check_concat(o, a, b);

    if (rc)
        return rc;
    if (dx)
        launch_copy_rows(dx, na, dy, na + nb, a->batch, na, stream);
    if (dx2)
        launch_copy_rows(dx2, nb, dy + na, na + nb, a->batch, nb, stream);
    return turn_launched(o);
}
