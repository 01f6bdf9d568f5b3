/* recommend.c - rows of the backend "cuda" that recommendation models take. */
#include "train/ops/cuda/launch.h"
#include "train/ops/cuda/turn.h"

/* --- bags --------------------------------------------------------------------------------------------------------- */

static int check_bag(struct ops *o, const struct bag_shape *s)
{
    int rc = cpu_check_bag(o, s);

    if (!rc)
        rc = turn_check_count(o, "bags", s->tables, s->dim);
    if (!rc)
        rc = turn_check_count(o, "lookups", s->tables, s->lookups);
    return rc;
}

static int64_t width(const struct bag_shape *s)
{
    return s->leading + s->tables * s->dim;
}

int cuda_bag_forward(struct ops *o, const struct bag_shape *s, const float *x, const int32_t *ids, const float *table,
                     float *y, void *stream)
{
    int rc = check_bag(o, s);

    if (rc)
        return rc;
    launch_copy_rows(y, width(s), x, s->leading, s->batch, s->leading, stream);
    launch_bag_forward(y, s, ids, table, stream);
    return turn_launched(o);
}

int cuda_bag_backward_data(struct ops *o, const struct bag_shape *s, const float *dy, float *dx, void *stream)
{
    int rc = check_bag(o, s);

    if (rc)
        return rc;
    launch_copy_rows(dx, s->leading, dy, width(s), s->batch, s->leading, stream);
    return turn_launched(o);
}

int cuda_bag_update(struct ops *o, const struct bag_shape *s, float rate, const int32_t *ids, const float *dy,
                    float *table, void *stream)
{
    int rc = check_bag(o, s);

    if (rc)
        return rc;
    launch_scatter(table, s, -rate, ids, dy, stream);
    return turn_launched(o);
}

/* --- interactions ------------------------------------------------------------------------------------------------- */

static int check_interact(struct ops *o, int64_t batch, int64_t n, int64_t dim)
{
    int rc = cpu_check_interact(o, batch, n, dim);

    if (!rc)
        rc = turn_check_count(o, "interaction", n, dim);
    if (!rc)
        rc = turn_check_count(o, "pairs", n, n);
    if (!rc && batch > INT32_MAX)
        rc = cpu_fail(o, "interaction: batch %lld", (long long)batch);
    return rc;
}

int cuda_interact_forward(struct ops *o, int64_t batch, int64_t n, int64_t dim, const float *x, float *y, void *stream)
{
    int rc = check_interact(o, batch, n, dim);

    if (rc)
        return rc;
    launch_copy_rows(y, dim + n * (n - 1) / 2, x, n * dim, batch, dim, stream);
    launch_interact(y, batch, n, dim, x, stream);
    return turn_launched(o);
}

int cuda_interact_backward(struct ops *o, int64_t batch, int64_t n, int64_t dim, const float *x, const float *dy,
                           float *dx, void *stream)
{
    int rc = check_interact(o, batch, n, dim);

    if (rc)
        return rc;
    launch_interact_backward(dx, batch, n, dim, x, dy, stream);
    return turn_launched(o);
}

/* --- the loss ----------------------------------------------------------------------------------------------------- */

/* A label that is neither 0 nor 1 is on the device and cannot be refused: the loss becomes a NaN. */
int cuda_bce_backward(struct ops *o, int64_t batch, const float *y, const int32_t *labels, float *dx, float *loss,
                      void *stream)
{
    if (batch < 1)
        return cpu_fail(o, "binary cross-entropy: batch %lld", (long long)batch);
    launch_bce_backward(dx, loss, y, labels, batch, stream);
    return turn_launched(o);
}
