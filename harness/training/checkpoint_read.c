/* checkpoint_read.c - open a checkpoint and read its sections. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/status.h"
#include "harness/training/checkpoint_format.h"

int checkpoint_refuse(const struct checkpoint *c, int64_t offset, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "narrows: %s: offset %lld: ", c->path, (long long)offset);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    return NW_EINPUT;
}

int checkpoint_get(const struct checkpoint *c, int64_t offset, void *data, size_t bytes)
{
    char *p = data;

    while (bytes > 0) {
        ssize_t n = pread(c->file, p, bytes, offset);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            fprintf(stderr, "narrows: %s: offset %lld: read: %s\n", c->path, (long long)offset, strerror(errno));
            return NW_EIO;
        }
        if (n == 0)
            return checkpoint_refuse(c, offset, "expected %zu bytes more, the file was cut while it was read", bytes);
        p += n;
        bytes -= (size_t)n;
        offset += n;
    }
    return NW_OK;
}

static int open_file(struct checkpoint *c)
{
    struct stat st;

    c->file = open(c->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (c->file < 0 && errno == ENOENT)
        return 0;
    if (c->file < 0 || fstat(c->file, &st) != 0) {
        fprintf(stderr, "narrows: %s: %s\n", c->path, strerror(errno));
        return NW_EIO;
    }
    if (!S_ISREG(st.st_mode))
        return checkpoint_refuse(c, 0, "expected a checkpoint, found no file but something else");
    c->size = st.st_size;
    return 1;
}

int checkpoint_open(const char *path, const char *key, struct checkpoint **out)
{
    struct checkpoint *c = calloc(1, sizeof(*c));
    int rc = NW_ENOMEM, found;

    if (!c)
        return rc;
    c->file = -1;
    c->path = strdup(path);
    found = c->path ? open_file(c) : NW_ENOMEM;
    rc = found == 1 ? checkpoint_check(c, key) : found;
    if (found == 1 && !rc)
        rc = checkpoint_find_places(c);
    if (found != 1 || rc) {
        checkpoint_close(c);
        return rc;
    }
    *out = c;
    return 1;
}

void checkpoint_close(struct checkpoint *c)
{
    if (!c)
        return;
    if (c->file >= 0)
        close(c->file);
    for (size_t i = 0; i < c->nplaces; i++)
        free(c->places[i].name);
    free(c->places);
    free(c->path);
    free(c);
}

int64_t checkpoint_step(const struct checkpoint *c)
{
    return c->step;
}

static const struct checkpoint_place *find(const struct checkpoint *c, const char *name)
{
    struct checkpoint_place wanted = { .name = (char *)name };

    return c->nplaces ? bsearch(&wanted, c->places, c->nplaces, sizeof(wanted), checkpoint_by_name) : NULL;
}

bool checkpoint_has(const struct checkpoint *c, const char *name, size_t *bytes)
{
    const struct checkpoint_place *s = find(c, name);

    if (s)
        *bytes = (size_t)s->bytes;
    return s != NULL;
}

int checkpoint_read(struct checkpoint *c, const char *name, void *data, size_t bytes)
{
    const struct checkpoint_place *s = find(c, name);

    if (!s)
        return checkpoint_refuse(c, c->size, "expected a section '%s', found none", name);
    if ((size_t)s->bytes != bytes)
        return checkpoint_refuse(c, s->offset, "expected section '%s' to have %zu bytes, found %lld", name, bytes,
                                 (long long)s->bytes);
    return checkpoint_get(c, s->offset, data, bytes);
}
