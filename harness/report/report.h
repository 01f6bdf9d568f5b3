/* report.h - the papers' tables, claims and figures next to the results of the runs in a database. All of them are
 * definitions (results_schema/papers/); the code knows no paper.
 * Units      as the papers print them (ms, %, x); the figures' axes name theirs.
 * Ownership  nothing is kept: the store stays the caller's.
 * Errors     0, or a negative nw_status after a message on stderr: NW_EINPUT for a paper or table that is not known,
 *            NW_EDB, NW_EIO, NW_EENV where gnuplot is missing. */
#ifndef NARROWS_HARNESS_REPORT_REPORT_H
#define NARROWS_HARNESS_REPORT_REPORT_H

#include <stdio.h>

struct store;

enum report_format { REPORT_TEXT, REPORT_CSV, REPORT_JSON, REPORT_MARKDOWN };

struct report_choice {
    const char *paper; /* "3lc" */
    const char *table; /* a part's name ("table-1") or the paper's number of it ("1"); NULL: all */
    const char *cell;  /* "ROW, COLUMN" of that table, as published; NULL: all */
};

/* Call each(name, argument) for every paper, in the order of reports, until it returns other than 0. */
int report_papers(struct store *s, int (*each)(const char *paper, void *argument), void *argument);

/* Is there such a paper? 0, or NW_EINPUT after a message that lists those there are, or NW_EDB. */
int report_find(struct store *s, const char *paper);

/* Does any run in the store cover the paper? 1, 0, or negative. */
int report_spoken(struct store *s, const char *paper);

/* Print the report of a paper, or the chosen part. NW_EDB if no run in the store covers it; the message says what to
 * run. CSV and JSON are the rows of the view comparison, or of the table chosen. */
int report_print(struct store *s, const struct report_choice *choice, enum report_format format, FILE *out);

/* One line per paper: how many cells are predicted, with what errors, how many claims hold, where it was computed. */
int report_scoreboard(struct store *s, enum report_format format, FILE *out);

/* Every table, figure and claim of all papers in a line each, as text or Markdown. */
int report_summary(struct store *s, enum report_format format, FILE *out);

/* Was anything predicted to be held against an execution? 1, 0, or negative. */
int report_validated(struct store *s);

/* Predictions held against executions, as text or Markdown; as CSV or JSON the points of the view validation. NW_EDB if
 * there are none; the message says what to run. */
int report_validation(struct store *s, enum report_format format, FILE *out);

/* Draw the paper's figures ('paper' "": those of the validation), or the one of that name (NULL: all) into directory
 * 'dir' (made if missing): NAME.tsv, NAME.svg, NAME.png. 'plots' is the directory of the templates. Those that were not
 * drawn, and why, are one line on stderr: a figure without data is no error; NW_EENV if gnuplot is not installed, the
 * data files being written all the same; NW_EIO if one failed, the others being drawn. Files appear under their names
 * only when complete. */
int report_figures(struct store *s, const char *paper, const char *figure, const char *plots, const char *dir);
/* The same; figures that were not drawn are appended to 'undrawn': "a, b (WHY)", separated by semicolons, no
 * newline. */
int report_figures_noting(struct store *s, const char *paper, const char *figure, const char *plots, const char *dir,
                          FILE *undrawn);

/* One self-contained page of all that the store has: scoreboard, then paper by paper, the validation if there was one,
 * runs of one's own; or of one scenario's newest run alone (NULL: everything). The figures are drawn into 'dir'
 * first. */
int report_page(struct store *s, const char *scenario, const char *plots, const char *dir, const char *file);

#endif
