#include "train/data/images/images.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/status.h"
#include "train/data/images/parts.h"
#include "train/data/vary.h"
#include "train/number.h"

enum { SAMPLES_MEASURED = 64 };

struct images {
    struct image_parts parts;
    struct image_looks looks;
    int64_t classes;
    bool crop, mirror;
};

/* What 'difficulty' means. The figures were chosen so that at 0.5 a small convolutional network of 10 classes ends
 * between a linear model's accuracy and 100 %. */
static struct image_looks looks_of(double difficulty, int64_t side)
{
    float d = (float)difficulty;

    return (struct image_looks){ .move = (int64_t)((0.02f + 0.1f * d) * (float)side + 0.5f),
                                 .jitter = (int64_t)(0.06f * d * (float)side + 0.5f),
                                 .contrast = 0.1f + 0.4f * d,
                                 .missing = 0.25f * d,
                                 .through = d,
                                 .noise = 0.2f + d,
                                 .scale = 1 };
}

/* Each class once in every 'classes' samples: (factor x place + first) mod classes visits all of them. */
static int64_t class_at(const struct images *im, enum data_set set, int64_t index)
{
    uint32_t classes = (uint32_t)im->classes;
    struct draw d = draw_of(im->parts.seed, DRAW_CLASS_ORDER, set, (uint64_t)(index / classes));
    uint64_t factor = draw_coprime(&d, classes), first = draw_below(&d, classes);

    return (int64_t)((factor * (uint64_t)(index % classes) + first) % classes);
}

static int images_sample(const struct data_source *s, enum data_set set, int64_t index, uint64_t augment, float *values,
                         int32_t *ids, int32_t *labels, char *why, size_t nwhy)
{
    const struct images *im = s->own;
    const struct image_parts *p = &im->parts;
    struct variation v =
        variation_of(set == DATA_TRAIN ? augment : 0, index, p->height, p->width, im->crop, im->mirror);
    struct draw d = draw_of(p->seed, DRAW_SAMPLE, set, (uint64_t)index);

    (void)ids, (void)why, (void)nwhy;
    *labels = (int32_t)class_at(im, set, index);
    image_render(p, &im->looks, *labels, im->classes, &d, values);
    v.mirror ^= draw_word(&d) & 1;
    variation_apply(&v, p->channels, p->height, p->width, values);
    return 0;
}

/* Mean and scale from the first training samples, as they are before either is applied. */
static int measure(struct data_source *s)
{
    struct images *im = s->own;
    int64_t n = s->shape.channels * s->shape.height * s->shape.width;
    float *values = malloc((size_t)n * sizeof(*values));
    double sum = 0, squares = 0, mean;
    int32_t label;

    if (!values)
        return E_NOMEM;
    for (int64_t i = 0; i < SAMPLES_MEASURED; i++) {
        images_sample(s, DATA_TRAIN, i, 0, values, NULL, &label, NULL, 0);
        for (int64_t j = 0; j < n; j++) {
            sum += values[j];
            squares += (double)values[j] * values[j];
        }
    }
    free(values);
    mean = sum / (double)(n * SAMPLES_MEASURED);
    im->looks.mean = (float)mean;
    im->looks.scale = (float)(1 / sqrt(squares / (double)(n * SAMPLES_MEASURED) - mean * mean));
    return 0;
}

static void images_close(struct data_source *s)
{
    struct images *im = s->own;

    image_parts_free(&im->parts);
    free(im);
    free(s);
}

static int check(const struct data_options *o, char *why, size_t nwhy)
{
    const struct data_range ranges[] = {
        { "classes", o->classes, 2, DATA_MOST_CLASSES }, { "channels", o->channels, 1, DATA_MOST_CHANNELS },
        { "height", o->height, 8, DATA_MOST_SIDE },      { "width", o->width, 8, DATA_MOST_SIDE },
        { "train", o->train, 1, DATA_MOST_SAMPLES },     { "test", o->test, 1, DATA_MOST_SAMPLES },
    };

    return data_refused(ranges, COUNT(ranges), why, nwhy) ||
                   data_real_refused("difficulty", o->difficulty, 0, 1, why, nwhy)
               ? E_DATA
               : 0;
}

int images_open(const struct data_options *o, struct data_source **out, char *why, size_t nwhy)
{
    int64_t side = o->height < o->width ? o->height : o->width;
    struct data_source *s;
    struct images *im;
    int rc = check(o, why, nwhy);

    if (rc)
        return rc;
    s = calloc(1, sizeof(*s));
    im = calloc(1, sizeof(*im));
    if (!s || !im) {
        free(s);
        free(im);
        snprintf(why, nwhy, "no memory for images");
        return E_NOMEM;
    }
    *im = (struct images){
        .looks = looks_of(o->difficulty, side), .classes = o->classes, .crop = o->crop, .mirror = o->mirror
    };
    im->parts = (struct image_parts){ .seed = o->seed,
                                      .channels = o->channels,
                                      .height = o->height,
                                      .width = o->width,
                                      .margin = im->looks.move,
                                      .glyph = (3 * side + 5) / 10 };
    *s = (struct data_source){ .name = "images",
                               .shape = { o->channels, o->height, o->width, 0, 1, o->classes },
                               .count = { o->train, o->test },
                               .sample = images_sample,
                               .close = images_close,
                               .own = im };
    rc = image_parts_make(&im->parts);
    if (!rc)
        rc = measure(s);
    if (rc) {
        snprintf(why, nwhy, "no memory for images of %lld x %lld x %lld", (long long)o->channels, (long long)o->height,
                 (long long)o->width);
        images_close(s);
        return rc;
    }
    *out = s;
    return 0;
}
