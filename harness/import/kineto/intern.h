/* intern.h - texts that occur often, each once: a number from 0 in the order of their first appearance.
 * Ownership  intern_free() releases the texts, and accepts an all-zero table.
 * Errors     -1 when memory runs out. */
#ifndef NARROWS_HARNESS_IMPORT_KINETO_INTERN_H
#define NARROWS_HARNESS_IMPORT_KINETO_INTERN_H

#include <stddef.h>
#include <stdint.h>

struct intern {
    char **texts;
    size_t n, capacity;
    int32_t *slots; /* of the hash table: a number + 1, or 0 */
    size_t nslots;
};

int32_t intern_text(struct intern *t, const char *text);
void intern_free(struct intern *t);

#endif
