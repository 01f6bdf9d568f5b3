/* refuse.h - the reason of a failed check: "KEY: expected X, got Y". */
#ifndef NARROWS_MODEL_REFUSE_H
#define NARROWS_MODEL_REFUSE_H

#include <stddef.h>

/* Writes the reason into why[0..nwhy), cut where it does not fit, and returns E_INVAL. */
__attribute__((format(printf, 3, 4))) int refuse(char *why, size_t nwhy, const char *format, ...);

#endif
