/* excerpt.h - the source line and the caret under a message. */
#ifndef NARROWS_HARNESS_SCENARIO_YAML_EXCERPT_H
#define NARROWS_HARNESS_SCENARIO_YAML_EXCERPT_H

#include <stdio.h>

#include "harness/scenario/yaml/source.h"

/* Two lines: the text of at's line, cut to about 100 columns around at's column, and a caret under the column. */
void excerpt_print(struct mark at, FILE *out);

/* Write at most 'nout' bytes of the first character of text[0..size), unprintable bytes as \xNN. Returns
 * the bytes read; *columns is the width shown. */
size_t excerpt_character(const char *text, size_t size, char *out, size_t nout, size_t *columns);

#endif
