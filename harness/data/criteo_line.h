/* criteo_line.h - one line of Criteo's Kaggle set without its newline: a label, 13 integers and 26 hexadecimal numbers,
 * separated by tabs. */
#ifndef NARROWS_HARNESS_DATA_CRITEO_LINE_H
#define NARROWS_HARNESS_DATA_CRITEO_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "train/data/options.h"

struct criteo_line {
    int label;
    int64_t dense[CRITEO_DENSE];       /* 0 where empty */
    int64_t categories[CRITEO_TABLES]; /* -1 where empty */
};

/* What is wrong with a line: what was expected in a column (1 .. 40), and the text found instead. */
struct criteo_error {
    int column;
    const char *expected;
    const char *found; /* within the line */
    size_t nfound;
};

/* False with *error set. */
bool criteo_line_read(const char *text, size_t n, struct criteo_line *line, struct criteo_error *error);

#endif
