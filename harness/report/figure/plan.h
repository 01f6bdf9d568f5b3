/* plan.h - the figures of one memory plan: what is generated and what can be offloaded (Figure 1 of
 * Split-CNN), the memory alive, the timeline (Figure 9). */
#ifndef NARROWS_HARNESS_REPORT_FIGURE_PLAN_H
#define NARROWS_HARNESS_REPORT_FIGURE_PLAN_H

#include "harness/run/point/planned.h"
#include "sim/engine/timeline.h"

/* DIR/generated, DIR/live and DIR/timeline as .tsv, .svg and .png, with templates of 'plots'. Harness status; NW_EENV
 * after a message where gnuplot is missing (the data are written all the same). */
int plan_drawings(const struct planned *p, const struct plan_rows *rows, const struct timeline *t, const char *plots,
                  const char *dir);

#endif
