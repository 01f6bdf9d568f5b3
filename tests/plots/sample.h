/* sample.h - a template's sample data, and the poor data that are made of it. */
#ifndef NARROWS_TESTS_PLOTS_SAMPLE_H
#define NARROWS_TESTS_PLOTS_SAMPLE_H

#include <stdbool.h>

struct poor {
    const char *name;
    const char *number; /* in the place of every number; "-" before it for "-"; NULL: as it is */
    const char *text;   /* in the place of every name, with its place behind it; NULL: as it is */
    int sets, rows;     /* how many data sets, and rows in each; 0: all; -1: none */
    int times;          /* every data set this often, its rows this often, under other names; 0: once */
    bool each_column;   /* only the numbers of one column are replaced, each in turn */
    bool nothing;       /* the figure must say that there is nothing to draw */
    bool titled;        /* the figure must have its title */
    bool something;     /* there is something to draw */
};

/* What is made; ends with a name of NULL. */
extern const struct poor poor_data[];

/* Read tests/plots/data/TEMPLATE.tsv, and TEMPLATE-marks.tsv if there is one. False if there is no sample. */
bool sample_open(const char *template);
void sample_close(void);

/* How many columns hold numbers somewhere. */
int sample_columns(void);

/* The sample's first line if it is 'template's. */
const char *sample_title(const char *template);

/* Write the data, or the marks; false if the sample has no marks. */
bool sample_write(const struct poor *kind, int column, bool marks, const char *path);

#endif
