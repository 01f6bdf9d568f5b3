#include "harness/flows/line.h"

#include <limits.h>
#include <string.h>

static const char *const columns[] = { "id", "src", "dst", "bytes", "start_s", "after", "delay_s" };
enum { PLAIN = 5, ORDERED = sizeof(columns) / sizeof(*columns) };

static bool read_end(struct csv_piece piece, struct end *end)
{
    static const char gpu[] = ".gpu";
    const size_t n = sizeof(gpu) - 1;

    end->gpu = END_HOST;
    if (!csv_digits(&piece.p, piece.end, INT_MAX, &end->machine))
        return false;
    if ((size_t)(piece.end - piece.p) > n && !memcmp(piece.p, gpu, n)) {
        piece.p += n;
        return csv_whole(piece, INT_MAX, &end->gpu);
    }
    return piece.p == piece.end;
}

/* A decimal number: digits times a power of ten. Digits past the 30th only move the point: a representable time has
 * 19 of them, and one more decides how it is rounded. */
struct decimal {
    unsigned __int128 digits;
    int64_t power;
};

static void take_digit(struct decimal *d, int value, bool fraction)
{
    static const unsigned __int128 full = (unsigned __int128)100000000000000 * 1000000000000000;

    if (d->digits >= full) {
        d->power += !fraction;
        return;
    }
    d->digits = d->digits * 10 + (unsigned)value;
    d->power -= fraction;
}

static bool read_decimal(struct csv_piece piece, struct decimal *d)
{
    size_t seen = 0;
    bool fraction = false, minus;
    int64_t power;

    for (*d = (struct decimal){ 0 }; piece.p < piece.end; piece.p++) {
        if (*piece.p == '.' && !fraction) {
            fraction = true;
            continue;
        }
        if (*piece.p < '0' || *piece.p > '9')
            break;
        take_digit(d, *piece.p - '0', fraction);
        seen++;
    }
    if (!seen || piece.p == piece.end)
        return seen > 0;
    if (*piece.p != 'e' && *piece.p != 'E')
        return false;
    piece.p++;
    minus = piece.p < piece.end && *piece.p == '-';
    piece.p += piece.p < piece.end && (*piece.p == '-' || *piece.p == '+');
    if (!csv_whole(piece, 9999, &power))
        return false;
    d->power += minus ? -power : power;
    return true;
}

/* Half a picosecond rounds up. */
static bool read_seconds(struct csv_piece piece, int64_t *ps)
{
    struct decimal d;
    int dropped = 0;

    if (!read_decimal(piece, &d))
        return false;
    d.power += 12;
    for (; d.power < 0 && d.digits; d.power++) {
        dropped = (int)(d.digits % 10);
        d.digits /= 10;
    }
    d.digits += d.power >= 0 && dropped >= 5;
    for (; d.power > 0 && d.digits && d.digits <= INT64_MAX; d.power--)
        d.digits *= 10;
    *ps = (int64_t)d.digits;
    return d.digits <= INT64_MAX;
}

bool flow_line_header(bool *ordered, struct csv_piece line, struct csv_error *error)
{
    struct csv_piece pieces[ORDERED];
    size_t n = csv_split(line, ORDERED, pieces);
    bool right = n == PLAIN || n == ORDERED;

    *ordered = n == ORDERED;
    for (size_t i = 0; right && i < n; i++)
        right = csv_equals(pieces[i], columns[i]);
    return right || csv_refuse(error, line, "expected the header 'id,src,dst,bytes,start_s'");
}

static bool read_plain(const struct csv_piece pieces[PLAIN], struct flow_spec *out, struct csv_error *error)
{
    if (!csv_whole(pieces[0], INT_MAX, &out->id))
        return csv_refuse(error, pieces[0], "id: expected a whole number from 0 to 2147483647");
    if (!read_end(pieces[1], &out->src))
        return csv_refuse(error, pieces[1], "src: expected a machine (7) or a GPU of it (7.gpu1)");
    if (!read_end(pieces[2], &out->dst))
        return csv_refuse(error, pieces[2], "dst: expected a machine (7) or a GPU of it (7.gpu1)");
    if (!csv_whole(pieces[3], INT64_MAX, &out->bytes))
        return csv_refuse(error, pieces[3], "bytes: expected a whole number from 0 to 9223372036854775807");
    if (!read_seconds(pieces[4], &out->start_ps))
        return csv_refuse(error, pieces[4], "start_s: expected seconds from 0 to 9223372 (0.25, 1e-05)");
    return true;
}

bool flow_line_read(bool ordered, struct csv_piece line, struct flow_spec *out, struct csv_piece *after,
                    struct csv_error *error)
{
    struct csv_piece pieces[ORDERED];
    size_t n = csv_split(line, ORDERED, pieces);

    *after = (struct csv_piece){ line.p, line.p };
    if (n != (ordered ? ORDERED : PLAIN))
        return csv_refuse(error, line, "expected %d values (id,src,dst,bytes,start_s%s), found %zu",
                          ordered ? ORDERED : PLAIN, ordered ? ",after,delay_s" : "", n);
    if (!read_plain(pieces, out, error))
        return false;
    if (ordered && !read_seconds(pieces[PLAIN + 1], &out->delay_ps))
        return csv_refuse(error, pieces[PLAIN + 1], "delay_s: expected seconds from 0 to 9223372 (0.25, 1e-05)");
    if (ordered)
        *after = pieces[PLAIN];
    return true;
}

bool flow_line_after(struct csv_piece *after, int64_t *id, struct csv_error *error)
{
    struct csv_piece rest = *after;

    while (after->p < after->end && (*after->p == ' ' || *after->p == '\t'))
        after->p++;
    if (after->p == after->end)
        return false;
    rest.p = after->p;
    if (csv_digits(&after->p, after->end, INT_MAX, id) &&
        (after->p == after->end || *after->p == ' ' || *after->p == '\t'))
        return true;
    csv_refuse(error, rest, "after: expected ids from 0 to 2147483647 with blanks between");
    return false;
}
