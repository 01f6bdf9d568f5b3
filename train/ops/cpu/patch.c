/* patch.c - rectangles of images: copies, row by row. */
#include <string.h>

#include "train/ops/cpu/cpu.h"

int cpu_check_patch(struct ops *o, const struct image_shape *image, const struct image_shape *patch, int64_t top,
                    int64_t left)
{
    int rc = cpu_check_image(o, image);

    if (!rc)
        rc = cpu_check_image(o, patch);
    if (rc)
        return rc;
    if (image->batch != patch->batch || image->channels != patch->channels || top < 0 || left < 0 ||
        top > image->height - patch->height || left > image->width - patch->width)
        return cpu_fail(o, "patch: %lld x %lld at (%lld, %lld) of %lld x %lld, or not as many channels",
                        (long long)patch->height, (long long)patch->width, (long long)top, (long long)left,
                        (long long)image->height, (long long)image->width);
    return 0;
}

int cpu_cut(struct ops *o, const struct image_shape *image, const struct image_shape *patch, int64_t top, int64_t left,
            const float *x, float *y, void *stream)
{
    int64_t area = patch->height * patch->width, planes = patch->batch * patch->channels;
    int rc = cpu_check_patch(o, image, patch, top, left);

    (void)stream;
    if (rc)
        return rc;
    CPU_PARALLEL_FOR(planes * area)
    for (int64_t p = 0; p < planes; p++)
        for (int64_t h = 0; h < patch->height; h++)
            memcpy(y + p * area + h * patch->width, x + ((p * image->height) + top + h) * image->width + left,
                   (size_t)patch->width * sizeof(*y));
    return 0;
}

int cpu_paste(struct ops *o, const struct image_shape *image, const struct image_shape *patch, int64_t top,
              int64_t left, const float *x, float *y, void *stream)
{
    int64_t area = patch->height * patch->width, planes = patch->batch * patch->channels;
    int rc = cpu_check_patch(o, image, patch, top, left);

    (void)stream;
    if (rc)
        return rc;
    CPU_PARALLEL_FOR(planes * area)
    for (int64_t p = 0; p < planes; p++)
        for (int64_t h = 0; h < patch->height; h++)
            memcpy(y + ((p * image->height) + top + h) * image->width + left, x + p * area + h * patch->width,
                   (size_t)patch->width * sizeof(*y));
    return 0;
}
