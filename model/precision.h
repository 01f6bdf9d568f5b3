/* precision.h - the number formats that a GPU multiplies in. */
#ifndef NARROWS_MODEL_PRECISION_H
#define NARROWS_MODEL_PRECISION_H

#include <stdint.h>

enum compute_precision { COMPUTE_FP32, COMPUTE_TF32, COMPUTE_BF16, COMPUTE_FP16, COMPUTE_FP8, COMPUTE_PRECISIONS };

/* "fp32", ..., in the order of the enum; NULL ends them. */
extern const char *const compute_precision_names[COMPUTE_PRECISIONS + 1];

/* Of a value in memory: TF32 rounds as it multiplies, and lies there as FP32. */
int64_t compute_precision_bytes(enum compute_precision p);

/* The precision of that name. E_INVAL, *out untouched, if there is none; name may be NULL. */
int compute_precision_named(const char *name, enum compute_precision *out);

#endif
