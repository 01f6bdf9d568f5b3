/* options.h - options of every kind of data in one struct: a generator's settings, or the path of files. A kind reads
 * only the fields that its line names; data_options_of() fills in the defaults.
 * Refused    when opened: "classes: expected 2 to 1000, got 1". Pointers stay the caller's, and are read only then. */
#ifndef NARROWS_TRAIN_DATA_OPTIONS_H
#define NARROWS_TRAIN_DATA_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum data_kind {
    DATA_IMAGES,      /* synthetic: seed, train, test, classes, channels, height, width, difficulty, crop, mirror */
    DATA_CLICKS,      /* synthetic: seed, train, test, dense, tables, rows, base_rate, difficulty */
    DATA_TRANSLATION, /* synthetic: seed, train, test, positions, vocabulary, noise */
    DATA_CIFAR10,     /* files: path (a folder), train, test, crop, mirror */
    DATA_IDX,         /* files: path (a folder), train, test, classes, crop, mirror */
    DATA_CRITEO,      /* files: path (a file), train, test, tables, rows */
    DATA_JPEG,        /* files: path (a folder), train, test, channels, height, width, crop, mirror */
    DATA_IWSLT,       /* files: path (a folder), train, test, positions, vocabulary */
    DATA_KINDS,
};

struct data_options {
    enum data_kind kind;
    const char *path;
    uint64_t seed;
    int64_t train, test; /* samples; of files 0 is all there are, else so many, spread evenly over them */

    int64_t classes, channels, height, width;
    double difficulty; /* 0 .. 1; images.h and clicks.h say what of */
    bool crop;         /* variations are shifted: padded by an eighth on each side, then cropped */
    bool mirror;       /* variations are mirrored, left to right, half of them */

    int64_t dense;       /* values of a click */
    size_t tables;       /* ... and its categories */
    const int64_t *rows; /* [tables] values that each category may have */
    double base_rate;    /* clicks among the samples */

    int64_t positions, vocabulary; /* tokens of a sentence, and those to choose from */
    double noise;                  /* share of a target's words that are wrong */
};

/* Rows of the 26 tables of Criteo's Kaggle set, 33,762,577 in all: DLRM, arXiv 1906.00091, and its code. */
enum { CRITEO_DENSE = 13, CRITEO_TABLES = 26 };
extern const int64_t criteo_rows[CRITEO_TABLES];

const char *data_kind_name(enum data_kind kind); /* "images", as a scenario writes it */
struct data_options data_options_of(enum data_kind kind);

/* What a number of the options may be. */
struct data_range {
    const char *name;
    int64_t value, low, high;
};

enum { DATA_MOST_CLASSES = 1000, DATA_MOST_CHANNELS = 1024, DATA_MOST_SIDE = 4096 };
#define DATA_MOST_SAMPLES (INT64_C(1) << 40)

/* True with the reason in why[]: for the first number out of range, or rows that are none or too many. */
bool data_refused(const struct data_range *ranges, size_t n, char *why, size_t nwhy);
bool data_real_refused(const char *name, double value, double low, double high, char *why, size_t nwhy);
bool data_rows_refused(const struct data_options *o, char *why, size_t nwhy);

#endif
