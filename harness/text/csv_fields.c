#include "harness/text/csv_fields.h"

#include <string.h>

static char *trim(char *from, char *end)
{
    while (from < end && (*from == ' ' || *from == '\t'))
        from++;
    while (end > from && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    *end = '\0';
    return from;
}

/* A field in quotation marks, doubled ones inside made single; *at moves behind it. */
static char *quoted(char **at, char *end)
{
    char *from = *at + 1, *to = from, *p = from;

    while (p < end && (*p != '"' || (p + 1 < end && p[1] == '"'))) {
        p += *p == '"';
        *to++ = *p++;
    }
    while (p < end && *p != ',' && *p != '\n')
        p++;
    *at = p;
    *to = '\0';
    return from;
}

static char *plain(char **at, char *end)
{
    char *from = *at;

    while (*at < end && **at != ',' && **at != '\n')
        ++*at;
    return from;
}

static void add_line(char **text, char *end, struct csv_fields *out)
{
    bool more = true;

    while (more) {
        char *at = *text, *field, stop;
        while (at < end && *at == ' ')
            at++;
        bool marks = at < end && *at == '"';
        field = marks ? quoted(&at, end) : plain(&at, end);
        stop = at < end ? *at : '\n';
        if (!marks)
            field = trim(field, at);
        if (out->n < CSV_MOST_FIELDS)
            out->fields[out->n++] = field;
        else
            out->too_many = true;
        *text = at < end ? at + 1 : end;
        more = stop == ',';
    }
}

bool csv_next(char **text, char *end, size_t *number, struct csv_fields *out)
{
    *out = (struct csv_fields){ .n = 0 };
    while (*text < end) {
        char *line = *text + strspn(*text, " \t\r");
        ++*number;
        if (*line == '\n' || *line == '#' || line >= end) {
            char *next = memchr(*text, '\n', (size_t)(end - *text));
            *text = next ? next + 1 : end;
            continue;
        }
        add_line(text, end, out);
        return true;
    }
    return false;
}
