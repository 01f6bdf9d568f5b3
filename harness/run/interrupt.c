#include "harness/run/interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/count.h"

static const int caught[] = { SIGINT, SIGTERM };

/* Written by the handler, read by every worker: lock-free, so a handler may. */
static atomic_int asked;

static void on_signal(int number)
{
    (void)number;
    atomic_store(&asked, 1);
    interrupt_release();
}

void interrupt_catch(void)
{
    struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < COUNT(caught); i++)
        sigaction(caught[i], &action, NULL);
}

void interrupt_release(void)
{
    for (size_t i = 0; i < COUNT(caught); i++)
        signal(caught[i], SIG_DFL);
}

bool interrupted(void)
{
    return atomic_load(&asked) != 0;
}
