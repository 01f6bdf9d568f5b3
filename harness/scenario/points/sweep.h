/* sweep.h - how the values of an axis are written.
 * In a file   sweep:
 *               link.pcie.bandwidth: 2..32 GB/s:log:8     # a range, see range.h
 *               batch: [32, 64, 128]                      # a list
 *               zip:                                      # axes that advance together; a list of mappings: groups
 *                 platform: [a.yaml, b.yaml]
 *                 gpu.count: [8, 4]
 * Argument    --sweep 'batch=32, 64, 128', 'batch=[32, 64]', 'link.pcie.bandwidth=2..32 GB/s:log:8'; with 'zip:' in
 *             front of the path, all such axes of the command line advance together.
 * Order       axes are combined as a product, the last one fastest; those of the file come first.
 * Precedence  file < set < sweep < variants < --set < --sweep. A --sweep or a --set of a path that the file sweeps
 *             replaces that axis.
 * Limits      100,000 values an axis, 10,000,000 points. */
#ifndef NARROWS_HARNESS_SCENARIO_POINTS_SWEEP_H
#define NARROWS_HARNESS_SCENARIO_POINTS_SWEEP_H

#include "harness/scenario/scenario.h"
#include "harness/scenario/schema/schema.h"
#include "harness/scenario/yaml/tree.h"

/* The values of an axis as a list of nodes, ranges expanded; 'field' NULL: paths of files. NULL after an error. */
const struct node *sweep_values(struct scenario_file *f, const struct field *field, const struct node *n,
                                const char *key);

#endif
