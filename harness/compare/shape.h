/* shape.h - classes of tensors, by their dimensions alone; those of one value do not count.
 *   kernels     three dimensions or more: of convolutions
 *   embeddings  two, of which the first is 8192 or more and 8 times the second or more: rows of a table
 *   matrices    any other two
 *   flat        one, and 65,536 values or more: a bucket, or a whole gradient written one behind the other
 *   vectors     anything else: biases, scales and shifts */
#ifndef NARROWS_HARNESS_COMPARE_SHAPE_H
#define NARROWS_HARNESS_COMPARE_SHAPE_H

struct tensor; /* of harness/tensor/tensors.h */

enum shape_class { SHAPE_KERNEL, SHAPE_MATRIX, SHAPE_EMBEDDING, SHAPE_FLAT, SHAPE_VECTOR, SHAPE_CLASSES };

enum shape_class shape_class(const struct tensor *t);
const char *shape_class_name(enum shape_class c);

#endif
