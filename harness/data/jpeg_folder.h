/* jpeg_folder.h - the files in a folder of classes: names and labels, no contents. */
#ifndef NARROWS_HARNESS_DATA_JPEG_FOLDER_H
#define NARROWS_HARNESS_DATA_JPEG_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "train/data/source.h"

struct jpeg_file {
    int32_t class;
    uint32_t name; /* its offset in the folder's names */
};

/* A file is FOLDER/CLASS/NAME; with 'inside' FOLDER/CLASS/images/NAME, with 'flat' FOLDER/NAME. */
struct jpeg_list {
    char *folder;
    bool inside, flat;
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

/* A new string for the caller to free; NULL without memory. */
char *jpeg_folder_path(const struct jpeg_folder *f, const struct jpeg_list *list, const struct jpeg_file *file);

/* For jpeg_folder.c and jpeg_annotated.c. 0 or E_NOMEM, without a reason. */
int jpeg_folder_add(struct jpeg_folder *f, struct jpeg_list *list, int64_t class, const char *name, size_t n);

/* The tests of Tiny ImageNet: val/images/FILE, the class of each in val/val_annotations.txt (FILE, CLASS and a box,
 * separated by tabs). jpeg_annotated() says whether there is such a file; the classes have to be known. */
bool jpeg_annotated(const char *path);
int jpeg_annotated_add(struct jpeg_folder *f, const char *path, char *why, size_t nwhy);

#endif
