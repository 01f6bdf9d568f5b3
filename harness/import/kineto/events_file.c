/* events_file.c - a file, packed or not, as a source of bytes. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "harness/import/kineto/events.h"
#include "harness/status.h"

struct packed {
    gzFile file;
    const char *name;
    FILE *err;
};

/* A packed file that was cut off gives what there is, and then says so. */
static long read_packed(void *context, char *into, size_t n)
{
    const struct packed *p = context;
    long got = gzread(p->file, into, (unsigned)n);
    int error = Z_OK;
    const char *why;

    if (got > 0)
        return got;
    why = gzerror(p->file, &error);
    if (got == 0 && error == Z_OK)
        return 0;
    fprintf(p->err, "%s: %s\n", p->name, error == Z_ERRNO ? strerror(errno) : why);
    return -1;
}

int events_read_file(const char *path, int (*each)(void *context, const struct event_text *e), void *context, FILE *err)
{
    int in = strcmp(path, "-") ? -1 : dup(STDIN_FILENO);
    struct packed p = { .file = in < 0 ? gzopen(path, "rb") : gzdopen(in, "rb"),
                        .name = strcmp(path, "-") ? path : "standard input",
                        .err = err };
    struct byte_source from = { p.name, &p, read_packed };
    int rc;

    if (!p.file) {
        fprintf(err, "%s: %s\n", p.name, strerror(errno));
        return NW_EIO;
    }
    gzbuffer(p.file, 1 << 18);
    rc = events_read(&from, each, context, err);
    gzclose_r(p.file);
    return rc;
}
