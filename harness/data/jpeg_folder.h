/* jpeg_folder.h - the files in a folder of classes: names and labels, no contents. */
#ifndef NARROWS_HARNESS_DATA_JPEG_FOLDER_H
#define NARROWS_HARNESS_DATA_JPEG_FOLDER_H

#include <stddef.h>
#include <stdint.h>

#include "train/data/source.h"

struct jpeg_file {
    int32_t class;
    uint32_t name; /* its offset in the folder's names */
};

struct jpeg_list {
    char *folder; /* holds the classes' folders */
    struct jpeg_file *files;
    size_t n, capacity;
};

struct jpeg_folder {
    struct jpeg_list sets[DATA_SETS];
    char **classes; /* names of their folders, in order */
    int64_t nclasses;
    char *names; /* of files, each ended by a 0 */
    size_t nnames, names_capacity;
};

/* Refused: no class, other classes for tests than for training, an empty class, a name that does not end in .jpg or
 * .jpeg. *out must be zeroed; a failed one may be closed. */
int jpeg_folder_open(const char *path, struct jpeg_folder *out, char *why, size_t nwhy);
void jpeg_folder_close(struct jpeg_folder *f);

#endif
