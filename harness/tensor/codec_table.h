/* codec_table.h - every codec there is: those of this build and those of plug-ins (plugin/load.h). Whoever walks, finds
 * or lists codecs in harness/ does it here; kernels/ knows its own alone.
 * Threads    plug-ins are loaded once, before threads begin; from then on the table is only read. */
#ifndef NARROWS_HARNESS_TENSOR_CODEC_TABLE_H
#define NARROWS_HARNESS_TENSOR_CODEC_TABLE_H

#include "kernels/codec/codec.h"

/* Those of the build, then those of plug-ins, as they were loaded; ends with NULL. */
const struct codec *const *codec_table(void);

/* NULL if there is none of that name. */
const struct codec *codec_table_find(const char *name);

/* 32 hex digits of XXH3 of the plug-in's file: what a result that the codec takes part in depends on. NULL for a codec
 * of the build. */
const char *codec_table_digest(const struct codec *c);

/* Bytes of a payload of n values that a simulation is to count: what a plug-in expects, at most its bound; else the
 * bound, which is the size where it depends on no value. */
size_t codec_table_bytes(const struct codec *c, size_t n, const struct codec_params *p);

#endif
