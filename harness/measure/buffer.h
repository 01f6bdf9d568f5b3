/* buffer.h - large arrays for timing: whole pages, huge ones where the system gives them, touched before use.
 * Ownership  buffer_free() releases; it accepts a zero buffer. Errors: NW_ENOMEM with the message on stderr. */
#ifndef NARROWS_HARNESS_MEASURE_BUFFER_H
#define NARROWS_HARNESS_MEASURE_BUFFER_H

#include <stddef.h>

struct buffer {
    void *p;
    size_t nbytes; /* mapped */
};

int buffer_make(struct buffer *b, size_t nbytes);
void buffer_free(struct buffer *b);

/* Weights as the paper starts them, normal with variance 1e-2, the same in every run. Memory writes zeros faster than
 * anything else on some processors, so nothing here is zero. Written by all threads: a page lies near its reader. */
void buffer_weights(float *weights, size_t n);

#endif
