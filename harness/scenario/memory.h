/* memory.h - scenario_open() on texts instead of files: paths name the texts, and no file is read. */
#ifndef NARROWS_HARNESS_SCENARIO_MEMORY_H
#define NARROWS_HARNESS_SCENARIO_MEMORY_H

#include "harness/scenario/reader.h"
#include "harness/scenario/scenario.h"

int scenario_open_memory(struct memory_files *files, const char *path, const char *const *sets, size_t nsets,
                         const char *const *sweeps, size_t nsweeps, FILE *err, struct scenario_file **out);

#endif
