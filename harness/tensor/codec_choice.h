/* codec_choice.h - a codec as people write it: NAME or NAME:PARAM=VALUE,... as in "3lc:s=1.75". NAME may be an alias.
 * Errors     NW_EINPUT with a line that says what was expected and what came, on 'err' or stderr. */
#ifndef NARROWS_HARNESS_TENSOR_CODEC_CHOICE_H
#define NARROWS_HARNESS_TENSOR_CODEC_CHOICE_H

#include <stdio.h>

#include "kernels/codec/codec.h"

int codec_choice_read(const char *text, const struct codec **codec, struct codec_params *params, FILE *err);

/* The row to use: the best one that splits its work over threads, or that of this name (NULL: any). */
int codec_choice_row(const struct codec *codec, const char *impl, const struct codec_impl **row);

#endif
