/* times.h - the scenarios of the section 'time', as paths that the program can open. */
#ifndef NARROWS_HARNESS_SCENARIO_TIMES_H
#define NARROWS_HARNESS_SCENARIO_TIMES_H

struct scenario_file;

void times_find(struct scenario_file *f);

#endif
