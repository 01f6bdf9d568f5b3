/* bench_sizes.h - the sizes that a bench is asked for: numbers of values, or the layers of a model. */
#ifndef NARROWS_HARNESS_COMMAND_LINE_BENCH_SIZES_H
#define NARROWS_HARNESS_COMMAND_LINE_BENCH_SIZES_H

#include <stddef.h>

#include "harness/bench/bench.h"
#include "model/model.h"

/* "1000000": so many values. "4MiB": values that take so many bytes as fp32. Other text ends the program with a
 * message. */
size_t bench_values(const char *text);

/* A file or a shipped model. Free both with scenario_free_model() and model_free(), also after an error. */
int bench_load_model(const char *name, struct model_spec **spec, struct model *m);

/* The layers of the model; without one (NULL) each given size as one, and without those from cache to DRAM. The
 * caller frees *layers, which sizes[0..*nsizes) refer to. */
int bench_sizes(const size_t *given, size_t ngiven, const struct model *m, size_t **layers, struct bench_size *sizes,
                size_t *nsizes);

#endif
