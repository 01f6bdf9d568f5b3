/* tool.h - the programs ip and tc of iproute2, fed with many commands at once. */
#ifndef NARROWS_HARNESS_LAB_SPACE_TOOL_H
#define NARROWS_HARNESS_LAB_SPACE_TOOL_H

#include <stdio.h>

/* Commands for one run of a tool: print them to 'out', a line each. */
struct tool_batch {
    const char *tool; /* "ip" or "tc" */
    FILE *out;
    char *text;
    size_t size;
};

/* NW_ENOMEM */
int tool_begin(struct tool_batch *b, const char *tool);

/* Run what was printed in the calling thread's network namespace. NW_EENV: the tool is not here; NW_EIO: it refused a
 * command; both with the message printed unless 'quiet'. Releases the batch. */
int tool_end(struct tool_batch *b, int quiet);

#endif
