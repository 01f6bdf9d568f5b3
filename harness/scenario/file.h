/* file.h - what an opened scenario file is inside. Built by open.c, read by point.c, never changed afterwards. */
#ifndef NARROWS_SCENARIO_FILE_H
#define NARROWS_SCENARIO_FILE_H

#include "harness/scenario/head.h"
#include "harness/scenario/scenario.h"
#include "harness/scenario/schema/bind.h"
#include "harness/scenario/schema/value.h"
#include "harness/scenario/schema/walk.h"
#include "harness/scenario/yaml/arena.h"
#include "harness/scenario/yaml/diag.h"
#include "harness/scenario/yaml/load.h"

enum { MAX_POINTS = 10000000, MAX_VALUES = 100000 };

/* Which struct a path leads into: its first components tell. */
enum section { SECTION_HEAD, SECTION_PLATFORM, SECTION_MODEL, SECTION_TIMING, SECTIONS };

/* A value that a path reaches in an image. */
struct slot {
    const char *path; /* full */
    const struct field *field;
    struct place place;
};

/* A platform, a model or a timing, bound once from its file or its inline keys. The head is the only image of its section. */
struct image {
    const struct node *tree; /* tells it from others */
    const struct node *keys; /* the same, with includes laid underneath */
    void *base;              /* struct head, struct platform, struct model_spec or struct timing */
    struct slot *slots;
    size_t nslots;
    struct missing *missing; /* required keys that its file does not give */
    size_t nmissing;
};

struct images {
    struct image *items;
    size_t n;
    bool
        broken; /* some could not be loaded, or lack keys for want of a kind: a path that leads nowhere may lead into those */
};

/* What a path means: one field, and where it lies in each image of its section. */
struct target {
    const char *path; /* full; NULL if it could not be resolved */
    enum section section;
    const struct field *field;  /* NULL: the platform, model or timing itself is exchanged */
    const struct place *places; /* one per image */
};

struct setting {
    struct target target;
    struct value value;
    size_t image;   /* of a target without a field */
    struct mark at; /* of the path, of an axis of the value */
    struct mark value_at;
};

struct axis {
    struct target target;
    struct setting *values;
    size_t n;
    bool command; /* from the command line: beats the variants */
    struct mark at;
};

/* Axes that advance together. */
struct dimension_of_sweep {
    struct axis *axes;
    size_t naxes, n;
};

struct settings {
    struct setting *items;
    size_t n;
};

struct variant {
    const char *name;
    struct settings settings;
};

/* A text with {paths} in it, cut into pieces; a piece has a text, a target, or stands for the variant's name. */
struct piece {
    const char *text;
    struct target target;
    bool variant;
};

struct template
{
    struct piece *pieces;
    size_t n;
};

enum { CELL_TEXTS = 5 }; /* paper, table, row, column, measure */

struct cell_template {
    struct template texts[CELL_TEXTS];
    const char *variant; /* "" for every one */
};

/* Data that some point trains on: what tells it from what lay there before. */
struct stamp {
    const char *path, *digest;
};

/* Traffic that some point plays, read once. */
struct flow_list {
    const char *path, *digest;
    struct flow_spec *list; /* malloced */
    size_t n;
};

struct scenario_file {
    struct arena arena;
    struct diag diag;
    struct loader loader;
    const char *path;
    const struct node *root; /* of the file itself, with includes */
    struct head head;
    struct images images[SECTIONS];
    size_t first_image[SECTIONS]; /* that of the file itself, when nothing exchanges it */
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
    struct flow_list *flows;
    size_t nflows;
    struct stamp *stamps;
    size_t nstamps;
    size_t npoints;
    bool references_only;     /* first pass: only what exchanges platforms and models is read, so that all are known */
    bool exchanged[SECTIONS]; /* by the command line: what the file says of that section does not count */
};

/* shapes.c: a fault if the layers of a model do not fit each other. All models of a scenario, unless it changes layers. */
void shapes_check(struct scenario_file *f, const struct image *image, const char *prefix);
void shapes_check_all(struct scenario_file *f);

/* target.c: 'path' may omit leading components. A fault, and a NULL path in the target, if it leads nowhere or to
 * several places. 'key' is what messages name. */
struct target target_resolve(struct scenario_file *f, const char *path, struct mark at, const char *key);
void image_index(struct scenario_file *f, enum section section, struct image *image);

/* reference.c: the image of a platform, model or timing, by its node: a path or the keys themselves. False after a fault. */
bool reference_image(struct scenario_file *f, enum section section, const struct node *n, const char *key,
                     size_t *image);
/* Keys that a platform needs only beside others. 'prefix' is that of the binder's paths: "platform." or "". */
void reference_waive(struct scenario_file *f, struct binder *b, const struct image *image, const char *prefix);
/* SECTION_PLATFORM and so on, or -1 if the path names none; reference_target() also for a timing that the method has not. */
int reference_section(const char *path);
int reference_target(const struct scenario_file *f, const char *path);
const char *section_path(enum section section); /* full: "platform", "method.timing" */
const char *section_name(enum section section); /* what its files are called: "timing" */
const struct schema *section_schema(enum section section);
const struct entry *section_entry(const struct node *map, enum section section); /* of a map of paths */
enum scenario_kind kind_of_tree(const struct node *tree);
/* False, after a fault, if a file is of another kind, whose every key would be a fault. */
bool kind_right(struct scenario_file *f, const struct node *tree, enum section section, struct mark at,
                const char *key);
void reference_check(struct scenario_file *f, const char *const *given, size_t ngiven);
bool reference_link_ok(struct scenario_file *f, const char *name, struct mark at, const char *key);
const char *image_name(const struct scenario_file *f, enum section section, size_t image);

/* argument.c: the texts "path=value" of an option, each as a map of one key; faults are said and left out of *n. */
const struct node **argument_nodes(struct scenario_file *f, const char *option, const char *const *texts, size_t *n);

/* setting.c: the settings of a map 'path: value', of --set, and what they may be. */
void settings_read(struct scenario_file *f, const struct node *map, const char *key, bool varies, struct settings *out);
bool setting_read(struct scenario_file *f, const char *path, struct mark at, const struct node *value, const char *key,
                  bool varies, struct setting *out);

/* The same for a target that is known. 'varies': the values differ between points, so they must be able to change a
 * result. */
bool setting_value(struct scenario_file *f, const struct target *t, struct mark at, const struct node *value,
                   const char *key, bool varies, struct setting *out);

/* sweep.c: the values of an axis as nodes, ranges written out; 'field' NULL: paths of files. NULL after a fault. */
const struct node *sweep_values(struct scenario_file *f, const struct field *field, const struct node *n,
                                const char *key);
/* axis.c: all axes, from the file and from the command line. */
void axes_read_file(struct scenario_file *f, const struct node *sweep);
void axes_read_command(struct scenario_file *f, const struct node *const *sweeps, size_t n);

/* traffic.c: every file of flows that the scenario names; then, into a point, the one that it plays. Harness status; the
 * message has been printed. */
int traffic_read(struct scenario_file *f, FILE *err);
void traffic_supply(const struct scenario_file *f, struct flows *out);
void traffic_free(struct scenario_file *f);

/* stamps.c: the same for the data that points train on. */
int stamps_read(struct scenario_file *f, FILE *err);
void stamps_supply(const struct scenario_file *f, struct training_data *out);

/* times.c: the scenarios of the section 'time' as paths that can be opened. */
void times_find(struct scenario_file *f);

/* template.c */
struct template template_compile(struct scenario_file *f, const char *text, struct mark at, const char *key);

/* cells.c */
void cells_read(struct scenario_file *f, const struct node *root);
void fits_expand(struct scenario_file *f);

/* point.c: everything that is laid over the files for a combination of the axes and a variant (NULL: there are none), in
 * the order in which it is: later ones win, and the command line speaks last. */
typedef void setting_fn(void *ctx, const struct setting *s);
void settings_visit(const struct scenario_file *f, size_t combination, const struct variant *variant, setting_fn *visit,
                    void *ctx);

/* What a point keeps besides its scenario. */
struct point_memory {
    struct arena arena;
    size_t image[SECTIONS];
};

/* point.c: the scenario and the variant of a point, as a template sees them. */
struct bound {
    struct head head;
    struct scenario *scenario;
    size_t image[SECTIONS];
    const struct variant *variant; /* NULL if there are none */
    size_t combination;
};
void point_bind(const struct scenario_file *f, struct arena *a, size_t index, struct scenario *out, struct bound *b);
void *bound_base(struct bound *b, enum section section);
const char *template_expand(const struct scenario_file *f, struct arena *a, const struct template *t, struct bound *b);
struct cell template_cell(const struct scenario_file *f, struct arena *a, const struct cell_template *c,
                          struct bound *b);

#endif
