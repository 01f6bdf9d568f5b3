#include "harness/flows/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "harness/flows/line.h"
#include "harness/status.h"

enum { MOST_FAULTS = 10, MOST_SHOWN = 40 };

/* A file being read. */
struct reader {
    const char *name;
    FILE *err;
    struct flow_spec *list;
    size_t n, room;
    bool ascending; /* no id so far was less than one before, or the same */
    int faults;
};

/* "what was expected, got 'what came'": of that so much as fits, bytes that are no plain characters as '?'. */
static void say(struct reader *r, int64_t line, const char *text, const struct flow_fault *fault)
{
    char came[MOST_SHOWN + 1];
    size_t n = fault->n < MOST_SHOWN ? fault->n : MOST_SHOWN;

    for (size_t i = 0; i < n; i++)
        came[i] = fault->came[i] >= ' ' && fault->came[i] <= '~' ? fault->came[i] : '?';
    came[n] = '\0';
    fprintf(r->err, "%s:%lld:%td: %s, got %s%s%s\n", r->name, (long long)line, fault->came - text + 1, fault->expected,
            n ? "'" : "nothing", came, fault->n > n ? "...'" : (n ? "'" : ""));
    r->faults++;
}

static int add(struct reader *r, const struct flow_spec *flow)
{
    if (r->n == FLOW_FILE_MOST) {
        fprintf(r->err, "%s:%lld:1: expected at most %d flows, got more\n", r->name, (long long)flow->line,
                FLOW_FILE_MOST);
        return NW_EINPUT;
    }
    if (r->n == r->room) {
        size_t room = r->room ? 2 * r->room : 64;
        struct flow_spec *grown = realloc(r->list, room * sizeof(*grown));
        if (!grown)
            return NW_ENOMEM;
        r->list = grown;
        r->room = room;
    }
    r->ascending &= !r->n || r->list[r->n - 1].id < flow->id;
    r->list[r->n++] = *flow;
    return NW_OK;
}

/* Where a line ends and the next begins; a CR before the LF is of neither. */
static const char *line_end(const char *p, const char *end, const char **next)
{
    const char *lf = memchr(p, '\n', (size_t)(end - p)), *stop = lf ? lf : end;

    *next = lf ? lf + 1 : end;
    return stop > p && stop[-1] == '\r' ? stop - 1 : stop;
}

static bool empty(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    return p == end || *p == '#';
}

static int read_lines(struct reader *r, const char *p, const char *end)
{
    bool headed = false;
    int64_t line = 1;
    int rc = NW_OK;

    for (const char *next; !rc && p < end && r->faults < MOST_FAULTS; p = next, line++) {
        const char *stop = line_end(p, end, &next);
        struct flow_fault fault;
        struct flow_spec flow = { .line = line };
        if (empty(p, stop))
            continue;
        if (!headed) {
            headed = 1;
            if (!flow_line_header(p, stop, &fault)) {
                say(r, line, p, &fault);
                return NW_EINPUT; /* without columns the rest means nothing */
            }
        } else if (!flow_line_read(p, stop, &flow, &fault)) {
            say(r, line, p, &fault);
        } else {
            rc = add(r, &flow);
        }
    }
    if (!rc && !headed) {
        fprintf(r->err, "%s:%lld:1: expected the header 'id,src,dst,bytes,start_s', got no line\n", r->name,
                (long long)line);
        rc = NW_EINPUT;
    }
    if (r->faults == MOST_FAULTS)
        fprintf(r->err, "%s: and perhaps more: the first %d faults were listed\n", r->name, MOST_FAULTS);
    return !rc && r->faults ? NW_EINPUT : rc;
}

/* Ids that do not ascend: each is looked for in a table of those before. */
static int check_unique(struct reader *r)
{
    size_t slots = 64;
    uint32_t *table;
    int rc = NW_OK;

    while (slots < 2 * r->n)
        slots *= 2;
    table = calloc(slots, sizeof(*table)); /* 1 more than the index of a flow; 0: empty */
    if (!table)
        return NW_ENOMEM;
    for (size_t i = 0; i < r->n && r->faults < MOST_FAULTS; i++) {
        size_t at = ((uint64_t)r->list[i].id * 0x9e3779b97f4a7c15) >> 20 & (slots - 1);
        while (table[at] && r->list[table[at] - 1].id != r->list[i].id)
            at = (at + 1) & (slots - 1);
        if (table[at]) {
            fprintf(r->err, "%s:%lld:1: id: expected one that no other flow has, got %lld, which line %lld has\n",
                    r->name, (long long)r->list[i].line, (long long)r->list[i].id,
                    (long long)r->list[table[at] - 1].line);
            r->faults++;
            rc = NW_EINPUT;
        } else {
            table[at] = (uint32_t)i + 1;
        }
    }
    free(table);
    return rc;
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
    static const char mark[] = "\xef\xbb\xbf"; /* that spreadsheets put before UTF-8 */
    struct reader r = { .name = name, .err = err, .ascending = 1 };
    size_t skip = size >= 3 && !memcmp(text, mark, 3) ? 3 : 0;
    int rc = read_lines(&r, text + skip, text + size);

    if (!rc && !r.ascending)
        rc = check_unique(&r);
    if (rc == NW_ENOMEM)
        fprintf(err, "%s: no memory for its flows\n", name);
    if (rc) {
        free(r.list);
        return rc;
    }
    digest_of(text, size, digest);
    *list = r.list;
    *n = r.n;
    return NW_OK;
}

/* All bytes of a file, whose size may not be known. */
static int read_all(FILE *f, const char *path, char **text, size_t *size, FILE *err)
{
    size_t room = 1 << 16, n = 0;
    char *p = malloc(room);

    for (size_t got = 1; p && got && n <= FLOW_FILE_MOST_B;) {
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
        fprintf(err, "%s: no memory for its text\n", path);
        return NW_ENOMEM;
    }
    if (n > FLOW_FILE_MOST_B) {
        fprintf(err, "%s: expected at most %lld bytes, got more\n", path, (long long)FLOW_FILE_MOST_B);
        free(p);
        return NW_EINPUT;
    }
    if (ferror(f)) {
        fprintf(err, "%s: %s\n", path, strerror(errno));
        free(p);
        return NW_EIO;
    }
    *text = p;
    *size = n;
    return NW_OK;
}

int flow_file_read(const char *path, struct flow_spec **list, size_t *n, char digest[FLOW_FILE_DIGEST + 1], FILE *err)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t size = 0;
    int rc;

    if (!f) {
        fprintf(err, "%s: %s\n", path, strerror(errno));
        return NW_EIO;
    }
    rc = read_all(f, path, &text, &size, err);
    fclose(f);
    if (!rc)
        rc = flow_file_parse(path, text, size, list, n, digest, err);
    free(text);
    return rc;
}
