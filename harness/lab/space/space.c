#include "harness/lab/space/space.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/status.h"

static const char FOLDER[] = "/run/netns";

void space_name(const char *lab, int machine, char *name, size_t size)
{
    if (machine == SPACE_SWITCH)
        snprintf(name, size, "nwlab-%s-switch", lab);
    else
        snprintf(name, size, "nwlab-%s-%d", lab, machine);
}

int space_open(const char *root, const char *lab, int machine)
{
    char name[SPACE_NAME_MAX], path[256];
    int fd;

    space_name(lab, machine, name, sizeof(name));
    snprintf(path, sizeof(path), "%s%s/%s", root, FOLDER, name);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    return fd >= 0 ? fd : status_error(NW_EIO, "narrows lab: %s: %s\n", path, strerror(errno));
}

int space_own(void)
{
    int fd = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);

    return fd >= 0 ? fd : status_error(NW_EIO, "narrows lab: /proc/thread-self/ns/net: %s\n", strerror(errno));
}

int space_set(int fd)
{
    return setns(fd, CLONE_NEWNET) ? status_error(NW_EIO, "narrows lab: setns: %s\n", strerror(errno)) : NW_OK;
}

bool space_sysctl(const char *path, const char *value)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool ok = fd >= 0 && write(fd, value, strlen(value)) == (ssize_t)strlen(value);

    if (fd >= 0)
        close(fd);
    return ok;
}

int space_inside(const char *lab, int machine, int (*work)(void *argument), void *argument)
{
    int own = space_own(), there = own >= 0 ? space_open("", lab, machine) : own;
    int rc = there >= 0 ? space_set(there) : there;

    if (!rc) {
        rc = work(argument);
        int back = space_set(own);
        rc = rc ? rc : back;
    }
    if (there >= 0)
        close(there);
    if (own >= 0)
        close(own);
    return rc;
}

/* "nwlab-LAB-" and a number or "switch", so that lab 'a' does not have the namespaces of lab 'a-1'. */
static bool is_of(const char *entry, const char *lab)
{
    char prefix[SPACE_NAME_MAX];
    int n = snprintf(prefix, sizeof(prefix), "nwlab-%s-", lab);

    if (strncmp(entry, prefix, (size_t)n) != 0)
        return false;
    entry += n;
    return !strcmp(entry, "switch") || (*entry && strspn(entry, "0123456789") == strlen(entry));
}

static size_t walk(const char *root, const char *lab, void (*visit)(const char *path, void *argument), void *argument)
{
    char folder[128], path[sizeof(folder) + sizeof(((struct dirent *)0)->d_name) + 1];
    const struct dirent *entry;
    size_t n = 0;

    snprintf(folder, sizeof(folder), "%s%s", root, FOLDER);
    DIR *all = opendir(folder);

    while (all && (entry = readdir(all))) {
        if (!is_of(entry->d_name, lab))
            continue;
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        visit(path, argument);
        n++;
    }
    if (all)
        closedir(all);
    return n;
}

struct inodes {
    ino_t *list;
    size_t n, max;
};

static void note(const char *path, void *argument)
{
    struct inodes *to = argument;
    struct stat st;

    if (to->n < to->max && !stat(path, &st))
        to->list[to->n++] = st.st_ino;
}

size_t space_inodes(const char *root, const char *lab, ino_t *inodes, size_t max)
{
    struct inodes to = { inodes, 0, max };

    walk(root, lab, note, &to);
    return to.n;
}

static void unname(const char *path, void *argument)
{
    (void)argument;
    umount2(path, MNT_DETACH);
    unlink(path);
}

void space_remove(const char *lab)
{
    walk("", lab, unname, NULL);
}
