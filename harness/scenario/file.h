/* file.h - an opened scenario file. Built by open.c, read by points/, never changed afterwards. */
#ifndef NARROWS_HARNESS_SCENARIO_FILE_H
#define NARROWS_HARNESS_SCENARIO_FILE_H

#include "harness/scenario/head.h"
#include "harness/scenario/points/axis.h"
#include "harness/scenario/points/point.h"
#include "harness/scenario/points/template.h"

enum { MAX_POINTS = 10000000, MAX_VALUES = 100000 };

struct scenario_file {
    struct arena arena;
    struct diag diag;
    struct loader loader;
    const char *path;
    const struct node *root; /* of the file itself, with includes */
    struct head head;
    struct images images[SECTIONS];
    size_t first_image[SECTIONS]; /* the file's own image, used if nothing exchanges it */
    struct settings sets, command_sets;
    struct dimension_of_sweep *dims;
    size_t ndims;
    struct variant *variants;
    size_t nvariants;
    struct cell_template *cells;
    size_t ncells;
    struct fit *fits;
    struct cell_template *fit_cells;
    size_t nfits;
    struct content *contents;
    size_t ncontents;
    size_t npoints;
    /* First pass: reads only what exchanges platforms, models and timings, so that all of them are known. */
    bool references_only;
    /* The command line gives this section; the file's is ignored. */
    bool exchanged[SECTIONS];
};

#endif
