/* parts.h - the parts of a paper's report, in order. */
#ifndef NARROWS_HARNESS_REPORT_PART_PARTS_H
#define NARROWS_HARNESS_REPORT_PART_PARTS_H

#include "harness/report/part/part.h"

/* Sections in the order of a report. */
struct section {
    const char *name, *heading;
};
extern const struct section report_sections[]; /* ends with a NULL name */

/* Write the parts of a section ('paper' "": those that belong to no paper), with its heading before the first that has
 * rows. 'table': only those of this name (NULL: all); *found counts those that are defined. */
int parts_write(sqlite3 *db, const char *paper, const char *section, const char *table, const struct style *style,
                int level, FILE *out, int *found);

/* The claims of a paper, the leading size of each; a heading before the first. */
int claims_write(sqlite3 *db, const char *paper, const struct style *style, int level, FILE *out);

#endif
