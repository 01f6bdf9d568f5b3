/* print.h - what a search found: a table for people, CSV, JSON. Units are in the heads and names. */
#ifndef NARROWS_HARNESS_TUNE_PRINT_H
#define NARROWS_HARNESS_TUNE_PRINT_H

#include <stdio.h>

#include "harness/tune/replay.h"

int tune_print(const struct layouts *s, const struct search_result *found, const struct replay *r, FILE *out);
void tune_csv(const struct replay *r, FILE *out);
void tune_json(const struct layouts *s, const struct search_result *found, const struct replay *r, FILE *out);

#endif
