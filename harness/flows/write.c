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

static void write_order(FILE *f, const struct flow_spec *list, const struct flow_spec *flow, char after)
{
    for (size_t k = 0; k < flow->nafter; k++)
        fprintf(f, "%s%" PRId64, k ? " " : "", list[flow->after[k]].id);
    fputc(',', f);
    write_seconds(f, flow->delay_ps, after);
}

/* end_ps may be NULL. */
static void write_flows(FILE *f, const struct flow_spec *list, size_t n, const int64_t *end_ps)
{
    const char last = end_ps ? ',' : '\n';
    bool ordered = false;

    for (size_t i = 0; i < n; i++)
        ordered |= list[i].nafter || list[i].delay_ps;
    fprintf(f, "id,src,dst,bytes,start_s%s%s\n", ordered ? ",after,delay_s" : "", end_ps ? ",end_s" : "");
    for (size_t i = 0; i < n; i++) {
        fprintf(f, "%" PRId64 ",", list[i].id);
        write_end(f, list[i].src);
        write_end(f, list[i].dst);
        fprintf(f, "%" PRId64 ",", list[i].bytes);
        write_seconds(f, list[i].start_ps, ordered ? ',' : last);
        if (ordered)
            write_order(f, list, &list[i], last);
        if (end_ps)
            write_seconds(f, end_ps[i], '\n');
    }
}

struct ended_flows {
    const struct flow_spec *list;
    size_t n;
    const int64_t *end_ps;
};

static void write_all(FILE *f, const void *what)
{
    const struct ended_flows *e = what;

    write_flows(f, e->list, e->n, e->end_ps);
}

void flow_file_write(FILE *out, const struct flow_spec *list, size_t n)
{
    write_flows(out, list, n, NULL);
}

int flow_file_write_ends(const char *path, const struct flow_spec *list, size_t n, const int64_t end_ps[], FILE *err)
{
    const struct ended_flows e = { list, n, end_ps };

    return whole_file_write(path, write_all, &e, err);
}
