/* reading.h - what the readers of the formats share: the list of tensors that grows, which of them are wanted, and the
 * values behind a header.
 * Errors     0 or a negative nw_status, with the message printed. */
#ifndef NARROWS_HARNESS_TENSOR_READING_H
#define NARROWS_HARNESS_TENSOR_READING_H

#include "harness/tensor/input.h"
#include "harness/tensor/tensors.h"

struct reading {
    const struct tensors_options *options;
    struct tensors *out;
    char *left_out, *nearest; /* names of the one; of all names the nearest to options->only */
};

/* The way of any file: its first bytes decide who reads it. On an error *out is all zero. */
int reading_all(struct tensors *out, struct input *in, const struct tensors_options *options);

/* Is the tensor of this name one to be read? */
bool reading_wants(struct reading *r, const char *name);

/* What a header says of a tensor. */
struct tensor_header {
    enum tensor_type type;
    bool swapped; /* the bytes of each value, to big-endian */
    size_t ndims, dims[TENSOR_MOST_DIMS];
};

/* Append a tensor, whose values are at the head of 'in'; they must be there, and if 'whole', be all that is there. */
int reading_take(struct reading *r, struct input *in, const char *name, const struct tensor_header *h, bool whole);

/* Leave out a tensor of a type that is not read, as 'type' names it; NW_EINPUT if it is the one that is asked for. */
int reading_leave_out(struct reading *r, const struct input *in, const char *name, const char *type);

/* The product of the dimensions; NW_EINPUT if it is beyond 2^40. */
int header_count(const struct input *in, const struct tensor_header *h, size_t *n);

/* Bytes of a value. */
size_t tensor_type_bytes(enum tensor_type type);

/* Read t->n values of a type into t->values, which are allocated here, and count what is not finite. */
int values_read(struct tensor *t, struct input *in, const struct tensor_header *h);

/* The formats. The input is at its beginning; 'in' of read_npz() is not read, but opened again by libzip. */
int read_npy(struct reading *r, struct input *in, const char *name); /* of a tensor that is wanted */
int read_npz(struct reading *r, struct input *in);
int read_safetensors(struct reading *r, struct input *in);

/* Is this the beginning of a safetensors file? */
bool is_safetensors(const uint8_t *head, size_t n);

/* NW_EINPUT with a sentence on what the file seems to be and how it is converted; if 'certain', only where its first
 * bytes leave no doubt, else NW_OK. */
int refuse_other_format(const struct input *in, const uint8_t *head, size_t n, bool certain);

#endif
