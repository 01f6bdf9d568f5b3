/* excerpt.c - a line may be a megabyte of noise; the part shown is short and printable. */
#include "harness/scenario/yaml/excerpt.h"

#include <string.h>

/* Characters: a line shown as a whole, else those shown around the column. */
enum { WHOLE = 100, BEFORE = 70, AFTER = 30 };

static size_t utf8_size(const unsigned char *t, size_t size)
{
    size_t n = t[0] < 0x80 ? 1 : t[0] >> 5 == 6 ? 2 : t[0] >> 4 == 14 ? 3 : t[0] >> 3 == 30 ? 4 : 1;

    if (n > size)
        return 1;
    for (size_t i = 1; i < n; i++)
        if (t[i] >> 6 != 2)
            return 1;
    return n;
}

size_t excerpt_character(const char *text, size_t size, char *out, size_t nout, size_t *columns)
{
    const unsigned char *t = (const unsigned char *)text;
    size_t n = utf8_size(t, size);
    int shown = n > 1 ? !(t[0] == 0xc2 && t[1] < 0xa0) : (t[0] >= 0x20 && t[0] < 0x7f);

    if (shown) {
        snprintf(out, nout, "%.*s", (int)n, text);
        *columns = 1;
    } else {
        n = 1;
        *columns = (size_t)snprintf(out, nout, "\\x%02x", t[0]);
    }
    return n;
}

static size_t offset_of_column(const char *line, size_t size, size_t column)
{
    size_t i = 0;

    for (size_t at = 1; at < column && i < size; at++)
        i += utf8_size((const unsigned char *)line + i, size - i);
    return i;
}

void excerpt_print(struct mark at, FILE *out)
{
    size_t size, columns, n, column = at.column ? at.column : 1;
    const char *line = source_line(at.source, at.line, &size);
    int whole = offset_of_column(line, size, WHOLE + 1) == size;
    size_t first = whole || column <= BEFORE + 3 ? 0 : offset_of_column(line, size, column - BEFORE);
    size_t caret = offset_of_column(line, size, column);
    size_t last = whole ? size : offset_of_column(line, size, (column > BEFORE ? column : BEFORE) + AFTER);
    char shown[8], indent[1024] = "";
    size_t nindent = 0;

    fputs(first ? "    ..." : "    ", out);
    if (first)
        nindent = (size_t)snprintf(indent, sizeof(indent), "   ");
    for (size_t i = first; i < last; i += n) {
        if (line[i] == '\t') {
            memcpy(shown, "\t", 2);
            columns = n = 1;
        } else {
            n = excerpt_character(line + i, size - i, shown, sizeof(shown), &columns);
        }
        fputs(shown, out);
        for (size_t k = 0; i < caret && k < columns && nindent + 1 < sizeof(indent); k++)
            indent[nindent++] = line[i] == '\t' ? '\t' : ' ';
    }
    fprintf(out, "%s\n    %.*s^\n", last < size ? "..." : "", (int)nindent, indent);
}
