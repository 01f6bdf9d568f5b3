/* sweep_text.h - what report_sweep() prints, as a string that the caller frees. Fails the test where it does not answer
 * 'want'. */
#ifndef NARROWS_TESTS_REPORT_SWEEP_TEXT_H
#define NARROWS_TESTS_REPORT_SWEEP_TEXT_H

#include "harness/report/sweep/sweep.h"

char *sweep_text(struct store *s, const char *name, const char *x, const char *y, enum report_format format, int want);

#endif
