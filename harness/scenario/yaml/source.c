/* source.c - lines as libyaml counts them: LF, CR, CR LF, and the Unicode breaks U+0085, U+2028, U+2029. */
#include "harness/scenario/yaml/source.h"

#include <stdint.h>
#include <string.h>

static size_t break_at(const struct source *s, size_t i)
{
    const unsigned char *t = (const unsigned char *)s->text + i;
    size_t left = s->size - i;

    if (t[0] == '\n')
        return 1;
    if (t[0] == '\r')
        return left > 1 && t[1] == '\n' ? 2 : 1;
    if (left > 1 && t[0] == 0xc2 && t[1] == 0x85)
        return 2;
    if (left > 2 && t[0] == 0xe2 && t[1] == 0x80 && (t[2] == 0xa8 || t[2] == 0xa9))
        return 3;
    return 0;
}

size_t source_start(const struct source *s)
{
    return s->size >= 3 && !memcmp(s->text, "\xef\xbb\xbf", 3) ? 3 : 0;
}

const char *source_line(const struct source *s, unsigned line, size_t *size)
{
    size_t start = source_start(s), end, width;

    for (unsigned at = 1; at < line && start < s->size; at++) {
        while (start < s->size && !(width = break_at(s, start)))
            start++;
        if (start < s->size)
            start += width;
    }
    for (end = start; end < s->size && !break_at(s, end); end++)
        ;
    *size = end - start;
    return s->text + start;
}

/* Bytes of the character at t, 0 if it is not UTF-8 (overlong forms and surrogates included). */
static size_t character(const unsigned char *t, size_t left, uint32_t *out)
{
    static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t n = t[0] < 0x80 ? 1 : t[0] >> 5 == 6 ? 2 : t[0] >> 4 == 14 ? 3 : t[0] >> 3 == 30 ? 4 : 0;
    uint32_t c = n == 1 ? t[0] : t[0] & (0xffu >> (n + 1));

    if (!n || n > left)
        return 0;
    for (size_t i = 1; i < n; i++) {
        if (t[i] >> 6 != 2)
            return 0;
        c = c << 6 | (t[i] & 0x3f);
    }
    if (c < smallest[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return 0;
    *out = c;
    return n;
}

/* What YAML calls printable, less the noncharacters. */
static bool printable(uint32_t c)
{
    return c == '\t' || c == '\n' || c == '\r' || c == 0x85 || (c >= 0x20 && c < 0x7f) ||
           (c >= 0xa0 && c < 0xfffe && c != 0xfeff) || c >= 0x10000;
}

const char *source_check(const struct source *s, struct mark *at)
{
    size_t width, n;
    uint32_t c = 0;

    *at = (struct mark){ s, 1, 1 };
    for (size_t i = source_start(s); i < s->size; i += n) {
        if (!(n = character((const unsigned char *)s->text + i, s->size - i, &c)))
            return "a byte that is not UTF-8";
        if (!c)
            return "a NUL byte";
        if (!printable(c))
            return "a control character";
        if ((width = break_at(s, i))) {
            at->line++;
            at->column = 1;
            n = width;
        } else {
            at->column++;
        }
    }
    return NULL;
}
