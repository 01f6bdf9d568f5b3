/* blosc.h - the peer of ADT: bytes shuffled by c-blosc, whose library has no shuffle without a codec behind it. */
#ifndef NARROWS_HARNESS_BENCH_GROUP_BLOSC_H
#define NARROWS_HARNESS_BENCH_GROUP_BLOSC_H

#include "harness/bench/session.h"

/* Nothing where the library is not installed, or on a device. */
int blosc_rows(struct session *s);

#endif
