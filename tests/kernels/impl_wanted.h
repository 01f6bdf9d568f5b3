/* impl_wanted.h - which rows a test tries: those that can run here and, with NARROWS_IMPL=avx2 in the environment, only
 * "avx2" and "avx2+omp". A test that finds none prints why and exits with 77. */
#ifndef NARROWS_TESTS_IMPL_WANTED_H
#define NARROWS_TESTS_IMPL_WANTED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/shared/impl.h"

static inline bool impl_is_wanted(const struct impl *im, enum impl_memory where)
{
    const char *name = getenv("NARROWS_IMPL");
    size_t length = name ? strlen(name) : 0;

    if (im->where != where ||
        (length && (strncmp(im->name, name, length) || (im->name[length] && im->name[length] != '+'))))
        return 0;
    return im->usable();
}

static inline int impl_none_wanted(void)
{
    const char *name = getenv("NARROWS_IMPL");

    printf("skipped: no implementation%s%s can run here\n", name ? " called " : "", name ? name : "");
    return 77;
}

#endif
