/* compare.h - narrows compress without an output: what codecs keep of the gradients in files, and what they cost. */
#ifndef NARROWS_HARNESS_COMMAND_COMPRESS_COMPARE_H
#define NARROWS_HARNESS_COMMAND_COMPRESS_COMPARE_H

#include <argp.h>
#include <stdbool.h>

#include "harness/command/line/command_line.h"
#include "harness/compare/steps.h"

enum compare_format { COMPARE_TEXT, COMPARE_CSV, COMPARE_JSON };

struct compare_arguments {
    bool asked; /* an option of the comparison was given */
    const char *codecs[COMMAND_SETS];
    size_t ncodecs; /* 0: all */
    const char *const *inputs;
    size_t ninputs; /* 0: the shipped examples */
    struct steps_options read;
    enum compare_format format;
    bool tensors;
    const char *html, *impl, *db; /* html: NULL: none */
    double bar, seconds;
    struct command_point at; /* .file NULL: no forecast */
};

/* The options; its input is a struct compare_arguments, which it fills with their defaults first. */
extern const struct argp compare_argp;

/* The arguments args[0..n) that are no options: CODEC IN OUT, or a comparison? Without an option of the comparison
 * three arguments are the former, unless the first is a file, folder or pattern, or the second a codec; any other
 * number is a comparison, unless there are codecs alone. */
bool compare_meant(const struct compare_arguments *a, const char *const *args, size_t n);

/* Those that name codecs, and no file, go to a->codecs, the others are a->inputs, in their order in args[]. NW_EINPUT
 * with the message printed. 'args' must outlive *a. */
int compare_sort_arguments(struct compare_arguments *a, const char **args, size_t n);

int compare_run(const struct compare_arguments *a); /* a harness status */

#endif
