/* codec_alias.h - other names of codecs, for people: the table is in kernels/codec/text.h. */
#ifndef NARROWS_HARNESS_TENSOR_CODEC_ALIAS_H
#define NARROWS_HARNESS_TENSOR_CODEC_ALIAS_H

#include <stdio.h>

#include "kernels/codec/text.h"

/* The aliases of this codec, or of all with what they stand for (codec NULL): "int8, 8-bit", "int8 for 8bit, ...". */
void codec_alias_list(const char *codec, FILE *out);

#endif
