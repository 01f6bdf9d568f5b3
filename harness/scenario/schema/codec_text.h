/* codec_text.h - codecs in the texts of a scenario: NAME or NAME:PARAM=VALUE,... as in "3lc:s=1.75". */
#ifndef NARROWS_HARNESS_SCENARIO_SCHEMA_CODEC_TEXT_H
#define NARROWS_HARNESS_SCENARIO_SCHEMA_CODEC_TEXT_H

#include "harness/scenario/schema/schema.h"

/* Of a training: any codec. What a result depends on besides: the digest of a plug-in's file. */
extern const struct text_form codec_text_trained;

/* Of the simulator: a codec that it has no formula for, which is a plug-in's, or one of the build that is in no list of
 * formats. What a result depends on besides: the digest of the plug-in's file, or of the code of all codecs. */
extern const struct text_form codec_text_asked;

#endif
