/* golden.h - what the tests of the report share: texts held to files in golden/, figures drawn. */
#ifndef NARROWS_TESTS_REPORT_GOLDEN_H
#define NARROWS_TESTS_REPORT_GOLDEN_H

#include <stdbool.h>

/* Fails the test, with the whole text, where it is not tests/report/golden/NAME to the byte, where a line is wider than
 * a terminal of 80 characters or ends with a blank. With NARROWS_GOLDEN=write the file is written instead. */
void golden_expect(const char *name, const char *text);

/* The same for the file DIR/NAME, whose golden one is NAME. */
void golden_expect_file(const char *dir, const char *name);

/* The directory of the templates; it lives until the next call. */
const char *golden_plots(void);

bool golden_gnuplot(void);

/* Every NAME.svg and NAME.png of the list (ends with NULL) is a picture, the same one in both directories. */
void golden_same_pictures(const char *const *names, const char *const dirs[2]);

/* DIR/NAME says all of these texts, in this order; the list ends with NULL. */
void golden_says(const char *dir, const char *name, const char *const *texts);

/* Files in 'dir' whose name ends so. */
int golden_count(const char *dir, const char *end);

#endif
