/* line.h - private to file.h: the lines of a file of traffic. */
#ifndef NARROWS_HARNESS_FLOWS_LINE_H
#define NARROWS_HARNESS_FLOWS_LINE_H

#include "harness/flows/file.h"
#include "harness/text/csv_lines.h"

/* Both as csv_lines.h has them. */
bool flow_line_header(void *unused, struct csv_piece line, struct csv_error *error);
bool flow_line_read(struct csv_piece line, struct flow_spec *out, struct csv_error *error);

#endif
