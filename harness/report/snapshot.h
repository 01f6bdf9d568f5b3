/* snapshot.h - while a report is made, the views that it queries most (listed in report_once) are temporary tables, and
 * all other views use these. What is stored in the meantime is not seen. Errors: 0 or NW_EDB after a message. */
#ifndef NARROWS_HARNESS_REPORT_SNAPSHOT_H
#define NARROWS_HARNESS_REPORT_SNAPSHOT_H

#include <stdbool.h>

#include "harness/report/query.h"

/* 'whole': for a report of all papers. *begun: whether this call began it, and must end it; a nested call does
 * nothing. */
int snapshot_begin(sqlite3 *db, bool whole, bool *begun);
void snapshot_end(sqlite3 *db, bool begun);

#endif
