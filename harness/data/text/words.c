#include "harness/data/text/words.h"

#include <stdint.h>
#include <string.h>

#include "harness/count.h"

enum kind { LETTER, SPACE, MARK };

/* A character that is a mark or white space, or a byte that is neither. */
struct character {
    enum kind kind;
    struct word as; /* as a word; its length may differ from that of the text */
    size_t n;       /* bytes of text */
};

static struct word escaped(const char *text, size_t n, size_t *length)
{
    static const struct {
        const char *escape, *as;
    } escapes[] = { { "&amp;", "&" }, { "&lt;", "<" }, { "&gt;", ">" }, { "&quot;", "\"" }, { "&apos;", "'" } };

    for (size_t i = 0; i < COUNT(escapes); i++) {
        *length = strlen(escapes[i].escape);
        if (*length <= n && !memcmp(text, escapes[i].escape, *length))
            return (struct word){ escapes[i].as, 1 };
    }
    *length = 1;
    return (struct word){ text, 1 };
}

static enum kind kind_of_ascii(uint8_t c)
{
    bool letter = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');

    return c <= ' ' || c == 0x7f ? SPACE : letter ? LETTER : MARK;
}

static enum kind kind_of_latin(unsigned code)
{
    bool mark = code == 0xa1 || code == 0xab || code == 0xb7 || code == 0xbb || code == 0xbf;

    return code == 0x85 || code == 0xa0 ? SPACE : mark ? MARK : LETTER;
}

/* Of a character of three bytes. */
static enum kind kind_of_wide(unsigned code)
{
    if (code == 0x3000 || code == 0xfeff)
        return SPACE;
    if (code < 0x2000 || code > 0x206f)
        return LETTER;
    return code < 0x2010 || (code > 0x2027 && code < 0x2030) || code > 0x205e ? SPACE : MARK;
}

static bool continues(uint8_t c)
{
    return (c & 0xc0) == 0x80;
}

static struct character character_at(const char *text, size_t n)
{
    const uint8_t *b = (const uint8_t *)text;
    struct character c = { LETTER, { text, 1 }, 1 };

    if (b[0] < 0x80) {
        c.kind = kind_of_ascii(b[0]);
        if (b[0] == '&')
            c.as = escaped(text, n, &c.n);
    } else if (b[0] == 0xc2 && n > 1 && continues(b[1])) {
        c = (struct character){ kind_of_latin(b[1]), { text, 2 }, 2 };
    } else if ((b[0] & 0xf0) == 0xe0 && n > 2 && continues(b[1]) && continues(b[2])) {
        c = (struct character){ kind_of_wide((b[0] & 0xfu) << 12 | (b[1] & 0x3fu) << 6 | (b[2] & 0x3fu)),
                                { text, 3 },
                                3 };
    }
    return c;
}

bool word_next(char **text, const char *end, struct word *out)
{
    char *p = *text;

    *out = (struct word){ NULL, 0 };
    while (p < end) {
        struct character c = character_at(p, (size_t)(end - p));

        if (c.kind != LETTER && out->n)
            break;
        if (c.kind == LETTER && !out->n)
            out->at = p;
        if (*p >= 'A' && *p <= 'Z')
            *p = (char)(*p - 'A' + 'a');
        p += c.n;
        if (c.kind == MARK) {
            *out = c.as;
            break;
        }
        if (c.kind == LETTER)
            out->n += c.n;
    }
    *text = p;
    return out->n > 0;
}
