#include "harness/record/head.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "harness/status.h"

static const char first_line[] = "narrows record ";

enum { PLAIN = '1', STAMPED = '2', MOST_DIGITS = 9 };

static int refuse(const char *path, const char *why)
{
    fprintf(stderr, "narrows: %s: %s\n", path, why);
    return NW_EINPUT;
}

static void seal_of(const struct record_head *h, char seal[RECORD_SOURCES + 1])
{
    char text[128];
    int n = snprintf(text, sizeof(text), "%s\n%s\n%d\n", h->digest, h->checked.trainer, (int)h->checked.steps);

    snprintf(seal, RECORD_SOURCES + 1, "%016llx", (unsigned long long)XXH3_64bits(text, (size_t)n));
}

void record_head_print(const struct record_head *h, char text[RECORD_MOST_HEAD])
{
    char seal[RECORD_SOURCES + 1];
    int n = snprintf(text, RECORD_MOST_HEAD, "%s%c\n", first_line, h->checked.steps ? STAMPED : PLAIN);

    seal_of(h, seal);
    if (h->checked.steps)
        n += snprintf(text + n, (size_t)(RECORD_MOST_HEAD - n), "checked %s %d %s\n", h->checked.trainer,
                      (int)h->checked.steps, seal);
    snprintf(text + n, (size_t)(RECORD_MOST_HEAD - n), "digest %s\n", h->digest);
}

/* "WORD VALUE" and what ends it, of so many hex digits; NULL if that is not what comes. */
static const char *take(const char *at, const char *end, const char *word, size_t n, char after, char *value)
{
    size_t length = strlen(word);

    if (!at || (size_t)(end - at) < length + n + 1 || strncmp(at, word, length) != 0 || at[length + n] != after ||
        strspn(at + length, "0123456789abcdef") != n)
        return NULL;
    memcpy(value, at + length, n);
    value[n] = 0;
    return at + length + n + 1;
}

/* A number above 0 without zeros before it, and the space after it. */
static const char *take_steps(const char *at, const char *end, int32_t *steps)
{
    char text[MOST_DIGITS + 1] = "";
    size_t n = 0;

    while (at && at + n < end && n < MOST_DIGITS && at[n] >= '0' && at[n] <= '9') {
        text[n] = at[n];
        n++;
    }
    if (!n || *text == '0' || at + n == end || at[n] != ' ')
        return NULL;
    *steps = (int32_t)strtol(text, NULL, 10);
    return at + n + 1;
}

static const char *take_stamp(const char *at, const char *end, struct record_stamp *out, char *seal)
{
    at = take(at, end, "checked ", RECORD_SOURCES, ' ', out->trainer);
    at = take_steps(at, end, &out->steps);
    return take(at, end, "", RECORD_SOURCES, '\n', seal);
}

static int of_another_version(const char *path, const char *at, const char *end)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));

    fprintf(stderr,
            "narrows: %s: has version '%.*s' of the format, this program knows versions %c and %c: use a newer one\n",
            path, newline && newline - at < 16 ? (int)(newline - at) : 0, at, PLAIN, STAMPED);
    return NW_EINPUT;
}

int record_head_parse(const char *path, const char *data, size_t n, struct record_head *out, const char **hashed,
                      const char **body)
{
    const char *at = data + strlen(first_line), *end = data + n;
    char seal[RECORD_SOURCES + 1] = "", sealed[RECORD_SOURCES + 1];
    bool stamped;

    out->checked = (struct record_stamp){ 0 };
    if (n < strlen(first_line) || strncmp(data, first_line, strlen(first_line)) != 0)
        return refuse(path, "is no record: expected 'narrows record' in its first line");
    if (end - at < 2 || (*at != PLAIN && *at != STAMPED) || at[1] != '\n')
        return of_another_version(path, at, end);
    stamped = *at == STAMPED;
    at += 2;
    at = stamped ? take_stamp(at, end, &out->checked, seal) : at;
    at = *hashed = take(at, end, "digest ", RECORD_DIGEST, '\n', out->digest);
    at = take(at, end, "trainer ", RECORD_SOURCES, '\n', out->trainer);
    *body = take(at, end, "simulator ", RECORD_SOURCES, '\n', out->simulator);
    if (!*body)
        return refuse(path, "is damaged: its first lines are not whole");
    seal_of(out, sealed);
    return stamped && strcmp(seal, sealed) != 0 ? refuse(path, "is damaged: who checked it is not of this record")
                                                : NW_OK;
}
