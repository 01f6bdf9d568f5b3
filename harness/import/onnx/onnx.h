/* onnx.h - the network of an ONNX file as a model.
 * What is read   the graph: operators, shapes, and the whole numbers that shapes are made of. Weights may be left out
 *                of the file or lie in another one: nothing but their sizes is looked at. Operators are those of ONNX,
 *                and PyTorch's own by their names ("aten.linear.default"), as python/narrows/export.py writes them.
 * Ownership      onnx_free() releases what onnx_read() gives; texts and layers live as long as it.
 * Errors         0, NW_EINPUT or NW_ENOMEM. A refusal is printed to 'err' as "FILE: what was expected, what was found",
 *                one line for each node that a model file has no layer for, up to twenty of them. */
#ifndef NARROWS_HARNESS_IMPORT_ONNX_ONNX_H
#define NARROWS_HARNESS_IMPORT_ONNX_ONNX_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model/model.h"

enum { ONNX_MOST_DIMS = 16 };
#define ONNX_MOST_B 2147483647 /* bytes of a file: what the format itself allows */

/* The size of a dimension that the file only names. */
struct onnx_dim {
    const char *name;
    int64_t size;
};

struct onnx_options {
    const char *name;                     /* of the model; NULL: the graph's own, or "model" */
    struct onnx_dim dims[ONNX_MOST_DIMS]; /* any other is 1 */
    size_t ndims;
};

struct onnx_network;

/* 'file' stands for the file in messages. */
int onnx_read(const char *file, const void *bytes, size_t n, const struct onnx_options *options, FILE *err,
              struct onnx_network **out);
void onnx_free(struct onnx_network *n); /* accepts NULL */

const struct model_spec *onnx_spec(const struct onnx_network *n);
const struct model *onnx_model(const struct onnx_network *n); /* as model_infer() gives it */

/* Parameters of the framework: values of all floating-point initializers, each once, but for the running statistics of
 * batch norms and single constants. */
int64_t onnx_parameters(const struct onnx_network *n);

/* Parameters of the model: weights, biases and tables. */
int64_t onnx_model_parameters(const struct onnx_network *n);

/* A line for each thing that the model file says otherwise than the graph, or leaves out, with how often. */
size_t onnx_notes(const struct onnx_network *n);
const char *onnx_note(const struct onnx_network *n, size_t i, int *times);

/* Write the model file. */
void onnx_write(FILE *out, const void *network);

#endif
