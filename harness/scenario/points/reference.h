/* reference.h - the platforms, models and timings that a scenario names, each bound once, however many points use it.
 * Errors     are added to the file's diag. */
#ifndef NARROWS_HARNESS_SCENARIO_POINTS_REFERENCE_H
#define NARROWS_HARNESS_SCENARIO_POINTS_REFERENCE_H

#include "harness/scenario/scenario.h"
#include "harness/scenario/schema/bind.h"
#include "harness/scenario/schema/walk.h"

/* The struct that a path leads into, known from its first components. */
enum section { SECTION_HEAD, SECTION_PLATFORM, SECTION_MODEL, SECTION_TIMING, SECTIONS };

/* A value that a path reaches in an image. */
struct slot {
    const char *path; /* full */
    const struct field *field;
    struct place place;
};

/* A platform, a model or a timing, bound from its file or its inline keys. The head is the only image of its section.
 * */
struct image {
    const struct node *tree; /* identifies it */
    const struct node *keys; /* the same, merged with its includes */
    void *base;              /* struct head, struct platform, struct model_spec or struct timing */
    struct slot *slots;
    size_t nslots;
    struct missing *missing; /* required keys that its file does not give */
    size_t nmissing;
};

struct images {
    struct image *items;
    size_t n;
    /* Some images could not be loaded, or lack keys because their kind is missing: an unknown path may lead into
     * them. */
    bool broken;
};

/* The image of a platform, model or timing, by its node: a path or the keys themselves. False after an error. */
bool reference_image(struct scenario_file *f, enum section section, const struct node *n, const char *key,
                     size_t *image);

/* Drop the missing keys that a platform needs only with others. 'prefix' is that of the binder's paths: "platform." or
 * "". */
void reference_waive(struct scenario_file *f, struct binder *b, const struct image *image, const char *prefix);

/* The section that the path names, or -1; reference_target() gives -1 also for a timing if the method has none. */
int reference_section(const char *path);
int reference_target(const struct scenario_file *f, const char *path);

/* Errors for required keys that neither a file nor one of the paths given supplies, and for names of unknown links. */
void reference_check(struct scenario_file *f, const char *const *given, size_t ngiven);
bool reference_link_ok(struct scenario_file *f, const char *name, struct mark at, const char *key);

const char *section_path(enum section section); /* full: "platform", "method.timing" */
const char *section_name(enum section section); /* of its files: "timing" */
const struct schema *section_schema(enum section section);
const struct entry *section_entry(const struct node *map, enum section section); /* in a map of paths */
const char *image_name(const struct scenario_file *f, enum section section, size_t image);

enum scenario_kind kind_of_tree(const struct node *tree);

/* False, after one error, if a file is of another kind: each of its keys would be an error. */
bool kind_right(struct scenario_file *f, const struct node *tree, enum section section, struct mark at,
                const char *key);

#endif
