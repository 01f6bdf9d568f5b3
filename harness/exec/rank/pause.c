/* pause.c - how a rank waits when there is nothing to do. */
#include <time.h>

#include "harness/exec/rank/private.h"
#include "harness/host/clock.h"

/* Between two looks for messages that wake nobody: short against what a message takes on the links that this is for,
 * long enough that ranks which wait leave the processor to those that work; longer where it has been quiet. */
enum { PAUSE_NS = 50000, LONG_PAUSE_NS = 200000, QUIET_LOOKS = 20 };

/* So often in a row what there was to read may have been no whole message, before that stops to wake a rank. */
enum { FALSE_CALLS = 4 };

void wait_until(int64_t at_ns)
{
    struct timespec t = { .tv_sec = at_ns / 1000000000, .tv_nsec = at_ns % 1000000000 };

    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

void pause_briefly(struct performing *p)
{
    int64_t now_ns = clock_ns(), until_ns = now_ns + (p->quiet < QUIET_LOOKS ? PAUSE_NS : LONG_PAUSE_NS);

    p->quiet++;

    if (p->ntimers && p->timers[0].at_ns < until_ns)
        until_ns = p->timers[0].at_ns;
    if (until_ns <= now_ns)
        return;
    if (p->false_calls < FALSE_CALLS) {
        p->false_calls = doze_until(p->doze, until_ns) ? p->false_calls + 1 : 0;
    } else {
        wait_until(until_ns);
        p->false_calls = 0;
    }
}
