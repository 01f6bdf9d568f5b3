/* npy.h - numpy's format of one array: what its header says, and files written in it.
 * Errors     0 or a negative nw_status, with the message printed. */
#ifndef NARROWS_HARNESS_TENSOR_NPY_H
#define NARROWS_HARNESS_TENSOR_NPY_H

#include "harness/tensor/reading.h"

struct npy_header {
    char descr[40]; /* of one type, as "<f4"; of a structured one its beginning */
    bool structured, fortran_order;
    size_t ndims, dims[TENSOR_MOST_DIMS];
};

/* The dictionary text[0..n), which begins at byte 'at' of the file. */
int npy_header_parse(const struct input *in, const char *text, size_t n, struct npy_header *h);

/* The type of values that a descr stands for; false if it is none that is read. "<V2" and "|V2" are bfloat16, as
 * ml_dtypes and numpy write it. */
bool npy_type(const struct npy_header *h, struct tensor_header *out);

/* What else it stands for: "int64", "Python objects", "a structured type". */
void npy_type_in_words(const struct npy_header *h, char *words, size_t size);

/* Write an array of fp32 in C order, version 1. Complete or not at all, as whole_file.h does. */
int npy_write(const char *path, const float *values, size_t ndims, const size_t *dims, FILE *err);

#endif
