/* shelf.h - real data where a user keeps them: a folder that holds the archives of public data sets as they unpack.
 * Nothing is downloaded: a set's terms are between its user and who distributes it.
 * Checks     what can be said for certain of each set: sizes and counts as they are documented. Digests of
 *            single files are published for none of them; that of an archive is in 'archive', for md5sum.
 * Errors     0, or E_DATA or E_NOMEM with the reason in why[0..nwhy). */
#ifndef NARROWS_HARNESS_DATA_SHELF_H
#define NARROWS_HARNESS_DATA_SHELF_H

#include <stdbool.h>
#include <stddef.h>

#include "train/data/options.h"

enum shelf_id { SHELF_CIFAR10, SHELF_TINY_IMAGENET, SHELF_CRITEO, SHELF_IWSLT, SHELF_SETS };

struct shelf_set {
    const char *name;
    const char *place;   /* below the folder: what data_options.path takes */
    const char *kind;    /* as a scenario writes it */
    const char *holds;   /* counts and sizes that are checked */
    const char *from;    /* who distributes it */
    const char *archive; /* its name, size and digest, as far as known */
    const char *terms;
};
extern const struct shelf_set shelf_sets[SHELF_SETS];

enum shelf_state { SHELF_ABSENT, SHELF_THERE, SHELF_WRONG };

/* Is the set in 'folder', and is it all there? Its path goes to path[0..npath), what is missing or wrong with it to
 * why[]. 'whole': read also what takes minutes (the lines of Criteo's 11 GB are counted). */
enum shelf_state shelf_look(const char *folder, enum shelf_id which, bool whole, char *path, size_t npath, char *why,
                            size_t nwhy);

#endif
