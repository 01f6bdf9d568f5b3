/* value.h - plain data as JSON and Python's pickle have it: numbers, texts, lists and maps, in memory that is released
 * at once.
 * Sharing    a pickle may use one value in several places, even within itself: whoever goes through values goes to a
 *            depth that he knows.
 * Ownership  values_free() releases everything; texts belong to it or to the bytes that were read.
 * Errors     0 or a negative nw_status, the reason written to 'err' as "NAME: byte N: what was expected, what came". */
#ifndef NARROWS_HARNESS_IMPORT_SNAPSHOT_VALUE_H
#define NARROWS_HARNESS_IMPORT_SNAPSHOT_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum value_kind { VALUE_NONE, VALUE_BOOL, VALUE_INTEGER, VALUE_NUMBER, VALUE_TEXT, VALUE_LIST, VALUE_MAP };

struct value {
    enum value_kind kind;
    union {
        int64_t integer; /* also of VALUE_BOOL */
        double number;
        struct {
            const char *at;
            size_t size;
        } text;
        struct {
            const struct value **items; /* of a map: a key, then its value */
            size_t n, capacity;
        } list;
    };
};

struct values {
    struct values_chunk *chunks;
};

struct value *values_new(struct values *v, enum value_kind kind); /* NULL: no memory */
/* The same with a copy of these bytes as its text. */
struct value *values_text(struct values *v, const char *text, size_t size);
bool values_push(struct values *v, struct value *list, const struct value *item);
void values_free(struct values *v);

/* Of a map: what this text is a key of, the last one; NULL: none, or no map. */
const struct value *value_at(const struct value *map, const char *key);
bool value_is(const struct value *v, const char *text);
bool value_integer(const struct value *v, int64_t *out); /* false for NULL and other kinds */

/* Python's pickle, protocols 2 to 5, of plain data: what would make objects or call functions is refused. Tuples are
 * lists, bytes are texts, integers past 64 bits are numbers. */
int pickle_read(const char *name, const char *bytes, size_t size, struct values *v, const struct value **out,
                FILE *err);

int json_read(const char *name, const char *text, size_t size, struct values *v, const struct value **out, FILE *err);

#endif
