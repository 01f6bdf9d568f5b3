#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/figure.h"
#include "harness/report/papers.h"
#include "harness/report/report.h"
#include "harness/status.h"
#include "harness/store/store.h"

int report_figures(struct store *s, const char *name, const char *plots, const char *dir)
{
    const struct paper *paper = paper_find(name);
    int rc = paper ? figure_directory(dir) : NW_EINPUT, missing = 0;

    for (const struct figure *f = paper ? paper->figures : NULL; !rc && f->name; f++) {
        rc = figure_make(store_handle(s), name, f, plots, dir);
        if (rc != NW_EENV)
            continue;
        fprintf(stderr, "%s %s", missing++ ? "," : "narrows report: gnuplot is not installed; not drawn:", f->name);
        rc = NW_OK;
    }
    if (missing)
        fprintf(stderr, " (the data are in %s; Debian: apt-get install gnuplot-nox)\n", dir);
    return rc ? rc : missing ? NW_EENV : NW_OK;
}
