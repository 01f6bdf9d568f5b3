/* checkpoint_format.h - the layout of a checkpoint: a head, sections (head, name, bytes), an end, the checksum. And
 * what the files that read it share. */
#ifndef NARROWS_HARNESS_TRAINING_CHECKPOINT_FORMAT_H
#define NARROWS_HARNESS_TRAINING_CHECKPOINT_FORMAT_H

#include <stdint.h>
#include <xxhash.h>

#include "harness/training/checkpoint.h"

#define CHECKPOINT_MAGIC "NRWSCKPT"
enum { CHECKPOINT_VERSION = 1 };

struct checkpoint_head {
    char magic[8];
    uint32_t version;
    uint32_t zero;
    char key[CHECKPOINT_KEY];
    int64_t step;
};

/* Comes before a section's name and bytes; one of zeros is the end. */
struct checkpoint_section {
    uint32_t name_bytes;
    uint32_t zero;
    uint64_t bytes;
};

struct checkpoint_tail {
    struct checkpoint_section end;
    XXH128_canonical_t checksum; /* of all before it */
};

_Static_assert(sizeof(struct checkpoint_head) == 56 && sizeof(struct checkpoint_section) == 16 &&
                   sizeof(struct checkpoint_tail) == 32,
               "no padding: these are written to the file as they are");

/* --- reading --- */
struct checkpoint_place {
    char *name;
    int64_t offset, bytes; /* of the section's content */
};

struct checkpoint {
    char *path;
    int file;
    int64_t size, step;
    struct checkpoint_place *places; /* of the sections, by name */
    size_t nplaces, capacity;
};

/* Read these bytes. NW_EIO; NW_EINPUT if the file ends before. */
int checkpoint_get(const struct checkpoint *c, int64_t offset, void *data, size_t bytes);

/* Print "FILE: offset N: ..."; NW_EINPUT. */
int checkpoint_refuse(const struct checkpoint *c, int64_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Check the head and the checksum of an open file, and set the step. */
int checkpoint_check(struct checkpoint *c, const char *key);

/* Find the sections of a file with a correct checksum. */
int checkpoint_find_places(struct checkpoint *c);

int checkpoint_by_name(const void *a, const void *b); /* places, for qsort() and bsearch() */

#endif
