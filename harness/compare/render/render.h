/* render.h - a comparison as a table, CSV, JSON or a page that needs no other file.
 * Rows       over all tensors; for each class of tensors, if there are several; and, if asked, for each tensor. Within
 *            each, codecs by bits over all, fewest first. In files every number has all its digits, and what is not a
 *            number is left empty, in JSON null. */
#ifndef NARROWS_HARNESS_COMPARE_RENDER_RENDER_H
#define NARROWS_HARNESS_COMPARE_RENDER_RENDER_H

#include <stdbool.h>
#include <stdio.h>

#include "harness/compare/comparison.h"
#include "harness/compare/forecast.h"

struct rendered {
    const struct comparison *comparison;
    const struct forecasts *forecasts; /* NULL: none */
    const char *source;                /* where the gradients are from */
    double bar;                        /* the cosine asked for */
    bool tensors;                      /* with a table of each */
};

int render_text(const struct rendered *r, FILE *out); /* NW_ENOMEM */
void render_csv(const struct rendered *r, FILE *out);
void render_json(const struct rendered *r, FILE *out);
void render_html(FILE *out, const void *rendered);

/* "4 steps of 22 tensors, 19562 values each, from DIR": what was compared. */
void render_what(const struct rendered *r, FILE *out);
/* What is odd about the values or the measurement, a line each; nothing if there is nothing. */
void render_notes(const struct rendered *r, FILE *out);

/* --- what the formats share --- */

/* A row: of all tensors, of a class or of a tensor. */
struct render_row {
    size_t table;                     /* rows of one table have the same number; 0: over all tensors */
    const char *scope, *name, *class; /* "whole", "class", "tensor"; "" where it has none */
    size_t contender;
    const struct outcome *outcome;
};

/* Call visit() with each row, in their order. */
void render_each(const struct rendered *r, void (*visit)(const struct render_row *row, void *context), void *context);
size_t render_classes(const struct comparison *c);                   /* how many classes have tensors */
size_t render_tensor_table(const struct rendered *r, size_t tensor); /* the number of its rows' table */

/* The rows' drawing: bits against cosine. */
void render_chart(const struct rendered *r, FILE *out);

#endif
