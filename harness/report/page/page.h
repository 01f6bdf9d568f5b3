/* page.h - the parts of the page that page.c puts together. */
#ifndef NARROWS_HARNESS_REPORT_PAGE_PAGE_H
#define NARROWS_HARNESS_REPORT_PAGE_PAGE_H

#include <stdio.h>

#include "harness/report/query.h"

/* The whole text file for the caller to free; NULL, and errno, if it cannot be read. */
char *page_slurp(const char *path);

/* The figures of a paper's section, each with its caption and the command that draws it; those without an SVG in 'dir'
 * are left out. */
int page_figures(sqlite3 *db, const char *paper, const char *section, const char *dir, FILE *out);

/* One drawing with its caption; nothing if there is no such file. */
void page_drawing(const char *file, const char *name, const char *caption, FILE *out);

/* Runs that belong to no paper: each scenario's newest run, or that of one scenario (NULL: all), with summary and
 * figures; timed kernels. */
struct store;
int page_runs(struct store *s, const char *scenario, const char *plots, const char *dir, FILE *out);

#endif
