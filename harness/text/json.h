/* json.h - a text as JSON writes it. */
#ifndef NARROWS_HARNESS_TEXT_JSON_H
#define NARROWS_HARNESS_TEXT_JSON_H

#include <stdio.h>

/* In quotation marks, escaped; a byte that is no UTF-8 becomes U+FFFD. */
void json_text(const char *text, FILE *out);

#endif
