#include "harness/data/text/iwslt_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/data/file.h"
#include "model/vec.h"

enum { LONGEST = 4096 };
#define MOST_BYTES (INT64_C(1) << 30)

static const char *const languages[SIDES] = { [SIDE_GERMAN] = "de", [SIDE_ENGLISH] = "en" };

static long long line_of(const struct text *t, const char *at)
{
    const char *p = (const char *)t->bytes;
    long long line = 1;

    while (p < at && (p = memchr(p, '\n', (size_t)(at - p)))) {
        line++;
        p++;
    }
    return line;
}

static int read_text(const char *path, struct text *t, char *why, size_t nwhy)
{
    int rc = file_read(path, MOST_BYTES, &t->bytes, &t->nbytes, why, nwhy);
    const char *zero = rc ? NULL : memchr(t->bytes, '\0', t->nbytes);

    if (zero)
        return data_fail(why, nwhy, "%s:%lld: expected text, got a byte of 0", path, line_of(t, zero));
    return rc;
}

static int add(struct text *t, char *at, const char *end, const char *path, char *why, size_t nwhy)
{
    if (!VEC_RESERVE(t->parts, t->capacity, t->n))
        return data_no_memory(why, nwhy, path, "its sentences");
    t->parts[t->n++] = (struct text_part){ at, (size_t)(end - at) };
    return 0;
}

/* Tags begin a line, perhaps behind a byte order mark or blanks. */
static bool is_tag(const char *line, const char *end)
{
    if (end - line >= 3 && !memcmp(line, "\xef\xbb\xbf", 3))
        line += 3;
    while (line < end && (*line == ' ' || *line == '\t'))
        line++;
    return line < end && *line == '<';
}

static int read_lines(const char *path, struct text *t, char *why, size_t nwhy)
{
    int rc = read_text(path, t, why, nwhy);
    char *p = (char *)t->bytes, *end;

    if (rc)
        return rc;
    end = p + t->nbytes;
    while (!rc && p < end) {
        char *newline = memchr(p, '\n', (size_t)(end - p)), *stop = newline ? newline : end;

        if (!is_tag(p, stop))
            rc = add(t, p, stop, path, why, nwhy);
        p = stop + 1;
    }
    return rc;
}

static char *find(const char *from, const char *end, const char *what)
{
    return memmem(from, (size_t)(end - from), what, strlen(what));
}

/* The segment that begins at *at, which moves behind it. */
static int read_segment(const char *path, struct text *t, char **at, const char *end, char *why, size_t nwhy)
{
    char *begin = memchr(*at, '>', (size_t)(end - *at)), *stop = begin ? find(begin, end, "</seg>") : NULL;
    const char *next = find(*at + 1, end, "<seg");

    if (!stop || (next && next < stop))
        return data_fail(why, nwhy, "%s:%lld: expected <seg id=\"N\">, a sentence and </seg>, got %s", path,
                         line_of(t, *at), stop ? "another <seg before its end" : "the end of the file");
    *at = stop;
    return add(t, begin + 1, stop, path, why, nwhy);
}

/* A file that was cut off between two segments has its outermost tag open. */
static int read_segments(const char *path, struct text *t, char *why, size_t nwhy)
{
    int rc = read_text(path, t, why, nwhy);
    char *text = (char *)t->bytes, *end;

    if (rc)
        return rc;
    end = text + t->nbytes;
    for (char *p = text; !rc && (p = find(p, end, "<seg"));)
        rc = read_segment(path, t, &p, end, why, nwhy);
    if (!rc && find(text, end, "<mteval") && !find(text, end, "</mteval>"))
        rc = data_fail(why, nwhy, "%s:%lld: expected </mteval> behind all segments, got the end of the file", path,
                       line_of(t, end));
    return rc;
}

typedef int reader(const char *path, struct text *t, char *why, size_t nwhy);

static int read_pair(char path[SIDES][LONGEST], reader *read, struct text pair[SIDES], char *why, size_t nwhy)
{
    int rc = 0;

    for (int side = 0; !rc && side < SIDES; side++) {
        rc = read(path[side], &pair[side], why, nwhy);
        if (!rc && !pair[side].n)
            rc = data_fail(why, nwhy, "%s:1: expected sentences, got none", path[side]);
    }
    if (!rc && pair[0].n != pair[1].n)
        rc = data_fail(why, nwhy, "%s: expected %zu sentences, as many as in %s, got %zu", path[1], pair[0].n, path[0],
                       pair[1].n);
    return rc;
}

static int path_of(const char *folder, const char *before, const char *name, const char *after, char path[LONGEST],
                   char *why, size_t nwhy)
{
    if (snprintf(path, LONGEST, "%s/%s%s%s", folder, before, name, after) >= LONGEST)
        return data_fail(why, nwhy, "%s: expected a shorter path", folder);
    return 0;
}

int iwslt_train_read(const char *folder, struct text pair[SIDES], char *why, size_t nwhy)
{
    char path[SIDES][LONGEST];
    int rc = 0;

    for (int side = 0; !rc && side < SIDES; side++)
        rc = path_of(folder, "train.tags.de-en.", languages[side], "", path[side], why, nwhy);
    return rc ? rc : read_pair(path, read_lines, pair, why, nwhy);
}

int iwslt_test_read(const char *folder, int which, struct text pair[SIDES], bool *there, char *why, size_t nwhy)
{
    static const char *const names[IWSLT_TESTS] = { "IWSLT14.TED.dev2010.de-en.", "IWSLT14.TEDX.dev2012.de-en.",
                                                    "IWSLT14.TED.tst2010.de-en.", "IWSLT14.TED.tst2011.de-en.",
                                                    "IWSLT14.TED.tst2012.de-en." };
    char path[SIDES][LONGEST];
    int rc = 0;

    *there = false;
    for (int side = 0; !rc && side < SIDES; side++) {
        rc = path_of(folder, names[which], languages[side], ".xml", path[side], why, nwhy);
        *there |= !rc && !access(path[side], F_OK);
    }
    return rc || !*there ? rc : read_pair(path, read_segments, pair, why, nwhy);
}

void iwslt_text_free(struct text pair[SIDES])
{
    for (int side = 0; side < SIDES; side++) {
        free(pair[side].bytes);
        free(pair[side].parts);
        pair[side] = (struct text){ 0 };
    }
}
