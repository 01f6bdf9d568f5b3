#include "harness/text/json.h"

#include <stddef.h>

#include "harness/count.h"

/* Bytes of the UTF-8 character at s, 0 if there is none: no overlong form, no surrogate, nothing past U+10FFFF. */
static size_t character(const unsigned char *s)
{
    static const struct {
        unsigned char first, last, low, high; /* of the first byte, of the second */
        size_t n;
    } forms[] = {
        { 0x01, 0x7f, 0, 0, 1 },       { 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
        { 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
        { 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
    };

    for (size_t i = 0; i < COUNT(forms); i++) {
        size_t k = 1;

        if (s[0] < forms[i].first || s[0] > forms[i].last)
            continue;
        if (forms[i].n > 1 && (s[1] < forms[i].low || s[1] > forms[i].high))
            return 0;
        while (k < forms[i].n && (k == 1 || (s[k] >= 0x80 && s[k] <= 0xbf)))
            k++;
        return k == forms[i].n ? k : 0;
    }
    return 0;
}

void json_text(const char *text, FILE *out)
{
    fputc('"', out);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        size_t n = character(s);

        if (!n)
            fputs("\\ufffd", out);
        else if (*s == '"' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else if (*s < 0x20 || *s == 0x7f)
            fprintf(out, "\\u%04x", *s);
        else
            fwrite(s, 1, n, out);
        s += n ? n : 1;
    }
    fputc('"', out);
}
