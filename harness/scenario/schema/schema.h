/* schema.h - the keys of the files, as tables for reading, checking, overriding, printing and documenting.
 * The row of a key holds the place of its value in a struct, what the value may be, and what it means. */
#ifndef NARROWS_HARNESS_SCENARIO_SCHEMA_SCHEMA_H
#define NARROWS_HARNESS_SCENARIO_SCHEMA_SCHEMA_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/scenario/schema/units.h"

enum field_type {
    FIELD_STRING,  /* const char *; 'max' is the longest length, 0 any */
    FIELD_FILE,    /* const char *: path of a file that must exist, from where the program runs */
    FIELD_BOOL,    /* bool */
    FIELD_INTEGER, /* int64_t; with a dimension: a quantity that is whole in base units */
    FIELD_NUMBER,  /* double; with a dimension: a quantity, in base units */
    /* An enum; 'names' in the order of its values. With a form: a word that is none of them, but right by it, is the
     * last of them, which stands for all such, and the word is kept in a const char * at 'second'. */
    FIELD_ENUM,
    FIELD_CODEC, /* enum codec_rate, and at 'second' the double: calibrated, measured, or a quantity */
    FIELD_MAP,   /* keys of 'sub', in a struct at 'offset' */
    FIELD_NAMED, /* free names, each with the keys of 'sub': a pointer to an array, and at 'second' its length */
    FIELD_LIST,  /* a list of maps with the keys of 'sub': stored in the same way */
    FIELD_OTHER, /* read by its own code: listed so that it is known and documented */
    FIELD_PART,  /* no key: the keys of 'sub', in a struct at 'offset', are keys of this schema */
};

enum {
    FIELD_REQUIRED = 1,
    FIELD_CALIBRATED = 2, /* the word 'calibrated' is a number still to be fitted: NaN */
    FIELD_UNLIMITED = 4,  /* the word 'unlimited' is 0 */
    FIELD_SILENT = 8,     /* changes no result: left out of the canonical text */
    FIELD_FIXED = 16,     /* decides which other keys there are: neither overridden nor swept */
    FIELD_ABOVE = 32,     /* 'min' itself is not allowed */
    FIELD_LINK = 64,      /* names a link of its platform */
    FIELD_WHOLE = 128,    /* of a FIELD_MAP: if it is left out as a whole, its keys are not required */
    FIELD_PRIVATE = 256,  /* not reached by paths: neither overridden nor named in a template */
    FIELD_DIGEST = 512,   /* of a FIELD_FILE: the canonical text has the digest at 'second' of its content */
    FIELD_PATH = 1024,    /* of a FIELD_MAP: may be the path of a file with its keys instead (reference.h) */
    FIELD_WHERE = 2048,   /* the key exists only if the bool at 'second', set before keys are bound, is true */
    FIELD_FOLDER = 4096,  /* of a FIELD_FILE: it may be a folder */
    FIELD_OPEN = 8192,    /* the word 'default' is a rate that codec_rates.h supplies: -1 until then */
    FIELD_TABLE = 16384,  /* of a FIELD_LIST: may be the path of a CSV file with its rows instead (yaml/table.h) */
};

struct suggest;

/* What a text must look like, beyond its length. Of a FIELD_ENUM: what else it takes, see there. */
struct text_form {
    const char *expected; /* "a codec as in 3lc:s=1.75" */
    /* False, with the reason; of a FIELD_ENUM with "" for a word that it knows nothing of. */
    bool (*right)(const char *text, char *why, size_t nwhy);
    /* What a result depends on besides the text, for the canonical text: the digest of a plug-in. NULL: nothing, also
     * as an answer. */
    const char *(*identity)(const char *text);
    void (*offer)(struct suggest *s); /* words to suggest; NULL: none */
};

struct field {
    const char *key;
    enum field_type type;
    unsigned flags;
    size_t offset, second;
    double min, max; /* max 0: no maximum */
    enum dimension dimension;
    const char *fallback;         /* the default as it would be written; NULL: 0, false, "" or the first name */
    const char *const *names;     /* FIELD_ENUM, ends with NULL */
    const struct text_form *form; /* FIELD_STRING: NULL: any; FIELD_ENUM: NULL: the names alone */
    /* FIELD_ENUM: the name that another word is an alias of, and the name to suggest for an unknown word; NULL: none.
     * */
    const char *(*alias)(const char *word);
    const char *(*meant)(const char *word);
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
    const char *selector; /* key of the FIELD_ENUM for 'only' and 'needs'; NULL if there is none */
};

/* Files and sections. */
extern const struct schema schema_platform, schema_model, schema_method, schema_timing, schema_training,
    schema_scenario;
/* The parts of schema_method, one for each kind. */
extern const struct schema schema_host_sgd, schema_parameter_server, schema_allreduce, schema_model_parallel,
    schema_flows, schema_memory_planned, schema_collective, schema_sharded;
/* The keys below a key that several of them have. */
extern const struct schema schema_codec, schema_link, schema_network, schema_profile, schema_measured;
/* struct scenario: what a result depends on. */
extern const struct schema schema_point;

/* The names of enum compute_device, for every method that has one. */
extern const char *const schema_device_names[];

/* The names of enum collective_algorithm. */
extern const char *const schema_algorithm_names[];

/* Keep one line of a reason, and only what can be printed of it: what it quotes may be anything. */
void reason_plain(char *why);

/* The row of the key, among the schema's own. NULL if there is none. */
const struct field *schema_field(const struct schema *s, const char *key);

/* The row of the key key[0..n) among those that apply, parts included; NULL if there is none. *offset is that of the
 * row's struct in the schema's (NULL: not wanted). */
const struct field *schema_key(const struct schema *s, unsigned selected, const char *key, size_t n, size_t *offset);

/* Bit of the selector's value in the struct at base; ~0 if the schema has none. */
unsigned schema_selected(const struct schema *s, const void *base);
bool field_applies(const struct field *f, unsigned selected);
bool field_required(const struct field *f, unsigned selected);
bool field_there(const struct field *f, const void *base); /* does the struct at base have this key? (FIELD_WHERE) */
bool field_is_value(const struct field *f); /* a single value: it can be overridden, and named in a template */

/* "a number in (0, 1]", "one of full, half": the text of a message after "expected". */
void field_expected(const struct field *f, char *buf, size_t size);

/* Print every key: path, type, unit, range, default, meaning. */
void schema_document(const struct schema *s, FILE *out);

#endif
