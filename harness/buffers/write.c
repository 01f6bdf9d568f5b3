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
    bool offsets, alignments, gaps; /* columns */
};

static void write_gaps(FILE *f, const struct buffer *b)
{
    for (size_t g = 0; g < b->ngaps; g++) {
        const struct buffer_gap *gap = &b->gaps[g];

        fprintf(f, "%s%" PRId64 "-%" PRId64, g ? " " : "", gap->lower, gap->upper);
        if (gap->from < gap->to)
            fprintf(f, "@%" PRId64 ":%" PRId64, gap->from, gap->to);
    }
}

static void write_all(FILE *f, const void *what)
{
    const struct written_buffers *w = what;

    fprintf(f, "id,lower,upper,size%s%s%s\n", w->alignments ? ",alignment" : "", w->gaps ? ",gaps" : "",
            w->offsets ? ",offset" : "");
    for (size_t i = 0; i < w->n; i++) {
        const struct buffer *b = &w->list[i];

        fprintf(f, "%s,%" PRId64 ",%" PRId64 ",%" PRId64, w->ids[i], b->lower, b->upper, b->bytes);
        if (w->alignments)
            fprintf(f, ",%" PRId64, b->alignment ? b->alignment : 1);
        if (w->gaps) {
            fputc(',', f);
            write_gaps(f, b);
        }
        if (w->offsets)
            fprintf(f, ",%" PRId64, b->offset);
        fputc('\n', f);
    }
}

static struct written_buffers what_of(const struct buffer *list, const char *const ids[], size_t n, bool offsets)
{
    struct written_buffers w = { .list = list, .ids = ids, .n = n, .offsets = offsets };

    for (size_t i = 0; i < n; i++) {
        w.alignments |= list[i].alignment > 1;
        w.gaps |= list[i].ngaps > 0;
    }
    return w;
}

void buffers_csv_print(FILE *f, const struct buffer *list, const char *const ids[], size_t n, bool offsets)
{
    const struct written_buffers w = what_of(list, ids, n, offsets);

    write_all(f, &w);
}

int buffers_csv_write(const char *path, const struct buffer *list, const char *const ids[], size_t n, bool offsets,
                      FILE *err)
{
    const struct written_buffers w = what_of(list, ids, n, offsets);

    if (strcmp(path, "-") != 0)
        return whole_file_write(path, write_all, &w, err);
    write_all(stdout, &w);
    return fflush(stdout) || ferror(stdout) ? whole_file_failed("standard output", err) : NW_OK;
}
