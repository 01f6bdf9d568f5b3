/* progress.h - how far long work has come, printed to stderr: done of total, rate, time left. On a terminal one line
 * that is rewritten at most ten times a second; elsewhere a line every 30 seconds. NARROWS_QUIET silences it. */
#ifndef NARROWS_HARNESS_RUN_PROGRESS_H
#define NARROWS_HARNESS_RUN_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
    const char *label;
    size_t total, done;
    int64_t began_ns, shown_ns;
    bool terminal, quiet, shown;
};

void progress_begin(struct progress *p, const char *label, size_t total);
void progress_step(struct progress *p, size_t done);      /* 'done' in all, not since the last call */
void progress_note(struct progress *p, const char *text); /* in place of a count, as often */
void progress_end(struct progress *p);                    /* wipes the terminal's line */

#endif
