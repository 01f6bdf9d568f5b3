/* write.c - buffers as CSV, with their offsets if wanted. */
#include <inttypes.h>
#include <string.h>

#include "harness/buffers/csv.h"
#include "harness/status.h"
#include "harness/text/whole_file.h"

struct written_buffers {
    const struct buffer *list;
    const char *const *ids;
    size_t n;
    bool offsets;
};

static void write_all(FILE *f, const void *what)
{
    const struct written_buffers *w = what;

    fprintf(f, "id,lower,upper,size%s\n", w->offsets ? ",offset" : "");
    for (size_t i = 0; i < w->n; i++) {
        const struct buffer *b = &w->list[i];

        fprintf(f, "%s,%" PRId64 ",%" PRId64 ",%" PRId64, w->ids[i], b->lower, b->upper, b->bytes);
        if (w->offsets)
            fprintf(f, ",%" PRId64, b->offset);
        fputc('\n', f);
    }
}

int buffers_csv_write(const char *path, const struct buffer *list, const char *const ids[], size_t n, bool offsets,
                      FILE *err)
{
    const struct written_buffers w = { list, ids, n, offsets };

    if (strcmp(path, "-") != 0)
        return whole_file_write(path, write_all, &w, err);
    write_all(stdout, &w);
    return fflush(stdout) || ferror(stdout) ? whole_file_failed("standard output", err) : NW_OK;
}
