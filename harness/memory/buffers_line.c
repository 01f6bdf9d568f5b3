#include "harness/memory/buffers_line.h"

#include <string.h>

static const char *const names[COLUMNS] = { "id", "lower", "upper", "size", "offset" };

static _Bool blank(char c)
{
    return c == ' ' || c == '\t';
}

static struct piece trim(const char *p, const char *end)
{
    while (p < end && blank(*p))
        p++;
    while (p < end && blank(end[-1]))
        end--;
    return (struct piece){ p, end };
}

static _Bool fail(struct line_fault *fault, struct piece came, const char *expected)
{
    snprintf(fault->expected, sizeof(fault->expected), "%s", expected);
    fault->came = came;
    return 0;
}

/* Cut at the commas; how many pieces there are, those past the last column only counted. */
static int split(const char *p, const char *end, struct piece pieces[COLUMNS])
{
    int n = 0;

    for (const char *from = p;; p++)
        if (p == end || *p == ',') {
            if (n < COLUMNS)
                pieces[n] = trim(from, p);
            n += n <= COLUMNS;
            from = p + 1;
            if (p == end)
                return n;
        }
}

static int column_of(struct piece piece)
{
    for (int i = 0; i < COLUMNS; i++)
        if ((size_t)(piece.end - piece.p) == strlen(names[i]) && !memcmp(piece.p, names[i], strlen(names[i])))
            return i;
    return -1;
}

_Bool buffers_line_header(const char *text, const char *end, struct header *header, struct line_fault *fault)
{
    struct piece pieces[COLUMNS];
    _Bool seen[COLUMNS] = { 0 };
    int n = split(text, end, pieces);

    header->n = n < COLUMNS ? n : COLUMNS;
    for (int i = 0; i < header->n; i++) {
        int column = column_of(pieces[i]);
        if (column < 0)
            return fail(fault, pieces[i], "expected the columns id, lower, upper, size and, if you like, offset");
        if (seen[column])
            return fail(fault, pieces[i], "expected each column once");
        seen[column] = 1;
        header->columns[i] = (enum column)column;
    }
    for (int i = 0; i < COLUMN_OFFSET; i++)
        if (!seen[i]) {
            fail(fault, trim(text, end), "");
            snprintf(fault->expected, sizeof(fault->expected), "expected a column '%s'", names[i]);
            return 0;
        }
    return n <= COLUMNS || fail(fault, trim(text, end), "expected at most 5 columns");
}

/* Digits, and a sign where that is allowed; false past the largest. */
static _Bool whole(struct piece piece, _Bool sign, int64_t *value)
{
    _Bool minus = sign && piece.p < piece.end && *piece.p == '-';

    piece.p += minus;
    if (piece.p == piece.end)
        return 0;
    for (*value = 0; piece.p < piece.end; piece.p++) {
        int digit = *piece.p - '0';
        if (digit < 0 || digit > 9 || *value > (BUFFERS_CSV_LARGEST - digit) / 10)
            return 0;
        *value = *value * 10 + digit;
    }
    if (minus)
        *value = -*value;
    return 1;
}

/* Ids are shown to people, and written first in a line: no control characters, no comments. */
static _Bool is_id(struct piece piece)
{
    for (const char *p = piece.p; p < piece.end; p++)
        if ((unsigned char)*p < ' ' || *p == 127)
            return 0;
    return piece.p < piece.end && *piece.p != '#';
}

static _Bool read_value(struct piece piece, enum column column, struct buffer *out, struct piece *id)
{
    switch (column) {
    case COLUMN_ID: *id = piece; return is_id(piece);
    case COLUMN_LOWER: return whole(piece, 1, &out->lower);
    case COLUMN_UPPER: return whole(piece, 1, &out->upper);
    case COLUMN_SIZE: return whole(piece, 0, &out->bytes);
    default: return whole(piece, 0, &out->offset);
    }
}

_Bool buffers_line_read(const char *text, const char *end, const struct header *header, struct buffer *out,
                        struct piece *id, struct line_fault *fault)
{
    static const char *const expected[COLUMNS] = {
        "id: expected text that does not begin with '#', without control characters",
        "lower: expected a whole number from -4611686018427387904 to 4611686018427387904",
        "upper: expected a whole number from -4611686018427387904 to 4611686018427387904",
        "size: expected whole bytes from 0 to 4611686018427387904",
        "offset: expected whole bytes from 0 to 4611686018427387904",
    };
    struct piece pieces[COLUMNS], upper = { text, text };
    int n = split(text, end, pieces);

    if (n != header->n) {
        fail(fault, trim(text, end), "");
        snprintf(fault->expected, sizeof(fault->expected), "expected %d values, as the header has", header->n);
        return 0;
    }
    for (int i = 0; i < n; i++) {
        if (!read_value(pieces[i], header->columns[i], out, id))
            return fail(fault, pieces[i], expected[header->columns[i]]);
        if (header->columns[i] == COLUMN_UPPER)
            upper = pieces[i];
    }
    if (out->upper >= out->lower)
        return 1;
    fail(fault, upper, "");
    snprintf(fault->expected, sizeof(fault->expected), "upper: expected no less than lower, %lld",
             (long long)out->lower);
    return 0;
}
