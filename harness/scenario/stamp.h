/* stamp.h - a digest of data in files, without reading them: names, sizes and times of the last change of everything
 * below the path. Copied or rewritten data counts as different even if identical. */
#ifndef NARROWS_HARNESS_SCENARIO_STAMP_H
#define NARROWS_HARNESS_SCENARIO_STAMP_H

#include <stddef.h>

/* 32 hex digits. 0, or an errno value: of the file that cannot be read; ELOOP for more than 16 nested folders. */
int stamp_of(const char *path, char digest[33]);

/* The same for a text in place of a file. */
void stamp_text(const char *text, size_t size, char digest[33]);

#endif
