/* lazy_backend.h - a back end without threads that chooses when its queues move, within what their order and their
 * events allow. LAZY does nothing until somebody waits, and then only what that wait needs: whoever forgot to wait for
 * something finds that it has not happened. EAGER does everything at once. RANDOM does a bit of anything now and then.
 * The same calls and the same seed give the same run. */
#ifndef NARROWS_TESTS_OFFLOAD_LAZY_BACKEND_H
#define NARROWS_TESTS_OFFLOAD_LAZY_BACKEND_H

#include "harness/offload/backend.h"

enum lazy_mode { LAZY, EAGER, RANDOM, NMODES };

struct backend *lazy_backend_open(enum lazy_mode mode, uint32_t seed);

/* Allocations not released, over all back ends of this kind. */
extern int lazy_alive;

#endif
