#include "harness/buffers/line.h"

/* The names of columns: first the one that messages use for each, then those of minimalloc's files. */
static const struct title titles[] = {
    { "id", COLUMN_ID, 0 },        { "lower", COLUMN_LOWER, 0 },   { "upper", COLUMN_UPPER, 0 },
    { "size", COLUMN_SIZE, 0 },    { "offset", COLUMN_OFFSET, 0 }, { "alignment", COLUMN_ALIGNMENT, 0 },
    { "gaps", COLUMN_GAPS, 0 },    { "hint", COLUMN_HINT, 0 },     { "buffer", COLUMN_ID, 0 },
    { "buffer_id", COLUMN_ID, 0 }, { "start", COLUMN_LOWER, 0 },   { "begin", COLUMN_LOWER, 0 },
    { "end", COLUMN_UPPER, 1 },
};

#define TITLES (sizeof(titles) / sizeof(titles[0]))

static const struct title *title_of(struct csv_piece piece)
{
    for (size_t i = 0; i < TITLES; i++)
        if (csv_equals(piece, titles[i].name))
            return &titles[i];
    return NULL;
}

bool buffers_line_header(struct csv_piece line, struct header *header, struct csv_error *error)
{
    struct csv_piece pieces[COLUMNS];
    const struct title *seen[COLUMNS] = { 0 };
    size_t n = csv_split(line, COLUMNS, pieces);

    header->n = n < COLUMNS ? n : COLUMNS;
    for (size_t i = 0; i < header->n; i++) {
        const struct title *title = title_of(pieces[i]);

        if (!title)
            return csv_refuse(error, pieces[i],
                              "expected the columns id (or buffer), lower (start), upper (end), size and, if you like, "
                              "offset, alignment, gaps, hint");
        if (seen[title->column] == title)
            return csv_refuse(error, pieces[i], "expected each column once");
        if (seen[title->column])
            return csv_refuse(error, pieces[i], "expected each column once, and this is '%s' again",
                              seen[title->column]->name);
        seen[title->column] = header->titles[i] = title;
    }
    for (int i = 0; i < COLUMN_OFFSET; i++)
        if (!seen[i])
            return csv_refuse(error, line, "expected a column '%s'", titles[i].name);
    return n <= COLUMNS || csv_refuse(error, line, "expected at most 8 columns");
}

bool buffers_signed(const char **p, const char *end, int64_t *value)
{
    bool minus = *p < end && **p == '-';

    *p += minus;
    if (!csv_digits(p, end, BUFFERS_CSV_LARGEST, value))
        return false;
    *value = minus ? -*value : *value;
    return true;
}

static bool read_signed(struct csv_piece piece, int64_t *value)
{
    return buffers_signed(&piece.p, piece.end, value) && piece.p == piece.end;
}

static bool read_bytes(struct csv_piece piece, int64_t *value)
{
    return csv_whole(piece, BUFFERS_CSV_LARGEST, value);
}

/* Ids are printed, and written first in a line: neither control characters nor a leading '#' will do. */
static bool is_id(struct csv_piece piece)
{
    for (const char *p = piece.p; p < piece.end; p++)
        if ((unsigned char)*p < ' ' || *p == 127)
            return false;
    return piece.p < piece.end && *piece.p != '#';
}

/* With 'last' the value is the last moment of life, so the largest 'upper' is one more than the largest value. */
static bool read_upper(struct csv_piece piece, bool last, int64_t *upper)
{
    if (!read_signed(piece, upper) || (last && *upper == BUFFERS_CSV_LARGEST))
        return false;
    *upper += last;
    return true;
}

static bool read_alignment(struct csv_piece piece, int64_t *value)
{
    *value = 1;
    if (piece.p < piece.end && !read_bytes(piece, value))
        return false;
    *value += !*value;
    return true;
}

static bool read_value(struct csv_piece piece, const struct title *title, struct buffer *out, struct csv_piece *id)
{
    switch (title->column) {
    case COLUMN_ID: *id = piece; return is_id(piece);
    case COLUMN_LOWER: return read_signed(piece, &out->lower);
    case COLUMN_UPPER: return read_upper(piece, title->last, &out->upper);
    case COLUMN_SIZE: return read_bytes(piece, &out->bytes);
    case COLUMN_OFFSET: return read_bytes(piece, &out->offset);
    case COLUMN_ALIGNMENT: return read_alignment(piece, &out->alignment);
    default: return true; /* gaps are read last; hints are for other programs */
    }
}

static bool refuse_value(const struct title *title, struct csv_piece found, struct csv_error *error)
{
    static const char *const expected[COLUMNS] = {
        "text that does not begin with '#', without control characters",
        "a whole number from -4611686018427387904 to 4611686018427387904",
        "a whole number from -4611686018427387904 to 4611686018427387904",
        "whole bytes from 0 to 4611686018427387904",
        "whole bytes from 0 to 4611686018427387904",
        "whole bytes from 0 to 4611686018427387904, or nothing",
    };

    return csv_refuse(error, found, "%s: expected %s", title->name,
                      title->last ? "a whole number from -4611686018427387904 to 4611686018427387903"
                                  : expected[title->column]);
}

bool buffers_line_read(struct csv_piece line, const struct header *header, struct buffer *out, struct csv_piece *id,
                       struct gap_list *gaps, struct csv_error *error)
{
    struct csv_piece pieces[COLUMNS], upper_piece = { 0 }, gaps_piece = { 0 };
    const struct title *lower = titles, *upper = titles;

    if (csv_split(line, COLUMNS, pieces) != header->n)
        return csv_refuse(error, line, "expected %zu values, as the header has", header->n);
    for (size_t i = 0; i < header->n; i++) {
        const struct title *title = header->titles[i];

        if (!read_value(pieces[i], title, out, id))
            return refuse_value(title, pieces[i], error);
        if (title->column == COLUMN_LOWER)
            lower = title;
        if (title->column == COLUMN_GAPS)
            gaps_piece = pieces[i];
        if (title->column == COLUMN_UPPER) {
            upper = title;
            upper_piece = pieces[i];
        }
    }
    if (out->upper < out->lower)
        return csv_refuse(error, upper_piece, "%s: expected no less than %s%s, %lld", upper->name, lower->name,
                          upper->last ? " - 1" : "", (long long)out->lower - upper->last);
    return gaps_piece.p == gaps_piece.end || buffers_gaps_read(gaps_piece, upper->last, out, gaps, error);
}
