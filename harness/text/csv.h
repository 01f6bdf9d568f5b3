/* csv.h - a field of a comma-separated file. */
#ifndef NARROWS_HARNESS_TEXT_CSV_H
#define NARROWS_HARNESS_TEXT_CSV_H

#include <stdio.h>

/* Quoted where a comma, a quotation mark or the end of a line would be misread. */
void csv_text(FILE *out, const char *text);

#endif
