/* naive.h - which ranks are alike, by comparing what each of them does with what each of the others does: no hashes,
 * and no sums. */
#ifndef NARROWS_TESTS_SIM_PARALLEL_NAIVE_H
#define NARROWS_TESTS_SIM_PARALLEL_NAIVE_H

#include "sim/parallel/wires.h"
#include "sim/platform.h"

/* Refines the ranks' classes in class[], whatever numbers they begin with, until ranks of one class send and receive
 * the same flows and are in groups of the same classes, and channels of one class have one capacity and are crossed by
 * the same flows at the same places of their ways. How many classes there are. */
size_t naive_classes(const struct platform *platform, const struct parallel *p, const struct wiring *w,
                     int64_t class[]);

#endif
