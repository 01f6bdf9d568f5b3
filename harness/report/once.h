/* once.h - while a report is made, the views that it asks most (report_once) are tables of the connection's own, and
 * all other views are made of those. What is stored meanwhile is not seen. Errors: 0 or NW_EDB after a message. */
#ifndef NARROWS_HARNESS_REPORT_ONCE_H
#define NARROWS_HARNESS_REPORT_ONCE_H

#include <stdbool.h>

#include "harness/report/query.h"

/* *begun tells whether this call began it, so that it is to end it: one inside another does nothing. */
int once_begin(sqlite3 *db, bool whole, bool *begun);
void once_end(sqlite3 *db, bool begun);

#endif
