/* buffers.c - lifetimes from events: those of an address, in the order of time, are one buffer after another. */
#include <stdlib.h>

#include "harness/import/snapshot/history.h"
#include "harness/status.h"

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_address(const void *left, const void *right)
{
    const struct memory_event *a = left, *b = right;
    int c = compare(a->address, b->address);

    return c ? c : compare(a->moment, b->moment);
}

static int by_begin(const void *left, const void *right)
{
    const struct range *a = left, *b = right;
    int c = compare(a->from, b->from);

    return c ? c : compare(a->to, b->to);
}

static int by_lower(const void *left, const void *right)
{
    const struct buffer *a = left, *b = right;
    int c = compare(a->lower, b->lower);

    c = c ? c : compare(a->offset, b->offset);
    return c ? c : compare(a->upper, b->upper);
}

/* The offset is the address, until all ranges are known. */
static void add(struct snapshot *out, int64_t lower, int64_t upper, const struct memory_event *e)
{
    if (e->bytes > 0 && upper > lower)
        out->list[out->n++] =
            (struct buffer){ .lower = lower, .upper = upper, .bytes = e->bytes, .offset = e->address };
}

/* The events of one address. */
static void add_address(const struct memory_event *e, size_t n, int64_t end, struct snapshot *out)
{
    const struct memory_event *open = NULL;

    for (size_t i = 0; i < n; i++) {
        if (e[i].alloc) {
            if (open) {
                add(out, open->moment, e[i].moment, open);
                out->nlost++;
            }
            open = &e[i];
        } else if (open) {
            add(out, open->moment, e[i].moment, open);
            open = NULL;
        } else if (!i) {
            add(out, 0, e[i].moment, &e[i]);
            out->nbefore++;
        }
    }
    if (open) {
        add(out, open->moment, end, open);
        out->nafter++;
    }
}

static bool is_known(const struct history *h, int64_t address)
{
    size_t low = 0, high = h->nevents;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (h->events[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < h->nevents && h->events[low].address == address;
}

/* Blocks that the history does not speak of were there before it, and still are. */
static void add_silent(const struct history *h, int64_t end, struct snapshot *out)
{
    for (size_t i = 0; i < h->nalive; i++) {
        struct memory_event e = { .address = h->alive[i].from, .bytes = h->alive[i].to - h->alive[i].from };

        if (is_known(h, e.address) || e.bytes <= 0)
            continue;
        add(out, 0, end, &e);
        out->nbefore++;
        out->nafter++;
    }
}

/* Memory without gaps, and where each of its ranges begins in it. */
struct closed {
    struct range *ranges;
    int64_t *bases;
    size_t n;
    int64_t bytes;
};

/* Ranges that overlap or touch become one. */
static void merge(struct closed *c, size_t n)
{
    qsort(c->ranges, n, sizeof(*c->ranges), by_begin);
    for (size_t i = 0; i < n; i++) {
        struct range *last = c->n ? &c->ranges[c->n - 1] : NULL;

        if (last && c->ranges[i].from <= last->to)
            last->to = c->ranges[i].to > last->to ? c->ranges[i].to : last->to;
        else
            c->ranges[c->n++] = c->ranges[i];
    }
    for (size_t i = 0; i < c->n; i++) {
        c->bases[i] = c->bytes;
        c->bytes += c->ranges[i].to - c->ranges[i].from;
    }
}

static int64_t offset_of(const struct closed *c, int64_t address)
{
    size_t low = 0, high = c->n; /* the last range that does not begin behind it */

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (c->ranges[middle].from <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return c->bases[low - 1] + address - c->ranges[low - 1].from;
}

/* Each buffer counts as a range, too: its segment may be unknown. */
static int close_gaps(const struct history *h, struct snapshot *out)
{
    size_t n = 0, most = h->nranges + out->n + 1;
    struct closed c = { .ranges = malloc(most * sizeof(*c.ranges)), .bases = malloc(most * sizeof(*c.bases)) };
    int rc = c.ranges && c.bases ? NW_OK : NW_ENOMEM;

    for (size_t i = 0; i < h->nranges && !rc; i++)
        c.ranges[n++] = h->ranges[i];
    for (size_t i = 0; i < out->n && !rc; i++)
        c.ranges[n++] = (struct range){ out->list[i].offset, out->list[i].offset + out->list[i].bytes };
    if (!rc)
        merge(&c, n);
    for (size_t i = 0; i < out->n && !rc; i++)
        out->list[i].offset = offset_of(&c, out->list[i].offset);
    out->reserved = c.bytes;
    free(c.ranges);
    free(c.bases);
    return rc;
}

int history_buffers(struct history *h, struct snapshot *out)
{
    int64_t end = (int64_t)h->nevents + 1;
    int rc;

    out->list = malloc((h->nevents + h->nalive + 1) * sizeof(*out->list));
    if (!out->list)
        return NW_ENOMEM;
    out->nevents = h->nevents;
    qsort(h->events, h->nevents, sizeof(*h->events), by_address);
    for (size_t i = 0, next; i < h->nevents; i = next) {
        for (next = i + 1; next < h->nevents && h->events[next].address == h->events[i].address;)
            next++;
        add_address(&h->events[i], next - i, end, out);
    }
    add_silent(h, end, out);
    rc = close_gaps(h, out);
    qsort(out->list, out->n, sizeof(*out->list), by_lower);
    return rc;
}
