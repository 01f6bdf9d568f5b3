#include "harness/run/progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/host/clock.h"

static const int64_t terminal_ns = 100000000, line_ns = 30000000000;

void progress_begin(struct progress *p, const char *label, size_t total)
{
    int64_t now = clock_ns();

    *p = (struct progress){ .label = label, .total = total, .began_ns = now, .shown_ns = now };
    p->terminal = isatty(STDERR_FILENO);
    p->quiet = getenv("NARROWS_QUIET") != NULL;
}

/* Is it time to say something again? */
static bool is_due(struct progress *p, int64_t now)
{
    if (p->quiet || now - p->shown_ns < (p->terminal ? terminal_ns : line_ns))
        return false;
    p->shown_ns = now;
    p->shown = 1;
    return true;
}

static void show(const struct progress *p, const char *text)
{
    fprintf(stderr, "%s%s: %s%s", p->terminal ? "\r\033[K" : "", p->label, text, p->terminal ? "" : "\n");
    fflush(stderr);
}

void progress_step(struct progress *p, size_t done)
{
    int64_t now = clock_ns();
    char text[128];

    p->done = done;
    if (!is_due(p, now))
        return;
    double seconds = (double)(now - p->began_ns) / 1e9, rate = (double)done / seconds;
    double left = rate > 0 ? (double)(p->total - done) / rate : 0;
    snprintf(text, sizeof(text), "%zu of %zu points, %.0f/s, %.0f s left", done, p->total, rate, left);
    show(p, text);
}

void progress_note(struct progress *p, const char *text)
{
    if (is_due(p, clock_ns()))
        show(p, text);
}

void progress_end(struct progress *p)
{
    if (p->shown && p->terminal)
        fputs("\r\033[K", stderr);
}
