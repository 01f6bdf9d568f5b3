/* csv_fields.h - the fields of a line of CSV text, quoted ones too (RFC 4180). */
#ifndef NARROWS_HARNESS_TEXT_CSV_FIELDS_H
#define NARROWS_HARNESS_TEXT_CSV_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

enum { CSV_MOST_FIELDS = 64 };

struct csv_fields {
    char *fields[CSV_MOST_FIELDS]; /* within 'text' of csv_next() */
    size_t n;
    bool too_many;
};

/* Cut the next line out of *text, which ends before 'end' and is changed, and move *text behind it. Blank lines and
 * those that begin with '#' are skipped. *number counts lines. False at the end. */
bool csv_next(char **text, char *end, size_t *number, struct csv_fields *out);

#endif
