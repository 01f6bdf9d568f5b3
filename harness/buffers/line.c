#include "harness/buffers/line.h"

#include <string.h>

/* Each column's own name first, then the others that minimalloc's files have had. */
static const struct title titles[] = {
    { "id", COLUMN_ID, 0 },        { "lower", COLUMN_LOWER, 0 },   { "upper", COLUMN_UPPER, 0 },
    { "size", COLUMN_SIZE, 0 },    { "offset", COLUMN_OFFSET, 0 }, { "alignment", COLUMN_ALIGNMENT, 0 },
    { "gaps", COLUMN_GAPS, 0 },    { "hint", COLUMN_HINT, 0 },     { "buffer", COLUMN_ID, 0 },
    { "buffer_id", COLUMN_ID, 0 }, { "start", COLUMN_LOWER, 0 },   { "begin", COLUMN_LOWER, 0 },
    { "end", COLUMN_UPPER, 1 },
};

#define TITLES (sizeof(titles) / sizeof(titles[0]))

static bool blank(char c)
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

static bool fail(struct line_fault *fault, struct piece came, const char *expected)
{
    snprintf(fault->expected, sizeof(fault->expected), "%s", expected);
    fault->came = came;
    return false;
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

static const struct title *title_of(struct piece piece)
{
    for (size_t i = 0; i < TITLES; i++)
        if ((size_t)(piece.end - piece.p) == strlen(titles[i].name) &&
            !memcmp(piece.p, titles[i].name, strlen(titles[i].name)))
            return &titles[i];
    return NULL;
}

bool buffers_line_header(const char *text, const char *end, struct header *header, struct line_fault *fault)
{
    struct piece pieces[COLUMNS];
    const struct title *seen[COLUMNS] = { 0 };
    int n = split(text, end, pieces);

    header->n = n < COLUMNS ? n : COLUMNS;
    for (int i = 0; i < header->n; i++) {
        const struct title *title = title_of(pieces[i]);
        if (!title)
            return fail(
                fault, pieces[i],
                "expected the columns id (or buffer), lower (start), upper (end), size and, if you like, offset, "
                "alignment, gaps, hint");
        if (seen[title->column] == title)
            return fail(fault, pieces[i], "expected each column once");
        if (seen[title->column]) {
            fail(fault, pieces[i], "");
            snprintf(fault->expected, sizeof(fault->expected), "expected each column once, and this is '%s' again",
                     seen[title->column]->name);
            return false;
        }
        seen[title->column] = header->titles[i] = title;
    }
    for (int i = 0; i < COLUMN_OFFSET; i++)
        if (!seen[i]) {
            fail(fault, trim(text, end), "");
            snprintf(fault->expected, sizeof(fault->expected), "expected a column '%s'", titles[i].name);
            return false;
        }
    return n <= COLUMNS || fail(fault, trim(text, end), "expected at most 8 columns");
}

/* Digits, and a sign where that is allowed; false past the largest. */
static bool whole(struct piece piece, bool sign, int64_t *value)
{
    bool minus = sign && piece.p < piece.end && *piece.p == '-';

    piece.p += minus;
    if (piece.p == piece.end)
        return false;
    for (*value = 0; piece.p < piece.end; piece.p++) {
        int digit = *piece.p - '0';
        if (digit < 0 || digit > 9 || *value > (BUFFERS_CSV_LARGEST - digit) / 10)
            return false;
        *value = *value * 10 + digit;
    }
    if (minus)
        *value = -*value;
    return true;
}

/* Ids are shown to people, and written first in a line: no control characters, no comments. */
static bool is_id(struct piece piece)
{
    for (const char *p = piece.p; p < piece.end; p++)
        if ((unsigned char)*p < ' ' || *p == 127)
            return false;
    return piece.p < piece.end && *piece.p != '#';
}

/* The last moment of a life that ends at the largest 'upper' is the one before. */
static bool read_upper(struct piece piece, bool last, int64_t *upper)
{
    if (!whole(piece, 1, upper) || (last && *upper == BUFFERS_CSV_LARGEST))
        return false;
    *upper += last;
    return true;
}

static bool is_one_or_less(struct piece piece)
{
    int64_t value = 0;

    return piece.p == piece.end || (whole(piece, 0, &value) && value <= 1);
}

static bool read_value(struct piece piece, const struct title *title, struct buffer *out, struct piece *id)
{
    switch (title->column) {
    case COLUMN_ID: *id = piece; return is_id(piece);
    case COLUMN_LOWER: return whole(piece, 1, &out->lower);
    case COLUMN_UPPER: return read_upper(piece, title->last, &out->upper);
    case COLUMN_SIZE: return whole(piece, 0, &out->bytes);
    case COLUMN_OFFSET: return whole(piece, 0, &out->offset);
    case COLUMN_ALIGNMENT: return is_one_or_less(piece);
    case COLUMN_GAPS: return piece.p == piece.end;
    default: return true; /* a hint helps another's search */
    }
}

static bool refuse_value(const struct title *title, struct piece came, struct line_fault *fault)
{
    static const char *const expected[COLUMNS] = {
        "text that does not begin with '#', without control characters",
        "a whole number from -4611686018427387904 to 4611686018427387904",
        "a whole number from -4611686018427387904 to 4611686018427387904",
        "whole bytes from 0 to 4611686018427387904",
        "whole bytes from 0 to 4611686018427387904",
        "0, 1 or nothing, as all buffers share one alignment",
        "nothing, as a buffer is alive without a break",
    };

    fail(fault, came, "");
    snprintf(fault->expected, sizeof(fault->expected), "%s: expected %s", title->name,
             title->last ? "a whole number from -4611686018427387904 to 4611686018427387903" : expected[title->column]);
    return false;
}

bool buffers_line_read(const char *text, const char *end, const struct header *header, struct buffer *out,
                       struct piece *id, struct line_fault *fault)
{
    struct piece pieces[COLUMNS], upper_piece = { text, text };
    const struct title *lower = titles, *upper = titles;
    int n = split(text, end, pieces);

    if (n != header->n) {
        fail(fault, trim(text, end), "");
        snprintf(fault->expected, sizeof(fault->expected), "expected %d values, as the header has", header->n);
        return false;
    }
    for (int i = 0; i < n; i++) {
        const struct title *title = header->titles[i];
        if (!read_value(pieces[i], title, out, id))
            return refuse_value(title, pieces[i], fault);
        if (title->column == COLUMN_LOWER)
            lower = title;
        if (title->column == COLUMN_UPPER) {
            upper = title;
            upper_piece = pieces[i];
        }
    }
    if (out->upper >= out->lower)
        return true;
    fail(fault, upper_piece, "");
    snprintf(fault->expected, sizeof(fault->expected), "%s: expected no less than %s%s, %lld", upper->name, lower->name,
             upper->last ? " - 1" : "", (long long)out->lower - upper->last);
    return false;
}
