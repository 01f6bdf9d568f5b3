/* What must hold of the place before SQLite is asked: its directories exist, and its filesystem is local. */
#include <errno.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "harness/status.h"
#include "harness/store/internal.h"

/* WAL keeps its index in memory shared by the processes, which no filesystem carries between hosts: two writers on
 * two hosts would corrupt the file. Numbers from statfs(2) where linux/magic.h lacks them. */
static const struct {
    unsigned long magic;
    const char *name;
} remote[] = {
    { NFS_SUPER_MAGIC, "NFS" }, { SMB_SUPER_MAGIC, "SMB" },   { 0xff534d42, "CIFS" },   { 0xfe534d42, "SMB2" },
    { 0x0bd00bd0, "Lustre" },   { 0x47504653, "GPFS" },       { 0x19830326, "BeeGFS" }, { 0x00c36400, "Ceph" },
    { AFS_SUPER_MAGIC, "AFS" }, { CODA_SUPER_MAGIC, "Coda" }, { 0x01161970, "GFS2" },   { 0x7461636f, "OCFS2" },
    { V9FS_MAGIC, "9P" },
};

/* *name: NULL on a local one. */
static int remote_name(const char *dir, const char **name)
{
    struct statfs fs;

    *name = NULL;
    if (statfs(dir, &fs) != 0)
        return NW_EIO;
    for (size_t i = 0; i < sizeof(remote) / sizeof(*remote); i++)
        if (((unsigned long)fs.f_type & 0xffffffff) == remote[i].magic)
            *name = remote[i].name;
    return NW_OK;
}

bool store_local(const char *folder)
{
    const char *name;

    return !remote_name(folder, &name) && !name;
}

static int refuse_remote(const char *path, const char *dir)
{
    const char *name;

    if (remote_name(dir, &name))
        return status_error(NW_EIO, "narrows: %s: %s: %s\n", path, dir, strerror(errno));
    if (!name)
        return NW_OK;
    return status_error(NW_EDB,
                        "narrows: %s: lies on a network filesystem (%s), where several writers would corrupt it;"
                        " choose a local file with --db\n",
                        path, name);
}

/* The directory part of 'path', "." if there is none; the caller frees it. */
static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        return strdup(".");
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

/* Only the default's: of any other path a folder that is not there is a slip of the finger. */
static int make_directory(const char *path, const char *dir)
{
    if (strcmp(path, STORE_DEFAULT) != 0) {
        fprintf(stderr, "narrows: %s: there is no folder %s: make it first, or choose another file with --db\n", path,
                dir);
        return NW_EIO;
    }
    if (!mkdir(dir, 0777) || errno == EEXIST)
        return NW_OK;
    fprintf(stderr, "narrows: %s: cannot make the folder %s: %s; choose another file with --db\n", path, dir,
            strerror(errno));
    return NW_EIO;
}

int file_prepare(const char *path)
{
    char *dir;
    int rc = NW_ENOMEM;

    if (!*path || *path == ':') { /* SQLite's names for a database that is gone when it is closed */
        fprintf(stderr, "narrows: --db: expected a file, got '%s'\n", path);
        return NW_EINPUT;
    }
    dir = directory_of(path);
    if (dir) {
        struct stat st;

        rc = stat(dir, &st) == 0 ? NW_OK : make_directory(path, dir);
        if (!rc)
            rc = refuse_remote(path, dir);
    }
    free(dir);
    return rc;
}

int file_local(const char *path)
{
    char *dir = directory_of(path);
    int rc = dir ? refuse_remote(path, dir) : NW_ENOMEM;

    free(dir);
    return rc;
}
