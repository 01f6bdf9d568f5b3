#include "harness/exec/launch/folder.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/lab/process.h"
#include "harness/status.h"
#include "harness/text/whole_file.h"

static const char prefix[] = "narrows-exec-";

static const char *parent_folder(void)
{
    const char *given = getenv("TMPDIR");

    if (!access("/dev/shm", W_OK | X_OK))
        return "/dev/shm";
    return given && *given ? given : "/tmp";
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st, (void)kind, (void)at;
    remove(path);
    return 0;
}

void launch_folder_remove(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* "narrows-exec-PID-START" of a process that is no more, made by this user. */
static void remove_dead(const char *parent)
{
    DIR *all = opendir(parent);
    const struct dirent *entry;

    while (all && (entry = readdir(all))) {
        struct lab_process p;
        char path[4096];
        struct stat st;
        int used = 0;
        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0 ||
            sscanf(entry->d_name + strlen(prefix), "%d-%llu%n", &p.pid, &p.start, &used) != 2 ||
            entry->d_name[strlen(prefix) + (size_t)used] || process_alive(p))
            continue;
        snprintf(path, sizeof(path), "%s/%s", parent, entry->d_name);
        if (!lstat(path, &st) && S_ISDIR(st.st_mode) && st.st_uid == geteuid())
            launch_folder_remove(path);
    }
    if (all)
        closedir(all);
}

int launch_folder_make(char *path, size_t size)
{
    struct lab_process self = process_of(getpid());

    remove_dead(parent_folder());
    snprintf(path, size, "%s/%s%d-%llu", parent_folder(), prefix, self.pid, self.start);
    if (mkdir(path, 0700) && errno == EEXIST)
        launch_folder_remove(path);
    return mkdir(path, 0700) && errno != EEXIST ? whole_file_failed(path, stderr) : NW_OK;
}

void launch_folder_sign(const char *folder, char *path, size_t size)
{
    snprintf(path, size, "%s/alive", folder);
}

int64_t launch_folder_touched_ns(const char *folder)
{
    char path[4200];
    struct stat st;

    launch_folder_sign(folder, path, sizeof(path));
    return stat(path, &st) ? 0 : st.st_mtim.tv_sec * (int64_t)1000000000 + st.st_mtim.tv_nsec;
}
