#include "harness/text/csv_lines.h"

#include <stdarg.h>
#include <string.h>

#include "harness/status.h"

enum { MOST_SHOWN = 40 };

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static struct csv_piece trim(const char *p, const char *end)
{
    while (p < end && is_blank(*p))
        p++;
    while (p < end && is_blank(end[-1]))
        end--;
    return (struct csv_piece){ p, end };
}

bool csv_refuse(struct csv_error *error, struct csv_piece found, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(error->expected, sizeof(error->expected), format, args);
    va_end(args);
    error->found = trim(found.p, found.end);
    return false;
}

/* As much of what was found as fits, with '?' for bytes that are not printable. */
void csv_report(struct csv_reader *r, int64_t number, const char *text, const struct csv_error *error)
{
    char found[MOST_SHOWN + 1];
    size_t all = (size_t)(error->found.end - error->found.p), n = all < MOST_SHOWN ? all : MOST_SHOWN;

    for (size_t i = 0; i < n; i++)
        found[i] = error->found.p[i] >= ' ' && error->found.p[i] <= '~' ? error->found.p[i] : '?';
    found[n] = '\0';
    fprintf(r->err, "%s:%lld:%td: %s, got %s%s%s\n", r->name, (long long)number, error->found.p - text + 1,
            error->expected, n ? "'" : "nothing", found, all > n ? "...'" : (n ? "'" : ""));
    r->nerrors++;
}

/* Where a line ends and the next begins; a CR before the LF belongs to neither. */
static const char *line_end(const char *p, const char *end, const char **next)
{
    const char *lf = memchr(p, '\n', (size_t)(end - p)), *stop = lf ? lf : end;

    *next = lf ? lf + 1 : end;
    return stop > p && stop[-1] == '\r' ? stop - 1 : stop;
}

static bool is_empty(const char *p, const char *end)
{
    struct csv_piece line = trim(p, end);

    return line.p == line.end || *line.p == '#';
}

static int read_row(struct csv_reader *r, struct csv_piece line, int64_t number)
{
    const struct csv_format *f = r->format;
    struct csv_error error;

    if (!f->grow(r->context))
        return NW_ENOMEM;
    if (!f->read_row(r->context, line, number, &error)) {
        csv_report(r, number, line.p, &error);
    } else if (r->nrows++ == f->most) {
        fprintf(r->err, "%s:%lld:1: expected at most %zu %s, got more\n", r->name, (long long)number, f->most, f->rows);
        return NW_EINPUT;
    }
    return NW_OK;
}

int csv_read_lines(struct csv_reader *r, const char *text, const char *end)
{
    const struct csv_format *f = r->format;
    int64_t number = 1;
    bool headed = false;
    int rc = NW_OK;

    for (const char *p = text, *next; !rc && p < end && r->nerrors < CSV_MOST_ERRORS; p = next, number++) {
        struct csv_piece line = { p, line_end(p, end, &next) };
        struct csv_error error;

        if (is_empty(line.p, line.end))
            continue;
        if (headed) {
            rc = read_row(r, line, number);
        } else if (!f->read_header(r->context, line, &error)) {
            csv_report(r, number, p, &error);
            return NW_EINPUT; /* without columns the rest means nothing */
        }
        headed = true;
    }
    if (!rc && !r->nrows && !r->nerrors && (!headed || f->row)) {
        fprintf(r->err, "%s:%lld:1: expected %s, got no line\n", r->name, (long long)number,
                headed ? f->row : f->header);
        rc = NW_EINPUT;
    }
    if (r->nerrors == CSV_MOST_ERRORS)
        fprintf(r->err, "%s: and perhaps more: the first %d errors were listed\n", r->name, CSV_MOST_ERRORS);
    return !rc && r->nerrors ? NW_EINPUT : rc;
}

const char *csv_skip_mark(const char *text, size_t size)
{
    return size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? text + 3 : text;
}

size_t csv_split(struct csv_piece line, size_t most, struct csv_piece pieces[])
{
    size_t n = 0;

    for (const char *p = line.p, *from = p;; p++)
        if (p == line.end || *p == ',') {
            if (n < most)
                pieces[n] = trim(from, p);
            n++;
            from = p + 1;
            if (p == line.end)
                return n;
        }
}

bool csv_equals(struct csv_piece piece, const char *text)
{
    return (size_t)(piece.end - piece.p) == strlen(text) && !memcmp(piece.p, text, strlen(text));
}

bool csv_digits(const char **p, const char *end, int64_t most, int64_t *value)
{
    const char *from = *p;

    for (*value = 0; *p < end && **p >= '0' && **p <= '9'; (*p)++) {
        int digit = **p - '0';

        if (*value > (most - digit) / 10)
            return false;
        *value = *value * 10 + digit;
    }
    return *p > from;
}

bool csv_whole(struct csv_piece piece, int64_t most, int64_t *value)
{
    return csv_digits(&piece.p, piece.end, most, value) && piece.p == piece.end;
}
