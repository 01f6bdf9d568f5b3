/* numbers.h - the numbers that vectors have, of payloads that are added up on their way. */
#ifndef NARROWS_HARNESS_EXEC_CONTENT_NUMBERS_H
#define NARROWS_HARNESS_EXEC_CONTENT_NUMBERS_H

#include <stdint.h>

#include "kernels/codec/codec.h"

enum numbers { NUMBERS_FP32, NUMBERS_BF16, NUMBERS_FP16, NUMBERS_NONE };

/* Of a codec's payload; NULL: of values as they are. NUMBERS_NONE: it does not add up. */
enum numbers numbers_of(const struct codec *codec);

/* sum += more, nbytes of each. Behind a tensor of 16-bit numbers, floats may lie at any even address. */
void numbers_add(enum numbers numbers, uint8_t *sum, const uint8_t *more, int64_t nbytes);

/* To values of fp32. */
void numbers_widen(enum numbers numbers, float *to, const uint8_t *from, int64_t nbytes);

#endif
