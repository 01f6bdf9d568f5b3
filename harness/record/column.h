/* column.h - a column of a table as bytes. Neighbours are much alike, so what is kept of each value is its difference
 * from the one before it, and of equal differences their number. Numbers and texts come back as they were, but for the
 * digits that were asked to be dropped. */
#ifndef NARROWS_HARNESS_RECORD_COLUMN_H
#define NARROWS_HARNESS_RECORD_COLUMN_H

#include "harness/record/bytes.h"

enum column_type { COLUMN_INTEGER, COLUMN_REAL, COLUMN_TEXT, COLUMN_TYPES };

struct column {
    enum column_type type;
    size_t n;
    int64_t *values;       /* [n]: whole numbers; the bits of doubles; places in words[] */
    unsigned char *absent; /* [n]: 1 for NULL; NULL if none is */
    char **words;
    size_t nwords;
};

void column_free(struct column *c); /* all that it points to */

/* 'dropped': of the 52 bits of a double's fraction so many are rounded away, 0..51. */
void column_put(struct bytes *to, const struct column *c, int dropped);

/* n values; those that are not there fail the cursor, and so does want of memory. Nothing is left to free then. */
struct column column_take(struct cursor *from, size_t n);

/* What column_put() keeps of a double with so many bits dropped, as column.values has it. */
int64_t column_rounded(double value, int dropped);

double column_real(const struct column *c, size_t i);

#endif
