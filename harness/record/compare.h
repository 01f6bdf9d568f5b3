/* compare.h - the steps of a training run and those that a record has of it: equal, after the record's rounding, or
 * not. All that a record has of each step: epoch, samples, loss and its average, learning rate, precision and the share
 * of it, bytes pushed and pulled. */
#ifndef NARROWS_HARNESS_RECORD_COMPARE_H
#define NARROWS_HARNESS_RECORD_COMPARE_H

#include <stdbool.h>

#include "harness/record/file.h"
#include "harness/store/trace.h"

/* steps[0..n) against the rows of trace_step from 'first' on, of which there are so many. False where they differ, with
 * the first step that does and all that differs in it in said[]: "step 12: loss 2.30258 was recorded, 2.30261 now". */
bool record_compare(const struct record_file *f, size_t first, const struct trace_step_fact *steps, size_t n,
                    char *said, size_t size);

/* Does the record say of the steps first + n .. first + all that the precision or the learning rate changes there that
 * did not before, or the bits of weights? That was not compared. */
bool record_changes_later(const struct record_file *f, size_t first, size_t n, size_t all);

#endif
