#include "harness/run/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const int64_t terminal_ns = 100000000, line_ns = 30000000000;

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

void progress_begin(struct progress *p, const char *label, size_t total)
{
    int64_t now = now_ns();

    *p = (struct progress){ .label = label, .total = total, .began_ns = now, .shown_ns = now };
    p->terminal = isatty(STDERR_FILENO);
    p->quiet = getenv("NARROWS_QUIET") != NULL;
}

void progress_step(struct progress *p, size_t done)
{
    int64_t now = now_ns();

    p->done = done;
    if (p->quiet || now - p->shown_ns < (p->terminal ? terminal_ns : line_ns))
        return;
    double seconds = (double)(now - p->began_ns) / 1e9, rate = (double)done / seconds;
    double left = rate > 0 ? (double)(p->total - done) / rate : 0;
    fprintf(stderr, "%s%s: %zu of %zu points, %.0f/s, %.0f s left%s", p->terminal ? "\r\033[K" : "", p->label, done,
            p->total, rate, left, p->terminal ? "" : "\n");
    fflush(stderr);
    p->shown_ns = now;
    p->shown = 1;
}

void progress_end(struct progress *p)
{
    if (p->shown && p->terminal)
        fputs("\r\033[K", stderr);
}
