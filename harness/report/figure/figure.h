/* figure.h - one figure: a query, a file of its data, a template that draws them.
 * Errors     0 or a negative nw_status after a message on stderr; NW_EENV without one where gnuplot is missing. */
#ifndef NARROWS_HARNESS_REPORT_FIGURE_FIGURE_H
#define NARROWS_HARNESS_REPORT_FIGURE_FIGURE_H

struct sqlite3;

/* The first column of 'data' names the block (see tsv.h), whose first line goes on with 'header', or with what
 * 'header_sql' says if that is there: its columns are joined by tabs. 'marks' are the points to mark on the curves, in
 * a file of their own, a block each: its name is what the legend says; NULL for none. */
struct figure {
    const char *name, *template, *header, *header_sql, *data, *marks;
};

/* Write DIR/NAME.tsv and draw DIR/NAME.svg and .png with PLOTS/TEMPLATE.gp; 'argument' is ?1 of the queries.
 * FIGURE_EMPTY if there is no data for it. */
enum { FIGURE_EMPTY = 1 };
int figure_try(struct sqlite3 *db, const char *argument, const struct figure *f, const char *plots, const char *dir);
/* The same; one without data is skipped with a message and is no error. */
int figure_make(struct sqlite3 *db, const char *argument, const struct figure *f, const char *plots, const char *dir);

/* Draw DIR/NAME.tsv, which is there, in the same way. */
int figure_draw(const char *name, const char *template, const char *plots, const char *dir);

/* Make the directory and those above it. */
int figure_directory(const char *dir);

#endif
