/* pickle.c - what the opcodes of plain data do, and no others. */
#include <stdlib.h>

#include "harness/import/snapshot/machine.h"
#include "harness/import/snapshot/opcodes.h"
#include "harness/status.h"

/* What is not plain data, by its name. */
static int refuse_opcode(const struct machine *m)
{
    const char *name = pickle_other_opcode(*m->opcode);
    char found[64];

    if (!name) {
        snprintf(found, sizeof(found), "byte 0x%02x", *m->opcode);
        return pickle_refuse(m, "an opcode of pickle protocols 2 to 5", found);
    }
    snprintf(found, sizeof(found), "%s, which makes an object", name);
    return pickle_refuse(m, "plain data: dict, list, tuple, str, int, float, bool, None", found);
}

static int run_atom(struct machine *m)
{
    uint64_t n;

    switch (*m->opcode) {
    case NONE: return pickle_push(m, values_new(m->values, VALUE_NONE));
    case NEWTRUE: return pickle_push_integer(m, VALUE_BOOL, 1);
    case NEWFALSE: return pickle_push_integer(m, VALUE_BOOL, 0);
    case BININT:
        return pickle_take_number(m, 4, &n) ? pickle_push_integer(m, VALUE_INTEGER, (int32_t)(uint32_t)n) : NW_EINPUT;
    case BININT1: return pickle_take_number(m, 1, &n) ? pickle_push_integer(m, VALUE_INTEGER, (int64_t)n) : NW_EINPUT;
    case BININT2: return pickle_take_number(m, 2, &n) ? pickle_push_integer(m, VALUE_INTEGER, (int64_t)n) : NW_EINPUT;
    case LONG1: return pickle_push_long(m, 1);
    case LONG4: return pickle_push_long(m, 4);
    case BINFLOAT: return pickle_push_float(m);
    case SHORT_BINUNICODE:
    case SHORT_BINBYTES:
    case SHORT_BINSTRING: return pickle_push_text(m, 1);
    case BINUNICODE:
    case BINBYTES:
    case BINSTRING: return pickle_push_text(m, 4);
    case BINUNICODE8:
    case BINBYTES8: return pickle_push_text(m, 8);
    default: return refuse_opcode(m);
    }
}

static int run_memo(struct machine *m)
{
    uint64_t n;

    switch (*m->opcode) {
    case PROTO:
        if (!pickle_take_number(m, 1, &n))
            return NW_EINPUT;
        return n >= 2 && n <= 5 ? NW_OK : pickle_refuse(m, "pickle protocol 2 to 5", "another");
    case FRAME: return pickle_take_number(m, 8, &n) ? NW_OK : NW_EINPUT;
    case MEMOIZE: return pickle_put(m, m->nmemo);
    case BINPUT: return pickle_put_numbered(m, 1);
    case LONG_BINPUT: return pickle_put_numbered(m, 4);
    case BINGET: return pickle_get(m, 1);
    case LONG_BINGET: return pickle_get(m, 4);
    default: return run_atom(m);
    }
}

static int run(struct machine *m)
{
    size_t from;

    switch (*m->opcode) {
    case MARK: return pickle_mark(m);
    case POP_MARK:
        if (!pickle_above_mark(m, &from))
            return NW_EINPUT;
        m->n = from;
        return NW_OK;
    case POP:
        if (!pickle_has(m, 1))
            return NW_EINPUT;
        m->n--;
        return NW_OK;
    case DUP: return pickle_has(m, 1) ? pickle_push(m, m->stack[m->n - 1]) : NW_EINPUT;
    case EMPTY_LIST:
    case EMPTY_TUPLE: return pickle_push(m, values_new(m->values, VALUE_LIST));
    case EMPTY_DICT: return pickle_push(m, values_new(m->values, VALUE_MAP));
    case APPEND: return pickle_has(m, 1) ? pickle_extend(m, m->n - 1, VALUE_LIST) : NW_EINPUT;
    case SETITEM: return pickle_has(m, 2) ? pickle_extend(m, m->n - 2, VALUE_MAP) : NW_EINPUT;
    case APPENDS: return pickle_extend_above_mark(m, VALUE_LIST);
    case SETITEMS: return pickle_extend_above_mark(m, VALUE_MAP);
    case TUPLE: return pickle_above_mark(m, &from) ? pickle_make_tuple(m, from) : NW_EINPUT;
    case TUPLE1:
    case TUPLE2:
    case TUPLE3:
        from = *m->opcode - TUPLE1 + 1u;
        return pickle_has(m, from) ? pickle_make_tuple(m, m->n - from) : NW_EINPUT;
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
            rc = pickle_refuse(&m, "STOP at the end", "the end of the file");
            break;
        }
        m.at++;
        if (*m.opcode == STOP) {
            rc = pickle_has(&m, 1) ? NW_OK : NW_EINPUT;
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
