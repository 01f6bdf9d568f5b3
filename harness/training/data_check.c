/* data_check.c - does the data have what the model takes? */
#include <string.h>

#include "harness/status.h"
#include "harness/training/check.h"

/* What a model takes, which follows from its layers, and the kinds of data that have it. */
enum taken { TAKES_IMAGES, TAKES_CLICKS, TAKES_SENTENCES };

static const struct {
    const char *kinds; /* for messages */
    unsigned of;       /* bits of enum training_data_kind */
} taken[] = {
    [TAKES_IMAGES] = { "images, cifar10, idx or jpeg",
                       1 << TRAINING_IMAGES | 1 << TRAINING_CIFAR10 | 1 << TRAINING_IDX | 1 << TRAINING_JPEG },
    [TAKES_CLICKS] = { "clicks or criteo", 1 << TRAINING_CLICKS | 1 << TRAINING_CRITEO },
    [TAKES_SENTENCES] = { "translation or iwslt", 1 << TRAINING_TRANSLATION | 1 << TRAINING_IWSLT },
};

enum { CRITEO_VALUES = 13, CRITEO_CATEGORIES = 26 };

struct wants {
    enum taken takes;
    int64_t channels, height, width, classes, dense, tables, rows, positions, vocabulary;
};

/* The last layer has as many values as there are classes, even if it is a softmax, a sigmoid or a dropout. Both
 * sentences have the same length, and words that the smaller of their tables has. */
static struct wants wants_of(const struct model *m)
{
    struct shape in = m->input, out = m->nlayers ? m->layers[m->nlayers - 1].out : m->input;
    struct wants w = { .channels = in.channels, .height = in.height, .width = in.width };

    w.dense = in.channels * in.height * in.width;
    w.classes = out.channels * out.height * out.width;
    for (size_t i = 0; i < m->nlayers; i++) {
        const struct layer *l = &m->layers[i];

        if (l->kind == LAYER_EMBEDDING) {
            w.takes = TAKES_CLICKS;
            w.tables += l->tables;
            w.rows += l->rows;
        } else if (l->kind == LAYER_TOKENS) {
            w.takes = TAKES_SENTENCES;
            w.positions = l->out.channels;
            w.vocabulary = w.vocabulary && w.vocabulary < l->rows ? w.vocabulary : l->rows;
        }
    }
    return w;
}

static int check_key(const char *key, int64_t given, int64_t wanted, const struct model *m, char *why, size_t nwhy)
{
    if (!given || given == wanted)
        return NW_OK;
    return training_refuse(why, nwhy, "training.data.%s: expected %lld, as %s has, got %lld", key, (long long)wanted,
                           m->name, (long long)given);
}

static int check_image(const struct training_data *d, const struct wants *w, const struct model *m, char *why,
                       size_t nwhy)
{
    int rc = check_key("channels", d->channels, w->channels, m, why, nwhy);

    if (!rc)
        rc = check_key("height", d->height, w->height, m, why, nwhy);
    if (!rc)
        rc = check_key("width", d->width, w->width, m, why, nwhy);
    if (!rc)
        rc = check_key("classes", d->classes, w->classes, m, why, nwhy);
    if (rc || d->kind != TRAINING_CIFAR10 ||
        (w->channels == 3 && w->height == 32 && w->width == 32 && w->classes == 10))
        return rc;
    return training_refuse(why, nwhy,
                           "training.data.kind: expected images of %lldx%lldx%lld values in %lld classes for %s, got "
                           "cifar10, which has 3x32x32 in 10",
                           (long long)w->channels, (long long)w->height, (long long)w->width, (long long)w->classes,
                           m->name);
}

static int check_click(const struct training_data *d, const struct wants *w, const struct model *m, char *why,
                       size_t nwhy)
{
    int rc = check_key("dense", d->dense, w->dense, m, why, nwhy);

    if (!rc)
        rc = check_key("tables", d->tables, w->tables, m, why, nwhy);
    if (!rc)
        rc = check_key("rows", d->rows, w->rows, m, why, nwhy);
    if (rc || d->kind != TRAINING_CRITEO || (w->dense == CRITEO_VALUES && w->tables == CRITEO_CATEGORIES))
        return rc;
    return training_refuse(
        why, nwhy,
        "training.data.kind: expected clicks of %lld numbers and %lld categories for %s, got criteo, "
        "which has %d and %d",
        (long long)w->dense, (long long)w->tables, m->name, CRITEO_VALUES, CRITEO_CATEGORIES);
}

static int check_sentence(const struct training_data *d, const struct wants *w, const struct model *m, char *why,
                          size_t nwhy)
{
    int rc = check_key("positions", d->positions, w->positions, m, why, nwhy);

    return rc ? rc : check_key("vocabulary", d->vocabulary, w->vocabulary, m, why, nwhy);
}

int training_data_check(const struct scenario *sc, const struct model *model, char *why, size_t nwhy)
{
    const struct training_data *d = &sc->training.data;
    struct wants w = wants_of(model);

    if (!(taken[w.takes].of & 1u << d->kind))
        return training_refuse(why, nwhy, "training.data.kind: expected %s for the layers of %s, got %s",
                               taken[w.takes].kinds, model->name, training_data_names[d->kind]);
    if (!training_data_synthetic(d->kind) && !*d->path)
        return training_refuse(why, nwhy, "training.data.path: expected where the data of kind %s is, got nothing",
                               training_data_names[d->kind]);
    switch (w.takes) {
    case TAKES_IMAGES: return check_image(d, &w, model, why, nwhy);
    case TAKES_CLICKS: return check_click(d, &w, model, why, nwhy);
    default: return check_sentence(d, &w, model, why, nwhy);
    }
}
