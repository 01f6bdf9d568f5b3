#include "harness/data/criteo_line.h"

#include <string.h>

enum { COLUMNS = 1 + CRITEO_DENSE + CRITEO_TABLES, MOST_DIGITS = 18, MOST_HEX = 8 };

static bool read_integer(const char *p, const char *end, int64_t *to)
{
    bool negative = p < end && *p == '-';
    int64_t value = 0;

    p += negative;
    if (p == end || end - p > MOST_DIGITS)
        return false;
    for (; p < end; p++) {
        if (*p < '0' || *p > '9')
            return false;
        value = 10 * value + (*p - '0');
    }
    *to = negative ? -value : value;
    return true;
}

static bool read_hex(const char *p, const char *end, int64_t *to)
{
    int64_t value = 0;

    if (p == end || end - p > MOST_HEX)
        return false;
    for (; p < end; p++) {
        int digit = *p >= '0' && *p <= '9'   ? *p - '0'
                    : *p >= 'a' && *p <= 'f' ? *p - 'a' + 10
                    : *p >= 'A' && *p <= 'F' ? *p - 'A' + 10
                                             : -1;

        if (digit < 0)
            return false;
        value = 16 * value + digit;
    }
    *to = value;
    return true;
}

/* NULL, or what was expected instead. */
static const char *read_column(int column, const char *p, const char *end, struct criteo_line *line)
{
    if (column == 0) {
        line->label = p < end && *p == '1';
        return end - p == 1 && (*p == '0' || *p == '1') ? NULL : "a label, 0 or 1";
    }
    if (column <= CRITEO_DENSE) {
        line->dense[column - 1] = 0;
        return p == end || read_integer(p, end, &line->dense[column - 1]) ? NULL : "an integer or nothing";
    }
    line->categories[column - 1 - CRITEO_DENSE] = -1;
    return p == end || read_hex(p, end, &line->categories[column - 1 - CRITEO_DENSE])
               ? NULL
               : "a hexadecimal number of at most 8 digits or nothing";
}

bool criteo_line_read(const char *text, size_t n, struct criteo_line *line, struct criteo_error *error)
{
    const char *p = text, *end = text + n;

    for (int column = 0; column < COLUMNS; column++) {
        const char *tab = memchr(p, '\t', (size_t)(end - p)), *stop = tab ? tab : end, *expected = NULL;

        if (!tab != (column == COLUMNS - 1)) {
            expected = tab ? "the last of 40 columns" : "40 columns separated by tabs";
            stop = end;
        } else {
            expected = read_column(column, p, stop, line);
        }
        if (expected) {
            *error = (struct criteo_error){ column + 1, expected, p, (size_t)(stop - p) };
            return false;
        }
        p = stop + 1;
    }
    return true;
}
