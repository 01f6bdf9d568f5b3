/* pickle.c - a machine for the opcodes of plain data, and no others. Each writes or changes values on a stack; a mark
 * is the height at which the elements of a list or map begin. */
#include <stdlib.h>
#include <string.h>

#include "harness/import/snapshot/opcodes.h"
#include "harness/import/snapshot/value.h"
#include "harness/status.h"

struct machine {
    const char *name;
    const unsigned char *begin, *at, *end;
    FILE *err;
    struct values *values;
    struct value **stack;
    size_t n, capacity;
    size_t *marks;
    size_t nmarks, marks_capacity;
    struct value **memo;
    size_t nmemo, memo_capacity;
    const unsigned char *opcode; /* the one at hand */
};

static int refuse(const struct machine *m, const char *expected, const char *found)
{
    fprintf(m->err, "%s: byte %zu: expected %s, got %s\n", m->name, (size_t)(m->opcode - m->begin), expected, found);
    return NW_EINPUT;
}

/* Space for one more element of 'size' bytes. */
static void *grow(void *items, size_t n, size_t *capacity, size_t size)
{
    size_t more = *capacity ? 2 * *capacity : 64;
    void *grown;

    if (n < *capacity)
        return items;
    grown = realloc(items, more * size);
    if (grown)
        *capacity = more;
    return grown;
}

static int push(struct machine *m, struct value *v)
{
    void *grown = v ? grow(m->stack, m->n, &m->capacity, sizeof(*m->stack)) : NULL;

    if (!grown)
        return NW_ENOMEM;
    m->stack = grown;
    m->stack[m->n++] = v;
    return NW_OK;
}

static int push_integer(struct machine *m, enum value_kind kind, int64_t integer)
{
    struct value *v = values_new(m->values, kind);

    if (v)
        v->integer = integer;
    return push(m, v);
}

/* --- arguments ---------------------------------------------------------------------------------------------------- */

static const unsigned char *take(struct machine *m, uint64_t n)
{
    const unsigned char *at = m->at;

    if (n > (uint64_t)(m->end - m->at)) {
        refuse(m, "as many bytes as its opcode has", "the end of the file");
        return NULL;
    }
    m->at += n;
    return at;
}

/* Little-endian. */
static bool take_number(struct machine *m, unsigned width, uint64_t *out)
{
    const unsigned char *p = take(m, width);

    *out = 0;
    for (unsigned i = width; p && i; i--)
        *out = *out << 8 | p[i - 1];
    return p != NULL;
}

/* Two's complement of any width. */
static int push_long(struct machine *m, unsigned width)
{
    uint64_t n, bits = 0;
    const unsigned char *p = take_number(m, width, &n) ? take(m, n) : NULL;
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
        return push(m, v);
    }
    for (uint64_t i = 8; i; i--)
        bits = bits << 8 | (i <= n ? p[i - 1] : below ? 0xff : 0);
    return push_integer(m, VALUE_INTEGER, (int64_t)bits);
}

static int push_float(struct machine *m)
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
    return push(m, v);
}

static int push_text(struct machine *m, unsigned width)
{
    uint64_t n;
    const unsigned char *p = take_number(m, width, &n) ? take(m, n) : NULL;
    struct value *v = p ? values_new(m->values, VALUE_TEXT) : NULL;

    if (!p)
        return NW_EINPUT;
    if (v) {
        v->text.at = (const char *)p;
        v->text.size = n;
    }
    return push(m, v);
}

/* --- the stack ---------------------------------------------------------------------------------------------------- */

/* What is above the last mark: [*from, n). */
static bool above_mark(struct machine *m, size_t *from)
{
    if (!m->nmarks) {
        refuse(m, "a mark below the elements", "none");
        return false;
    }
    *from = m->marks[--m->nmarks];
    return true;
}

static bool has(const struct machine *m, size_t n)
{
    size_t floor = m->nmarks ? m->marks[m->nmarks - 1] : 0;

    if (m->n - floor >= n)
        return true;
    refuse(m, "values that the opcode takes", "too few");
    return false;
}

static int mark(struct machine *m)
{
    void *grown = grow(m->marks, m->nmarks, &m->marks_capacity, sizeof(*m->marks));

    if (!grown)
        return NW_ENOMEM;
    m->marks = grown;
    m->marks[m->nmarks++] = m->n;
    return NW_OK;
}

/* Move [from, n) to the end of the list or map that is right below. */
static int extend(struct machine *m, size_t from, enum value_kind kind)
{
    size_t floor = m->nmarks ? m->marks[m->nmarks - 1] : 0;
    struct value *into = from > floor ? m->stack[from - 1] : NULL;

    if (!into || into->kind != kind)
        return refuse(m, kind == VALUE_MAP ? "a map to set items of" : "a list to append to", "something else");
    if (kind == VALUE_MAP && (m->n - from) % 2)
        return refuse(m, "a value for each key", "an odd number of values");
    for (size_t i = from; i < m->n; i++)
        if (!values_push(m->values, into, m->stack[i]))
            return NW_ENOMEM;
    m->n = from;
    return NW_OK;
}

static int extend_above_mark(struct machine *m, enum value_kind kind)
{
    size_t from;

    return above_mark(m, &from) ? extend(m, from, kind) : NW_EINPUT;
}

static int make_tuple(struct machine *m, size_t from)
{
    struct value *v = values_new(m->values, VALUE_LIST);

    for (size_t i = from; i < m->n && v; i++)
        if (!values_push(m->values, v, m->stack[i]))
            return NW_ENOMEM;
    m->n = from;
    return push(m, v);
}

/* --- the memo ----------------------------------------------------------------------------------------------------- */

/* Picklers number from 0 on, so that no number is larger than the bytes before it. */
static int put(struct machine *m, uint64_t i)
{
    if (!has(m, 1))
        return NW_EINPUT;
    if (i > (uint64_t)(m->at - m->begin))
        return refuse(m, "a number of a value that is kept, from 0 on", "a larger one");
    while (m->nmemo <= i) {
        void *grown = grow(m->memo, m->nmemo, &m->memo_capacity, sizeof(struct value *));

        if (!grown)
            return NW_ENOMEM;
        m->memo = grown;
        m->memo[m->nmemo++] = NULL;
    }
    m->memo[i] = m->stack[m->n - 1];
    return NW_OK;
}

static int put_numbered(struct machine *m, unsigned width)
{
    uint64_t i;

    return take_number(m, width, &i) ? put(m, i) : NW_EINPUT;
}

static int get(struct machine *m, unsigned width)
{
    uint64_t i;

    if (!take_number(m, width, &i))
        return NW_EINPUT;
    if (i >= m->nmemo || !m->memo[i])
        return refuse(m, "the number of a value that was kept", "another");
    return push(m, m->memo[i]);
}

/* --- opcodes ------------------------------------------------------------------------------------------------------ */

/* What is not plain data, by its name. */
static int refuse_opcode(const struct machine *m)
{
    const char *name = pickle_other_opcode(*m->opcode);
    char found[64];

    if (!name) {
        snprintf(found, sizeof(found), "byte 0x%02x", *m->opcode);
        return refuse(m, "an opcode of pickle protocols 2 to 5", found);
    }
    snprintf(found, sizeof(found), "%s, which makes an object", name);
    return refuse(m, "plain data: dict, list, tuple, str, int, float, bool, None", found);
}

static int run_atom(struct machine *m)
{
    uint64_t n;

    switch (*m->opcode) {
    case NONE: return push(m, values_new(m->values, VALUE_NONE));
    case NEWTRUE: return push_integer(m, VALUE_BOOL, 1);
    case NEWFALSE: return push_integer(m, VALUE_BOOL, 0);
    case BININT: return take_number(m, 4, &n) ? push_integer(m, VALUE_INTEGER, (int32_t)(uint32_t)n) : NW_EINPUT;
    case BININT1: return take_number(m, 1, &n) ? push_integer(m, VALUE_INTEGER, (int64_t)n) : NW_EINPUT;
    case BININT2: return take_number(m, 2, &n) ? push_integer(m, VALUE_INTEGER, (int64_t)n) : NW_EINPUT;
    case LONG1: return push_long(m, 1);
    case LONG4: return push_long(m, 4);
    case BINFLOAT: return push_float(m);
    case SHORT_BINUNICODE:
    case SHORT_BINBYTES:
    case SHORT_BINSTRING: return push_text(m, 1);
    case BINUNICODE:
    case BINBYTES:
    case BINSTRING: return push_text(m, 4);
    case BINUNICODE8:
    case BINBYTES8: return push_text(m, 8);
    default: return refuse_opcode(m);
    }
}

static int run_memo(struct machine *m)
{
    uint64_t n;

    switch (*m->opcode) {
    case PROTO:
        if (!take_number(m, 1, &n))
            return NW_EINPUT;
        return n >= 2 && n <= 5 ? NW_OK : refuse(m, "pickle protocol 2 to 5", "another");
    case FRAME: return take_number(m, 8, &n) ? NW_OK : NW_EINPUT;
    case MEMOIZE: return put(m, m->nmemo);
    case BINPUT: return put_numbered(m, 1);
    case LONG_BINPUT: return put_numbered(m, 4);
    case BINGET: return get(m, 1);
    case LONG_BINGET: return get(m, 4);
    default: return run_atom(m);
    }
}

static int run(struct machine *m)
{
    size_t from;

    switch (*m->opcode) {
    case MARK: return mark(m);
    case POP_MARK:
        if (!above_mark(m, &from))
            return NW_EINPUT;
        m->n = from;
        return NW_OK;
    case POP:
        if (!has(m, 1))
            return NW_EINPUT;
        m->n--;
        return NW_OK;
    case DUP: return has(m, 1) ? push(m, m->stack[m->n - 1]) : NW_EINPUT;
    case EMPTY_LIST:
    case EMPTY_TUPLE: return push(m, values_new(m->values, VALUE_LIST));
    case EMPTY_DICT: return push(m, values_new(m->values, VALUE_MAP));
    case APPEND: return has(m, 1) ? extend(m, m->n - 1, VALUE_LIST) : NW_EINPUT;
    case SETITEM: return has(m, 2) ? extend(m, m->n - 2, VALUE_MAP) : NW_EINPUT;
    case APPENDS: return extend_above_mark(m, VALUE_LIST);
    case SETITEMS: return extend_above_mark(m, VALUE_MAP);
    case TUPLE: return above_mark(m, &from) ? make_tuple(m, from) : NW_EINPUT;
    case TUPLE1:
    case TUPLE2:
    case TUPLE3: from = *m->opcode - TUPLE1 + 1u; return has(m, from) ? make_tuple(m, m->n - from) : NW_EINPUT;
    default: return run_memo(m);
    }
}

int pickle_read(const char *name, const char *bytes, size_t size, struct values *v, const struct value **out, FILE *err)
{
    const unsigned char *begin = (const unsigned char *)bytes;
    struct machine m = {
        .name = name, .begin = begin, .at = begin, .end = begin + size, .err = err, .values = v, .opcode = begin
    };
    int rc = NW_OK;

    for (;;) {
        m.opcode = m.at;
        if (m.at == m.end) {
            rc = refuse(&m, "STOP at the end", "the end of the file");
            break;
        }
        m.at++;
        if (*m.opcode == STOP) {
            rc = has(&m, 1) ? NW_OK : NW_EINPUT;
            break;
        }
        if ((rc = run(&m)))
            break;
    }
    if (!rc)
        *out = m.stack[m.n - 1];
    free(m.stack);
    free(m.marks);
    free(m.memo);
    return rc;
}
