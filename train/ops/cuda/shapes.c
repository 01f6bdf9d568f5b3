/* shapes.c - rows of the backend "cuda" that check shapes before they launch: pools, and one image over another. */
#include "train/ops/cuda/launch.h"
#include "train/ops/cuda/turn.h"

/* --- pools -------------------------------------------------------------------------------------------------------- */

static int check_pool(struct ops *o, const struct conv_shape *s)
{
    if (s->in_channels != s->out_channels)
        return cpu_fail(o, "pooling: %lld channels in, %lld out", (long long)s->in_channels,
                        (long long)s->out_channels);
    return turn_check_conv(o, s);
}

/* The first and the last window of an axis reach into the image, and so do those between. */
static bool axis_reaches(int64_t in, int64_t out, int64_t pad, const struct conv_shape *s)
{
    return s->kernel > pad && (out - 1) * s->stride < in + pad;
}

static int check_maxpool(struct ops *o, const struct conv_shape *s)
{
    int rc = check_pool(o, s);

    if (!rc && (!axis_reaches(s->in_height, s->out_height, s->pad_top, s) ||
                !axis_reaches(s->in_width, s->out_width, s->pad_left, s)))
        rc = cpu_fail(o, "max pooling: a window lies in the padding alone");
    return rc;
}

int cuda_maxpool_forward(struct ops *o, const struct conv_shape *s, const float *x, float *y, void *stream)
{
    int rc = check_maxpool(o, s);

    if (rc)
        return rc;
    launch_maxpool(y, s, x, stream);
    return turn_launched(o);
}

int cuda_maxpool_backward(struct ops *o, const struct conv_shape *s, const float *x, const float *dy, float *dx,
                          void *stream)
{
    int rc = check_maxpool(o, s);

    if (rc)
        return rc;
    launch_maxpool_backward(dx, s, x, dy, stream);
    return turn_launched(o);
}

int cuda_avgpool_forward(struct ops *o, const struct conv_shape *s, const float *x, float *y, void *stream)
{
    int rc = check_pool(o, s);

    if (rc)
        return rc;
    launch_avgpool(y, s, x, stream);
    return turn_launched(o);
}

int cuda_avgpool_backward(struct ops *o, const struct conv_shape *s, const float *dy, float *dx, void *stream)
{
    int rc = check_pool(o, s);

    if (rc)
        return rc;
    launch_avgpool_backward(dx, s, dy, stream);
    return turn_launched(o);
}

/* --- one image over another --------------------------------------------------------------------------------------- */

/* The second image has a value for each position of the first. */
static int check_add(struct ops *o, const struct image_shape *s, const struct image_shape *second, int64_t stride)
{
    int rc = turn_check_image(o, s);

    if (!rc)
        rc = turn_check_image(o, second);
    if (rc)
        return rc;
    if (stride < 1 || stride > INT32_MAX || s->batch != second->batch || (s->height - 1) * stride >= second->height ||
        (s->width - 1) * stride >= second->width)
        return cpu_fail(o, "add: %lld x %lld x %lld and, at stride %lld, %lld x %lld x %lld", (long long)s->batch,
                        (long long)s->height, (long long)s->width, (long long)stride, (long long)second->batch,
                        (long long)second->height, (long long)second->width);
    return 0;
}

int cuda_add(struct ops *o, const struct image_shape *s, const float *x, const struct image_shape *second,
             int64_t stride, const float *x2, float *y, void *stream)
{
    int rc = check_add(o, s, second, stride);

    if (rc)
        return rc;
    launch_add(y, s, x, second, stride, x2, stream);
    return turn_launched(o);
}

int cuda_add_backward(struct ops *o, const struct image_shape *s, const struct image_shape *second, int64_t stride,
                      const float *dy, float *dx2, void *stream)
{
    int rc = check_add(o, s, second, stride);

    if (rc)
        return rc;
    launch_add_backward(dx2, s, second, stride, dy, stream);
    return turn_launched(o);
}

static int check_patch(struct ops *o, const struct image_shape *image, const struct image_shape *patch, int64_t top,
                       int64_t left)
{
    int rc = turn_check_image(o, image);

    if (!rc)
        rc = turn_check_image(o, patch);
    return rc ? rc : cpu_check_patch(o, image, patch, top, left);
}

int cuda_cut(struct ops *o, const struct image_shape *image, const struct image_shape *patch, int64_t top, int64_t left,
             const float *x, float *y, void *stream)
{
    int rc = check_patch(o, image, patch, top, left);

    if (rc)
        return rc;
    launch_cut(y, image, patch, top, left, x, stream);
    return turn_launched(o);
}

int cuda_paste(struct ops *o, const struct image_shape *image, const struct image_shape *patch, int64_t top,
               int64_t left, const float *x, float *y, void *stream)
{
    int rc = check_patch(o, image, patch, top, left);

    if (rc)
        return rc;
    launch_paste(y, image, patch, top, left, x, stream);
    return turn_launched(o);
}
