/* codec_alias.h - other names of codecs: one table for scenarios, training, compress and bench. */
#ifndef NARROWS_HARNESS_TENSOR_CODEC_ALIAS_H
#define NARROWS_HARNESS_TENSOR_CODEC_ALIAS_H

#include <stddef.h>
#include <stdio.h>

/* The codec that 'name' is an alias of, in the spelling of 'narrows list codecs'; NULL if it is none. */
const char *codec_alias_of(const char *name);

const char *codec_alias_name(size_t i); /* the i-th alias; NULL past the end */

/* The aliases of this codec, or of all with what they stand for (codec NULL): "int8, 8-bit", "int8 for 8bit, ...". */
void codec_alias_list(const char *codec, FILE *out);

#endif
