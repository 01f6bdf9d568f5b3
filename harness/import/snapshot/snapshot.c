#include "harness/import/snapshot/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "harness/import/snapshot/history.h"
#include "harness/import/snapshot/value.h"
#include "harness/status.h"

#define MOST_ADDRESS ((int64_t)1 << 60)

struct reading {
    const char *name;
    FILE *err;
    struct history *h;
};

__attribute__((format(printf, 2, 3))) static int refuse(const struct reading *r, const char *format, ...)
{
    va_list arguments;

    fprintf(r->err, "%s: ", r->name);
    va_start(arguments, format);
    vfprintf(r->err, format, arguments);
    va_end(arguments);
    fputc('\n', r->err);
    return NW_EINPUT;
}

static size_t length(const struct value *list)
{
    return list && list->kind == VALUE_LIST ? list->list.n : 0;
}

static bool is_list(const struct value *v)
{
    return v && v->kind == VALUE_LIST;
}

/* An address and a size, of a memory that no GPU exceeds. */
static bool read_range(const struct value *map, const char *address, const char *bytes, struct range *out)
{
    int64_t size = 0;

    if (!value_integer(value_at(map, address), &out->from) || !value_integer(value_at(map, bytes), &size))
        return false;
    if (out->from < 0 || out->from > MOST_ADDRESS || size < 0 || size > MOST_ADDRESS)
        return false;
    out->to = out->from + size;
    return true;
}

/* --- events ------------------------------------------------------------------------------------------------------- */

static int read_event(struct reading *r, const struct value *event, size_t i)
{
    const struct value *action = value_at(event, "action");
    bool alloc = value_is(action, "alloc"), freed = value_is(action, "free_completed");
    bool segment = value_is(action, "segment_alloc") || value_is(action, "segment_map");
    struct range range;

    if (!action || action->kind != VALUE_TEXT)
        return refuse(r, "device_traces, event %zu: expected a map with a text 'action', got none", i);
    if (!alloc && !freed && !segment) /* free_requested, segment_free, oom, snapshot, ... */
        return NW_OK;
    if (!read_range(event, "addr", "size", &range))
        return refuse(r, "device_traces, event %zu: expected whole numbers 'addr' and 'size' from 0 to 2^60", i);
    if (segment) {
        r->h->ranges[r->h->nranges++] = range;
    } else {
        r->h->events[r->h->nevents] = (struct memory_event){ range.from, range.to - range.from, 0, alloc };
        r->h->events[r->h->nevents].moment = (int64_t)r->h->nevents + 1;
        r->h->nevents++;
    }
    return NW_OK;
}

/* The device with the most events, or the one that was asked for. */
static int choose_device(const struct reading *r, const struct value *traces, int device, struct snapshot *out,
                         const struct value **events)
{
    if (!is_list(traces))
        return refuse(r, "expected a map with a list 'device_traces', as torch.cuda.memory._snapshot() gives it");
    if (device >= 0 && (size_t)device >= traces->list.n)
        return refuse(r, "expected a device below %zu, got %d", traces->list.n, device);
    out->device = device < 0 ? 0 : device;
    for (size_t i = 0; i < traces->list.n; i++) {
        out->ndevices += length(traces->list.items[i]) > 0;
        if (device < 0 && i < INT32_MAX && length(traces->list.items[i]) > length(traces->list.items[out->device]))
            out->device = (int)i;
    }
    *events = traces->list.n ? traces->list.items[out->device] : NULL;
    if (!length(*events))
        return refuse(r,
                      "expected events of device %d (torch.cuda.memory._record_memory_history() before the "
                      "training), got none",
                      out->device);
    return NW_OK;
}

static int read_events(struct reading *r, const struct value *events)
{
    int rc = NW_OK;

    for (size_t i = 0; i < events->list.n && !rc; i++)
        rc = read_event(r, events->list.items[i], i);
    return rc;
}

/* --- segments ----------------------------------------------------------------------------------------------------- */

/* Blocks follow each other; in old snapshots they have no address of their own. */
static int read_blocks(struct reading *r, const struct value *segment, int64_t address, size_t i)
{
    const struct value *blocks = value_at(segment, "blocks");

    for (size_t k = 0; k < length(blocks); k++) {
        const struct value *block = blocks->list.items[k], *state = value_at(block, "state");
        int64_t bytes = 0, requested = 0;

        if (!value_integer(value_at(block, "size"), &bytes) || bytes < 0 || bytes > MOST_ADDRESS)
            return refuse(r, "segments, %zu, block %zu: expected a whole number 'size' from 0 to 2^60", i, k);
        if (!value_integer(value_at(block, "requested_size"), &requested) || requested <= 0 || requested > bytes)
            requested = bytes;
        if (address <= MOST_ADDRESS && !value_is(state, "inactive"))
            r->h->alive[r->h->nalive++] = (struct range){ address, address + requested };
        address += bytes;
        if (address > 2 * MOST_ADDRESS)
            return refuse(r, "segments, %zu, block %zu: expected blocks within 2^60 bytes", i, k);
    }
    return NW_OK;
}

static int read_segments(struct reading *r, const struct value *segments, int device)
{
    int rc = NW_OK;

    for (size_t i = 0; i < length(segments) && !rc; i++) {
        const struct value *segment = segments->list.items[i];
        struct range range;
        int64_t of = 0;

        if (value_integer(value_at(segment, "device"), &of) && of != device)
            continue;
        if (!read_range(segment, "address", "total_size", &range))
            return refuse(r, "segments, %zu: expected whole numbers 'address' and 'total_size' from 0 to 2^60", i);
        r->h->ranges[r->h->nranges++] = range;
        rc = read_blocks(r, segment, range.from, i);
    }
    return rc;
}

static int prepare(struct history *h, const struct value *events, const struct value *segments)
{
    size_t blocks = 0;

    for (size_t i = 0; i < length(segments); i++)
        blocks += length(value_at(segments->list.items[i], "blocks"));
    h->events = malloc((events->list.n + 1) * sizeof(*h->events));
    h->ranges = malloc((events->list.n + length(segments) + 1) * sizeof(*h->ranges));
    h->alive = malloc((blocks + 1) * sizeof(*h->alive));
    return h->events && h->ranges && h->alive ? NW_OK : NW_ENOMEM;
}

static int read_history(struct reading *r, const struct value *root, int device, struct snapshot *out)
{
    const struct value *events = NULL, *segments = value_at(root, "segments");
    int rc = choose_device(r, value_at(root, "device_traces"), device, out, &events);

    rc = rc ? rc : prepare(r->h, events, segments);
    rc = rc ? rc : read_events(r, events);
    rc = rc ? rc : read_segments(r, segments, out->device);
    rc = rc ? rc : history_buffers(r->h, out);
    if (!rc && !out->n)
        rc = refuse(r, "expected events 'alloc' or 'free_completed' of device %d, got none", out->device);
    return rc;
}

int snapshot_read(const char *name, const char *bytes, size_t size, int device, struct snapshot *out, FILE *err)
{
    size_t solid = 0;
    const struct value *root = NULL;
    struct values values = { 0 };
    struct history h = { 0 };
    struct reading r = { name, err, &h };
    int rc;

    *out = (struct snapshot){ 0 };
    while (solid < size && strchr(" \t\r\n", bytes[solid]))
        solid++;
    if (size && (unsigned char)bytes[0] == 0x80)
        rc = pickle_read(name, bytes, size, &values, &root, err);
    else if (solid < size && bytes[solid] == '{')
        rc = json_read(name, bytes, size, &values, &root, err);
    else
        rc = refuse(&r, "expected a pickle of protocol 2 to 5, or a map in JSON");
    rc = rc ? rc : read_history(&r, root, device, out);
    if (rc == NW_ENOMEM)
        fprintf(err, "%s: no memory for its buffers\n", name);
    free(h.events);
    free(h.ranges);
    free(h.alive);
    values_free(&values);
    if (rc)
        snapshot_free(out);
    return rc;
}

void snapshot_free(struct snapshot *s)
{
    free(s->list);
    *s = (struct snapshot){ 0 };
}
