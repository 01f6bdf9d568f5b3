/* line.h - private to file.h: the lines of a file of traffic. */
#ifndef NARROWS_HARNESS_FLOWS_LINE_H
#define NARROWS_HARNESS_FLOWS_LINE_H

#include "harness/flows/file.h"
#include "harness/text/csv_lines.h"

/* As csv_lines.h has them. 'ordered': the file has the columns after and delay_s. */
bool flow_line_header(bool *ordered, struct csv_piece line, struct csv_error *error);

/* 'after' becomes the text of this column, for flow_line_after(). */
bool flow_line_read(bool ordered, struct csv_piece line, struct flow_spec *out, struct csv_piece *after,
                    struct csv_error *error);

/* Take the next id from the column "after"; false at its end, or with *error filled. */
bool flow_line_after(struct csv_piece *after, int64_t *id, struct csv_error *error);

#endif
