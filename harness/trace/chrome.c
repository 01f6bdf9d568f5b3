#include "harness/trace/chrome.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/text/json.h"

enum { NAME = 80, MAX_SLOTS = 1 << 20 };

/* Where a track's slots lie among the threads of the file: its process, the thread of its slot 0, and its slots. */
struct lane {
    int process, thread, slots;
};

struct writer {
    const struct timeline *t;
    struct lane *lanes; /* of each track */
    int nprocesses;
    FILE *out;
    const char *separator;
};

static void begin_event(struct writer *w)
{
    fprintf(w->out, "%s\n{", w->separator);
    w->separator = ",";
}

/* Whole and fraction apart: a double would lose picoseconds after two and a half hours. */
static void time_member(const struct writer *w, const char *name, int64_t ps)
{
    fprintf(w->out, "\"%s\":%" PRId64 ".%06" PRId64 ",", name, ps / 1000000, ps % 1000000);
}

/* Length of a track's name without its number: "nic-out 0" is of the kind "nic-out". */
static size_t kind_length(const char *name)
{
    const char *blank = strrchr(name, ' ');

    return blank && blank > name ? (size_t)(blank - name) : strlen(name);
}

static int process_of(const struct writer *w, size_t track)
{
    const char *name = w->t->tracks[track].name;
    size_t n = kind_length(name);

    for (size_t i = 0; i < track; i++) {
        const char *other = w->t->tracks[i].name;

        if (kind_length(other) == n && !memcmp(other, name, n))
            return w->lanes[i].process;
    }
    return -1;
}

/* Tracks on which nothing ran get no thread. */
static int place(struct writer *w)
{
    const struct timeline *t = w->t;
    int thread = 1;

    w->lanes = calloc(t->ntracks + 1, sizeof(*w->lanes));
    if (!w->lanes)
        return NW_ENOMEM;
    for (size_t i = 0; i < t->nspans; i++) {
        struct lane *l = &w->lanes[t->spans[i].track];

        assert(t->spans[i].slot >= 0 && t->spans[i].slot < MAX_SLOTS);
        if (t->spans[i].slot >= l->slots)
            l->slots = t->spans[i].slot + 1;
    }
    for (size_t i = 0; i < t->ntracks; i++) {
        int process = process_of(w, i);

        w->lanes[i].process = process >= 0 ? process : ++w->nprocesses;
        w->lanes[i].thread = thread;
        thread += w->lanes[i].slots;
    }
    return NW_OK;
}

static void metadata(struct writer *w, const char *what, int process, int thread, const char *name)
{
    begin_event(w);
    fprintf(w->out, "\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"%s\",\"args\":{\"name\":", process, thread, what);
    json_text(name, w->out);
    fputs("}}", w->out);
}

static void sort_index(struct writer *w, const char *what, int process, int thread)
{
    begin_event(w);
    fprintf(w->out, "\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"%s\",\"args\":{\"sort_index\":%d}}", process, thread,
            what, thread ? thread : process);
}

static void name_threads(struct writer *w, size_t track)
{
    const struct lane *l = &w->lanes[track];
    char name[NAME];

    for (int slot = 0; slot < l->slots; slot++) {
        snprintf(name, sizeof(name), slot ? "%s #%d" : "%s", w->t->tracks[track].name, slot);
        metadata(w, "thread_name", l->process, l->thread + slot, name);
        sort_index(w, "thread_sort_index", l->process, l->thread + slot);
    }
}

static void name_all(struct writer *w)
{
    int named = 0;
    char kind[NAME];

    for (size_t i = 0; i < w->t->ntracks; i++) {
        const char *name = w->t->tracks[i].name;

        if (w->lanes[i].process > named) {
            named = w->lanes[i].process;
            snprintf(kind, sizeof(kind), "%.*s", (int)kind_length(name), name);
            metadata(w, "process_name", named, 0, kind);
            sort_index(w, "process_sort_index", named, 0);
        }
        name_threads(w, i);
    }
}

/* Bytes over picoseconds, in GB/s. */
static double mean_rate(const struct span *s)
{
    return 1e3 * (double)s->bytes / (double)(s->end_ps - s->start_ps);
}

static void write_span(struct writer *w, const struct span *s)
{
    const struct lane *l = &w->lanes[s->track];

    begin_event(w);
    fputs("\"ph\":\"X\",\"name\":", w->out);
    json_text(s->name, w->out);
    if (s->critical)
        fputs(",\"cat\":\"critical\"", w->out);
    fprintf(w->out, ",\"pid\":%d,\"tid\":%d,", l->process, l->thread + s->slot);
    time_member(w, "ts", s->start_ps);
    time_member(w, "dur", s->end_ps - s->start_ps);
    fprintf(w->out, "\"args\":{\"id\":%d", s->id);
    if (s->critical)
        fputs(",\"critical path\":true", w->out);
    if (s->bytes >= 0)
        fprintf(w->out, ",\"bytes\":%" PRId64, s->bytes);
    if (s->bytes >= 0 && s->end_ps > s->start_ps) /* what passes at once has no rate */
        fprintf(w->out, ",\"GB/s\":%.9g", mean_rate(s));
    fputs("}}", w->out);
}

/* --- counters ---------------------------------------------------------------------------------------------------- */

struct edge {
    int track;
    int64_t at_ps;
    double rate; /* that comes, or, negative, goes */
};

static int by_track(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;

    if (x->track != y->track)
        return x->track - y->track;
    if (x->at_ps != y->at_ps)
        return x->at_ps < y->at_ps ? -1 : 1;
    return (x->rate > y->rate) - (x->rate < y->rate);
}

static void write_load(struct writer *w, const struct edge *e, double load)
{
    begin_event(w);
    fputs("\"ph\":\"C\",\"name\":", w->out);
    char name[NAME];
    snprintf(name, sizeof(name), "load of %s", w->t->tracks[e->track].name);
    json_text(name, w->out);
    fprintf(w->out, ",\"pid\":%d,\"tid\":0,", w->lanes[e->track].process);
    time_member(w, "ts", e->at_ps);
    fprintf(w->out, "\"args\":{\"GB/s\":%.9g}}", load);
}

static int write_loads(struct writer *w)
{
    const struct timeline *t = w->t;
    struct edge *edges = calloc(2 * t->nspans + 1, sizeof(*edges));
    size_t n = 0, under_way = 0;
    double load = 0;

    if (!edges)
        return NW_ENOMEM;
    for (size_t i = 0; i < t->nspans; i++) {
        const struct span *s = &t->spans[i];

        if (s->bytes <= 0 || s->end_ps <= s->start_ps)
            continue;
        edges[n++] = (struct edge){ s->track, s->start_ps, mean_rate(s) };
        edges[n++] = (struct edge){ s->track, s->end_ps, -mean_rate(s) };
    }
    qsort(edges, n, sizeof(*edges), by_track);
    for (size_t i = 0; i < n; i++) {
        const struct edge *next = i + 1 < n ? &edges[i + 1] : NULL;

        load += edges[i].rate;
        under_way = edges[i].rate > 0 ? under_way + 1 : under_way - 1;
        if (!under_way)
            load = 0; /* and no rest of rounding */
        if (!next || next->track != edges[i].track || next->at_ps != edges[i].at_ps)
            write_load(w, &edges[i], load);
    }
    free(edges);
    return NW_OK;
}

/* --- arrows ------------------------------------------------------------------------------------------------------ */

static int by_id(const void *a, const void *b)
{
    const struct span *x = *(const struct span *const *)a, *y = *(const struct span *const *)b;

    return (x->id > y->id) - (x->id < y->id);
}

static void write_end(struct writer *w, const char *phase, const struct span *s, int64_t at_ps, size_t arrow)
{
    const struct lane *l = &w->lanes[s->track];

    begin_event(w);
    fprintf(w->out, "\"ph\":\"%s\",\"cat\":\"after\",\"name\":\"after\",\"id\":%zu,\"pid\":%d,\"tid\":%d,", phase,
            arrow, l->process, l->thread + s->slot);
    fprintf(w->out, "\"ts\":%" PRId64 ".%06" PRId64 "}", at_ps / 1000000, at_ps % 1000000);
}

/* An arrow binds to the span that lies around its end, so it leaves just before its span ends: viewers count
 * nanoseconds. */
static int64_t leaving_ps(const struct span *s)
{
    const int64_t before_ps = 1000;

    return s->end_ps - s->start_ps > before_ps ? s->end_ps - before_ps : s->start_ps;
}

static int write_arrows(struct writer *w)
{
    const struct timeline *t = w->t;
    const struct span **sorted = calloc(t->nspans + 1, sizeof(*sorted));
    size_t arrow = 0;

    if (!sorted)
        return NW_ENOMEM;
    for (size_t i = 0; i < t->nspans; i++)
        sorted[i] = &t->spans[i];
    qsort(sorted, t->nspans, sizeof(*sorted), by_id);
    for (size_t i = 0; i < t->nspans; i++) {
        const struct span key = { .id = t->spans[i].after - 1 }, *wanted = &key;
        const struct span *const *from =
            t->spans[i].after ? bsearch(&wanted, sorted, t->nspans, sizeof(*sorted), by_id) : NULL;

        if (!from) /* or it is left out */
            continue;
        write_end(w, "s", *from, leaving_ps(*from), ++arrow);
        write_end(w, "f\",\"bp\":\"e", &t->spans[i], t->spans[i].start_ps, arrow);
    }
    free(sorted);
    return NW_OK;
}

static void write_counter(struct writer *w, const struct chrome_counter *c)
{
    for (size_t i = 0; i < c->n; i++) {
        begin_event(w);
        fputs("\"ph\":\"C\",\"name\":", w->out);
        json_text(c->name, w->out);
        fputs(",\"pid\":1,\"tid\":0,", w->out);
        time_member(w, "ts", c->at_ps[i]);
        fprintf(w->out, "\"args\":{\"%s\":%.9g}}", c->unit, c->values[i]);
    }
}

/* --- the file ---------------------------------------------------------------------------------------------------- */

static void write_notes(struct writer *w, const struct chrome_options *o)
{
    fputs("],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":{", w->out);
    for (size_t i = 0; i < o->nnotes; i++) {
        json_text(o->notes[i].name, w->out);
        fputc(':', w->out);
        json_text(o->notes[i].text, w->out);
        fputs(",\n", w->out);
    }
    fprintf(w->out, "\"spans\":%zu,\"spans_left_out\":%zu}}\n", w->t->nspans, w->t->left_out);
}

int chrome_write(const struct timeline *t, const struct chrome_options *o, FILE *out)
{
    struct writer w = { .t = t, .out = out, .separator = "" };
    int rc = place(&w);

    if (rc)
        return rc;
    fputs("{\"traceEvents\":[", out);
    name_all(&w);
    for (size_t i = 0; i < t->nspans; i++)
        write_span(&w, &t->spans[i]);
    if (o->arrows)
        rc = write_arrows(&w);
    for (size_t i = 0; i < o->ncounters; i++)
        write_counter(&w, &o->counters[i]);
    if (!rc && o->load)
        rc = write_loads(&w);
    write_notes(&w, o);
    free(w.lanes);
    return rc;
}
