/* stamp.h - what tells data in files from what lay at the same path before, without reading it all: names, sizes and times of
 * the last change of everything below the path. Data that is copied or written anew is other data, be it the same. */
#ifndef NARROWS_HARNESS_SCENARIO_STAMP_H
#define NARROWS_HARNESS_SCENARIO_STAMP_H

#include <stddef.h>

/* 32 hex digits. 0, or an errno value: of what cannot be looked at, ELOOP below 16 folders. */
int stamp_of(const char *path, char digest[33]);

/* The same of a text that stands for a file. */
void stamp_text(const char *text, size_t size, char digest[33]);

#endif
