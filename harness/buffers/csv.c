#include "harness/buffers/csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/buffers/line.h"
#include "harness/status.h"

enum { MOST_FAULTS = 10, MOST_SHOWN = 40 };

/* A file being read. */
struct reader {
    const char *name;
    FILE *err;
    struct buffers_csv csv;
    struct piece *ids; /* in the text */
    size_t room;
    struct header header;
    int faults;
};

/* "what was expected, got 'what came'": of that so much as fits, bytes that are no plain characters as '?'. */
static void say(struct reader *r, int64_t line, const char *text, const struct line_fault *fault)
{
    char came[MOST_SHOWN + 1];
    size_t all = (size_t)(fault->came.end - fault->came.p), n = all < MOST_SHOWN ? all : MOST_SHOWN;

    for (size_t i = 0; i < n; i++)
        came[i] = fault->came.p[i] >= ' ' && fault->came.p[i] <= '~' ? fault->came.p[i] : '?';
    came[n] = '\0';
    fprintf(r->err, "%s:%lld:%td: %s, got %s%s%s\n", r->name, (long long)line, fault->came.p - text + 1,
            fault->expected, n ? "'" : "nothing", came, all > n ? "...'" : (n ? "'" : ""));
    r->faults++;
}

static bool grow(struct reader *r)
{
    size_t room = r->room ? 2 * r->room : 64;
    struct buffer *list = realloc(r->csv.list, room * sizeof(*list));
    if (list)
        r->csv.list = list;
    int64_t *lines = realloc(r->csv.lines, room * sizeof(*lines));
    if (lines)
        r->csv.lines = lines;
    struct piece *ids = realloc(r->ids, room * sizeof(*ids));
    if (ids)
        r->ids = ids;
    if (!list || !lines || !ids)
        return false;
    r->room = room;
    return true;
}

static int add(struct reader *r, const struct buffer *buffer, struct piece id, int64_t line)
{
    if (r->csv.n == BUFFERS_CSV_MOST) {
        fprintf(r->err, "%s:%lld:1: expected at most %d buffers, got more\n", r->name, (long long)line,
                BUFFERS_CSV_MOST);
        return NW_EINPUT;
    }
    if (r->csv.n == r->room && !grow(r))
        return NW_ENOMEM;
    r->csv.list[r->csv.n] = *buffer;
    r->csv.lines[r->csv.n] = line;
    r->ids[r->csv.n++] = id;
    return NW_OK;
}

/* Where a line ends and the next begins; a CR before the LF is of neither. */
static const char *line_end(const char *p, const char *end, const char **next)
{
    const char *lf = memchr(p, '\n', (size_t)(end - p)), *stop = lf ? lf : end;

    *next = lf ? lf + 1 : end;
    return stop > p && stop[-1] == '\r' ? stop - 1 : stop;
}

static bool is_empty(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    return p == end || *p == '#';
}

static int read_lines(struct reader *r, const char *p, const char *end)
{
    int64_t line = 1;
    int rc = NW_OK;

    for (const char *next; !rc && p < end && r->faults < MOST_FAULTS; p = next, line++) {
        const char *stop = line_end(p, end, &next);
        struct line_fault fault;
        struct buffer buffer = { 0 };
        struct piece id = { p, p };
        if (is_empty(p, stop))
            continue;
        if (!r->header.n) {
            if (!buffers_line_header(p, stop, &r->header, &fault)) {
                say(r, line, p, &fault);
                return NW_EINPUT; /* without columns the rest means nothing */
            }
        } else if (!buffers_line_read(p, stop, &r->header, &buffer, &id, &fault)) {
            say(r, line, p, &fault);
        } else {
            rc = add(r, &buffer, id, line);
        }
    }
    if (!rc && !r->csv.n && !r->faults) {
        fprintf(r->err, "%s:%lld:1: expected %s, got no line\n", r->name, (long long)line,
                r->header.n ? "a buffer" : "the header 'id,lower,upper,size'");
        rc = NW_EINPUT;
    }
    if (r->faults == MOST_FAULTS)
        fprintf(r->err, "%s: and perhaps more: the first %d faults were listed\n", r->name, MOST_FAULTS);
    return !rc && r->faults ? NW_EINPUT : rc;
}

static uint64_t hash(struct piece id)
{
    uint64_t h = 0xcbf29ce484222325; /* FNV-1a */

    for (const char *p = id.p; p < id.end; p++)
        h = (h ^ (unsigned char)*p) * 0x100000001b3;
    return h ^ h >> 29;
}

static bool equal(struct piece a, struct piece b)
{
    return a.end - a.p == b.end - b.p && !memcmp(a.p, b.p, (size_t)(a.end - a.p));
}

/* Each id is looked for in a table of those before. */
static int check_unique(struct reader *r)
{
    size_t slots = 64;
    uint32_t *table;

    while (slots < 2 * r->csv.n)
        slots *= 2;
    table = calloc(slots, sizeof(*table)); /* 1 more than the index of a buffer; 0: empty */
    if (!table)
        return NW_ENOMEM;
    for (size_t i = 0; i < r->csv.n && r->faults < MOST_FAULTS; i++) {
        size_t at = hash(r->ids[i]) & (slots - 1);
        while (table[at] && !equal(r->ids[table[at] - 1], r->ids[i]))
            at = (at + 1) & (slots - 1);
        if (table[at]) {
            struct line_fault fault = { .came = r->ids[i] };
            const char *text = r->ids[i].p;
            while (text > r->csv.names && text[-1] != '\n')
                text--;
            snprintf(fault.expected, sizeof(fault.expected), "id: expected another one than line %lld has",
                     (long long)r->csv.lines[table[at] - 1]);
            say(r, r->csv.lines[i], text, &fault);
        } else {
            table[at] = (uint32_t)i + 1;
        }
    }
    free(table);
    return r->faults ? NW_EINPUT : NW_OK;
}

/* Ids as strings: in a copy of the text, where what comes after each is cut off. */
static int name_all(struct reader *r)
{
    r->csv.ids = malloc(r->csv.n * sizeof(*r->csv.ids));
    if (!r->csv.ids)
        return NW_ENOMEM;
    for (size_t i = 0; i < r->csv.n; i++) {
        r->csv.names[r->ids[i].end - r->csv.names] = '\0';
        r->csv.ids[i] = r->ids[i].p;
    }
    return NW_OK;
}

int buffers_csv_parse(const char *name, const char *text, size_t size, struct buffers_csv *out, FILE *err)
{
    static const char mark[] = "\xef\xbb\xbf"; /* that spreadsheets put before UTF-8 */
    struct reader r = { .name = name, .err = err };
    size_t skip = size >= 3 && !memcmp(text, mark, 3) ? 3 : 0;
    int rc = NW_ENOMEM;

    r.csv.names = malloc(size - skip + 1);
    if (r.csv.names) {
        memcpy(r.csv.names, text + skip, size - skip);
        rc = read_lines(&r, r.csv.names, r.csv.names + size - skip);
    }
    if (!rc)
        rc = check_unique(&r);
    if (!rc)
        rc = name_all(&r);
    if (rc == NW_ENOMEM)
        fprintf(err, "%s: no memory for its buffers\n", name);
    free(r.ids);
    if (rc) {
        buffers_csv_free(&r.csv);
        return rc;
    }
    for (int i = 0; i < r.header.n; i++)
        r.csv.placed |= r.header.titles[i]->column == COLUMN_OFFSET;
    *out = r.csv;
    return NW_OK;
}

/* All bytes of a file, whose size may not be known. */
static int read_all(FILE *f, const char *name, char **text, size_t *size, FILE *err)
{
    size_t room = 1 << 16, n = 0;
    char *p = malloc(room);

    for (size_t got = 1; p && got && n <= BUFFERS_CSV_MOST_B;) {
        got = fread(p + n, 1, room - n, f);
        n += got;
        if (n == room) {
            char *grown = realloc(p, room *= 2);
            if (!grown)
                free(p);
            p = grown;
        }
    }
    if (!p) {
        fprintf(err, "%s: no memory for its text\n", name);
        return NW_ENOMEM;
    }
    if (ferror(f) || n > BUFFERS_CSV_MOST_B) {
        int rc = ferror(f) ? NW_EIO : NW_EINPUT;
        if (rc == NW_EIO)
            fprintf(err, "%s: %s\n", name, strerror(errno));
        else
            fprintf(err, "%s: expected at most %d bytes, got more\n", name, BUFFERS_CSV_MOST_B);
        free(p);
        return rc;
    }
    *text = p;
    *size = n;
    return NW_OK;
}

int buffers_csv_read(const char *path, struct buffers_csv *out, FILE *err)
{
    bool standard = !strcmp(path, "-");
    const char *name = standard ? "standard input" : path;
    FILE *f = standard ? stdin : fopen(path, "rb");
    char *text = NULL;
    size_t size = 0;
    int rc;

    if (!f) {
        fprintf(err, "%s: %s\n", name, strerror(errno));
        return NW_EIO;
    }
    rc = read_all(f, name, &text, &size, err);
    if (!standard)
        fclose(f);
    if (!rc)
        rc = buffers_csv_parse(name, text, size, out, err);
    free(text);
    return rc;
}

void buffers_csv_free(struct buffers_csv *csv)
{
    free(csv->list);
    free(csv->ids);
    free(csv->lines);
    free(csv->names);
    *csv = (struct buffers_csv){ 0 };
}
