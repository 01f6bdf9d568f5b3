/* value.h - one written value, checked against its field and converted to what the struct holds. */
#ifndef NARROWS_HARNESS_SCENARIO_SCHEMA_VALUE_H
#define NARROWS_HARNESS_SCENARIO_SCHEMA_VALUE_H

#include <stdint.h>

#include "harness/scenario/schema/schema.h"
#include "harness/scenario/yaml/diag.h"
#include "harness/scenario/yaml/load.h"
#include "harness/scenario/yaml/tree.h"

struct value {
    const char *text; /* as written, or the string itself */
    double number;    /* FIELD_NUMBER, and the rate of a FIELD_CODEC */
    int64_t integer;  /* FIELD_INTEGER */
    int choice;       /* FIELD_BOOL, FIELD_ENUM, FIELD_CODEC */
};

/* A text to be read; for messages, 'at' is the place of its first character, 'key' its full path. */
struct written {
    const char *text;
    struct mark at;
    const char *key;
};

/* Of a node: a single value, or a figure {value: ..., source: ...}. False after an error was added. */
bool value_read_node(struct loader *l, const struct field *f, const struct node *n, const char *key, struct value *out);

struct written value_written(const struct node *n, const char *key);

void value_store(const struct field *f, const struct value *v, void *at);

/* The default of a field. */
struct value value_default(const struct field *f);

/* The value in a struct as text: numbers in base units with 'digits' significant digits, names for choices. */
int value_print(const struct field *f, const void *at, int digits, char *buf, size_t size);

/* The text at a FIELD_STRING or FIELD_FILE, "" for none, or the word that a FIELD_ENUM keeps; NULL for other values. */
const char *value_text(const struct field *f, const void *at);

/* As a number in base units; NaN for text, choices and words. */
double value_number(const struct field *f, const struct value *v);

#endif
