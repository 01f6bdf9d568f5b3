/* reader.h - where texts come from: the disk, or memory. */
#ifndef NARROWS_HARNESS_SCENARIO_READER_H
#define NARROWS_HARNESS_SCENARIO_READER_H

#include "harness/scenario/yaml/load.h"

extern const struct reader disk_reader; /* "-" is the standard input */

/* Texts in place of files, for the fuzzer and the tests. Paths of shipped files begin with "home/". */
struct memory_file {
    const char *path;
    const char *text;
    size_t size;
};
struct memory_files {
    const struct memory_file *files;
    size_t n;
};
struct reader memory_reader(struct memory_files *files);

#endif
