/* stamps.h - stamps of the data that points train on, each made once: where data is replaced, the points are others. */
#ifndef NARROWS_HARNESS_SCENARIO_STAMPS_H
#define NARROWS_HARNESS_SCENARIO_STAMPS_H

#include <stdio.h>

#include "harness/scenario/scenario.h"

struct stamp {
    const char *path, *digest; /* stamp.h */
};

/* Stamp all data that some point trains on. Harness status; the message has been printed. */
int stamps_read(struct scenario_file *f, FILE *err);

/* Give a point the stamp of the data that it names. */
void stamps_supply(const struct scenario_file *f, struct training_data *out);

#endif
