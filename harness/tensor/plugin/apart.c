/* apart.c - what calls a plug-in's functions for the first time does so in a child of this process, so that a division
 * by a parameter that may be 0 is a message and not the end of the program. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/tensor/plugin/private.h"

enum { MOST_S = 20 };

/* Never returns to what the parent would do at its exit. */
__attribute__((noreturn)) static void try(const struct plugin *p, struct plugin_report *r)
{
    alarm(MOST_S);
    r->passed = plugin_sizes_right(p->of, r) && plugin_works(p, r);
    _exit(0);
}

bool plugin_stands(const struct plugin *p, struct plugin_report *r)
{
    struct plugin_report *shared = mmap(NULL, sizeof(*r), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status = 0;
    pid_t child;

    if (shared == MAP_FAILED || (child = fork()) < 0) {
        snprintf(r->why, sizeof(r->why), "no process to try it in");
        if (shared != MAP_FAILED)
            munmap(shared, sizeof(*r));
        return false;
    }
    if (!child)
        try(p, shared);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    *r = *shared; /* and not what waitpid() says, which knows nothing where SIGCHLD is ignored */
    munmap(shared, sizeof(*r));
    if (!r->passed && !*r->why)
        snprintf(r->why, sizeof(r->why), "%s: %s: %s", p->codec.name, r->doing,
                 WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? "does not come to an end"
                 : WIFSIGNALED(status)                              ? strsignal(WTERMSIG(status))
                                                                    : "ends the program");
    return r->passed;
}
