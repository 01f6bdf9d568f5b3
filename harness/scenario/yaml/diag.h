/* diag.h - the errors found while reading, printed in the order of files and lines.
 * Form       "file:line:col: path: expected ..., got ...; did you mean 'x'?", then the source line, then a caret.
 * Ownership  texts are copied into the arena given at the start. */
#ifndef NARROWS_HARNESS_SCENARIO_YAML_DIAG_H
#define NARROWS_HARNESS_SCENARIO_YAML_DIAG_H

#include <stdio.h>

#include "harness/scenario/yaml/arena.h"
#include "harness/scenario/yaml/source.h"

enum { DIAG_PRINTED = 50, DIAG_KEPT = 1000 };

struct diag_error {
    struct mark at;
    const char *path; /* dotted path of the key, "" if there is none */
    const char *text;
    const char *suggest; /* NULL if there is none */
    size_t order;
};

struct diag {
    struct arena *arena;
    struct diag_error *errors;
    size_t nerrors; /* kept */
    size_t total;   /* found */
};

/* 'suggest' may be NULL. */
void diag_add(struct diag *d, struct mark at, const char *path, const char *suggest, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Print one error, with its line and a caret if it has one; 'note' follows the text, "" for none. */
void diag_print_error(const struct diag_error *f, const char *note, FILE *out);

/* Print at most DIAG_PRINTED errors, then "and N more". Equal errors at one place are printed once. */
void diag_print(struct diag *d, FILE *out);

/* The text for a message: cut after 60 characters, control characters and stray bytes escaped. In the arena. */
const char *diag_quote(struct diag *d, const char *text);

#endif
