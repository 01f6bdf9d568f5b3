/* break_even.h - the answer of break_even.h for a person, as CSV (a line for each crossing, its header apart)
 * and as JSON (an object, with every point of the scan). */
#ifndef NARROWS_HARNESS_REPORT_ANSWER_BREAK_EVEN_H
#define NARROWS_HARNESS_REPORT_ANSWER_BREAK_EVEN_H

#include <stdio.h>

#include "harness/run/break_even/break_even.h"

void break_even_text(const struct break_even *b, const struct break_even_question *q, FILE *out);
void break_even_csv_header(FILE *out);
void break_even_csv(const struct break_even *b, const struct break_even_question *q, const char *scenario, FILE *out);
void break_even_json(const struct break_even *b, const struct break_even_question *q, const char *scenario, FILE *out);

#endif
