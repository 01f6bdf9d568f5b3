/* jpeg.c - a folder of JPEGs as a source of images (readers.h). */
#include <stdio.h>
#include <stdlib.h>

#include "harness/data/file.h"
#include "harness/data/jpeg_decode.h"
#include "harness/data/jpeg_folder.h"
#include "harness/data/readers.h"
#include "model/status.h"
#include "train/data/draw.h"
#include "train/data/vary.h"

enum { DRAW_PLACE = 2, MOST_BYTES = 1 << 28 };

struct jpeg {
    struct jpeg_folder folder;
    bool crop, mirror;
};

/* Of ImageNet's training images, as torchvision's models expect them (https://pytorch.org/vision/stable/models.html).
 * For grey images, the means of the three. */
static const float mean[3] = { 0.485f, 0.456f, 0.406f }, deviation[3] = { 0.229f, 0.224f, 0.225f };
static const float grey_mean = 0.449f, grey_deviation = 0.226f;

static int read_image(const char *path, const struct jpeg_cut *cut, float *values, char *why, size_t nwhy)
{
    uint8_t *bytes = NULL;
    size_t n = 0;
    int rc = file_read(path, MOST_BYTES, &bytes, &n, why, nwhy);

    if (!rc)
        rc = jpeg_decode(path, bytes, n, cut, values, why, nwhy);
    free(bytes);
    return rc;
}

/* The middle; with augmentation that crops, any place. */
static struct jpeg_cut cut_of(const struct data_source *s, int64_t index, uint64_t augment)
{
    const struct jpeg *j = s->own;
    struct jpeg_cut cut = { s->shape.channels, s->shape.height, s->shape.width, 0.5f, 0.5f };
    struct draw d = draw_of(augment, DRAW_PLACE, 0, (uint64_t)index);

    if (augment && j->crop) {
        cut.down = draw_unit(&d);
        cut.right = draw_unit(&d);
    }
    return cut;
}

static void normalize(const struct jpeg_cut *cut, float *values)
{
    int64_t plane = cut->height * cut->width;

    for (int64_t c = 0; c < cut->channels; c++) {
        float middle = cut->channels == 1 ? grey_mean : mean[c],
              spread = cut->channels == 1 ? grey_deviation : deviation[c];
        float scale = 1 / (255 * spread), base = -middle / spread;

        for (int64_t i = 0; i < plane; i++)
            values[c * plane + i] = values[c * plane + i] * scale + base;
    }
}

static int jpeg_sample(const struct data_source *s, enum data_set set, int64_t index, uint64_t augment, float *values,
                       int32_t *ids, int32_t *labels, char *why, size_t nwhy)
{
    const struct jpeg *j = s->own;
    const struct jpeg_list *list = &j->folder.sets[set];
    const struct jpeg_file *file = &list->files[spread(index, s->count[set], (int64_t)list->n)];
    uint64_t seed = set == DATA_TRAIN ? augment : 0;
    struct jpeg_cut cut = cut_of(s, index, seed);
    struct variation v = variation_of(seed, index, cut.height, cut.width, 0, j->mirror);
    char *path = jpeg_folder_path(&j->folder, list, file);
    int rc;

    (void)ids;
    if (!path)
        return data_no_memory(why, nwhy, list->folder, "");
    rc = read_image(path, &cut, values, why, nwhy);
    free(path);
    if (rc)
        return rc;
    normalize(&cut, values);
    variation_apply(&v, cut.channels, cut.height, cut.width, values);
    *labels = file->class;
    return 0;
}

static void jpeg_close(struct data_source *s)
{
    struct jpeg *j = s->own;

    jpeg_folder_close(&j->folder);
    free(j);
    free(s);
}

static int check(const struct data_options *o, char *why, size_t nwhy)
{
    const struct data_range ranges[] = {
        { "height", o->height, 1, DATA_MOST_SIDE },
        { "width", o->width, 1, DATA_MOST_SIDE },
    };

    if (!jpeg_usable())
        return data_fail(why, nwhy,
                         "%s: this program was built without libjpeg (Debian: libjpeg62-turbo-dev), which reads JPEGs",
                         o->path);
    if (o->channels != 1 && o->channels != 3)
        return data_fail(why, nwhy, "channels: expected 1 or 3, got %lld", (long long)o->channels);
    return data_refused(ranges, sizeof(ranges) / sizeof(*ranges), why, nwhy) ? E_DATA : 0;
}

int jpeg_open(const struct data_options *o, struct data_source **out, char *why, size_t nwhy)
{
    static const struct data_source like = { .name = "jpeg", .sample = jpeg_sample, .close = jpeg_close };
    struct data_source *s;
    struct jpeg *j;
    int rc = check(o, why, nwhy);

    if (rc)
        return rc;
    s = source_new(&like, sizeof(*j), o->path, why, nwhy);
    if (!s)
        return E_NOMEM;
    j = s->own;
    *j = (struct jpeg){ .crop = o->crop, .mirror = o->mirror };
    rc = jpeg_folder_open(o->path, &j->folder, why, nwhy);
    if (!rc) {
        const int64_t there[DATA_SETS] = { (int64_t)j->folder.sets[DATA_TRAIN].n,
                                           (int64_t)j->folder.sets[DATA_TEST].n };

        s->shape = (struct data_shape){ o->channels, o->height, o->width, 0, 1, j->folder.nclasses };
        rc = counts_choose(s, o, there, why, nwhy);
    }
    return source_opened(rc, s, out);
}
