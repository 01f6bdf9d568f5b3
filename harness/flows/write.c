/* write.c - flows as CSV, with the time at which each ended. */
#include <inttypes.h>

#include "harness/flows/file.h"
#include "harness/text/whole_file.h"

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

struct ended_flows {
    const struct flow_spec *list;
    size_t n;
    const int64_t *end_ps;
};

static void write_all(FILE *f, const void *what)
{
    const struct ended_flows *e = what;

    fputs("id,src,dst,bytes,start_s,end_s\n", f);
    for (size_t i = 0; i < e->n; i++) {
        fprintf(f, "%" PRId64 ",", e->list[i].id);
        write_end(f, e->list[i].src);
        write_end(f, e->list[i].dst);
        fprintf(f, "%" PRId64 ",", e->list[i].bytes);
        write_seconds(f, e->list[i].start_ps, ',');
        write_seconds(f, e->end_ps[i], '\n');
    }
}

int flow_file_write_ends(const char *path, const struct flow_spec *list, size_t n, const int64_t end_ps[], FILE *err)
{
    const struct ended_flows e = { list, n, end_ps };

    return whole_file_write(path, write_all, &e, err);
}
