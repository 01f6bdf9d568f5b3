#include "harness/text/legible.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/count.h"

enum { DIGITS = 4 };

/* Digits behind the point that leave DIGITS of them in all, zeros at the end dropped. */
static void cut(double v, char *text, size_t size)
{
    double magnitude = fabs(v);
    int before = magnitude >= 1 ? (int)floor(log10(magnitude)) + 1 : 0;

    if (magnitude > 0 && (magnitude < 1e-3 || magnitude >= 1e15))
        snprintf(text, size, "%.*g", DIGITS, v);
    else if (magnitude < 1)
        snprintf(text, size, "%.*g", DIGITS, v);
    else
        snprintf(text, size, "%.*f", before < DIGITS ? DIGITS - before : 0, v);
    if (!strchr(text, '.') || strchr(text, 'e'))
        return;
    char *end = text + strlen(text);
    while (end[-1] == '0')
        *--end = '\0';
    if (end[-1] == '.')
        end[-1] = '\0';
}

const char *legible_number(double v, char *text, size_t size)
{
    if (isnan(v))
        snprintf(text, size, "-");
    else
        cut(v, text, size);
    return text;
}

const char *legible_bytes(double bytes, char *text, size_t size)
{
    static const char *const units[] = { "B", "kB", "MB", "GB", "TB", "PB" };
    char number[LEGIBLE];
    size_t i = 0;

    for (; i + 1 < COUNT(units) && bytes >= 1000; i++)
        bytes /= 1000;
    snprintf(text, size, "%s %s", legible_number(bytes, number, sizeof(number)), units[i]);
    return text;
}

const char *legible_factor(double speedup, char *text, size_t size)
{
    bool slower = speedup < 1;
    char number[LEGIBLE];

    snprintf(number, sizeof(number), "%.3g", slower ? 1 / speedup : speedup);
    if (strchr(number, 'e')) /* from 1000 on */
        snprintf(number, sizeof(number), "%.0f", slower ? 1 / speedup : speedup);
    snprintf(text, size, "%sx%s", number, slower && strcmp(number, "1") != 0 ? " slower" : "");
    return text;
}
