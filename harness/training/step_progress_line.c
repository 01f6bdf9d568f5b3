/* step_progress_line.c - when to print a line of progress, and what it says. */
#include <stdarg.h>
#include <stdio.h>

#include "harness/training/step_progress.h"

static const int64_t terminal_ns = 100000000, line_ns = 30000000000, least_line_ns = 1000000000;

bool training_progress_due(const struct training_progress *p, int64_t now_ns)
{
    int64_t since_ns = now_ns - p->shown_ns;

    if (p->quiet)
        return false;
    if (p->terminal)
        return since_ns >= terminal_ns;
    return since_ns >= line_ns || (since_ns >= least_line_ns && 20 * (p->done - p->shown_done) >= p->steps);
}

struct text {
    char *bytes;
    size_t size, used; /* used: as if the size were unlimited */
};

__attribute__((format(printf, 2, 3))) static void append(struct text *t, const char *format, ...)
{
    va_list args;
    size_t at = t->used < t->size ? t->used : t->size - 1;
    int n;

    va_start(args, format);
    n = vsnprintf(t->bytes + at, t->size - at, format, args);
    va_end(args);
    t->used += n > 0 ? (size_t)n : 0;
}

static void append_left(struct text *t, double seconds)
{
    if (seconds < 120)
        append(t, ", %.0f s left", seconds);
    else if (seconds < 7200)
        append(t, ", %.0f min left", seconds / 60);
    else
        append(t, ", %.1f h left", seconds / 3600);
}

static void append_newest(struct text *t, const struct training_live *one)
{
    if (one->stepped)
        append(t, ", loss %.4g", one->loss);
    if (one->metric)
        append(t, ", %s %.4g%s%s", one->metric, one->value, *one->unit ? " " : "", one->unit);
}

/* Cut a line of UTF-8 after so many characters. */
static void cut(char *line, int columns)
{
    for (; *line; line++)
        if (((unsigned char)*line & 0xc0) != 0x80 && columns-- == 0) {
            *line = 0;
            return;
        }
}

void training_progress_line(const struct training_progress *p, const struct training_live *one, int64_t now_ns,
                            int columns, char *line, size_t size)
{
    struct text t = { line, size, 0 };
    double seconds = 1e-9 * (double)(now_ns - p->began_ns);
    double rate = seconds > 0 ? (double)(p->done - p->before) / seconds : 0;

    append(&t, "%s: ", p->label);
    if (p->runs > 1)
        append(&t, "%d of %d training runs, ", p->finished, p->runs);
    append(&t, "%lld of %lld steps", (long long)p->done, (long long)p->steps);
    if (p->runs == 1)
        append_newest(&t, one);
    if (rate > 0) {
        append(&t, ", %.0f samples/s", (double)p->samples / seconds);
        append_left(&t, (double)(p->steps - p->done) / rate);
    }
    if (p->runs > 1) {
        append(&t, "; %s: step %lld of %lld", one->name, (long long)one->step, (long long)one->steps);
        append_newest(&t, one);
    }
    if (columns > 0)
        cut(line, columns);
}
