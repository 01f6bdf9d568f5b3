#include "harness/run/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t asked;

static void on_signal(int number)
{
    (void)number;
    asked = 1;
}

void interrupt_catch(void)
{
    /* SA_RESETHAND: the default action is back in place for the second signal. */
    struct sigaction action = { .sa_handler = on_signal, .sa_flags = (int)(SA_RESETHAND | SA_RESTART) };

    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

_Bool interrupted(void)
{
    return asked != 0;
}
