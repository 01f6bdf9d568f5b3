/* spec.h - a validation file: measured rows with their source, the scenario that predicts them, and what the errors
 * are to be compared with.
 * Expressions are SQL on the table 'data', whose columns are those of the rows' CSV. Those of a row may call it r, and
 *            may ask 'data' for other rows.
 * Ownership  validation_close() frees what validation_open() gives, texts too.
 * Errors     NW_EINPUT after the errors were printed to 'err', with their places; NW_ENOMEM. */
#ifndef NARROWS_HARNESS_VALIDATION_SPEC_H
#define NARROWS_HARNESS_VALIDATION_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A key of the scenario takes the value of an expression: a number in base units, or text as a file would have it. */
struct validation_bind {
    const char *key, *value;
};

/* A column that is computed: those above it may be used. */
struct validation_column {
    const char *name, *value;
};

/* Constants that are found so that the calibrating rows are met, once for each value of 'per'. */
struct validation_fit {
    const char *keys; /* paths, separated by commas */
    const char *per;  /* expression: rows with one value share the constants; "": all rows do */
    const char *rows; /* condition: those that calibrate */
    bool elsewhere;   /* a value of another group is an estimate of this one's: used to leave rows out */
};

/* A class of rows that errors are summed up by. Errors in %; 0: no bar. */
struct validation_set {
    const char *name;
    const char *rows; /* condition; a row belongs to the first set that takes it */
    double mean, median, p95;
};

/* What others reach on these rows, as published or recomputed elsewhere. */
struct validation_peer {
    const char *name, *set, *source;
    double mean, median, p95; /* % ; 0: not said */
};

struct validation_reason {
    const char *rows; /* condition */
    const char *because;
};

struct validation {
    const char *name, *title, *source, *notes;
    const char *data, *rows; /* path of a CSV file, or CSV text: one of them */
    const char *scenario;    /* path */
    const char *where, *label;
    const char *value, *spread, *unit; /* measured */
    const char *reading;               /* of the simulation, held against 'value' */
    const char *form_name, *form_with, *form_value;
    const char *baseline, *baseline_per; /* a row that others are faster or slower than; "": none */
    double baseline_least;               /* share by which they have to differ to count */
    struct validation_column *columns;
    size_t ncolumns;
    struct validation_bind *binds;
    size_t nbinds;
    struct validation_fit *fits;
    size_t nfits;
    struct validation_set *sets;
    size_t nsets;
    struct validation_peer *peers;
    size_t npeers;
    struct validation_reason *reasons;
    size_t nreasons;
};

int validation_open(const char *path, FILE *err, struct validation **out);
void validation_close(struct validation *v); /* accepts NULL */

/* Print an error of the key at 'path' ("sets[1].rows"). Returns NW_EINPUT. */
int validation_complain(const struct validation *v, const char *path, const char *text, FILE *err);

/* Does the file at 'path' have the keys of a validation? */
bool validation_likely(const char *path);

/* Print the documentation of every key. */
void validation_document(FILE *out);

#endif
