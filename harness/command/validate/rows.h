/* rows.h - narrows validate, of rows that were measured elsewhere. */
#ifndef NARROWS_HARNESS_COMMAND_VALIDATE_ROWS_H
#define NARROWS_HARNESS_COMMAND_VALIDATE_ROWS_H

#include <stdbool.h>
#include <stddef.h>

struct rows_question {
    const char *db, *command;
    const char *data;         /* CSV in place of the file's rows; NULL: none */
    const char *const *names; /* files, shipped validations, "public" for all of these */
    size_t n;
};

/* Is it 'public', a shipped validation or a file of one? */
bool rows_known(const char *name);

/* Predict, store and print. Harness status; the message has been printed. */
int rows_validate(const struct rows_question *q);

#endif
