/* numeral.h - numbers by their own grammar: -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?
 * No octal, no hexadecimal, no leading zero or plus, no nan, no inf, no underscore. A number that a double cannot hold
 * (1e999, 1e-999) is refused, not rounded to infinity or zero. */
#ifndef NARROWS_HARNESS_SCENARIO_YAML_NUMERAL_H
#define NARROWS_HARNESS_SCENARIO_YAML_NUMERAL_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the numeral at the start of text; 0 if there is none, with the reason in *why. */
size_t numeral_span(const char *text, const char **why);

/* The numeral text[0..n) times 10^exponent, correctly rounded. Nonzero, with the reason in *why, if out of range. */
int numeral_value(const char *text, size_t n, int exponent, double *out, const char **why);

/* A whole number and nothing else: digits, perhaps a minus. Nonzero, with the reason in *why, for any other text. */
int numeral_integer(const char *text, int64_t *out, const char **why);

#endif
