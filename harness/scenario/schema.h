/* schema.h - the keys of the files, as tables: what reading, checking, overriding, printing and documenting all walk.
 * A field row says where in the struct the key's value goes, what it may be, and what it means. */
#ifndef NARROWS_SCENARIO_SCHEMA_H
#define NARROWS_SCENARIO_SCHEMA_H

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/scenario/units.h"

enum field_type {
    FIELD_STRING,  /* const char *; 'max' is the longest length, 0 any */
    FIELD_FILE,    /* const char *: path of a file that must exist, from where the program runs */
    FIELD_BOOL,    /* _Bool */
    FIELD_INTEGER, /* int64_t; with a dimension: a quantity that is whole in base units */
    FIELD_NUMBER,  /* double; with a dimension: a quantity, in base units */
    FIELD_ENUM,    /* an enum; 'names' in the order of its values */
    FIELD_CODEC,   /* enum codec_rate, and at 'second' the double: calibrated, measured, or a quantity */
    FIELD_MAP,     /* keys of 'sub', in a struct at 'offset' */
    FIELD_NAMED,   /* free names, each with the keys of 'sub': a pointer to an array, and at 'second' its length */
    FIELD_LIST,    /* a list of maps with the keys of 'sub': stored likewise */
    FIELD_OTHER,   /* read by code of its own: here so that it is known, and for its documentation */
};

enum {
    FIELD_REQUIRED = 1,
    FIELD_CALIBRATED = 2, /* the word 'calibrated' stands for a number still to be fitted: NaN */
    FIELD_UNLIMITED = 4,  /* the word 'unlimited' stands for 0 */
    FIELD_SILENT = 8,     /* changes no result: left out of the canonical text */
    FIELD_FIXED = 16,     /* decides which other keys there are: neither overridden nor swept */
    FIELD_ABOVE = 32,     /* 'min' itself is not allowed */
    FIELD_LINK = 64,      /* names a link of its platform */
    FIELD_CHECKED = 128,  /* checked and not stored: there is only one choice so far */
    FIELD_PRIVATE = 256,  /* not reached by paths: neither overridden nor named in a template */
};

struct field {
    const char *key;
    enum field_type type;
    unsigned flags;
    size_t offset, second;
    double min, max; /* max 0: no maximum */
    enum dimension dimension;
    const char *fallback;     /* the default as it would be written; NULL: 0, false, "" or the first name */
    const char *const *names; /* FIELD_ENUM, ends with NULL */
    const struct schema *sub;
    size_t most;    /* FIELD_NAMED, FIELD_LIST: largest length */
    unsigned only;  /* bits of the selector's values that have this key; 0: all */
    unsigned needs; /* bits of the selector's values that require it */
    const char *doc;
};

struct schema {
    const char *name;
    size_t size; /* of the struct */
    const struct field *fields;
    size_t nfields;
    const char *selector; /* key of the FIELD_ENUM that 'only' and 'needs' speak of; NULL if there is none */
};

extern const struct schema schema_platform, schema_model, schema_method, schema_scenario; /* files and sections */
extern const struct schema schema_point; /* struct scenario: what a result depends on */

const struct field *schema_field(const struct schema *s, const char *key);

/* Bit of the selector's value in the struct at base; ~0 if the schema has none. */
unsigned schema_selected(const struct schema *s, const void *base);
int field_applies(const struct field *f, unsigned selected);
int field_required(const struct field *f, unsigned selected);
int field_is_value(const struct field *f); /* a single value: it can be overridden, and named in a template */

/* "a number in (0, 1]", "one of full, half": what a message says was expected. */
void field_expected(const struct field *f, char *buf, size_t size);

/* Print every key: path, type, unit, range, default, meaning. */
void schema_document(const struct schema *s, FILE *out);

#define SCHEMA_AT(type, member) .offset = offsetof(struct type, member)
#define SCHEMA_COUNT(a) (sizeof(a) / sizeof((a)[0]))

#endif
