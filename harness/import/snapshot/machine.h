/* machine.h - private to pickle.c: the machine that a pickle is a program of. Opcodes write and change values on a
 * stack; a mark is the height at which the elements of a list or map begin; the memo keeps values by number.
 * Errors     NW_EINPUT (false from what answers a bool), with the reason printed, or NW_ENOMEM. */
#ifndef NARROWS_HARNESS_IMPORT_SNAPSHOT_MACHINE_H
#define NARROWS_HARNESS_IMPORT_SNAPSHOT_MACHINE_H

#include "harness/import/snapshot/value.h"

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

/* "NAME: byte N: expected ..., got ...", N that of the opcode at hand. */
int pickle_refuse(const struct machine *m, const char *expected, const char *found);

/* --- the stack ---------------------------------------------------------------------------------------------------- */

int pickle_push(struct machine *m, struct value *v); /* NULL: there was no memory for it */
bool pickle_has(const struct machine *m, size_t n);  /* so many values above the last mark */
int pickle_mark(struct machine *m);
bool pickle_above_mark(struct machine *m, size_t *from); /* removes the last mark; what was above it is [*from, n) */

/* Move [from, n), or what is above the last mark, to the end of the list or map that is right below. */
int pickle_extend(struct machine *m, size_t from, enum value_kind kind);
int pickle_extend_above_mark(struct machine *m, enum value_kind kind);
int pickle_make_tuple(struct machine *m, size_t from); /* [from, n) as one list */

/* --- the memo: by a number of so many bytes, behind the opcode ---------------------------------------------------- */

int pickle_put(struct machine *m, uint64_t i); /* keep the top of the stack */
int pickle_put_numbered(struct machine *m, unsigned width);
int pickle_get(struct machine *m, unsigned width);

/* --- what lies behind an opcode ----------------------------------------------------------------------------------- */

bool pickle_take_number(struct machine *m, unsigned width, uint64_t *out); /* little-endian */
int pickle_push_integer(struct machine *m, enum value_kind kind, int64_t integer);
int pickle_push_long(struct machine *m, unsigned width); /* behind its size in bytes, which has this width */
int pickle_push_float(struct machine *m);
int pickle_push_text(struct machine *m, unsigned width); /* as a long; it stays where it was read */

#endif
