/* verify.c - REAL: an operation between checksums. The sum of each input must be what its writer left, before the
 * operation and after it. The sum of each result is taken, and compared before the operation adds to a tensor that
 * others began. */
#include "harness/executor/internal.h"

static const uint32_t *words_of(const struct executor *e, const struct place *p)
{
    return (const uint32_t *)(const void *)(e->pool + p->at);
}

static void sum_up(struct executor *e, const struct place *p, uint64_t *to, void *stream)
{
    e->content->sum(words_of(e, p), (size_t)p->bytes / 4, to, stream);
}

/* Compare with the sum that the writer left. */
static void look(struct executor *e, const struct place *p, size_t use, void *stream)
{
    sum_up(e, p, e->sum_now, stream);
    e->content->compare(e->sum_now, &e->sums[p->value], &e->reports[use], stream);
}

static void look_at_reads(struct executor *e, const struct program_operation *o, bool after, void *stream)
{
    for (int i = 0; i < o->nreads; i++)
        if (!after || !o->reads[i].replaced)
            look(e, &o->reads[i], o->first_use + 2 * (size_t)i + after, stream);
}

void verified_operation(struct executor *e, size_t operation, void *stream)
{
    const struct program_operation *o = &e->program.operations[operation];
    size_t use = o->first_use + 2 * (size_t)o->nreads;

    if (!e->options.verify) {
        real_operation(&e->real, operation, stream);
        return;
    }
    look_at_reads(e, o, 0, stream);
    for (int i = 0; i < o->nwrites; i++)
        if (o->writes[i].adds)
            look(e, &o->writes[i], use++, stream);
    real_operation(&e->real, operation, stream);
    for (int i = 0; i < o->nwrites; i++)
        sum_up(e, &o->writes[i], &e->sums[o->writes[i].value], stream);
    look_at_reads(e, o, 1, stream);
}
