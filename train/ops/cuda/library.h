/* library.h - loads shared libraries at run time: a program built with CUDA must start where CUDA's libraries are
 * absent.
 * Errors     the reason is written to why[]: the library, or the function that it lacks. */
#ifndef NARROWS_TRAIN_OPS_CUDA_LIBRARY_H
#define NARROWS_TRAIN_OPS_CUDA_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

struct library_function {
    const char *name;
    void *at; /* of the pointer that the function's address is written to */
};

/* The library in the loader's usual places, with these functions; NULL if it or one of them is not there. Once found it
 * stays in the process, even if closed: loading it again is quick. */
void *library_open(const char *name, const struct library_function *functions, size_t n, char *why, size_t nwhy);
void library_close(void *library); /* accepts NULL */

#endif
