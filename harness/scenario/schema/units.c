/* units.c - one table; a number is read with its decimal prefix as exponent, so "7.88 GB/s" is the double nearest to
 * 7.88e9. */
#include "harness/scenario/schema/units.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/count.h"
#include "harness/scenario/yaml/numeral.h"
#include "harness/text/suggest.h"

enum { SHOWN = 5 }; /* significant digits on a screen */

static const struct unit units[] = {
    { "B", DIM_BYTES, 0, 1 },
    { "kB", DIM_BYTES, 3, 1 },
    { "MB", DIM_BYTES, 6, 1 },
    { "GB", DIM_BYTES, 9, 1 },
    { "TB", DIM_BYTES, 12, 1 },
    { "KiB", DIM_BYTES, 0, 1024.0 },
    { "MiB", DIM_BYTES, 0, 1048576.0 },
    { "GiB", DIM_BYTES, 0, 1073741824.0 },
    { "TiB", DIM_BYTES, 0, 1099511627776.0 },
    { "B/s", DIM_BYTES_PER_S, 0, 1 },
    { "kB/s", DIM_BYTES_PER_S, 3, 1 },
    { "MB/s", DIM_BYTES_PER_S, 6, 1 },
    { "GB/s", DIM_BYTES_PER_S, 9, 1 },
    { "TB/s", DIM_BYTES_PER_S, 12, 1 },
    { "KiB/s", DIM_BYTES_PER_S, 0, 1024.0 },
    { "MiB/s", DIM_BYTES_PER_S, 0, 1048576.0 },
    { "GiB/s", DIM_BYTES_PER_S, 0, 1073741824.0 },
    { "TiB/s", DIM_BYTES_PER_S, 0, 1099511627776.0 },
    { "bit/s", DIM_BYTES_PER_S, 0, 0.125 },
    { "kbit/s", DIM_BYTES_PER_S, 3, 0.125 },
    { "Mbit/s", DIM_BYTES_PER_S, 6, 0.125 },
    { "Gbit/s", DIM_BYTES_PER_S, 9, 0.125 },
    { "Tbit/s", DIM_BYTES_PER_S, 12, 0.125 },
    { "s", DIM_SECONDS, 0, 1 },
    { "ms", DIM_SECONDS, -3, 1 },
    { "us", DIM_SECONDS, -6, 1 },
    { "ns", DIM_SECONDS, -9, 1 },
    { "Flop/s", DIM_FLOPS, 0, 1 },
    { "MFlop/s", DIM_FLOPS, 6, 1 },
    { "GFlop/s", DIM_FLOPS, 9, 1 },
    { "TFlop/s", DIM_FLOPS, 12, 1 },
    { "PFlop/s", DIM_FLOPS, 15, 1 },
    { "FLOP/s", DIM_FLOPS, 0, 1 },
    { "MFLOP/s", DIM_FLOPS, 6, 1 },
    { "GFLOP/s", DIM_FLOPS, 9, 1 },
    { "TFLOP/s", DIM_FLOPS, 12, 1 },
    { "PFLOP/s", DIM_FLOPS, 15, 1 },
    { "Hz", DIM_HERTZ, 0, 1 },
    { "kHz", DIM_HERTZ, 3, 1 },
    { "MHz", DIM_HERTZ, 6, 1 },
    { "GHz", DIM_HERTZ, 9, 1 },
};

static const struct unit *unit_find(const char *name, size_t n)
{
    for (size_t i = 0; i < COUNT(units); i++)
        if (strlen(units[i].name) == n && !memcmp(units[i].name, name, n))
            return &units[i];
    return NULL;
}

const char *unit_base(enum dimension d)
{
    static const char *const names[] = { "", "bytes", "bytes/s", "s", "FLOP/s", "Hz" };

    return names[d];
}

const char *unit_examples(enum dimension d)
{
    static const char *const names[] = {
        "", "GB, MB, GiB, MiB", "GB/s, MB/s, GiB/s, Gbit/s", "s, ms, us, ns", "TFlop/s, GFlop/s", "GHz, MHz",
    };

    return names[d];
}

/* "Gb/s" may be meant either way, and the two differ by eight. */
static const char *bits_or_bytes(const char *name)
{
    static const char letters[] = "kMGT";
    static const char *const both[] = {
        "kB/s' or 'kbit/s",
        "MB/s' or 'Mbit/s",
        "GB/s' or 'Gbit/s",
        "TB/s' or 'Tbit/s",
    };

    for (size_t i = 0; letters[i]; i++)
        if (!strncasecmp(name, &letters[i], 1) && (!strcmp(name + 1, "b/s") || !strcmp(name + 1, "bps")))
            return both[i];
    return NULL;
}

/* "GB/s" for "GB". */
static bool is_per_second(const char *unit, const char *name)
{
    size_t n = strlen(name);

    return n && !strncmp(unit, name, n) && !strcmp(unit + n, "/s");
}

/* The unit nearest to a misspelled one; NULL if none is near. */
static const char *unit_suggest(const char *name, enum dimension d)
{
    struct suggest s = { .given = name };
    const char *both = d == DIM_BYTES_PER_S && *name ? bits_or_bytes(name) : NULL;

    if (both)
        return both;
    for (size_t i = 0; i < COUNT(units); i++)
        if (units[i].dimension == d && (!strcasecmp(units[i].name, name) || is_per_second(units[i].name, name)))
            return units[i].name;
    for (size_t i = 0; i < COUNT(units); i++)
        if (units[i].dimension == d)
            suggest_offer(&s, units[i].name);
    return suggest_result(&s);
}

/* The fewest digits that read back as the value in this unit; 0 if there are none. */
static int print_in(double value, const struct unit *u, char *text, size_t size)
{
    double rough = value / u->factor / pow(10, u->exponent), back;
    struct quantity_error error;
    const struct unit *unit;

    for (int digits = 1; digits <= 17; digits++) {
        int n = snprintf(text, size, "%.*g%s%s", digits, rough, *u->name ? " " : "", u->name);

        if (strchr(text, 'e') && digits < 17) /* fewer digits than there are places before the point */
            continue;
        if (n > 0 && (size_t)n < size && !quantity_read(text, u->dimension, &back, &unit, &error) && back == value)
            return n;
    }
    return 0;
}

/* Bits are never printed, and FLOP in one of its two spellings. */
static bool is_printed(const struct unit *u, enum dimension d)
{
    return u->dimension == d && !strstr(u->name, "bit") && !strstr(u->name, "FLOP");
}

void quantity_print(double value, enum dimension d, char *text, size_t size)
{
    static const struct unit plain = { "", DIM_NONE, 0, 1 };
    char other[64];
    int best = 0, n;

    snprintf(text, size, "%.17g", value);
    if (d == DIM_NONE)
        print_in(value, &plain, text, size);
    for (size_t i = 0; i < COUNT(units); i++) {
        double scaled = fabs(value) / units[i].factor / pow(10, units[i].exponent);

        if (!is_printed(&units[i], d) || scaled < 1 || scaled >= 1e5)
            continue;
        n = print_in(value, &units[i], other, sizeof(other));
        if (n && (!best || n <= best)) {
            best = n;
            snprintf(text, size, "%s", other);
        }
    }
    for (size_t i = 0; i < COUNT(units) && !best && d != DIM_NONE; i++)
        if (is_printed(&units[i], d) && units[i].factor == 1 && !units[i].exponent)
            best = print_in(value, &units[i], text, size);
}

static int read_unit(const char *text, size_t at, enum dimension d, const struct unit **unit,
                     struct quantity_error *error)
{
    *unit = unit_find(text + at, strlen(text + at));
    error->offset = at;
    if (!text[at])
        error->why = "a number without a unit";
    else if (!*unit)
        error->why = "an unknown unit";
    else if ((*unit)->dimension != d)
        error->why = "a unit of something else";
    else
        return 0;
    error->suggest = text[at] ? unit_suggest(text + at, d) : NULL;
    return -1;
}

int quantity_read(const char *text, enum dimension d, double *out, const struct unit **unit,
                  struct quantity_error *error)
{
    const struct unit *u = NULL;
    size_t n, at;
    double v;

    *error = (struct quantity_error){ 0 };
    *unit = NULL;
    if (!(n = numeral_span(text, &error->why)))
        return -1;
    for (at = n; text[at] == ' '; at++)
        ;
    if (d == DIM_NONE && text[n]) {
        error->offset = at;
        error->why = "more than a number";
        return -1;
    }
    if (d != DIM_NONE && read_unit(text, at, d, &u, error))
        return -1;
    if (numeral_value(text, n, u ? u->exponent : 0, &v, &error->why))
        return -1;
    *out = u ? v * u->factor : v;
    *unit = u;
    return 0;
}

/* The number at text[0..n) with a point in it, shorter. */
static int shorten(const char *text, size_t n, char *out, size_t size)
{
    char number[64];

    if (n >= sizeof(number))
        return snprintf(out, size, "%.*s", (int)n, text);
    memcpy(number, text, n);
    number[n] = '\0';
    return n > SHOWN + 1 ? snprintf(out, size, "%.*g", SHOWN, strtod(number, NULL)) : snprintf(out, size, "%s", number);
}

const char *quantity_short(const char *text, char *out, size_t size)
{
    const char *start = text, *why;
    size_t used = 0;

    *out = '\0';
    while (*text && used + 1 < size) {
        bool word = text > start && (isalnum((unsigned char)text[-1]) || strchr("-_.", text[-1]));
        size_t n = !word && isdigit((unsigned char)*text) ? numeral_span(text, &why) : 0;
        bool fraction = n && memchr(text, '.', n) && !isalpha((unsigned char)text[n]);
        int written = fraction ? shorten(text, n, out + used, size - used)
                               : snprintf(out + used, size - used, "%.*s", n ? (int)n : 1, text);

        used += written > 0 ? (size_t)written : 0;
        text += n ? n : 1;
    }
    return out;
}
