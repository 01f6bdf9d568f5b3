/* numeral.c - the grammar is checked here; strtod and strtoll only convert what passed. */
#include "harness/scenario/yaml/numeral.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 64, LARGEST_EXPONENT = 9999 };

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t digits(const char *text)
{
    size_t n = 0;

    while (digit(text[n]))
        n++;
    return n;
}

static const char *no_number(const char *text)
{
    if (*text == '+')
        return "a plus sign is not needed";
    if (*text == '.')
        return "a digit is needed before the point";
    if (!*text)
        return "nothing";
    return "not a number";
}

/* Digits before the point. */
static size_t whole_span(const char *text, const char **why)
{
    size_t sign = *text == '-', n = digits(text + sign);

    if (!n) {
        *why = no_number(text + sign);
        return 0;
    }
    if (n > 1 && text[sign] == '0') {
        *why = "a leading zero";
        return 0;
    }
    if (n == 1 && text[sign] == '0' && (text[sign + 1] == 'x' || text[sign + 1] == 'X')) {
        *why = "hexadecimal";
        return 0;
    }
    return sign + n;
}

size_t numeral_span(const char *text, const char **why)
{
    size_t n = whole_span(text, why), more;

    if (!n)
        return 0;
    if (text[n] == '.') {
        more = digits(text + n + 1);
        if (!more) {
            *why = "a digit is needed after the point";
            return 0;
        }
        n += 1 + more;
    }
    if (text[n] == 'e' || text[n] == 'E') {
        size_t sign = text[n + 1] == '+' || text[n + 1] == '-';

        more = digits(text + n + 1 + sign);
        if (more)
            n += 1 + sign + more;
    }
    if (n > LONGEST) {
        *why = "more than 64 characters in a number";
        return 0;
    }
    return n;
}

int numeral_value(const char *text, size_t n, int exponent, double *out, const char **why)
{
    char buf[LONGEST + 16];
    size_t mantissa = strcspn(text, "eE");
    long written;
    bool zero = true;
    double v;

    mantissa = mantissa < n ? mantissa : n;
    written = mantissa < n ? strtol(text + mantissa + 1, NULL, 10) : 0;
    if (written > LARGEST_EXPONENT || written < -LARGEST_EXPONENT)
        written = written < 0 ? -LARGEST_EXPONENT : LARGEST_EXPONENT;
    snprintf(buf, sizeof(buf), "%.*se%ld", (int)mantissa, text, written + exponent);
    for (size_t i = 0; i < mantissa; i++)
        zero &= !digit(text[i]) || text[i] == '0';
    v = strtod(buf, NULL);
    if (!isfinite(v)) {
        *why = "too large for a double";
        return -1;
    }
    if (!zero && fabs(v) < 2.2250738585072014e-308) {
        *why = "too small for a double";
        return -1;
    }
    *out = zero ? 0 : v;
    return 0;
}

int numeral_integer(const char *text, int64_t *out, const char **why)
{
    size_t n = whole_span(text, why);
    long long v;

    if (!n)
        return -1;
    if (text[n]) {
        *why = text[n] == '.' ? "a fraction" : text[n] == 'e' || text[n] == 'E' ? "an exponent" : "more than a number";
        return -1;
    }
    errno = 0;
    v = strtoll(text, NULL, 10);
    if (errno) {
        *why = "too large";
        return -1;
    }
    *out = v;
    return 0;
}
