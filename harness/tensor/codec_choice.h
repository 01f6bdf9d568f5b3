/* codec_choice.h - a codec as people write it: NAME or NAME:PARAM=VALUE,... as in "3lc:s=1.75".
 * Errors     NW_EINPUT with the message on stderr: what was expected, what came. */
#ifndef NARROWS_HARNESS_CODEC_CHOICE_H
#define NARROWS_HARNESS_CODEC_CHOICE_H

#include "kernels/codec/codec.h"

int codec_choice_read(const char *text, const struct codec **codec, struct codec_params *params);

/* The row to use: the best one that splits its work over threads, or that of this name (NULL: any). */
int codec_choice_row(const struct codec *codec, const char *impl, const struct codec_impl **row);

#endif
