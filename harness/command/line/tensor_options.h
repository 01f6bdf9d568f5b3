/* tensor_options.h - the options of commands that read tensors, as a child of their argp. Its input is the
 * tensors_options that they fill: at ARGP_KEY_INIT the parent sets state->child_inputs[] to it. */
#ifndef NARROWS_HARNESS_COMMAND_LINE_TENSOR_OPTIONS_H
#define NARROWS_HARNESS_COMMAND_LINE_TENSOR_OPTIONS_H

#include <argp.h>

#include "harness/tensor/tensors.h"

extern const struct argp tensor_options_argp;

/* Print what a person hardly means, with a line each: NaN and infinities, and what became one by rounding. */
void tensor_options_say(const char *path, const struct tensor *t);

#endif
