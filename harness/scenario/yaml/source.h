/* source.h - one text given to the reader, and positions in it.
 * Units      lines and columns count from 1; a column is a character, not a byte. Line 0 is the text as a whole. */
#ifndef NARROWS_HARNESS_SCENARIO_YAML_SOURCE_H
#define NARROWS_HARNESS_SCENARIO_YAML_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

enum { SOURCE_MAX_BYTES = 1 << 20 };

struct source {
    const char *name; /* as messages name it: a path, "-", or "--set" */
    const char *text;
    size_t size;
    unsigned order; /* order of reading, in which messages are printed */
};

struct mark {
    const struct source *source;
    unsigned line, column;
};

/* Where the text begins: after a byte order mark. */
size_t source_start(const struct source *s);

/* The line's bytes without its break. Empty past the end. */
const char *source_line(const struct source *s, unsigned line, size_t *size);

/* The first character that YAML forbids anywhere: a NUL or another control character, a byte that is not UTF-8. NULL if
 * there is none, else what is wrong, and where. */
const char *source_check(const struct source *s, struct mark *at);

#endif
