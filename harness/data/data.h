/* data.h - opens data of any kind (train/data/options.h): what is made, and files that people have.
 * Checked    when it is opened as far as that is cheap (sizes, magic numbers, counts, all labels of small files, names of folders),
 *            else when a sample is read. A file is taken to stay as it is while it is open; one that does not is an error, no crash.
 * Errors     E_DATA with the reason in why[0..nwhy): "FILE: offset N (or line N): what was expected, what came"; E_NOMEM. */
#ifndef NARROWS_HARNESS_DATA_DATA_H
#define NARROWS_HARNESS_DATA_DATA_H

#include "train/data/options.h"
#include "train/data/source.h"

int data_open(const struct data_options *o, struct data_source **out, char *why, size_t nwhy);

#endif
