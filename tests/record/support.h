/* support.h - what the tests of records share: databases with made-up training runs. */
#ifndef NARROWS_TESTS_RECORD_SUPPORT_H
#define NARROWS_TESTS_RECORD_SUPPORT_H

#include "harness/record/record.h"

#include "tests/store/support.h"
#include <stdbool.h>

#define SCENARIO "3lc-small-table-1"
#define TRAINER "00112233445566aa"
#define SIMULATOR "aa66554433221100"

/* A new database of this name in the test's folder. */
struct store *record_open(const char *name);

/* A run of SCENARIO with one training for each of n accuracies in %, seeds from 1, which cover a cell of 3LC's
 * Table 1. */
int64_t record_train(struct store *s, const double *pct, size_t n, bool ends);

/* Its file, of a trainer and a simulator that this program is not. The path lives until the next one. */
const char *record_write(struct store *s, int64_t run, const char *name);

#endif
