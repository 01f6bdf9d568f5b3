/* method_codecs.h - the codecs of a method, whatever its kind: for those who ask or supply something of each of
 * them. */
#ifndef NARROWS_SIM_METHOD_METHOD_CODECS_H
#define NARROWS_SIM_METHOD_METHOD_CODECS_H

#include <stddef.h>

#include "sim/method/method.h"

enum { METHOD_CODECS_MAX = 3 };

/* Pointers into *m to the codecs of the part that its kind names, in the order of its header, those that code nothing
 * included; returns how many. At most 'max' of them are written. Keys, if not NULL: of each its key below "method". */
size_t method_codecs(struct method *m, struct codec_spec *out[], const char *keys[], size_t max);

#endif
