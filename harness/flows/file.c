#include "harness/flows/file.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "harness/flows/line.h"
#include "harness/status.h"
#include "harness/text/whole_file.h"
#include "model/vec.h"

/* A file being read. */
struct flows_file {
    struct flow_spec *list;
    size_t n, capacity;
    bool ascending; /* each id is above the one before */
    bool ordered;   /* it has the columns after and delay_s */
    uint32_t *ids;  /* of flows that others wait for, in the order of the file; then their places */
    size_t nids, ids_capacity;
};

static bool grow(void *context)
{
    struct flows_file *f = context;

    return VEC_RESERVE(f->list, f->capacity, f->n);
}

static bool read_row(void *context, struct csv_piece line, int64_t number, struct csv_error *error)
{
    struct flows_file *f = context;
    struct flow_spec flow = { .line = number };

    struct csv_piece after;

    if (!flow_line_read(f->ordered, line, &flow, &after, error))
        return false;
    error->expected[0] = 0;
    for (int64_t id; flow_line_after(&after, &id, error); flow.nafter++) {
        if (!VEC_RESERVE(f->ids, f->ids_capacity, f->nids))
            return csv_refuse(error, line, "expected memory for what flows wait for");
        f->ids[f->nids++] = (uint32_t)id;
    }
    if (error->expected[0])
        return false;
    f->ascending &= !f->n || f->list[f->n - 1].id < flow.id;
    f->list[f->n++] = flow;
    return true;
}

static bool read_header(void *context, struct csv_piece line, struct csv_error *error)
{
    return flow_line_header(&((struct flows_file *)context)->ordered, line, error);
}

static const struct csv_format format = { .header = "the header 'id,src,dst,bytes,start_s'",
                                          .rows = "flows",
                                          .most = FLOW_FILE_MOST,
                                          .read_header = read_header,
                                          .read_row = read_row,
                                          .grow = grow };

/* Flows by their ids. */
struct places {
    size_t slots;
    uint32_t *table; /* 1 + the index of a flow; 0: empty */
};

/* The slot that has the id, or is empty. */
static size_t slot_of(const struct places *p, const struct flows_file *f, int64_t id)
{
    size_t at = ((uint64_t)id * 0x9e3779b97f4a7c15) >> 20 & (p->slots - 1);

    while (p->table[at] && f->list[p->table[at] - 1].id != id)
        at = (at + 1) & (p->slots - 1);
    return at;
}

static void fill(struct csv_reader *r, const struct flows_file *f, struct places *p)
{
    uint32_t *table = p->table;

    for (size_t i = 0; i < f->n && r->nerrors < CSV_MOST_ERRORS; i++) {
        size_t at = slot_of(p, f, f->list[i].id);

        if (!table[at]) {
            table[at] = (uint32_t)i + 1;
            continue;
        }
        fprintf(r->err, "%s:%lld:1: id: expected one that no other flow has, got %lld, which line %lld has\n", r->name,
                (long long)f->list[i].line, (long long)f->list[i].id, (long long)f->list[table[at] - 1].line);
        r->nerrors++;
    }
}

/* Ids that others wait for become places in the list. */
static void find_all(struct csv_reader *r, struct flows_file *f, const struct places *p)
{
    uint32_t *id = f->ids;

    for (size_t i = 0; i < f->n; i++)
        for (size_t k = 0; k < f->list[i].nafter; k++, id++) {
            uint32_t place = p->table[slot_of(p, f, *id)];
            if (!place && r->nerrors < CSV_MOST_ERRORS) {
                fprintf(r->err, "%s:%lld:1: after: expected ids of flows of the file, got %lu\n", r->name,
                        (long long)f->list[i].line, (unsigned long)*id);
                r->nerrors++;
            }
            *id = place - 1;
        }
}

/* What flows wait for moves to the end of their list's memory. */
static int join(struct flows_file *f)
{
    size_t flows = f->n * sizeof(*f->list);
    struct flow_spec *list = realloc(f->list, flows + f->nids * sizeof(*f->ids));

    if (!list)
        return NW_ENOMEM;
    f->list = list;
    uint32_t *after = (uint32_t *)(list + f->n);
    memcpy(after, f->ids, f->nids * sizeof(*after));
    for (size_t i = 0; i < f->n; after += list[i++].nafter)
        list[i].after = after;
    return NW_OK;
}

/* Where ids do not ascend, or flows wait for others, they are looked up in a hash table. */
static int settle(struct csv_reader *r, struct flows_file *f)
{
    struct places p = { .slots = 64 };

    if (f->ascending && !f->nids)
        return NW_OK;
    while (p.slots < 2 * f->n)
        p.slots *= 2;
    p.table = calloc(p.slots, sizeof(*p.table));
    if (!p.table)
        return NW_ENOMEM;
    fill(r, f, &p);
    if (!r->nerrors)
        find_all(r, f, &p);
    free(p.table);
    return r->nerrors ? NW_EINPUT : f->nids ? join(f) : NW_OK;
}

static void digest_of(const char *text, size_t size, char digest[FLOW_FILE_DIGEST + 1])
{
    XXH128_hash_t hash = XXH3_128bits(text, size);

    snprintf(digest, FLOW_FILE_DIGEST + 1, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
}

int flow_file_parse(const char *name, const char *text, size_t size, struct flow_spec **list, size_t *n,
                    char digest[FLOW_FILE_DIGEST + 1], FILE *err)
{
    struct flows_file f = { .ascending = true };
    struct csv_reader r = { .format = &format, .name = name, .err = err, .context = &f };
    int rc = csv_read_lines(&r, csv_skip_mark(text, size), text + size);

    rc = rc ? rc : settle(&r, &f);
    free(f.ids);
    if (rc == NW_ENOMEM)
        fprintf(err, "%s: no memory for its flows\n", name);
    if (rc) {
        free(f.list);
        return rc;
    }
    digest_of(text, size, digest);
    *list = f.list;
    *n = f.n;
    return NW_OK;
}

int flow_file_read(const char *path, struct flow_spec **list, size_t *n, char digest[FLOW_FILE_DIGEST + 1], FILE *err)
{
    char *text = NULL;
    size_t size = 0;
    int rc = whole_file_load(path, FLOW_FILE_MOST_B, &text, &size, err);

    if (!rc)
        rc = flow_file_parse(path, text, size, list, n, digest, err);
    free(text);
    return rc;
}
