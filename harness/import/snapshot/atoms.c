/* atoms.c - numbers and texts, as they lie behind the opcodes of a pickle. */
#include <string.h>

#include "harness/import/snapshot/machine.h"
#include "harness/status.h"

int pickle_push_integer(struct machine *m, enum value_kind kind, int64_t integer)
{
    struct value *v = values_new(m->values, kind);

    if (v)
        v->integer = integer;
    return pickle_push(m, v);
}

static const unsigned char *take(struct machine *m, uint64_t n)
{
    const unsigned char *at = m->at;

    if (n > (uint64_t)(m->end - m->at)) {
        pickle_refuse(m, "as many bytes as its opcode has", "the end of the file");
        return NULL;
    }
    m->at += n;
    return at;
}

bool pickle_take_number(struct machine *m, unsigned width, uint64_t *out)
{
    const unsigned char *p = take(m, width);

    *out = 0;
    for (unsigned i = width; p && i; i--)
        *out = *out << 8 | p[i - 1];
    return p != NULL;
}

/* Two's complement of any width. */
int pickle_push_long(struct machine *m, unsigned width)
{
    uint64_t n, bits = 0;
    const unsigned char *p = pickle_take_number(m, width, &n) ? take(m, n) : NULL;
    double number = 0;

    if (!p)
        return NW_EINPUT;
    bool below = n && p[n - 1] & 0x80;
    if (n > 8) {
        struct value *v = values_new(m->values, VALUE_NUMBER);

        for (uint64_t i = n; i; i--)
            number = number * 256 + p[i - 1];
        if (v)
            v->number = below ? -number : number; /* of such a size no key that counts is */
        return pickle_push(m, v);
    }
    for (uint64_t i = 8; i; i--)
        bits = bits << 8 | (i <= n ? p[i - 1] : below ? 0xff : 0);
    return pickle_push_integer(m, VALUE_INTEGER, (int64_t)bits);
}

int pickle_push_float(struct machine *m)
{
    const unsigned char *p = take(m, 8);
    struct value *v = p ? values_new(m->values, VALUE_NUMBER) : NULL;
    uint64_t bits = 0;

    if (!p)
        return NW_EINPUT;
    for (int i = 0; i < 8; i++) /* big-endian */
        bits = bits << 8 | p[i];
    if (v)
        memcpy(&v->number, &bits, sizeof(bits));
    return pickle_push(m, v);
}

int pickle_push_text(struct machine *m, unsigned width)
{
    uint64_t n;
    const unsigned char *p = pickle_take_number(m, width, &n) ? take(m, n) : NULL;
    struct value *v = p ? values_new(m->values, VALUE_TEXT) : NULL;

    if (!p)
        return NW_EINPUT;
    if (v) {
        v->text.at = (const char *)p;
        v->text.size = n;
    }
    return pickle_push(m, v);
}
