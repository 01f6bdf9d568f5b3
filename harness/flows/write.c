#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/flows/file.h"
#include "harness/status.h"

/* "7" or "7.gpu1" and a comma. */
static void write_end(FILE *f, struct end e)
{
    if (e.gpu == END_HOST)
        fprintf(f, "%" PRId64 ",", e.machine);
    else
        fprintf(f, "%" PRId64 ".gpu%" PRId64 ",", e.machine, e.gpu);
}

static void write_seconds(FILE *f, int64_t ps, char after)
{
    const int64_t s = 1000000000000;

    fprintf(f, "%" PRId64 ".%012" PRId64 "%c", ps / s, ps % s, after);
}

static void write_all(FILE *f, const struct flow_spec *list, size_t n, const int64_t end_ps[])
{
    fputs("id,src,dst,bytes,start_s,end_s\n", f);
    for (size_t i = 0; i < n; i++) {
        fprintf(f, "%" PRId64 ",", list[i].id);
        write_end(f, list[i].src);
        write_end(f, list[i].dst);
        fprintf(f, "%" PRId64 ",", list[i].bytes);
        write_seconds(f, list[i].start_ps, ',');
        write_seconds(f, end_ps[i], '\n');
    }
}

static int fail(FILE *err, const char *path)
{
    fprintf(err, "%s: %s\n", path, strerror(errno));
    return NW_EIO;
}

int flow_file_write_ends(const char *path, const struct flow_spec *list, size_t n, const int64_t end_ps[], FILE *err)
{
    char *temporary = NULL;
    FILE *f;
    int rc = NW_OK;

    if (asprintf(&temporary, "%s.%ld.tmp", path, (long)getpid()) < 0)
        return NW_ENOMEM;
    f = fopen(temporary, "wb");
    if (f)
        write_all(f, list, n, end_ps);
    if (!f || ferror(f))
        rc = fail(err, path);
    if (f && fclose(f) && !rc)
        rc = fail(err, path);
    if (!rc && rename(temporary, path))
        rc = fail(err, path);
    if (rc && f)
        unlink(temporary);
    free(temporary);
    return rc;
}
