/* cifar10.c - the binary version of CIFAR-10 as a source of images (readers.h). */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/file.h"
#include "harness/data/readers.h"
#include "model/status.h"
#include "train/data/vary.h"

enum { CHANNELS = 3, SIDE = 32, PLANE = SIDE * SIDE, RECORD = 1 + CHANNELS * PLANE, CLASSES = 10 };
enum { MOST_BYTES = 1 << 30 };

struct cifar10 {
    uint8_t *records[DATA_SETS];
    int64_t count[DATA_SETS];
    bool crop, mirror;
};

/* Mean and standard deviation of byte / 255 in each channel, over the 50,000 training images. */
static const float mean[CHANNELS] = { 0.4914f, 0.4822f, 0.4465f }, deviation[CHANNELS] = { 0.2470f, 0.2435f, 0.2616f };

/* Whole records with valid labels? */
static int check(const char *path, const uint8_t *bytes, size_t n, char *why, size_t nwhy)
{
    if (!n || n % RECORD)
        return data_fail(why, nwhy, "%s: expected records of %d bytes (a label, 3 x 32 x 32 values), got %zu bytes",
                         path, RECORD, n);
    for (size_t at = 0; at < n; at += RECORD)
        if (bytes[at] >= CLASSES)
            return data_fail(why, nwhy, "%s: offset %zu: expected a label of 0 to 9, got %d", path, at, bytes[at]);
    return 0;
}

/* Append a file's records to those of its set. */
static int add_file(struct cifar10 *c, enum data_set set, const char *folder, const char *name, char *why, size_t nwhy)
{
    uint8_t *bytes = NULL, *grown;
    size_t n = 0, old = (size_t)c->count[set] * RECORD;
    char *path = NULL;
    int rc = asprintf(&path, "%s/%s", folder, name) < 0 ? E_NOMEM : 0;

    if (rc)
        return rc;
    rc = file_read(path, MOST_BYTES, &bytes, &n, why, nwhy);
    if (!rc)
        rc = check(path, bytes, n, why, nwhy);
    free(path);
    grown = rc ? NULL : realloc(c->records[set], old + n);
    if (!rc && !grown)
        rc = data_no_memory(why, nwhy, folder, "its images");
    if (!rc) {
        memcpy(grown + old, bytes, n);
        c->records[set] = grown;
        c->count[set] += (int64_t)(n / RECORD);
    }
    free(bytes);
    return rc;
}

static int cifar10_sample(const struct data_source *s, enum data_set set, int64_t index, uint64_t augment,
                          float *values, int32_t *ids, int32_t *labels, char *why, size_t nwhy)
{
    const struct cifar10 *c = s->own;
    const uint8_t *record = c->records[set] + RECORD * spread(index, s->count[set], c->count[set]);
    struct variation v = variation_of(set == DATA_TRAIN ? augment : 0, index, SIDE, SIDE, c->crop, c->mirror);

    (void)ids, (void)why, (void)nwhy;
    *labels = record[0];
    for (int channel = 0; channel < CHANNELS; channel++) {
        const uint8_t *from = record + 1 + channel * PLANE;
        float scale = 1 / (255 * deviation[channel]), base = -mean[channel] / deviation[channel];

        for (int i = 0; i < PLANE; i++)
            values[channel * PLANE + i] = (float)from[i] * scale + base;
    }
    variation_apply(&v, CHANNELS, SIDE, SIDE, values);
    return 0;
}

static void cifar10_close(struct data_source *s)
{
    struct cifar10 *c = s->own;

    for (int set = 0; set < DATA_SETS; set++)
        free(c->records[set]);
    free(c);
    free(s);
}

int cifar10_open(const struct data_options *o, struct data_source **out, char *why, size_t nwhy)
{
    static const char *const names[] = { "data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin",
                                         "data_batch_4.bin", "data_batch_5.bin", "test_batch.bin" };
    enum { FILES = sizeof(names) / sizeof(*names) };
    static const struct data_source like = { .name = "cifar10",
                                             .shape = { CHANNELS, SIDE, SIDE, 0, 1, CLASSES },
                                             .sample = cifar10_sample,
                                             .close = cifar10_close };
    struct data_source *s = source_new(&like, sizeof(struct cifar10), o->path, why, nwhy);
    struct cifar10 *c;
    int rc = 0;

    if (!s)
        return E_NOMEM;
    c = s->own;
    *c = (struct cifar10){ .crop = o->crop, .mirror = o->mirror };
    for (int i = 0; !rc && i < FILES; i++)
        rc = add_file(c, i < FILES - 1 ? DATA_TRAIN : DATA_TEST, o->path, names[i], why, nwhy);
    if (!rc)
        rc = counts_choose(s, o, c->count, why, nwhy);
    return source_opened(rc, s, out);
}
