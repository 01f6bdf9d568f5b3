/* rows.h - how the tables of keys are written:
 *   { "workers", INTEGER(allreduce, workers), FLAGS(FIELD_REQUIRED), RANGE(1, 4096), DOC("replicas of the network") },
 * the key, its type with the struct and the member that holds the value, what the value may be, what it means. */
#ifndef NARROWS_HARNESS_SCENARIO_SCHEMA_ROWS_H
#define NARROWS_HARNESS_SCENARIO_SCHEMA_ROWS_H

#include "harness/count.h"
#include "harness/scenario/schema/schema.h"

/* Types: a value in struct 'owner' at 'member'. */
#define AT(owner, member) .offset = offsetof(struct owner, member)
#define TEXT(owner, member) .type = FIELD_STRING, AT(owner, member)
#define PATH(owner, member) .type = FIELD_FILE, AT(owner, member)
#define BOOL(owner, member) .type = FIELD_BOOL, AT(owner, member)
#define INTEGER(owner, member) .type = FIELD_INTEGER, AT(owner, member)
#define NUMBER(owner, member) .type = FIELD_NUMBER, AT(owner, member)
#define CHOICE(owner, member, words) .type = FIELD_ENUM, AT(owner, member), .names = (words)

/* Types with a second member: the digest of the file, the rate, the length of the array. */
#define DIGESTED(owner, member, digest) PATH(owner, member), .second = offsetof(struct owner, digest)
#define CODEC_RATE(owner, member, rate) .type = FIELD_CODEC, AT(owner, member), .second = offsetof(struct owner, rate)
#define LIST(owner, member, length, schema, limit) ARRAY(FIELD_LIST, owner, member, length, schema, limit)
#define NAMED(owner, member, length, schema, limit) ARRAY(FIELD_NAMED, owner, member, length, schema, limit)
#define ARRAY(kind, owner, member, length, schema, limit) \
    .type = (kind), AT(owner, member), .second = offsetof(struct owner, length), .sub = &(schema), .most = (limit)

/* Types with keys below them: in a struct of their own, in the same struct, or read by other code. */
#define MAP(owner, member, schema) .type = FIELD_MAP, AT(owner, member), .sub = &(schema)
#define SAME(schema) .type = FIELD_MAP, .sub = &(schema)
#define ELSEWHERE .type = FIELD_OTHER

/* What the value may be. */
#define FLAGS(bits) .flags = (bits)
#define WHERE(owner, member, bits) .flags = FIELD_WHERE | (bits), .second = offsetof(struct owner, member)
#define RANGE(smallest, largest) .min = (smallest), .max = (largest)
#define LEAST(smallest) .min = (smallest)
#define MOST(largest) .max = (largest)
#define UNIT(kind) .dimension = (kind)
#define DEFAULT(text) .fallback = (text)
#define DEFAULT_NUMBER(number, unit) DEFAULT(SPELLED(number) unit) /* of a macro, so that code may have it, too */
#define SPELLED(number) SPELLED_OUT(number)
#define SPELLED_OUT(number) #number
#define ONLY(kinds) .only = (kinds)
#define NEEDED(kinds) .only = (kinds), .needs = (kinds)
#define DOC(text) .doc = text

/* A table of them, for struct 'owner'; 'selector' as in struct schema. */
#define SCHEMA(title, owner, rows, selector)                     \
    {                                                            \
        title, sizeof(struct owner), rows, COUNT(rows), selector \
    }

/* The words for an enum of 'count' values, in their order. */
#define WORDS(id, count, ...)                              \
    static const char *const id[] = { __VA_ARGS__, NULL }; \
    _Static_assert(COUNT(id) == (count) + 1, "a word for every value")

#endif
