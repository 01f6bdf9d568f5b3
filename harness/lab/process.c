#include "harness/lab/process.h"

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WAITS = 200, WAIT_ns = 10000000 }; /* 2 s */

struct lab_process process_of(int pid)
{
    struct lab_process p = { pid, 0 };
    char path[64], text[1024];
    FILE *f;

    snprintf(path, sizeof(path), "/proc/%d/stat", pid);
    f = fopen(path, "r");
    if (!f)
        return p;
    size_t n = fread(text, 1, sizeof(text) - 1, f);
    fclose(f);
    text[n] = '\0';
    const char *at = strrchr(text, ')'); /* the name before it may hold anything */
    if (!at || at[1] != ' ' || at[2] == 'Z')
        return p;
    at += 2;
    for (int field = 3; field < 22 && at; field++) {
        at = strchr(at, ' ');
        at = at ? at + 1 : NULL;
    }
    p.start = at ? strtoull(at, NULL, 10) : 0;
    return p;
}

bool process_alive(struct lab_process p)
{
    return p.pid > 0 && p.start && process_of(p.pid).start == p.start;
}

static bool has_entry(int pid, const char *entry)
{
    char path[64], *text = NULL;
    size_t size = 0;
    bool found = false;
    FILE *f;

    snprintf(path, sizeof(path), "/proc/%d/environ", pid);
    f = fopen(path, "r");
    while (f && !found && getdelim(&text, &size, '\0', f) > 0)
        found = !strcmp(text, entry);
    free(text);
    if (f)
        fclose(f);
    return found;
}

static bool is_inside(int pid, const ino_t *spaces, size_t nspaces)
{
    char path[64];
    struct stat st;

    snprintf(path, sizeof(path), "/proc/%d/ns/net", pid);
    if (!nspaces || stat(path, &st))
        return false;
    for (size_t i = 0; i < nspaces; i++)
        if (spaces[i] == st.st_ino)
            return true;
    return false;
}

/* Kill them once; how many there were. One that is dead already has neither environment nor namespaces. */
static int kill_pass(const char *entry, const ino_t *spaces, size_t nspaces)
{
    DIR *all = opendir("/proc");
    const struct dirent *one;
    int n = 0;

    while (all && (one = readdir(all))) {
        int pid = isdigit((unsigned char)*one->d_name) ? atoi(one->d_name) : 0;
        if (pid <= 1 || pid == getpid() || (!has_entry(pid, entry) && !is_inside(pid, spaces, nspaces)))
            continue;
        kill(pid, SIGKILL);
        n++;
    }
    if (all)
        closedir(all);
    return n;
}

int process_kill_marked(const char *entry, const ino_t *spaces, size_t nspaces)
{
    int n = kill_pass(entry, spaces, nspaces);

    for (int i = 0; n && i < WAITS; i++) {
        nanosleep(&(struct timespec){ .tv_nsec = WAIT_ns }, NULL);
        n = kill_pass(entry, spaces, nspaces);
    }
    return n;
}

void process_kill(struct lab_process p)
{
    if (!process_alive(p))
        return;
    kill(p.pid, SIGKILL);
    for (int i = 0; i < WAITS && process_alive(p); i++) {
        waitpid(p.pid, NULL, WNOHANG);
        nanosleep(&(struct timespec){ .tv_nsec = WAIT_ns }, NULL);
    }
    waitpid(p.pid, NULL, WNOHANG);
}
