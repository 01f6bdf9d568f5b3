/* table.h - a list of mappings that is a file of comma-separated values.
 * Form       the first line has the keys, each with the unit of its values in parentheses if they have one:
 *            "ranks,bytes (B),time (us)"; every other line is a mapping. Values are not quoted. Blank lines, lines that
 *            begin with '#', blanks around values, CRLF and a byte-order mark are skipped.
 * Ownership  nodes and texts live in the loader's arena; each has its place in that file. */
#ifndef NARROWS_HARNESS_SCENARIO_YAML_TABLE_H
#define NARROWS_HARNESS_SCENARIO_YAML_TABLE_H

#include "harness/scenario/yaml/load.h"

/* The file that the scalar 'name' names as a list like one in YAML, its values with their units. 'key' is the path of
 * the key there. NULL after an error. */
const struct node *table_load(struct loader *l, const struct node *name, const char *key);

#endif
