/* namesakes.h - scenarios go by the names that they give themselves: two files may have the same one. */
#ifndef NARROWS_HARNESS_COMMAND_LINE_NAMESAKES_H
#define NARROWS_HARNESS_COMMAND_LINE_NAMESAKES_H

#include <stdio.h>

struct store;

/* Print whether several files were run under this name, and which was the last. */
void namesakes_tell(struct store *s, const char *scenario, FILE *err);

#endif
