#include "harness/exec/launch/words.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/count.h"
#include "harness/exec/launch/folder.h"
#include "harness/mpi/world.h"

static bool is_open_mpi(void)
{
    return !strncmp(world_library(), "Open MPI", 8);
}

static size_t own_mpirun(int ranks, char *words[])
{
    static char mpirun[] =
#ifdef NW_MPIRUN
        NW_MPIRUN;
#else
        "mpirun";
#endif
    static char np[] = "-np", number[16], over[] = "--oversubscribe", bind[] = "--bind-to", none[] = "none",
                mca[] = "--mca", idle[] = "mpi_yield_when_idle", one[] = "1", root[] = "--allow-run-as-root";
    char *always[] = { mpirun, np, number }, *open_mpi[] = { over, bind, none, mca, idle, one };
    size_t n = 0;

    snprintf(number, sizeof(number), "%d", ranks);
    for (size_t i = 0; i < COUNT(always); i++)
        words[n++] = always[i];
    for (size_t i = 0; is_open_mpi() && i < COUNT(open_mpi); i++)
        words[n++] = open_mpi[i];
    if (is_open_mpi() && !geteuid())
        words[n++] = root;
    return n;
}

void launch_words(const struct launch *l, char *words[LAUNCH_WORDS])
{
    static char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
    size_t n = l->words ? 0 : own_mpirun(l->ranks, words);

    for (char *const *w = l->words; w && *w && n < LAUNCH_WORDS / 2; w++)
        words[n++] = *w;
    program[length > 0 ? length : 0] = '\0';
    words[n++] = program;
    words[n++] = l->command;
    for (char *const *a = l->arguments; *a && n < LAUNCH_WORDS - 1; a++)
        words[n++] = *a;
    words[n] = NULL;
}

static bool is_ours(const char *entry)
{
    return !strncmp(entry, LAUNCH_MARK, strlen(LAUNCH_MARK)); /* and NARROWS_EXEC_RUN, and so on */
}

static bool is_replaced(const char *entry, char *const *by)
{
    size_t name = strcspn(entry, "=") + 1;

    for (; *by; by++)
        if (!strncmp(entry, *by, name))
            return true;
    return false;
}

char **launch_environment(char *const *more, const char *mark, const char *folder)
{
    char sign[4200], *own[5] = { NULL };
    size_t n = 0, nown = 0, nmore = 0;

    while (environ[n])
        n++;
    while (more && more[nmore])
        nmore++;
    launch_folder_sign(folder, sign, sizeof(sign));
    char **all = calloc(n + nmore + COUNT(own) + 1, sizeof(*all));
    bool made = all && (own[nown++] = strdup(mark)) && asprintf(&own[nown], LAUNCH_MARK "_ALIVE=%s", sign) > 0 &&
                ++nown && asprintf(&own[nown], "TMPDIR=%s", folder) > 0 && ++nown &&
                asprintf(&own[nown], "OMPI_MCA_btl_vader_backing_directory=%s", folder) > 0;
    n = 0;
    for (char **e = environ; made && *e; e++)
        if (!is_ours(*e) && !is_replaced(*e, own) && (all[n] = strdup(*e)))
            n++;
    for (size_t i = 0; made && i < nmore; i++)
        if ((all[n] = strdup(more[i])))
            n++;
    for (size_t i = 0; i < COUNT(own); i++)
        if (own[i] && made)
            all[n++] = own[i];
        else
            free(own[i]);
    if (made)
        return all;
    free(all);
    return NULL;
}

void launch_environment_free(char **environment)
{
    for (char **e = environment; *e; e++)
        free(*e);
    free(environment);
}
