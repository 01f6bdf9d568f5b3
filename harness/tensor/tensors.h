/* tensors.h - named tensors of fp32 values from files of several formats.
 * Formats    .npy (versions 1 to 3), .npz, safetensors, raw fp32. What a file is is decided by its first bytes; raw
 *            fp32 has none, so it is read only on request or from a file named *.f32.
 * Types      float32 as it is; float16 and bfloat16 widened; float64 rounded on request, else refused. Either byte
 *            order (.npy), C order only. Tensors of other types (integers, complex numbers, fp8) are left out of an
 *            .npz or a safetensors file, with a line on 'err' that names them; where no other is left, that is an
 *            error.
 * Shapes     0 dimensions are one value, and a dimension may be 0. At most 2^40 values.
 * Memory     that of the values read, and of a header; what a header announces is compared with the size of the file
 *            before memory is taken. A pipe is read into memory as a whole.
 * Ownership  tensors_free() releases everything; values are on a 64-byte boundary, and NULL only with 'list'. After an
 *            error there is nothing to release.
 * Errors     NW_EINPUT, NW_EIO or NW_ENOMEM with one line on 'err': FILE, where in it, what was expected, what came. */
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
    size_t overflows; /* infinities that are finite as float64 */
};

struct tensors {
    struct tensor *list; /* in the order of the file */
    size_t n;
    size_t left_out; /* of other types */
};

struct tensors_options {
    bool raw;         /* take the file as raw fp32, whatever it begins with */
    bool round;       /* round float64 to fp32 */
    bool list;        /* names, types and shapes alone, also of float64: no value is read */
    const char *only; /* the tensor of this name; NULL: all */
};

/* "-" is standard input. */
int tensors_read(struct tensors *out, const char *path, const struct tensors_options *options, FILE *err);

/* The one tensor that options->only names, or that is alone in the file; else NW_EINPUT with the list of names. */
int tensors_read_one(struct tensors *out, const char *path, const struct tensors_options *options, FILE *err);

/* The same as tensors_read() from memory; 'name' stands for the file. */
int tensors_parse(struct tensors *out, const char *name, const uint8_t *bytes, size_t nbytes,
                  const struct tensors_options *options, FILE *err);

void tensors_free(struct tensors *t); /* accepts an all-zero one */

/* "float32" */
const char *tensor_type_name(enum tensor_type type);

#endif
