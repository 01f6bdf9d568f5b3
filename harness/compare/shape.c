#include "harness/compare/shape.h"

#include "harness/tensor/tensors.h"

enum { EMBEDDING_ROWS = 8192, EMBEDDING_TALLER = 8, FLAT_VALUES = 65536 };

enum shape_class shape_class(const struct tensor *t)
{
    size_t wide[2] = { 0, 0 }, n = 0;

    for (size_t i = 0; i < t->ndims; i++) {
        if (t->dims[i] == 1)
            continue;
        if (n < 2)
            wide[n] = t->dims[i];
        n++;
    }
    if (n > 2)
        return SHAPE_KERNEL;
    if (n < 2)
        return t->n >= FLAT_VALUES ? SHAPE_FLAT : SHAPE_VECTOR;
    return wide[0] >= EMBEDDING_ROWS && wide[0] / EMBEDDING_TALLER >= wide[1] ? SHAPE_EMBEDDING : SHAPE_MATRIX;
}

const char *shape_class_name(enum shape_class c)
{
    static const char *const names[] = { "kernels", "matrices", "embeddings", "flat", "vectors" };

    return names[c];
}
