/* contents.h - the files that points depend on besides YAML, each read once: flows to play, and data to train on (of
 * which only a stamp is taken). The keys that name them are those with FIELD_DIGEST. */
#ifndef NARROWS_HARNESS_SCENARIO_CONTENTS_H
#define NARROWS_HARNESS_SCENARIO_CONTENTS_H

#include <stdio.h>

#include "harness/scenario/scenario.h"

struct content {
    const char *path, *digest; /* for data the digest is a stamp: stamp.h */
    struct flow_spec *list;    /* malloced; NULL for data */
    size_t n;
};

/* Read every such file that some point names. Harness status; the message has been printed. */
int contents_read(struct scenario_file *f, FILE *err);
void contents_free(struct scenario_file *f);

/* Give a point the flows that it plays, and the digests of its files. */
void contents_supply(const struct scenario_file *f, struct scenario *out);

#endif
