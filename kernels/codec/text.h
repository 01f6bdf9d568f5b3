/* text.h - a codec as people write it: NAME or NAME:PARAM=VALUE,... as in "3lc:s=1.75". NAME may be an alias, in upper
 * or lower case. Numbers have a decimal point in every locale. */
#ifndef NARROWS_KERNELS_CODEC_TEXT_H
#define NARROWS_KERNELS_CODEC_TEXT_H

#include "kernels/codec/codec.h"

/* The codec that 'name' is an alias of, in the spelling of the table; NULL if it is none. */
const char *codec_alias_of(const char *name);

/* The i-th alias and what it stands for; NULL past the end. */
const char *codec_alias_name(size_t i);
const char *codec_alias_codec(size_t i);

/* CODEC_OK, or CODEC_UNKNOWN or CODEC_PARAMETER with a line in why[0 .. nwhy), cut off where it is too short, that says
 * what was expected and what came; then *codec and *params are unchanged. 'nwhy' may be 0. */
enum codec_error codec_text_read(const char *text, const struct codec **codec, struct codec_params *params, char *why,
                                 size_t nwhy);

/* The same of a codec in this table, which ends with NULL, instead of in 'codecs'. */
enum codec_error codec_text_read_in(const char *text, const struct codec *const *table, const struct codec **codec,
                                    struct codec_params *params, char *why, size_t nwhy);

#endif
