#include "harness/buffers/csv.h"

#include <stdlib.h>
#include <string.h>

#include "harness/buffers/line.h"
#include "harness/status.h"
#include "harness/text/whole_file.h"
#include "model/vec.h"

/* A file being read. */
struct buffers_file {
    struct buffers_csv csv;
    struct csv_piece *ids;     /* in the text */
    size_t lists, lines, nids; /* capacities */
    struct header header;
    struct gap_list gaps;
};

static bool grow(void *context)
{
    struct buffers_file *f = context;

    return VEC_RESERVE(f->csv.list, f->lists, f->csv.n) && VEC_RESERVE(f->csv.lines, f->lines, f->csv.n) &&
           VEC_RESERVE(f->ids, f->nids, f->csv.n);
}

static bool read_header(void *context, struct csv_piece line, struct csv_error *error)
{
    struct buffers_file *f = context;

    return buffers_line_header(line, &f->header, error);
}

static bool read_row(void *context, struct csv_piece line, int64_t number, struct csv_error *error)
{
    struct buffers_file *f = context;
    struct buffer buffer = { 0 };
    struct csv_piece id = { line.p, line.p };

    if (!buffers_line_read(line, &f->header, &buffer, &id, &f->gaps, error))
        return false;
    f->csv.list[f->csv.n] = buffer;
    f->csv.lines[f->csv.n] = number;
    f->ids[f->csv.n++] = id;
    return true;
}

static const struct csv_format format = { .header = "the header 'id,lower,upper,size'",
                                          .row = "a buffer",
                                          .rows = "buffers",
                                          .most = BUFFERS_CSV_MOST,
                                          .read_header = read_header,
                                          .read_row = read_row,
                                          .grow = grow };

static uint64_t hash(struct csv_piece id)
{
    uint64_t h = 0xcbf29ce484222325; /* FNV-1a */

    for (const char *p = id.p; p < id.end; p++)
        h = (h ^ (unsigned char)*p) * 0x100000001b3;
    return h ^ h >> 29;
}

static bool equal(struct csv_piece a, struct csv_piece b)
{
    return a.end - a.p == b.end - b.p && !memcmp(a.p, b.p, (size_t)(a.end - a.p));
}

/* Look for each id in a hash table of those before. */
static int check_unique(struct csv_reader *r, const struct buffers_file *f)
{
    size_t slots = 64;
    uint32_t *table;

    while (slots < 2 * f->csv.n)
        slots *= 2;
    table = calloc(slots, sizeof(*table)); /* 1 + the index of a buffer; 0: empty */
    if (!table)
        return NW_ENOMEM;
    for (size_t i = 0; i < f->csv.n && r->nerrors < CSV_MOST_ERRORS; i++) {
        size_t at = hash(f->ids[i]) & (slots - 1);
        const char *text = f->ids[i].p;
        struct csv_error error;

        while (table[at] && !equal(f->ids[table[at] - 1], f->ids[i]))
            at = (at + 1) & (slots - 1);
        if (!table[at]) {
            table[at] = (uint32_t)i + 1;
            continue;
        }
        while (text > f->csv.names && text[-1] != '\n')
            text--;
        csv_refuse(&error, f->ids[i], "id: expected another one than line %lld has",
                   (long long)f->csv.lines[table[at] - 1]);
        csv_report(r, f->csv.lines[i], text, &error);
    }
    free(table);
    return r->nerrors ? NW_EINPUT : NW_OK;
}

/* Make strings of the ids: each is ended by a zero in the copy of the text. */
static int name_all(struct buffers_file *f)
{
    f->csv.ids = malloc(f->csv.n * sizeof(*f->csv.ids));
    if (!f->csv.ids)
        return NW_ENOMEM;
    for (size_t i = 0; i < f->csv.n; i++) {
        f->csv.names[f->ids[i].end - f->csv.names] = '\0';
        f->csv.ids[i] = f->ids[i].p;
    }
    return NW_OK;
}

/* The list of gaps moves no more. */
static void point_at_gaps(struct buffers_file *f)
{
    f->csv.gaps = f->gaps.list;
    for (size_t i = 0, at = 0; i < f->csv.n; at += f->csv.list[i++].ngaps)
        f->csv.list[i].gaps = f->csv.list[i].ngaps ? f->gaps.list + at : NULL;
}

int buffers_csv_parse(const char *name, const char *text, size_t size, struct buffers_csv *out, FILE *err)
{
    const char *from = csv_skip_mark(text, size);
    size_t n = size - (size_t)(from - text);
    struct buffers_file f = { .csv.names = malloc(n + 1) };
    struct csv_reader r = { .format = &format, .name = name, .err = err, .context = &f };
    int rc = NW_ENOMEM;

    if (f.csv.names) {
        memcpy(f.csv.names, from, n);
        rc = csv_read_lines(&r, f.csv.names, f.csv.names + n);
    }
    rc = rc ? rc : check_unique(&r, &f);
    rc = rc ? rc : name_all(&f);
    if (rc == NW_ENOMEM)
        fprintf(err, "%s: no memory for its buffers\n", name);
    free(f.ids);
    point_at_gaps(&f);
    if (rc) {
        buffers_csv_free(&f.csv);
        return rc;
    }
    for (size_t i = 0; i < f.header.n; i++)
        f.csv.placed |= f.header.titles[i]->column == COLUMN_OFFSET;
    *out = f.csv;
    return NW_OK;
}

int buffers_csv_read(const char *path, struct buffers_csv *out, FILE *err)
{
    char *text = NULL;
    size_t size = 0;
    int rc = whole_file_take(path, BUFFERS_CSV_MOST_B, &text, &size, err);

    if (!rc)
        rc = buffers_csv_parse(whole_file_name(path), text, size, out, err);
    free(text);
    return rc;
}

void buffers_csv_free(struct buffers_csv *csv)
{
    free(csv->list);
    free(csv->gaps);
    free(csv->ids);
    free(csv->lines);
    free(csv->names);
    *csv = (struct buffers_csv){ 0 };
}
