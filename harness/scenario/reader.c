#include "harness/scenario/reader.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/flows/file.h"
#include "harness/host/home.h"
#include "harness/scenario/stamp.h"
#include "harness/status.h"

/* At most one byte more than allowed, so that the caller sees that there is more. */
static int read_all(int fd, char **text, size_t *size)
{
    size_t used = 0, size_max = SOURCE_MAX_BYTES + 1;
    char *buf = malloc(size_max);
    ssize_t n = 0;
    int error;

    if (!buf)
        return ENOMEM;
    while (used < size_max && ((n = read(fd, buf + used, size_max - used)) > 0 || (n < 0 && errno == EINTR)))
        used += n > 0 ? (size_t)n : 0;
    if (n < 0) {
        error = errno;
        free(buf);
        return error;
    }
    *text = buf;
    *size = used;
    return 0;
}

static int disk_read(void *ctx, const char *path, char **text, size_t *size)
{
    int fd, error;

    (void)ctx;
    if (!strcmp(path, "-"))
        return read_all(STDIN_FILENO, text, size);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    error = read_all(fd, text, size);
    close(fd);
    return error;
}

static int disk_exists(void *ctx, const char *path)
{
    struct stat st;

    (void)ctx;
    if (stat(path, &st))
        return errno;
    if (S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode)) /* /dev/zero has no end */
        return ENOTSUP;
    return S_ISDIR(st.st_mode) ? EISDIR : 0;
}

static int disk_flows(void *ctx, const char *path, struct flow_spec **list, size_t *n, char digest[33], FILE *err)
{
    (void)ctx;
    return flow_file_read(path, list, n, digest, err);
}

static int disk_stamp(void *ctx, const char *path, char digest[33])
{
    (void)ctx;
    return stamp_of(path, digest);
}

static const char ending[] = ".yaml";

/* Characters of the name before ".yaml"; 0 if it ends otherwise. */
static size_t stem_length(const char *name)
{
    size_t n = strlen(name), end = strlen(ending);

    return n > end && *name != '.' && !strcmp(name + n - end, ending) ? n - end : 0;
}

static int is_yaml(const struct dirent *entry)
{
    return stem_length(entry->d_name) > 0;
}

static void disk_names(void *ctx, const char *folder, name_fn *visit, void *argument)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, is_yaml, alphasort);

    (void)ctx;
    if (n < 0)
        return;
    for (int i = 0; i < n; i++) {
        entries[i]->d_name[stem_length(entries[i]->d_name)] = '\0';
        visit(argument, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
}

const struct reader disk_reader = {
    disk_read, disk_exists, home_dir, user_dir, disk_names, disk_flows, disk_stamp, NULL
};

static const struct memory_file *find(const struct memory_files *m, const char *path)
{
    for (size_t i = 0; i < m->n; i++)
        if (!strcmp(m->files[i].path, path))
            return &m->files[i];
    return NULL;
}

static int memory_read(void *ctx, const char *path, char **text, size_t *size)
{
    const struct memory_file *f = find(ctx, path);
    size_t n;

    if (!f)
        return ENOENT;
    n = f->size > SOURCE_MAX_BYTES ? SOURCE_MAX_BYTES + 1 : f->size;
    if (!(*text = malloc(n + 1)))
        return ENOMEM;
    if (n)
        memcpy(*text, f->text, n);
    *size = n;
    return 0;
}

static int memory_exists(void *ctx, const char *path)
{
    return find(ctx, path) ? 0 : ENOENT;
}

static const char *memory_home(void)
{
    return "home";
}

static const char *memory_user(void)
{
    return "user";
}

static void memory_names(void *ctx, const char *folder, name_fn *visit, void *argument)
{
    const struct memory_files *m = ctx;
    size_t length = strlen(folder);

    for (size_t i = 0; i < m->n; i++) {
        const char *path = m->files[i].path, *name = path + length + 1;
        char stem[256];
        size_t n;

        if (strncmp(path, folder, length) != 0 || path[length] != '/' || strchr(name, '/') || !(n = stem_length(name)))
            continue;
        snprintf(stem, sizeof(stem), "%.*s", (int)n, name);
        visit(argument, stem);
    }
}

static int memory_flows(void *ctx, const char *path, struct flow_spec **list, size_t *n, char digest[33], FILE *err)
{
    const struct memory_file *f = find(ctx, path);

    return f ? flow_file_parse(path, f->text, f->size, list, n, digest, err) : NW_EINPUT;
}

static int memory_stamp(void *ctx, const char *path, char digest[33])
{
    const struct memory_file *f = find(ctx, path);

    if (!f)
        return ENOENT;
    stamp_text(f->text, f->size, digest);
    return 0;
}

struct reader memory_reader(struct memory_files *files)
{
    return (struct reader){ memory_read,  memory_exists, memory_home,  memory_user,
                            memory_names, memory_flows,  memory_stamp, files };
}
