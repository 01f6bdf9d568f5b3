/* To be loaded before a program: paths with /remote/ in them are on NFS. */
#include <dlfcn.h>
#include <string.h>
#include <sys/vfs.h>

int statfs(const char *path, struct statfs *fs)
{
    int (*real)(const char *, struct statfs *);

    *(void **)&real = dlsym(RTLD_NEXT, "statfs");
    int rc = real(path, fs);

    if (!rc && (strstr(path, "/remote/") || (strlen(path) > 7 && !strcmp(path + strlen(path) - 7, "/remote"))))
        fs->f_type = 0x6969;
    return rc;
}
