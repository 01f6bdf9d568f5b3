#include "harness/flows/file.h"

#include <stdlib.h>
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

    if (!flow_line_read(line, &flow, error))
        return false;
    f->ascending &= !f->n || f->list[f->n - 1].id < flow.id;
    f->list[f->n++] = flow;
    return true;
}

static const struct csv_format format = { .header = "the header 'id,src,dst,bytes,start_s'",
                                          .rows = "flows",
                                          .most = FLOW_FILE_MOST,
                                          .read_header = flow_line_header,
                                          .read_row = read_row,
                                          .grow = grow };

/* Ids that do not ascend: look for each in a hash table of those before. */
static int check_unique(struct csv_reader *r, const struct flows_file *f)
{
    size_t slots = 64;
    uint32_t *table;

    while (slots < 2 * f->n)
        slots *= 2;
    table = calloc(slots, sizeof(*table)); /* 1 + the index of a flow; 0: empty */
    if (!table)
        return NW_ENOMEM;
    for (size_t i = 0; i < f->n && r->nerrors < CSV_MOST_ERRORS; i++) {
        size_t at = ((uint64_t)f->list[i].id * 0x9e3779b97f4a7c15) >> 20 & (slots - 1);

        while (table[at] && f->list[table[at] - 1].id != f->list[i].id)
            at = (at + 1) & (slots - 1);
        if (!table[at]) {
            table[at] = (uint32_t)i + 1;
            continue;
        }
        fprintf(r->err, "%s:%lld:1: id: expected one that no other flow has, got %lld, which line %lld has\n", r->name,
                (long long)f->list[i].line, (long long)f->list[i].id, (long long)f->list[table[at] - 1].line);
        r->nerrors++;
    }
    free(table);
    return r->nerrors ? NW_EINPUT : NW_OK;
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

    if (!rc && !f.ascending)
        rc = check_unique(&r, &f);
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
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t size = 0;
    int rc;

    if (!f)
        return whole_file_failed(path, err);
    rc = whole_file_read(f, path, FLOW_FILE_MOST_B, &text, &size, err);
    fclose(f);
    if (!rc)
        rc = flow_file_parse(path, text, size, list, n, digest, err);
    free(text);
    return rc;
}
