#include "harness/exec/launch/stopped.h"

#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/count.h"

static bool is_stopped(int pid)
{
    char path[64], text[512] = "";
    FILE *f;

    snprintf(path, sizeof(path), "/proc/%d/stat", pid);
    f = fopen(path, "r");
    if (!f)
        return false;
    text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
    fclose(f);
    const char *at = strrchr(text, ')'); /* the name before it may hold anything */
    return at && at[1] == ' ' && (at[2] == 'T' || at[2] == 't');
}

/* Its rank, as the launcher named it in its environment; -1 if it has not the entry, or is no rank. */
static int rank_of(int pid, const char *entry)
{
    static const char *const names[] = { "OMPI_COMM_WORLD_RANK=", "PMI_RANK=", "PMIX_RANK=" };
    char path[64], *text = NULL;
    size_t size = 0;
    bool found = false;
    int rank = -1;
    FILE *f;

    snprintf(path, sizeof(path), "/proc/%d/environ", pid);
    f = fopen(path, "r");
    while (f && getdelim(&text, &size, '\0', f) > 0) {
        found |= !strcmp(text, entry);
        for (size_t i = 0; i < COUNT(names) && rank < 0; i++)
            if (!strncmp(text, names[i], strlen(names[i])))
                rank = atoi(text + strlen(names[i]));
    }
    free(text);
    if (f)
        fclose(f);
    return found ? rank : -1;
}

int stopped_rank(const char *entry, char *why, size_t size)
{
    DIR *all = opendir("/proc");
    const struct dirent *one;
    int rank = -1;

    while (all && rank < 0 && (one = readdir(all))) {
        int pid = isdigit((unsigned char)*one->d_name) ? atoi(one->d_name) : 0;
        if (pid <= 1 || !is_stopped(pid))
            continue;
        rank = rank_of(pid, entry);
        if (rank >= 0)
            snprintf(why, size, "rank %d (process %d) was stopped", rank, pid);
    }
    if (all)
        closedir(all);
    return rank;
}
