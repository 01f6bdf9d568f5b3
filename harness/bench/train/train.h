/* train.h - how fast the trainer is: samples/s next to PyTorch's on the same networks and samples, where a Python
 * here has it; and what codecs with traces, or making samples while training, add to a step. Forward, backward and
 * update of all workers are timed, on the processor; warm-up and the preparing of samples are not.
 * Each side is a process of its own, on as many processors as it has threads (side.h); turns are as case.h says.
 * Errors     harness status; the message has been printed. */
#ifndef NARROWS_HARNESS_BENCH_TRAIN_TRAIN_H
#define NARROWS_HARNESS_BENCH_TRAIN_TRAIN_H

#include "harness/bench/cases.h"

int train_bench_run(const struct case_options *o);

/* Is there a case of that name? If not, all their names are in list[], parted by blanks. */
bool train_bench_has(const char *name, char *list, size_t nlist);

#endif
