/* codec_asked.h - the sizes of codecs that the simulator has no formula for, as functions that ask the codec. */
#ifndef NARROWS_HARNESS_SCENARIO_CODEC_ASKED_H
#define NARROWS_HARNESS_SCENARIO_CODEC_ASKED_H

#include "kernels/codec/codec.h"
#include "sim/method/method.h"

/* Of this codec, with these parameters. 'text' must live as long as the answer. */
struct codec_asked codec_asked_of(const struct codec *c, const struct codec_params *p, const char *text);

/* Supply them to each WIRE_ASKED of the method, by its text. One that is no codec is left alone, and refused by the
 * simulator. */
void codec_asked_supply(struct method *m);

#endif
