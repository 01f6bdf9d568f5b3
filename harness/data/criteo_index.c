#include "harness/data/criteo_index.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/data/file.h"
#include "model/status.h"
#include "model/vec.h"

enum { CHUNK_BYTES = 1 << 20 };

/* A line begins at 'offset'. */
static int note_line(struct line_index *x, int64_t offset)
{
    if (x->lines++ % LINES_APART)
        return 0;
    if (!VEC_RESERVE(x->offsets, x->capacity, x->noffsets))
        return E_NOMEM;
    x->offsets[x->noffsets++] = offset;
    return 0;
}

static int too_long(const struct line_index *x, char *why, size_t nwhy)
{
    return data_fail(why, nwhy, "%s: line %lld: expected at most %d bytes, got more", x->path, (long long)x->lines,
                     LINE_MOST_BYTES);
}

/* Find the lines in a chunk at 'offset' of the file. *began: where the line began that the chunk may end in. */
static int scan_chunk(struct line_index *x, const char *chunk, size_t n, int64_t offset, int64_t *began, char *why,
                      size_t nwhy)
{
    const char *p = chunk, *end = chunk + n;

    while (p < end) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        int64_t next = offset + (newline ? newline + 1 - chunk : end - chunk);

        if (next - *began > LINE_MOST_BYTES)
            return too_long(x, why, nwhy);
        if (!newline)
            return 0;
        p = newline + 1;
        *began = next;
        if (next < x->nbytes && note_line(x, next))
            return data_no_memory(why, nwhy, x->path, "the offsets of its lines");
    }
    return 0;
}

int line_index_open(const char *path, struct line_index *out, char *why, size_t nwhy)
{
    char *chunk = malloc(CHUNK_BYTES);
    int64_t began = 0;
    int rc = 0;

    *out = (struct line_index){ .path = strdup(path), .fd = -1 };
    if (!out->path || !chunk || note_line(out, 0))
        rc = data_no_memory(why, nwhy, path, "");
    else
        out->fd = file_open(path, &out->nbytes, why, nwhy);
    if (!rc && out->fd < 0)
        rc = E_DATA;
    if (!rc && !out->nbytes)
        rc = data_fail(why, nwhy, "%s: expected lines, got nothing", path);
    for (int64_t at = 0; !rc && at < out->nbytes; at += CHUNK_BYTES) {
        size_t n = (size_t)(out->nbytes - at < CHUNK_BYTES ? out->nbytes - at : CHUNK_BYTES);

        rc = file_read_at(out->fd, path, at, chunk, n, why, nwhy);
        if (!rc)
            rc = scan_chunk(out, chunk, n, at, &began, why, nwhy);
    }
    free(chunk);
    return rc;
}

void line_index_close(struct line_index *x)
{
    if (x->fd >= 0)
        close(x->fd);
    free(x->offsets);
    free(x->path);
}

int line_read(const struct line_index *x, int64_t which, char text[LINES_APART * LINE_MOST_BYTES], size_t *at,
              size_t *n, char *why, size_t nwhy)
{
    size_t block = (size_t)(which / LINES_APART);
    int64_t from = x->offsets[block];
    int64_t to = block + 1 < x->noffsets ? x->offsets[block + 1] : x->nbytes;
    const char *p = text, *end = text + (to - from), *newline;
    int rc = file_read_at(x->fd, x->path, from, text, (size_t)(to - from), why, nwhy);

    if (rc)
        return rc;
    for (int64_t i = 0;; i++, p = newline + 1) {
        newline = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
        if (i == which % LINES_APART)
            break;
        if (!newline)
            return data_fail(why, nwhy, "%s: line %lld: expected it as when the file was opened, got fewer lines",
                             x->path, (long long)which + 1);
    }
    *at = (size_t)(p - text);
    *n = (size_t)((newline ? newline : end) - p);
    return 0;
}
