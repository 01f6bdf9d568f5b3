/* errors.c - count the uses of wrong content, and describe the first. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "harness/executor/internal.h"
#include "harness/executor/stamp_lane.h"

struct text {
    char *at;
    size_t capacity;
};

static __attribute__((format(printf, 2, 3))) void say(struct text *t, const char *format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(t->at, t->capacity, format, args);
    va_end(args);
    if (n > 0) {
        size_t used = (size_t)n < t->capacity ? (size_t)n : t->capacity - 1;
        t->at += used;
        t->capacity -= used;
    }
}

static void say_operation(const struct executor *e, struct text *t, int32_t operation)
{
    char name[96] = "what came from outside";

    if (operation != NO_OPERATION)
        graph_operation_name(&e->plan->graph, &e->plan->split, operation, name, sizeof(name));
    say(t, "%s", name);
}

static void say_tensor(const struct executor *e, struct text *t, int32_t tensor)
{
    char name[128];

    program_tensor_name(e->plan, tensor, name, sizeof(name));
    say(t, "%s", name);
}

/* Say whose stamp a word is, if it is one. */
static void say_found(const struct executor *e, struct text *t, uint64_t word)
{
    int64_t storage = stamp_field(word, STAMP_STORAGE_AT, STAMP_STORAGE_BITS);
    int64_t version = stamp_field(word, STAMP_VERSION_AT, STAMP_VERSION_BITS);
    int64_t step = stamp_field(word, STAMP_STEP_AT, STAMP_STEP_BITS);
    bool now = step == (e->step & ((1 << STAMP_STEP_BITS) - 1));

    for (size_t i = 0; i < e->program.nvalues; i++) {
        const struct value *v = &e->program.values[i];

        if (v->storage != storage || v->version != version)
            continue;
        say(t, "%s by ", now ? "that" : "that of an earlier step");
        say_operation(e, t, v->writer);
        say(t, " (storage %" PRId64 ", granule %" PRId64 ")", storage, stamp_field(word, 0, STAMP_POSITION_BITS));
        return;
    }
    say(t, "none (%016" PRIx64 ")", word);
}

static void describe(struct executor *e, size_t operation, const struct place *p, const struct content_report *r)
{
    struct executor_error *f = &e->first;
    struct text t = { f->text, sizeof(f->text) };
    bool stamps = e->options.content == EXECUTOR_STAMP;
    int64_t granules = (p->bytes + GRANULE - 1) / GRANULE * p->share / p->shares;

    f->operation = (int32_t)operation;
    f->storage = p->storage;
    f->at_byte = stamps ? (granules + (int64_t)r->at) * GRANULE : -1;
    say_operation(e, &t, (int32_t)operation);
    say(&t, p->adds ? " adds to " : " reads ");
    say_tensor(e, &t, p->tensor);
    say(&t, " (storage %d)", (int)p->storage);
    if (stamps)
        say(&t, " at byte %" PRId64, f->at_byte);
    say(&t, ": expected the %s by ", stamps ? "stamp" : "checksum");
    say_operation(e, &t, e->program.values[p->value].writer);
    say(&t, ", found ");
    if (stamps)
        say_found(e, &t, r->found);
    else
        say(&t, "another");
}

/* A use counts once, whether it was wrong before the operation, after it or both. */
static void look(struct executor *e, size_t operation, const struct place *p, size_t use, size_t looks)
{
    const struct content_report *r = &e->seen[use];

    for (size_t i = 1; i < looks && !r->wrong; i++)
        r = &e->seen[use + i];
    if (r->wrong && !e->errors++)
        describe(e, operation, p, r);
}

void errors_collect(struct executor *e)
{
    for (size_t i = 0; i < e->program.noperations; i++) {
        const struct program_operation *o = &e->program.operations[i];
        size_t use = o->first_use;

        for (int r = 0; r < o->nreads; r++, use += 2)
            look(e, i, &o->reads[r], use, 2);
        for (int w = 0; w < o->nwrites; w++)
            if (o->writes[w].adds)
                look(e, i, &o->writes[w], use++, 1);
    }
}
