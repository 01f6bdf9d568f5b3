/* range.c - ranges of an axis. */
#include "harness/scenario/points/range.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/scenario/yaml/numeral.h"

enum { LONGEST = 128 };

/* text[from..to) without blanks around it, into buf. Nonzero if it is too long. */
static int cut(const char *text, size_t from, size_t to, char *buf)
{
    while (from < to && text[from] == ' ')
        from++;
    while (to > from && text[to - 1] == ' ')
        to--;
    if (to - from >= LONGEST)
        return -1;
    memcpy(buf, text + from, to - from);
    buf[to - from] = '\0';
    return 0;
}

static bool whole_number(const char *text)
{
    return !text[strspn(text, "0123456789")];
}

/* An end of the range in base units. Without a unit it has the unit 'other', which may be NULL. */
static int read_end(const char *text, enum dimension d, const struct unit *other, double *v, const struct unit **unit,
                    struct quantity_error *error)
{
    size_t n = numeral_span(text, &error->why);

    *unit = other;
    if (n && !text[n] && other)
        return numeral_value(text, n, other->exponent, v, &error->why) ? -1 : (*v *= other->factor, 0);
    return quantity_read(text, d, v, unit, error);
}

/* An end in the range's unit: as written if the unit is the same, so that nothing is rounded twice. */
static double in_unit(const char *text, double base, const struct unit *own, const struct unit *unit)
{
    const char *why;
    double v;

    if (!unit || own == unit)
        return numeral_value(text, numeral_span(text, &why), 0, &v, &why) ? base : v;
    return base / unit->factor / pow(10, unit->exponent);
}

static int read_ends(const char *low, const char *high, enum dimension d, struct range *out,
                     struct quantity_error *error)
{
    const struct unit *low_unit;
    double a, b;

    if (read_end(high, d, NULL, &b, &out->unit, error) || read_end(low, d, out->unit, &a, &low_unit, error))
        return -1;
    out->low = in_unit(low, a, low_unit, out->unit);
    out->high = in_unit(high, b, out->unit, out->unit);
    return 0;
}

int range_read(const char *text, enum dimension d, size_t most, struct range *out, struct quantity_error *error)
{
    const char *dots = strstr(text, ".."), *colon = dots ? strchr(dots, ':') : NULL,
               *second = colon ? strchr(colon + 1, ':') : NULL;
    char low[LONGEST], high[LONGEST], mode[LONGEST], count[LONGEST];
    int64_t n;

    *error = (struct quantity_error){ .why = "expected LOW..HIGH UNIT:lin:COUNT or :log:COUNT" };
    if (!second || cut(text, 0, (size_t)(dots - text), low) ||
        cut(text, (size_t)(dots - text) + 2, (size_t)(colon - text), high) ||
        cut(text, (size_t)(colon - text) + 1, (size_t)(second - text), mode) ||
        cut(text, (size_t)(second - text) + 1, strlen(text), count))
        return -1;
    out->logarithmic = !strcmp(mode, "log");
    if (!out->logarithmic && strcmp(mode, "lin")) {
        error->why = "the spacing is 'lin' or 'log'";
        return -1;
    }
    if (!whole_number(count) || numeral_integer(count, &n, &error->why) || n < 2 || (size_t)n > most) {
        error->why = "the number of points is a whole number from 2 to 100000";
        return -1;
    }
    out->n = (size_t)n;
    if (read_ends(low, high, d, out, error)) {
        error->offset = 0;
        return -1;
    }
    if (out->logarithmic && (out->low <= 0 || out->high <= 0)) {
        error->why = "a logarithmic range is above 0";
        return -1;
    }
    return 0;
}

/* The fewest digits, from 12 on, that read back as v. */
static int print_exact(double v, char *buf, size_t size)
{
    int n = snprintf(buf, size, "%.12g", v);

    return strtod(buf, NULL) == v ? n : snprintf(buf, size, "%.17g", v);
}

void range_point(const struct range *r, size_t i, char *buf, size_t size)
{
    double share = (double)i / (double)(r->n - 1), v;
    int n;

    if (i == 0 || i == r->n - 1)
        n = print_exact(i ? r->high : r->low, buf, size);
    else {
        v = r->logarithmic ? exp(log(r->low) + (log(r->high) - log(r->low)) * share)
                           : r->low + (r->high - r->low) * share;
        n = snprintf(buf, size, "%.12g", v);
    }
    if (r->unit && n > 0 && (size_t)n < size)
        snprintf(buf + n, size - (size_t)n, " %s", r->unit->name);
}
