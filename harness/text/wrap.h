/* wrap.h - UTF-8 text in columns and paragraphs. A width counts characters: combining and double-width ones do not
 * occur in what we print. */
#ifndef NARROWS_HARNESS_TEXT_WRAP_H
#define NARROWS_HARNESS_TEXT_WRAP_H

#include <stdio.h>

enum { TEXT_WIDTH = 80 };

/* Characters of a text. */
int text_width(const char *text);

/* 'text' padded to 'width' characters: at the right if width is positive, at the left if it is negative, in the
 * manner of printf turned around: text_cell(out, "a", 4) is "a   ". Longer text is not cut. */
void text_cell(FILE *out, const char *text, int width);
/* The same for a number. */
void text_number(FILE *out, const char *format, double value, int width) __attribute__((format(printf, 2, 0)));

/* A rule of so many dashes, and a newline. */
void text_rule(FILE *out, int width);

/* A paragraph folded at TEXT_WIDTH, followed by a newline; of a text of any length, or of what printf makes in 2 kB. */
void text_fold(FILE *out, const char *text);
void text_paragraph(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
