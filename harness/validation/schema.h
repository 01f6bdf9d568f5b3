/* schema.h - private to validation/: the table of keys. */
#ifndef NARROWS_HARNESS_VALIDATION_SCHEMA_H
#define NARROWS_HARNESS_VALIDATION_SCHEMA_H

#include "harness/scenario/schema/schema.h"

extern const struct schema schema_validation;

#endif
