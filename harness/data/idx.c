/* idx.c - MNIST and data sets of its format as a source of images (readers.h). */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/data/file.h"
#include "harness/data/readers.h"
#include "model/status.h"
#include "train/data/vary.h"

enum { HEAD_OF_IMAGES = 16, HEAD_OF_LABELS = 8, MAGIC_IMAGES = 0x803, MAGIC_LABELS = 0x801 };
#define MOST_BYTES (INT64_C(1) << 34)

struct idx {
    uint8_t *images[DATA_SETS], *labels[DATA_SETS]; /* whole files, heads included */
    int64_t count[DATA_SETS], height, width;
    float scale, base; /* value = byte x scale + base */
    bool crop, mirror;
};

static int64_t number_at(const uint8_t *b)
{
    return (int64_t)b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3];
}

/* Read a file whose head begins with 'magic'. Where only a gzipped one is there, as is common, the message names it. */
static int read_file(const char *path, int64_t magic, size_t nhead, uint8_t **bytes, size_t *n, char *why, size_t nwhy)
{
    char *packed = NULL;
    int rc = file_read(path, MOST_BYTES, bytes, n, why, nwhy);

    if (rc && access(path, F_OK) && asprintf(&packed, "%s.gz", path) >= 0) {
        if (!access(packed, F_OK))
            data_fail(why, nwhy, "%s: expected unpacked files, got %s (gunzip it)", path, packed);
        free(packed);
    }
    if (rc)
        return rc;
    if (*n < nhead)
        return data_fail(why, nwhy, "%s: offset 0: expected a head of %zu bytes, got %zu", path, nhead, *n);
    if (number_at(*bytes) != magic)
        return data_fail(why, nwhy, "%s: offset 0: expected the magic number 0x%08llx, got 0x%08llx", path,
                         (long long)magic, (long long)number_at(*bytes));
    return 0;
}

static int read_images(struct idx *x, enum data_set set, const char *path, char *why, size_t nwhy)
{
    size_t n = 0;
    int rc = read_file(path, MAGIC_IMAGES, HEAD_OF_IMAGES, &x->images[set], &n, why, nwhy);
    int64_t count, height, width;

    if (rc)
        return rc;
    count = number_at(x->images[set] + 4);
    height = number_at(x->images[set] + 8);
    width = number_at(x->images[set] + 12);
    if (!count)
        return data_fail(why, nwhy, "%s: offset 4: expected images, got 0", path);
    if (height < 1 || height > DATA_MOST_SIDE || width < 1 || width > DATA_MOST_SIDE)
        return data_fail(why, nwhy, "%s: offset 8: expected images of 1 x 1 to %d x %d, got %lld x %lld", path,
                         DATA_MOST_SIDE, DATA_MOST_SIDE, (long long)height, (long long)width);
    if ((int64_t)n != HEAD_OF_IMAGES + count * height * width)
        return data_fail(why, nwhy, "%s: expected %lld bytes for %lld images of %lld x %lld, got %zu", path,
                         (long long)(HEAD_OF_IMAGES + count * height * width), (long long)count, (long long)height,
                         (long long)width, n);
    if (set == DATA_TEST && (height != x->height || width != x->width))
        return data_fail(why, nwhy, "%s: offset 8: expected images of %lld x %lld as for training, got %lld x %lld",
                         path, (long long)x->height, (long long)x->width, (long long)height, (long long)width);
    x->count[set] = count;
    x->height = height;
    x->width = width;
    return 0;
}

static int read_labels(struct idx *x, enum data_set set, int64_t classes, const char *path, char *why, size_t nwhy)
{
    size_t n = 0;
    int rc = read_file(path, MAGIC_LABELS, HEAD_OF_LABELS, &x->labels[set], &n, why, nwhy);

    if (rc)
        return rc;
    if (number_at(x->labels[set] + 4) != x->count[set])
        return data_fail(why, nwhy, "%s: offset 4: expected a label for each of %lld images, got %lld", path,
                         (long long)x->count[set], (long long)number_at(x->labels[set] + 4));
    if ((int64_t)n != HEAD_OF_LABELS + x->count[set])
        return data_fail(why, nwhy, "%s: expected %lld bytes for %lld labels, got %zu", path,
                         (long long)(HEAD_OF_LABELS + x->count[set]), (long long)x->count[set], n);
    for (size_t i = HEAD_OF_LABELS; i < n; i++)
        if (x->labels[set][i] >= classes)
            return data_fail(why, nwhy, "%s: offset %zu: expected a label of 0 to %lld, got %d", path, i,
                             (long long)classes - 1, x->labels[set][i]);
    return 0;
}

static int read_set(struct idx *x, enum data_set set, const struct data_options *o, char *why, size_t nwhy)
{
    const char *prefix = set == DATA_TRAIN ? "train" : "t10k";
    char *images = NULL, *labels = NULL;
    int rc;

    if (asprintf(&images, "%s/%s-images-idx3-ubyte", o->path, prefix) < 0)
        images = NULL;
    if (asprintf(&labels, "%s/%s-labels-idx1-ubyte", o->path, prefix) < 0)
        labels = NULL;
    rc = images && labels ? read_images(x, set, images, why, nwhy) : data_no_memory(why, nwhy, o->path, "");
    if (!rc)
        rc = read_labels(x, set, o->classes, labels, why, nwhy);
    free(images);
    free(labels);
    return rc;
}

/* Mean and standard deviation from integer sums, which no order of adding changes. */
static void normalize(struct idx *x)
{
    const uint8_t *bytes = x->images[DATA_TRAIN] + HEAD_OF_IMAGES;
    int64_t n = x->count[DATA_TRAIN] * x->height * x->width;
    uint64_t sum = 0, squares = 0;
    double mean, deviation;

    for (int64_t i = 0; i < n; i++) {
        sum += bytes[i];
        squares += (uint64_t)bytes[i] * bytes[i];
    }
    mean = (double)sum / (double)n;
    deviation = sqrt((double)squares / (double)n - mean * mean);
    x->scale = (float)(deviation > 0 ? 1 / deviation : 1);
    x->base = (float)(deviation > 0 ? -mean / deviation : -mean);
}

static int idx_sample(const struct data_source *s, enum data_set set, int64_t index, uint64_t augment, float *values,
                      int32_t *ids, int32_t *labels, char *why, size_t nwhy)
{
    const struct idx *x = s->own;
    int64_t which = spread(index, s->count[set], x->count[set]), n = x->height * x->width;
    const uint8_t *from = x->images[set] + HEAD_OF_IMAGES + which * n;
    struct variation v = variation_of(set == DATA_TRAIN ? augment : 0, index, x->height, x->width, x->crop, x->mirror);

    (void)ids, (void)why, (void)nwhy;
    *labels = x->labels[set][HEAD_OF_LABELS + which];
    for (int64_t i = 0; i < n; i++)
        values[i] = (float)from[i] * x->scale + x->base;
    variation_apply(&v, 1, x->height, x->width, values);
    return 0;
}

static void idx_close(struct data_source *s)
{
    struct idx *x = s->own;

    for (int set = 0; set < DATA_SETS; set++) {
        free(x->images[set]);
        free(x->labels[set]);
    }
    free(x);
    free(s);
}

int idx_open(const struct data_options *o, struct data_source **out, char *why, size_t nwhy)
{
    const struct data_range classes = { "classes", o->classes, 2, 256 };
    static const struct data_source like = { .name = "idx", .sample = idx_sample, .close = idx_close };
    struct data_source *s;
    struct idx *x;
    int rc;

    if (data_refused(&classes, 1, why, nwhy))
        return E_DATA;
    s = source_new(&like, sizeof(*x), o->path, why, nwhy);
    if (!s)
        return E_NOMEM;
    x = s->own;
    *x = (struct idx){ .crop = o->crop, .mirror = o->mirror };
    rc = read_set(x, DATA_TRAIN, o, why, nwhy);
    if (!rc)
        rc = read_set(x, DATA_TEST, o, why, nwhy);
    s->shape = (struct data_shape){ 1, x->height, x->width, 0, 1, o->classes };
    if (!rc)
        rc = counts_choose(s, o, x->count, why, nwhy);
    if (!rc)
        normalize(x);
    return source_opened(rc, s, out);
}
