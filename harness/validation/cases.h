/* cases.h - the rows of a validation that are used, each as a point of its scenario that can be simulated again and
 * again with other constants.
 * Ownership  cases_close() frees what cases_open() fills, also after an error.
 * Threads    case_play() may run on many threads at once.
 * Errors     harness status; the message has been printed, but where why[] takes it. */
#ifndef NARROWS_HARNESS_VALIDATION_CASES_H
#define NARROWS_HARNESS_VALIDATION_CASES_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/scenario/scenario.h"
#include "harness/validation/data_table.h"
#include "harness/validation/spec.h"

/* A number of the scenario that is fitted. */
struct constant {
    const char *path;
    double value; /* NaN: as the scenario has it */
};

struct case_row {
    bool used, given;     /* given: of the user's own data, not of the validation's */
    const char *label;    /* distinct */
    double value, spread; /* measured; spread NaN: unknown */
    size_t file;          /* into cases.files */
    const char *variant;  /* NULL: none */
};

struct cases {
    const struct validation *spec;
    struct data *table;
    size_t n;                  /* of the table, those that are not used among them */
    struct case_row *rows;     /* [n] */
    struct cell_value **bound; /* [spec->nbinds][n] */
    struct scenario_file **files;
    char **settings; /* [nfiles] the texts that each was opened with */
    size_t nfiles;
    char **labels; /* private: those that had to be made distinct */
    size_t nlabels;
};

/* 'data' (NULL: none) is a CSV file whose rows are predicted in place of the validation's own. */
int cases_open(const struct validation *v, const char *data, struct cases *out);
void cases_close(struct cases *c);

/* Part of cases_open(): bound, files and settings. */
int cases_open_scenarios(struct cases *c);

/* An expression of the file at 'key' for every row. */
int cases_evaluate(const struct cases *c, const char *key, const char *with, const char *expression,
                   struct cell_value out[]);
int cases_test(const struct cases *c, const char *key, const char *condition, bool out[]);

/* Bind row 'row' and change its constants. point_free() it. */
int case_bind(const struct cases *c, size_t row, const struct constant *constants, size_t n, struct point *out);

/* Simulate it: the reading. NW_ESIM with the reason in why[]. */
int case_play(const struct cases *c, size_t row, const struct constant *constants, size_t n, double *out, char *why,
              size_t nwhy);

#endif
