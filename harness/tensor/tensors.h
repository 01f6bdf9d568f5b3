/* tensors.h - named tensors of fp32 values from files of several formats.
 * Formats    .npy (versions 1 to 3), .npz, safetensors, raw fp32. What a file is is told by its first bytes; raw fp32
 *            has none, so it is read only on request or from a file named *.f32.
 * Types      float32 as it is; float16 and bfloat16 widened; float64 rounded on request, else refused. C order only.
 * Ownership  tensors_free() releases everything; values are on a 64-byte boundary.
 * Errors     NW_EINPUT, NW_EIO or NW_ENOMEM with one line on 'err': FILE, where in it, what was expected and what came. */
#ifndef NARROWS_HARNESS_TENSOR_TENSORS_H
#define NARROWS_HARNESS_TENSOR_TENSORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { TENSOR_MOST_DIMS = 32 };

enum tensor_type { TENSOR_F32, TENSOR_F64, TENSOR_F16, TENSOR_BF16 };

struct tensor {
    char *name;              /* as the file has it; of a .npy or raw file: the file's name without its ending */
    enum tensor_type stored; /* as what the file has its values */
    float *values;
    size_t n, ndims, dims[TENSOR_MOST_DIMS];
    size_t nans, infinities;
};

struct tensors {
    struct tensor *list; /* in the order of the file */
    size_t n;
};

struct tensors_options {
    bool raw;   /* take the file as raw fp32, whatever it begins with */
    bool round; /* round float64 to fp32 */
};

int tensors_read(struct tensors *out, const char *path, const struct tensors_options *options, FILE *err);
/* The same from memory; 'name' stands for the file. */
int tensors_parse(struct tensors *out, const char *name, const uint8_t *bytes, size_t nbytes,
                  const struct tensors_options *options, FILE *err);
void tensors_free(struct tensors *t); /* accepts an all-zero one */

#endif
