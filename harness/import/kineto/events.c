/* events.c - the text of each event, cut out of the list. */
#include "harness/import/kineto/events.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"

enum { CHUNK = 1 << 14, END = -1, FAILED = -2 };

struct reading {
    const struct byte_source *from;
    FILE *err;
    char *chunk; /* of CHUNK bytes */
    size_t at, n;
    int64_t offset; /* of the next byte */
    char *text;     /* of the object at hand */
    size_t size, capacity;
    bool keep;
    int rc;
};

static int refuse(struct reading *r, int64_t offset, const char *expected, int found)
{
    if (r->rc)
        return r->rc;
    fprintf(r->err, "%s: byte %lld: expected %s, got ", r->from->name, (long long)offset, expected);
    if (found == END)
        fputs("the end of the file\n", r->err);
    else
        fprintf(r->err, found > ' ' && found < 127 ? "'%c'\n" : "byte 0x%02x\n", (unsigned)found);
    return r->rc = NW_EINPUT;
}

static void keep(struct reading *r, char c)
{
    if (r->size == r->capacity) {
        size_t more = r->capacity ? 2 * r->capacity : 4096;
        char *grown = more <= 2 * (size_t)MOST_EVENT_B ? realloc(r->text, more) : NULL;

        if (!grown) {
            fprintf(r->err, "%s: byte %lld: no memory for an object of so many bytes\n", r->from->name,
                    (long long)r->offset);
            r->rc = r->capacity < (size_t)MOST_EVENT_B ? NW_ENOMEM : NW_EINPUT;
            return;
        }
        r->text = grown;
        r->capacity = more;
    }
    r->text[r->size++] = c;
}

/* The next byte, or END, or FAILED with r->rc set. */
static int next(struct reading *r)
{
    if (r->at == r->n) {
        long got = r->rc ? -1 : r->from->read(r->from->context, r->chunk, CHUNK);

        r->at = 0;
        r->n = got > 0 ? (size_t)got : 0;
        if (got < 0)
            r->rc = r->rc ? r->rc : NW_EIO;
        if (got <= 0)
            return got < 0 ? FAILED : END;
    }
    int c = (unsigned char)r->chunk[r->at++];
    r->offset++;
    if (r->keep)
        keep(r, (char)c);
    return r->rc ? FAILED : c;
}

static int next_solid(struct reading *r)
{
    int c = next(r);

    while (c == ' ' || c == '\t' || c == '\n' || c == '\r')
        c = next(r);
    return c;
}

/* Behind its first quotation mark, up to and with the last. */
static int skip_text(struct reading *r)
{
    int64_t from = r->offset - 1;
    int c;

    while ((c = next(r)) != '"') {
        if (c == '\\')
            c = next(r);
        if (c < 0)
            return refuse(r, from, "text that ends with '\"'", c);
    }
    return r->rc;
}

/* Behind the first bracket, up to and with the one that closes it. */
static int skip_nested(struct reading *r)
{
    int64_t from = r->offset - 1;

    for (int64_t depth = 1; depth;) {
        int c = next(r);

        if (c < 0)
            return refuse(r, from, "an object or a list that ends", c);
        if (c == '"' && skip_text(r))
            return r->rc;
        depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    }
    return r->rc;
}

static int read_list(struct reading *r, int (*each)(void *context, const struct event_text *e), void *context)
{
    struct event_text e = { 0 };
    int c = next_solid(r);

    if (c == ']')
        return r->rc;
    for (;; e.number++) {
        if (c != '{')
            return refuse(r, r->offset - (c >= 0), "an event, which begins with '{'", c);
        e.offset = r->offset - 1;
        r->size = 0;
        keep(r, '{');
        r->keep = true;
        if (skip_nested(r))
            return r->rc;
        r->keep = false;
        e.text = r->text;
        e.size = r->size;
        if ((r->rc = each(context, &e)))
            return r->rc;
        c = next_solid(r);
        if (c == ']')
            return r->rc;
        if (c != ',')
            return refuse(r, r->offset - (c >= 0), "',' or ']' after an event", c);
        c = next_solid(r);
    }
}

/* The value of a key that nobody asks for; answers the byte behind it. */
static int skip_value(struct reading *r, int c)
{
    if (c == '"' ? skip_text(r) : c == '{' || c == '[' ? skip_nested(r) : 0)
        return FAILED;
    if (c == '"' || c == '{' || c == '[')
        return next_solid(r);
    while (c >= 0 && c != ',' && c != '}')
        c = next(r);
    return c;
}

static int read_key(struct reading *r, int c, bool *wanted)
{
    static const char key[] = "traceEvents\"";

    if (c != '"')
        return refuse(r, r->offset - (c >= 0), "a key, which begins with '\"'", c);
    r->size = 0;
    r->keep = true;
    if (skip_text(r))
        return r->rc;
    r->keep = false;
    *wanted = r->size == sizeof(key) - 1 && !memcmp(r->text, key, r->size);
    c = next_solid(r);
    return c == ':' ? r->rc : refuse(r, r->offset - (c >= 0), "':' after a key", c);
}

static int read_object(struct reading *r, int (*each)(void *context, const struct event_text *e), void *context)
{
    bool wanted = false, seen = false;
    int c = next_solid(r);

    while (c != '}') {
        if (read_key(r, c, &wanted))
            return r->rc;
        c = next_solid(r);
        if (wanted && c != '[')
            return refuse(r, r->offset - (c >= 0), "the list of traceEvents, which begins with '['", c);
        if (wanted && read_list(r, each, context))
            return r->rc;
        c = wanted ? next_solid(r) : skip_value(r, c);
        seen |= wanted;
        if (c == '}')
            break;
        if (c != ',')
            return refuse(r, r->offset - (c >= 0), "',' or '}' after a value", c);
        c = next_solid(r);
    }
    return seen ? r->rc : refuse(r, r->offset - 1, "a key \"traceEvents\" in the object", '}');
}

int events_read(const struct byte_source *from, int (*each)(void *context, const struct event_text *e), void *context,
                FILE *err)
{
    char *chunk = malloc(CHUNK);
    struct reading reading = { .from = from, .err = err, .chunk = chunk }, *r = &reading;
    int c, rc;

    if (!chunk)
        return NW_ENOMEM;
    c = next_solid(r);
    if (c == '{')
        rc = read_object(r, each, context);
    else if (c == '[')
        rc = read_list(r, each, context);
    else
        rc = refuse(r, r->offset - (c >= 0), "a trace in JSON, which begins with '{' or '['", c);
    free(r->text);
    free(chunk);
    return rc;
}
