/* method_codecs.h - lists the codecs of a method of any kind, for callers that read or change each of them. */
#ifndef NARROWS_SIM_METHOD_METHOD_CODECS_H
#define NARROWS_SIM_METHOD_METHOD_CODECS_H

#include <stddef.h>

#include "sim/method/method.h"

enum { METHOD_CODECS_MAX = 4 };

/* Writes at most 'max' pointers to the codecs of *m, in the order of its kind's header, including those that code
 * nothing. Returns how many there are. keys[] (NULL: not wanted) gets the key of each, below "method". */
size_t method_codecs(struct method *m, struct codec_spec *out[], const char *keys[], size_t max);

#endif
