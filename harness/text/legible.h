/* legible.h - numbers as a person reads them on a screen: four digits, no exponents where they can be avoided. Files
 * get all digits.
 * Ownership  into text[0..size), which is returned. */
#ifndef NARROWS_HARNESS_TEXT_LEGIBLE_H
#define NARROWS_HARNESS_TEXT_LEGIBLE_H

#include <stddef.h>

enum { LEGIBLE = 64 };

/* "0.5812", "70.72", "1939", "15310": at least four digits that count, all those before the point. */
const char *legible_number(double v, char *text, size_t size);

/* "153.3 MB" */
const char *legible_bytes(double bytes, char *text, size_t size);

/* "1.63x", "66x slower", "1x" */
const char *legible_factor(double speedup, char *text, size_t size);

#endif
