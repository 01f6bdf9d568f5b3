#include "harness/data/shelf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/data/criteo_index.h"
#include "harness/data/criteo_line.h"
#include "harness/data/file.h"
#include "harness/data/jpeg_folder.h"
#include "harness/data/text/iwslt_text.h"

/* Counts and the digest of the archive: https://www.cs.toronto.edu/~kriz/cifar.html; the README and the list of lines
 * of Criteo's set, 45,840,617; cs231n's description of Tiny ImageNet; fairseq's logs and the data cards of IWSLT'14 on
 * Hugging Face: 171,721 training pairs, 6,750 in fairseq's tests. */
const struct shelf_set shelf_sets[SHELF_SETS] = {
    [SHELF_CIFAR10] = { "CIFAR-10", "cifar-10-batches-bin", "cifar10",
                        "50,000 training and 10,000 test images of 3 x 32 x 32 in 10 classes, as many of each",
                        "https://www.cs.toronto.edu/~kriz/cifar.html, \"binary version\"",
                        "cifar-10-binary.tar.gz, 162 MB, md5 c32a1d4ab5d03f1284b67883e8d87530",
                        "no licence is stated; its authors ask to cite \"Learning Multiple Layers of Features from "
                        "Tiny Images\", 2009" },
    [SHELF_TINY_IMAGENET] = { "Tiny ImageNet", "tiny-imagenet-200", "jpeg",
                              "100,000 training and 10,000 labelled validation images of 64 x 64 in 200 classes",
                              "http://cs231n.stanford.edu/tiny-imagenet-200.zip",
                              "tiny-imagenet-200.zip, 248 MB; no digest is published by its distributor",
                              "images of ImageNet: its terms of access, research and education only" },
    [SHELF_CRITEO] = { "Criteo Kaggle", "criteo/train.txt", "criteo",
                       "45,840,617 lines of a label, 13 integers and 26 categories, separated by tabs",
                       "Criteo AI Lab, \"Kaggle Display Advertising Challenge Dataset\"",
                       "dac.tar.gz, 4.6 GB, train.txt about 11 GB; no digest is published by its distributor",
                       "Criteo's terms of use, to be accepted before downloading" },
    [SHELF_IWSLT] = { "IWSLT'14 German-English", "iwslt14/de-en", "iwslt",
                      "171,721 training pairs of sentences, and 6,750 test pairs in dev2010, dev2012 and tst2010 to "
                      "tst2012",
                      "WIT3 of FBK, release 2014-01, texts/de/en/de-en.tgz: to be unpacked in iwslt14/",
                      "de-en.tgz, 19,982,877 bytes; no digest is published by its distributor",
                      "transcripts of TED talks: Creative Commons BY-NC-ND" },
};

enum {
    CIFAR_RECORD = 1 + 3 * 32 * 32,
    CIFAR_RECORDS = 10000,
    CIFAR_CLASSES = 10,
    CIFAR_FILES = 6,
    TINY_CLASSES = 200,
    TINY_TRAIN = 100000,
    TINY_TEST = 10000,
    CRITEO_LINES = 45840617,
    IWSLT_TRAIN = 171721,
    IWSLT_TEST = 6750,
};

/* Counts a file's labels, which stand before its images. */
static int count_labels(const char *folder, int file, int64_t count[CIFAR_CLASSES], char *why, size_t nwhy)
{
    const int64_t size = (int64_t)CIFAR_RECORD * CIFAR_RECORDS;
    char path[4096];
    uint8_t *bytes = NULL;
    size_t n = 0;
    int rc, number = file + 1;

    snprintf(path, sizeof(path), number < CIFAR_FILES ? "%s/data_batch_%d.bin" : "%s/test_batch.bin", folder, number);
    rc = file_read(path, 2 * size, &bytes, &n, why, nwhy);
    if (!rc && (int64_t)n != size)
        rc = data_fail(why, nwhy, "%s: expected %lld bytes, got %zu", path, (long long)size, n);
    for (size_t at = 0; !rc && at < n; at += CIFAR_RECORD) {
        if (bytes[at] >= CIFAR_CLASSES)
            rc = data_fail(why, nwhy, "%s: offset %zu: expected a label of 0 to 9, got %d", path, at, bytes[at]);
        else
            count[bytes[at]]++;
    }
    free(bytes);
    return rc;
}

/* Of each class 5000 training images in all five files together, and 1000 test images. */
static int check_cifar10(const char *folder, bool whole, char *why, size_t nwhy)
{
    int64_t count[2][CIFAR_CLASSES] = { { 0 } };
    int rc = 0;

    (void)whole;
    for (int file = 0; !rc && file < CIFAR_FILES; file++)
        rc = count_labels(folder, file, count[file == CIFAR_FILES - 1], why, nwhy);
    for (int i = 0; !rc && i < 2 * CIFAR_CLASSES; i++) {
        int test = i / CIFAR_CLASSES, class = i % CIFAR_CLASSES, want = test ? 1000 : 5000;

        if (count[test][class] != want)
            rc = data_fail(why, nwhy, "%s: expected %d %s images of class %d, got %lld", folder, want,
                           test ? "test" : "training", class, (long long)count[test][class]);
    }
    return rc;
}

static int check_tiny_imagenet(const char *folder, bool whole, char *why, size_t nwhy)
{
    struct jpeg_folder f = { 0 };
    int rc = jpeg_folder_open(folder, &f, why, nwhy);
    long long train = (long long)f.sets[DATA_TRAIN].n, test = (long long)f.sets[DATA_TEST].n, classes = f.nclasses;

    (void)whole;
    jpeg_folder_close(&f);
    if (!rc && (classes != TINY_CLASSES || train != TINY_TRAIN || test != TINY_TEST))
        rc = data_fail(why, nwhy,
                       "%s: expected %d classes, %d training and %d validation images, got %lld, %lld and %lld", folder,
                       TINY_CLASSES, TINY_TRAIN, TINY_TEST, classes, train, test);
    return rc;
}

/* The first line tells whether it is this format. */
static int check_first_line(const char *path, char *why, size_t nwhy)
{
    char text[LINE_MOST_BYTES + 1] = "";
    struct criteo_line line;
    struct criteo_error error;
    FILE *f = fopen(path, "r");
    const char *got = f ? fgets(text, sizeof(text), f) : NULL;

    if (!f)
        return data_fail(why, nwhy, "%s: %s", path, strerror(errno));
    fclose(f);
    if (!got || !criteo_line_read(text, strcspn(text, "\n"), &line, &error))
        return data_fail(why, nwhy, "%s:1: expected a label, 13 integers and 26 hexadecimal numbers, separated by tabs",
                         path);
    return 0;
}

static int check_criteo(const char *path, bool whole, char *why, size_t nwhy)
{
    struct line_index x = { .fd = -1 };
    int rc = check_first_line(path, why, nwhy);

    if (rc || !whole)
        return rc;
    rc = line_index_open(path, &x, why, nwhy);
    if (!rc && x.lines != CRITEO_LINES)
        rc = data_fail(why, nwhy, "%s: expected %d lines, got %lld", path, CRITEO_LINES, (long long)x.lines);
    line_index_close(&x);
    return rc;
}

/* A set of tests that is missing shows in the sum. */
static int check_iwslt(const char *folder, bool whole, char *why, size_t nwhy)
{
    struct text pair[SIDES] = { 0 };
    int rc = iwslt_train_read(folder, pair, why, nwhy);
    size_t train = pair[0].n, test = 0;

    (void)whole;
    iwslt_text_free(pair);
    for (int i = 0; !rc && i < IWSLT_TESTS; i++) {
        bool there;

        rc = iwslt_test_read(folder, i, pair, &there, why, nwhy);
        test += pair[0].n;
        iwslt_text_free(pair);
    }
    if (!rc && (train != IWSLT_TRAIN || test != IWSLT_TEST))
        rc = data_fail(why, nwhy, "%s: expected %d training and %d test pairs of sentences, got %zu and %zu", folder,
                       IWSLT_TRAIN, IWSLT_TEST, train, test);
    return rc;
}

enum shelf_state shelf_look(const char *folder, enum shelf_id which, bool whole, char *path, size_t npath, char *why,
                            size_t nwhy)
{
    static int (*const checks[SHELF_SETS])(const char *, bool, char *, size_t) = {
        [SHELF_CIFAR10] = check_cifar10,
        [SHELF_TINY_IMAGENET] = check_tiny_imagenet,
        [SHELF_CRITEO] = check_criteo,
        [SHELF_IWSLT] = check_iwslt,
    };

    if (snprintf(path, npath, "%s/%s", folder, shelf_sets[which].place) >= (int)npath) {
        data_fail(why, nwhy, "%s: expected a shorter path", folder);
        return SHELF_WRONG;
    }
    if (access(path, F_OK)) {
        data_fail(why, nwhy, "%s: %s", path, strerror(errno));
        return SHELF_ABSENT;
    }
    return checks[which](path, whole, why, nwhy) ? SHELF_WRONG : SHELF_THERE;
}
