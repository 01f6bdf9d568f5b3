/* line.h - private to file.h: one line of it. */
#ifndef NARROWS_HARNESS_FLOWS_LINE_H
#define NARROWS_HARNESS_FLOWS_LINE_H

#include <stdbool.h>

#include "harness/flows/file.h"

/* What is wrong with a line: what was expected, and what came instead, 'n' bytes of it. */
struct flow_fault {
    char expected[96];
    const char *came;
    size_t n;
};

/* The text of a line without its end. Both answer whether it is right, and fill the fault if it is not. */
bool flow_line_header(const char *text, const char *end, struct flow_fault *fault);
bool flow_line_read(const char *text, const char *end, struct flow_spec *out, struct flow_fault *fault);

#endif
