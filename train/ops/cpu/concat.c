/* concat.c - images of two tensors one behind the other, sample by sample, and apart again. */
#include <string.h>

#include "train/ops/cpu/cpu.h"

int cpu_check_concat(struct ops *o, const struct image_shape *a, const struct image_shape *b)
{
    int rc = cpu_check_image(o, a);

    if (!rc)
        rc = cpu_check_image(o, b);
    if (rc)
        return rc;
    if (a->batch != b->batch || a->height != b->height || a->width != b->width)
        return cpu_fail(o, "concat: %lld x (%lld x %lld) and %lld x (%lld x %lld)", (long long)a->batch,
                        (long long)a->height, (long long)a->width, (long long)b->batch, (long long)b->height,
                        (long long)b->width);
    return 0;
}

static int64_t volume(const struct image_shape *s)
{
    return s->channels * s->height * s->width;
}

int cpu_concat(struct ops *o, const struct image_shape *a, const struct image_shape *b, const float *x, const float *x2,
               float *y, void *stream)
{
    int64_t na = volume(a), nb = volume(b);
    int rc = cpu_check_concat(o, a, b);

    (void)stream;
    if (rc)
        return rc;
    CPU_PARALLEL_FOR(a->batch * (na + nb))
    for (int64_t n = 0; n < a->batch; n++) {
        memcpy(y + n * (na + nb), x + n * na, (size_t)na * sizeof(*y));
        memcpy(y + n * (na + nb) + na, x2 + n * nb, (size_t)nb * sizeof(*y));
    }
    return 0;
}

int cpu_concat_backward(struct ops *o, const struct image_shape *a, const struct image_shape *b, const float *dy,
                        float *dx, float *dx2, void *stream)
{
    int64_t na = volume(a), nb = volume(b);
    int rc = cpu_check_concat(o, a, b);

    (void)stream;
    if (rc)
        return rc;
    CPU_PARALLEL_FOR(a->batch * (na + nb))
    for (int64_t n = 0; n < a->batch; n++) {
        if (dx)
            memcpy(dx + n * na, dy + n * (na + nb), (size_t)na * sizeof(*dx));
        if (dx2)
            memcpy(dx2 + n * nb, dy + n * (na + nb) + na, (size_t)nb * sizeof(*dx2));
    }
    return 0;
}
