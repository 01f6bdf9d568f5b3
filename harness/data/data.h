/* data.h - open data of any kind (train/data/options.h): synthetic data, and public data sets as files.
 * Checked    on opening, as far as that is cheap: sizes, magic numbers, counts, all labels of small files, names of
 *            folders. The rest is checked as samples are read. Files must not change while they are open; one that
 *            does gives an error, not a crash.
 * Errors     E_DATA with the reason in why[0..nwhy): "FILE: offset N (or line N): what was expected, what came";
 *            E_NOMEM. */
#ifndef NARROWS_HARNESS_DATA_DATA_H
#define NARROWS_HARNESS_DATA_DATA_H

#include "train/data/options.h"
#include "train/data/source.h"

int data_open(const struct data_options *o, struct data_source **out, char *why, size_t nwhy);

#endif
