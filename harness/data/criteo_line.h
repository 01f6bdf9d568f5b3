/* criteo_line.h - one line of Criteo's Kaggle set: "label \t 13 integers \t 26 hexadecimal numbers", without its newline. */
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

/* What is wrong with a line: in column 1 .. 40, "expected ..., got '...'". */
struct criteo_fault {
    int column;
    const char *expected;
    const char *came;
    size_t ncame;
};

/* False with the fault. */
bool criteo_line_read(const char *text, size_t n, struct criteo_line *line, struct criteo_fault *fault);

#endif
