/* layouts.h - the layouts of a scenario of the method sharded: every combination of the values of its axes, which
 * differ in keys of the method alone. A layout is a point of the scenario opened with these axes, and has its number.
 * Blocks     the layouts that have the ranks in the same places (tensor, context, pipeline, data, shard, order): what
 *            the links give them is alike. The others of their axes vary inside, those last that change no pass.
 * Twins      a layout that is the same as another one, since one of its keys does nothing in it, is none of the space,
 *            nor is one that leaves GPUs idle, unless that is allowed.
 * Ownership  layouts_close() releases it.
 * Threads    once it is open, many threads may read it.
 * Errors     harness status; the message has been printed. */
#ifndef NARROWS_HARNESS_TUNE_LAYOUTS_H
#define NARROWS_HARNESS_TUNE_LAYOUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/run/supply.h"
#include "harness/scenario/scenario.h"
#include "sim/method/sharded/sharded.h"

enum { LAYOUTS_AXES = 24 };

struct tune_question {
    const char *path; /* of the scenario, as it can be opened */
    const char *const *sets, *const *varied, *const *codecs;
    size_t nsets, nvaried, ncodecs;
    bool idle; /* GPUs may be left idle */
    const char *db, *command;
};

/* Bytes of the method's keys that a value of an axis changes. */
struct patch {
    unsigned short *at;
    unsigned char *bytes;
    size_t n;
};

struct layouts_axis {
    size_t n, stride; /* values; how far the point numbers of successive ones are apart */
    struct patch *patches;
};

struct layouts {
    struct supply supply;
    struct scenario_file *file;
    struct point *points; /* what patches were made of, which texts and curves lie in; the first is the base */
    size_t npoints;
    struct model model;
    struct job job;                         /* of the base */
    struct layouts_axis axes[LAYOUTS_AXES]; /* those of a block's number first, those that change no pass last */
    size_t naxes, nouter;
    size_t nblocks, block_size; /* their product is the number of combinations */
    bool idle;
    bool own_shards; /* nobody said which shard groups: all replicas, or those of a machine */
};

int layouts_open(const struct tune_question *q, struct layouts *out);
void layouts_close(struct layouts *s, int rc); /* also after an error */

/* The method of number 'inside' of a block; the point's number. False if it is none of the space's layouts. */
bool layouts_at(const struct layouts *s, size_t block, size_t inside, struct sharded *out, size_t *point);

/* The same for a point's number. */
void layouts_method(const struct layouts *s, size_t point, struct sharded *out);

/* The point of that number bound and supplied, to be played by events. */
int layouts_point(struct layouts *s, size_t number, struct point *out);

enum { LAYOUTS_KEY = 32 };

/* Identifies the scenario with its axes and the code that computes it: hex digits. */
int layouts_key(const struct layouts *s, char key[LAYOUTS_KEY + 1]);

#endif
