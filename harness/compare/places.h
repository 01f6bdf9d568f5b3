/* places.h - the files of each step, as steps.h describes them; nothing is read.
 * Ownership  places_free() releases. Errors: NW_EINPUT, NW_EIO or NW_ENOMEM with a line on 'err'. */
#ifndef NARROWS_HARNESS_COMPARE_PLACES_H
#define NARROWS_HARNESS_COMPARE_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct place {
    char *name; /* a file or a folder */
    char **files;
    size_t nfiles;
};

struct places {
    struct place *list;
    size_t n;
};

/* 'any': take files of a folder whatever their names end in. */
int places_find(struct places *p, const char *const *inputs, size_t n, bool any, FILE *err);
void places_free(struct places *p); /* accepts an all-zero one */

#endif
