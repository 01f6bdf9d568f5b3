#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/buffers/csv.h"
#include "harness/status.h"

static void write_all(FILE *f, const struct buffer *list, const char *const ids[], size_t n, bool offsets)
{
    fprintf(f, "id,lower,upper,size%s\n", offsets ? ",offset" : "");
    for (size_t i = 0; i < n; i++) {
        fprintf(f, "%s,%" PRId64 ",%" PRId64 ",%" PRId64, ids[i], list[i].lower, list[i].upper, list[i].bytes);
        if (offsets)
            fprintf(f, ",%" PRId64, list[i].offset);
        fputc('\n', f);
    }
}

static int fail(FILE *err, const char *path)
{
    fprintf(err, "%s: %s\n", path, strerror(errno));
    return NW_EIO;
}

/* A device, a pipe, a link is written to, not replaced. */
static bool replaceable(const char *path)
{
    struct stat s;

    return lstat(path, &s) || S_ISREG(s.st_mode);
}

int buffers_csv_write(const char *path, const struct buffer *list, const char *const ids[], size_t n, bool offsets,
                      FILE *err)
{
    bool replaced = replaceable(path);
    char *temporary = NULL;
    FILE *f;
    int rc = NW_OK;

    if (!strcmp(path, "-")) {
        write_all(stdout, list, ids, n, offsets);
        return fflush(stdout) || ferror(stdout) ? fail(err, "standard output") : NW_OK;
    }
    if ((replaced ? asprintf(&temporary, "%s.%ld.tmp", path, (long)getpid()) : asprintf(&temporary, "%s", path)) < 0)
        return NW_ENOMEM;
    f = fopen(temporary, "wb");
    if (f)
        write_all(f, list, ids, n, offsets);
    if (!f || ferror(f))
        rc = fail(err, path);
    if (f && fclose(f) && !rc)
        rc = fail(err, path);
    if (!rc && replaced && rename(temporary, path))
        rc = fail(err, path);
    if (rc && f && replaced)
        unlink(temporary);
    free(temporary);
    return rc;
}
