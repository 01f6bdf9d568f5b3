/* gnuplot.h - gnuplot as a child process, without a shell: a path may hold any character. */
#ifndef NARROWS_HARNESS_REPORT_FIGURE_GNUPLOT_H
#define NARROWS_HARNESS_REPORT_FIGURE_GNUPLOT_H

/* Run "gnuplot -c TEMPLATE args..." with default settings and a fixed locale, so that the same data give the same
 * bytes. args ends with NULL. 0; NW_EENV if there is no gnuplot (no message: the caller says what is missing);
 * NW_EIO after a message that holds what gnuplot said. What it says without failing is passed on to stderr. */
int gnuplot_run(const char *template, const char *const *args);

#endif
