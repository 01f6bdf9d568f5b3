#include "harness/host/memory.h"

#include <stdio.h>
#include <string.h>

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The number that a file begins with; INT64_MAX for "max" and for missing files. */
static int64_t limit_in(const char *mount, const char *path, const char *file)
{
    char name[1024];
    long long n = 0;
    FILE *f;
    int read;

    if ((size_t)snprintf(name, sizeof(name), "%s%s/%s", mount, path, file) >= sizeof(name))
        return INT64_MAX;
    f = fopen(name, "r");
    if (!f)
        return INT64_MAX;
    read = fscanf(f, "%lld", &n);
    fclose(f);
    return read == 1 && n > 0 ? n : INT64_MAX;
}

/* The limit of a cgroup and of those that contain it. */
static int64_t limit_of(const char *mount, char *path, const char *file)
{
    int64_t limit = INT64_MAX;

    for (;;) {
        char *slash = strrchr(path, '/');
        limit = least(limit, limit_in(mount, path, file));
        if (!slash)
            return limit;
        *slash = 0;
    }
}

/* Lines of /proc/self/cgroup: "0::/path" of version 2, "4:memory:/path" of version 1. */
static int64_t cgroup_limit(void)
{
    FILE *f = fopen("/proc/self/cgroup", "r");
    int64_t limit = INT64_MAX;
    char line[1024], *path;

    while (f && fgets(line, sizeof(line), f)) {
        line[strcspn(line, "\n")] = 0;
        if (!strncmp(line, "0::", 3))
            limit = least(limit, limit_of("/sys/fs/cgroup", line + 3, "memory.max"));
        else if ((path = strstr(line, ":memory:")))
            limit = least(limit, limit_of("/sys/fs/cgroup/memory", path + 8, "memory.limit_in_bytes"));
    }
    if (f)
        fclose(f);
    return limit;
}

int64_t memory_available(void)
{
    FILE *f = fopen("/proc/meminfo", "r");
    long long kB = 0;
    int64_t available = INT64_MAX;
    char line[256];

    while (f && fgets(line, sizeof(line), f))
        if (sscanf(line, "MemAvailable: %lld kB", &kB) == 1)
            available = 1024 * (int64_t)kB;
    if (f)
        fclose(f);
    return least(available, cgroup_limit());
}
