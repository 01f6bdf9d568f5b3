/* steps.h - gradients of consecutive steps from files, folders and patterns.
 * Inputs     a file is one step, with all its tensors. A folder's files are a step each, in the order of their names,
 *            numbers in them as numbers (step-9 before step-10); if it has folders, each of them is a step, and its
 *            files together are the tensors. Of a folder only *.npy, *.npz, *.safetensors and *.f32 are read. Patterns
 *            with * ? [ are expanded. What several inputs name is put in one such order.
 * Same       every step must have the same tensors, in names and dimensions. Where each step is a single tensor, its
 *            name, which is then often the file's, does not count.
 * Ownership  steps_free() releases.
 * Errors     NW_EINPUT, NW_EIO or NW_ENOMEM with a line on 'err'. */
#ifndef NARROWS_HARNESS_COMPARE_STEPS_H
#define NARROWS_HARNESS_COMPARE_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct tensor; /* these are of harness/tensor/tensors.h */
struct tensors;
struct tensors_options;

struct step {
    char *name;            /* the path of its file or folder */
    struct tensors *files; /* what was read */
    size_t nfiles;
    const struct tensor **list; /* of all its files, ntensors of them */
};

struct steps {
    struct step *list;
    size_t n, ntensors;
};

struct steps_options {
    const struct tensors_options *read;
    bool one; /* all files are the tensors of one step */
};

int steps_read(struct steps *out, const char *const *inputs, size_t n, const struct steps_options *o, FILE *err);
void steps_free(struct steps *s); /* accepts an all-zero one */

#endif
