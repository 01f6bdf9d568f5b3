/* support.h - what the tests of the store share: a directory of their own, what stderr said, one-line queries. */
#ifndef NARROWS_TESTS_STORE_SUPPORT_H
#define NARROWS_TESTS_STORE_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/store/store.h"

/* cmocka setup and teardown: a fresh directory for each test, removed with all it holds. */
int support_setup(void **state);
int support_teardown(void **state);

/* DIR/NAME; the text lives until 8 more were asked for. */
const char *support_path(const char *name);

/* What reaches stderr between the two, also from child processes. The text lives until the next call. */
void support_listen(void);
const char *support_heard(void);

/* The first column of the first row. A failed statement fails the test. */
int64_t support_int(struct store *s, const char *sql);
double support_real(struct store *s, const char *sql);
void support_exec(struct store *s, const char *sql);
/* SQLite's message if the statement fails, "" if it does not. */
const char *support_refusal(struct store *s, const char *sql);

/* cmocka compares whole numbers; this compares doubles, says both, and takes NaN for unequal. */
#define assert_near(got, want, tolerance) support_near(got, want, tolerance, #got, __FILE__, __LINE__)
void support_near(double got, double want, double tolerance, const char *what, const char *file, int line);

/* The file's bytes, ended with 0; the caller frees them. Fails the test if there is no such file. */
char *support_read(const char *path, size_t *size);

#endif
