#include "harness/training/step_progress.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "harness/host/clock.h"

/* The most columns of a line: a wrapped line cannot be wiped. The width may change. 0: unknown. */
static int columns_of(FILE *out)
{
    struct winsize size = { 0 };

    return ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1 : 0;
}

static void show(struct training_progress *p, const struct training_live *one)
{
    int64_t now_ns = p->clock_ns();
    char line[512];

    if (!training_progress_due(p, now_ns))
        return;
    training_progress_line(p, one, now_ns, p->terminal ? columns_of(p->out) : 0, line, sizeof(line));
    fprintf(p->out, "%s%s%s", p->terminal ? "\r\033[K" : "", line, p->terminal ? "" : "\n");
    fflush(p->out);
    p->shown_ns = now_ns;
    p->shown_done = p->done;
    p->shown = 1;
}

void training_progress_begin(struct training_progress *p, const char *label, int runs, int64_t steps)
{
    *p = (struct training_progress){ .label = label, .runs = runs, .steps = steps, .out = stderr };
    pthread_mutex_init(&p->lock, NULL);
    p->clock_ns = clock_ns;
    p->began_ns = p->shown_ns = p->clock_ns();
    p->terminal = isatty(STDERR_FILENO);
    p->quiet = getenv("NARROWS_QUIET") != NULL;
}

void training_progress_end(struct training_progress *p)
{
    if (p->shown && p->terminal) {
        fputs("\r\033[K", p->out);
        fflush(p->out);
    }
    pthread_mutex_destroy(&p->lock);
}

void training_progress_start(struct training_progress *p, struct training_live *one, const char *name, int64_t steps,
                             int64_t before)
{
    *one = (struct training_live){ .name = name, .steps = steps, .step = before };
    pthread_mutex_lock(&p->lock);
    p->done += before;
    p->before += before;
    pthread_mutex_unlock(&p->lock);
}

void training_progress_step(struct training_progress *p, struct training_live *one, double loss, int64_t samples)
{
    one->step++;
    one->stepped = 1;
    one->loss = loss;
    pthread_mutex_lock(&p->lock);
    p->done++;
    p->samples += samples;
    show(p, one);
    pthread_mutex_unlock(&p->lock);
}

void training_progress_evaluated(struct training_progress *p, struct training_live *one, const char *metric,
                                 double value, const char *unit)
{
    one->metric = metric;
    one->value = value;
    one->unit = unit;
    pthread_mutex_lock(&p->lock);
    show(p, one);
    pthread_mutex_unlock(&p->lock);
}

void training_progress_finish(struct training_progress *p, struct training_live *one)
{
    pthread_mutex_lock(&p->lock);
    p->finished++;
    p->steps -= one->steps - one->step;
    show(p, one);
    pthread_mutex_unlock(&p->lock);
}
