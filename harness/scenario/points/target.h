/* target.h - from a path, which may omit leading components, to its field and its place in every image. */
#ifndef NARROWS_HARNESS_SCENARIO_POINTS_TARGET_H
#define NARROWS_HARNESS_SCENARIO_POINTS_TARGET_H

#include "harness/scenario/points/reference.h"

struct target {
    const char *path; /* full; NULL if it could not be resolved */
    enum section section;
    const struct field *field;  /* NULL: the platform, model or timing itself is exchanged */
    const struct place *places; /* one per image of the section */
};

/* An error, and a NULL path in the result, if 'path' leads nowhere or to several keys. 'key' is what messages name. */
struct target target_resolve(struct scenario_file *f, const char *path, struct mark at, const char *key);

/* Does 'given' name the path 'full'? 1: it is the whole path; 2: its end, from a component on; 0: no. */
int path_matches(const char *full, const char *given);

/* The end of 'full' with as many components as 'given': a misspelled short path is compared with it. */
const char *path_end_like(const char *full, const char *given);

/* List the slots of an image, which paths are searched in. */
void image_index(struct scenario_file *f, enum section section, struct image *image);

#endif
