#include "harness/exec/watch.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/exec/launch/launch.h"
#include "harness/status.h"

static char last_words[128];
static unsigned seconds;

static void on_alarm(int number)
{
    (void)number;
    (void)!write(STDERR_FILENO, last_words, strlen(last_words));
    _exit(EXIT_FAILED);
}

void watch_begin(int rank, double limit_s)
{
    const struct sigaction action = { .sa_handler = on_alarm };

    seconds = limit_s > 0 ? (unsigned)limit_s + WATCH_MORE_S : 0;
    snprintf(last_words, sizeof(last_words), "rank %d: not done after %u s: no answer from another rank\n", rank,
             seconds);
    sigaction(SIGALRM, &action, NULL);
}

void watch_lives(void)
{
    launch_lives();
    alarm(seconds);
}

void watch_pause(void)
{
    launch_lives();
    alarm(0);
}

void watch_end(void)
{
    alarm(0);
}
