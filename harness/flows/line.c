#include "harness/flows/line.h"

#include <limits.h>
#include <string.h>

/* A piece of the line, without blanks around it. */
struct piece {
    const char *p, *end;
};

static const char *const columns[] = { "id", "src", "dst", "bytes", "start_s" };
enum { COLUMNS = sizeof(columns) / sizeof(*columns) };

static bool blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

static struct piece trim(const char *p, const char *end)
{
    while (p < end && blank(*p))
        p++;
    while (p < end && blank(end[-1]))
        end--;
    return (struct piece){ p, end };
}

static bool fail(struct flow_fault *fault, struct piece came, const char *expected)
{
    snprintf(fault->expected, sizeof(fault->expected), "%s", expected);
    fault->came = came.p;
    fault->n = (size_t)(came.end - came.p);
    return false;
}

/* Cut at the commas; how many pieces there are, those past the last column only counted. */
static size_t split(const char *p, const char *end, struct piece pieces[COLUMNS])
{
    size_t n = 0;

    for (const char *from = p;; p++)
        if (p == end || *p == ',') {
            if (n < COLUMNS)
                pieces[n] = trim(from, p);
            n++;
            from = p + 1;
            if (p == end)
                return n;
        }
}

/* Digits, at least one of them, and where they end; false past 'most'. */
static bool whole(const char **p, const char *end, int64_t most, int64_t *value)
{
    const char *from = *p;

    for (*value = 0; *p < end && digit(**p); (*p)++) {
        int d = **p - '0';
        if (*value > (most - d) / 10)
            return false;
        *value = *value * 10 + d;
    }
    return *p > from;
}

static bool read_whole(struct piece piece, int64_t most, int64_t *value)
{
    return whole(&piece.p, piece.end, most, value) && piece.p == piece.end;
}

static bool read_end(struct piece piece, struct end *end)
{
    static const char gpu[] = ".gpu";
    const size_t n = sizeof(gpu) - 1;

    end->gpu = END_HOST;
    if (!whole(&piece.p, piece.end, INT_MAX, &end->machine))
        return false;
    if ((size_t)(piece.end - piece.p) > n && !memcmp(piece.p, gpu, n)) {
        piece.p += n;
        return read_whole(piece, INT_MAX, &end->gpu);
    }
    return piece.p == piece.end;
}

/* A decimal number: digits times a power of ten. Digits past the 30th only move the point: a time that can be counted
 * has 19 of them, and one more decides how it is rounded. */
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

static bool read_decimal(struct piece piece, struct decimal *d)
{
    size_t seen = 0;
    bool fraction = false, minus;
    int64_t power;

    for (*d = (struct decimal){ 0 }; piece.p < piece.end && (digit(*piece.p) || (*piece.p == '.' && !fraction));
         piece.p++)
        if (*piece.p == '.')
            fraction = 1;
        else {
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
    if (!read_whole(piece, 9999, &power))
        return false;
    d->power += minus ? -power : power;
    return true;
}

/* Half a picosecond rounds up. */
static bool read_seconds(struct piece piece, int64_t *ps)
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

bool flow_line_header(const char *text, const char *end, struct flow_fault *fault)
{
    struct piece pieces[COLUMNS];
    bool right = split(text, end, pieces) == COLUMNS;

    for (size_t i = 0; right && i < COLUMNS; i++)
        right = (size_t)(pieces[i].end - pieces[i].p) == strlen(columns[i]) &&
                !memcmp(pieces[i].p, columns[i], strlen(columns[i]));
    return right || fail(fault, trim(text, end), "expected the header 'id,src,dst,bytes,start_s'");
}

bool flow_line_read(const char *text, const char *end, struct flow_spec *out, struct flow_fault *fault)
{
    struct piece pieces[COLUMNS];
    size_t n = split(text, end, pieces);

    if (n != COLUMNS) {
        fail(fault, trim(text, end), "");
        snprintf(fault->expected, sizeof(fault->expected), "expected 5 values (id,src,dst,bytes,start_s), found %zu",
                 n);
        return false;
    }
    if (!read_whole(pieces[0], INT_MAX, &out->id))
        return fail(fault, pieces[0], "id: expected a whole number from 0 to 2147483647");
    if (!read_end(pieces[1], &out->src))
        return fail(fault, pieces[1], "src: expected a machine (7) or a GPU of it (7.gpu1)");
    if (!read_end(pieces[2], &out->dst))
        return fail(fault, pieces[2], "dst: expected a machine (7) or a GPU of it (7.gpu1)");
    if (!read_whole(pieces[3], INT64_MAX, &out->bytes))
        return fail(fault, pieces[3], "bytes: expected a whole number from 0 to 9223372036854775807");
    if (!read_seconds(pieces[4], &out->start_ps))
        return fail(fault, pieces[4], "start_s: expected seconds from 0 to 9223372 (0.25, 1e-05)");
    return true;
}
