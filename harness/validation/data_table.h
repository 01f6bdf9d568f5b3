/* data_table.h - the rows of a validation as the SQL table 'data', and expressions on it.
 * Columns    those of the CSV headers together, and 'row', the number of the row from 0. What looks like a number is
 *            one, an empty field is NULL. Whole numbers divide as such, if all of a column are whole.
 * Ownership  texts of values last as long as the table.
 * Errors     NW_EINPUT with the reason in why[], or printed where there is none; NW_ENOMEM. */
#ifndef NARROWS_HARNESS_VALIDATION_DATA_TABLE_H
#define NARROWS_HARNESS_VALIDATION_DATA_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct data;

enum cell_kind { CELL_NULL, CELL_NUMBER, CELL_TEXT };

struct cell_value {
    enum cell_kind kind;
    double number;
    const char *text; /* also of a number; "" of NULL */
};

int data_new(struct data **out);
void data_free(struct data *t); /* accepts NULL */

/* Append the rows of a CSV text: commas, quotation marks where needed, a header of distinct names. */
int data_load(struct data *t, const char *name, const char *text, size_t size);
size_t data_rows(const struct data *t);

/* Add a column with the value of an expression in every row. */
int data_compute(struct data *t, const char *name, const char *expression, char *why, size_t nwhy);

/* The expression for every row: out[data_rows()]. 'with' is a list of common table expressions, "" or NULL for
 * none. */
int data_evaluate(struct data *t, const char *with, const char *expression, struct cell_value out[], char *why,
                  size_t nwhy);

/* A condition for every row; NULL and 0 are false. An empty one is true. */
int data_test(struct data *t, const char *condition, bool out[], char *why, size_t nwhy);

#endif
