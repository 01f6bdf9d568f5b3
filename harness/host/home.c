#include "harness/host/home.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 4096 };
static char installed[PATH]; /* PREFIX/share/narrows; empty if the program lies in no such prefix */

const char *user_dir(void)
{
    const char *home = getenv("HOME");

    return home && *home ? home : NULL;
}

/* "PREFIX/bin/narrows" without its last 'parts' parts; false if it has fewer. */
static bool cut(char *path, int parts)
{
    while (parts--) {
        char *slash = strrchr(path, '/');

        if (!slash)
            return false;
        *slash = '\0';
    }
    return true;
}

/* By where the program is now, not by where it was installed: a prefix may be moved. */
static void find_installed(void)
{
    char program[PATH], path[PATH + 64];
    ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);

    if (n <= 0)
        return;
    program[n] = '\0';
    if (!cut(program, 2))
        return;
    snprintf(path, sizeof(path), "%s/share/narrows/scenarios", program);
    if (access(path, R_OK | X_OK) == 0 && cut(path, 1) && strlen(path) < sizeof(installed))
        memcpy(installed, path, strlen(path) + 1);
}

const char *home_dir(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const char *home = getenv("NARROWS_HOME");

    if (home && *home)
        return home;
    pthread_once(&once, find_installed);
    return *installed ? installed : NW_SOURCE_DIR;
}
