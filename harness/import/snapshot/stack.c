/* stack.c - the stack of a pickle's machine, its marks and its memo. */
#include "harness/import/snapshot/machine.h"
#include "harness/status.h"
#include "model/vec.h"

int pickle_refuse(const struct machine *m, const char *expected, const char *found)
{
    fprintf(m->err, "%s: byte %zu: expected %s, got %s\n", m->name, (size_t)(m->opcode - m->begin), expected, found);
    return NW_EINPUT;
}

int pickle_push(struct machine *m, struct value *v)
{
    if (!v || !VEC_RESERVE(m->stack, m->capacity, m->n))
        return NW_ENOMEM;
    m->stack[m->n++] = v;
    return NW_OK;
}

bool pickle_above_mark(struct machine *m, size_t *from)
{
    if (!m->nmarks) {
        pickle_refuse(m, "a mark below the elements", "none");
        return false;
    }
    *from = m->marks[--m->nmarks];
    return true;
}

bool pickle_has(const struct machine *m, size_t n)
{
    size_t floor = m->nmarks ? m->marks[m->nmarks - 1] : 0;

    if (m->n - floor >= n)
        return true;
    pickle_refuse(m, "values that the opcode takes", "too few");
    return false;
}

int pickle_mark(struct machine *m)
{
    if (!VEC_RESERVE(m->marks, m->marks_capacity, m->nmarks))
        return NW_ENOMEM;
    m->marks[m->nmarks++] = m->n;
    return NW_OK;
}

int pickle_extend(struct machine *m, size_t from, enum value_kind kind)
{
    size_t floor = m->nmarks ? m->marks[m->nmarks - 1] : 0;
    struct value *into = from > floor ? m->stack[from - 1] : NULL;

    if (!into || into->kind != kind)
        return pickle_refuse(m, kind == VALUE_MAP ? "a map to set items of" : "a list to append to", "something else");
    if (kind == VALUE_MAP && (m->n - from) % 2)
        return pickle_refuse(m, "a value for each key", "an odd number of values");
    for (size_t i = from; i < m->n; i++)
        if (!values_push(m->values, into, m->stack[i]))
            return NW_ENOMEM;
    m->n = from;
    return NW_OK;
}

int pickle_extend_above_mark(struct machine *m, enum value_kind kind)
{
    size_t from;

    return pickle_above_mark(m, &from) ? pickle_extend(m, from, kind) : NW_EINPUT;
}

int pickle_make_tuple(struct machine *m, size_t from)
{
    struct value *v = values_new(m->values, VALUE_LIST);

    for (size_t i = from; i < m->n && v; i++)
        if (!values_push(m->values, v, m->stack[i]))
            return NW_ENOMEM;
    m->n = from;
    return pickle_push(m, v);
}

/* --- the memo ----------------------------------------------------------------------------------------------------- */

/* Picklers number from 0 on, so that no number is larger than the bytes before it. */
int pickle_put(struct machine *m, uint64_t i)
{
    if (!pickle_has(m, 1))
        return NW_EINPUT;
    if (i > (uint64_t)(m->at - m->begin))
        return pickle_refuse(m, "a number of a value that is kept, from 0 on", "a larger one");
    while (m->nmemo <= i) {
        if (!VEC_RESERVE(m->memo, m->memo_capacity, m->nmemo))
            return NW_ENOMEM;
        m->memo[m->nmemo++] = NULL;
    }
    m->memo[i] = m->stack[m->n - 1];
    return NW_OK;
}

int pickle_put_numbered(struct machine *m, unsigned width)
{
    uint64_t i;

    return pickle_take_number(m, width, &i) ? pickle_put(m, i) : NW_EINPUT;
}

int pickle_get(struct machine *m, unsigned width)
{
    uint64_t i;

    if (!pickle_take_number(m, width, &i))
        return NW_EINPUT;
    if (i >= m->nmemo || !m->memo[i])
        return pickle_refuse(m, "the number of a value that was kept", "another");
    return pickle_push(m, m->memo[i]);
}
