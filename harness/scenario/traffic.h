/* traffic.h - the files of flows that a scenario names, each read once however many points play it. */
#ifndef NARROWS_HARNESS_SCENARIO_TRAFFIC_H
#define NARROWS_HARNESS_SCENARIO_TRAFFIC_H

#include <stdio.h>

#include "harness/scenario/scenario.h"

struct flow_list {
    const char *path, *digest;
    struct flow_spec *list; /* malloced */
    size_t n;
};

/* Read every file of flows that some point plays. Harness status; the message has been printed. */
int traffic_read(struct scenario_file *f, FILE *err);

/* Give a point the flows of the file that it names. */
void traffic_supply(const struct scenario_file *f, struct flows *out);
void traffic_free(struct scenario_file *f);

#endif
