/* rows.h - what a view says, held to what it must: cells in place of prose. */
#ifndef NARROWS_TESTS_REPORT_ROWS_H
#define NARROWS_TESTS_REPORT_ROWS_H

#include "harness/store/store.h"

/* The query's rows must be these lines, each ending with a newline: columns parted by '|', numbers to six digits, '-'
 * for NULL. */
void rows_expect(struct store *s, const char *sql, const char *want);

/* No view of the list (ends with NULL) has a row. */
void rows_expect_none(struct store *s, const char *const *views);

#endif
