#include "harness/text/wrap.h"

#include <stdarg.h>
#include <string.h>

static int width_of(const char *text, size_t nbytes)
{
    int n = 0;

    for (size_t i = 0; i < nbytes; i++)
        n += ((unsigned char)text[i] & 0xc0) != 0x80;
    return n;
}

int text_width(const char *text)
{
    return width_of(text, strlen(text));
}

void text_cell(FILE *out, const char *text, int width)
{
    int pad = (width < 0 ? -width : width) - width_of(text, strlen(text));

    if (pad < 0)
        pad = 0;
    if (width < 0)
        fprintf(out, "%*s%s", pad, "", text);
    else
        fprintf(out, "%s%*s", text, pad, "");
}

void text_number(FILE *out, const char *format, double value, int width)
{
    char buffer[64];

    snprintf(buffer, sizeof(buffer), format, value);
    /* What rounds to zero has no sign worth showing. */
    if (buffer[0] == '-' && !strpbrk(buffer, "123456789"))
        buffer[0] = strchr(format, '+') ? '+' : ' ';
    text_cell(out, buffer, width);
}

void text_fold(FILE *out, const char *text)
{
    int column = 0;

    for (;;) {
        size_t n;
        int w;

        text += strspn(text, " ");
        n = strcspn(text, " ");
        if (n == 0)
            break;
        w = width_of(text, n);
        if (column > 0 && column + 1 + w > TEXT_WIDTH) {
            fputc('\n', out);
            column = 0;
        }
        if (column > 0)
            fputc(' ', out);
        fprintf(out, "%.*s", (int)n, text);
        column += w + (column > 0);
        text += n;
    }
    fputc('\n', out);
}

void text_paragraph(FILE *out, const char *format, ...)
{
    char buffer[2048];
    va_list ap;

    va_start(ap, format);
    vsnprintf(buffer, sizeof(buffer), format, ap);
    va_end(ap);
    text_fold(out, buffer);
}

void text_rule(FILE *out, int width)
{
    for (int i = 0; i < width; i++)
        fputc('-', out);
    fputc('\n', out);
}
