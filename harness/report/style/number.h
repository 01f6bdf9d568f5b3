/* number.h - numbers as reports print them. */
#ifndef NARROWS_HARNESS_REPORT_STYLE_NUMBER_H
#define NARROWS_HARNESS_REPORT_STYLE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

enum { NUMBER_SIZE = 96 };

/* Is it text around one conversion of a double (e, f, g), as a definition may have it? */
bool number_format_ok(const char *format);
/* 'text' has NUMBER_SIZE bytes. A value that rounds to zero is printed without a minus. 'format' must be ok. */
void number_print(char *text, const char *format, double value);
/* Large numbers without fractions, others with four digits. */
const char *number_format(double value);

#endif
