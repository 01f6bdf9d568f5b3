/* content_host.c - content in the host's memory. */
#include "harness/executor/content.h"

#include <string.h>

#include "harness/executor/stamp_lane.h"

static void stamp(uint64_t *words, size_t n, uint64_t first, void *stream)
{
    (void)stream;
    for (size_t i = 0; i < n; i++)
        words[i] = first + i;
}

static void check(const uint64_t *words, size_t n, uint64_t first, struct content_report *report, void *stream)
{
    uint64_t wrong = 0;

    (void)stream;
    for (size_t i = 0; i < n; i++)
        wrong += words[i] != first + i;
    report->wrong = wrong;
    if (!wrong)
        return;
    while (words[report->at] == first + report->at)
        report->at++;
    report->found = words[report->at];
}

static void sum(const uint32_t *words, size_t n, uint64_t *to, void *stream)
{
    uint64_t s = 0;

    (void)stream;
    for (size_t i = 0; i < n; i++)
        s += checksum_term(words[i], i);
    *to = s;
}

static void compare(const uint64_t *is, const uint64_t *expected, struct content_report *report, void *stream)
{
    (void)stream;
    if (*is != *expected)
        *report = (struct content_report){ 1, 0, *is };
}

static void fill(void *to, int byte, size_t nbytes, void *stream)
{
    (void)stream;
    memset(to, byte, nbytes);
}

static void extent(const uint32_t *words, size_t n, uint32_t with, uint64_t *end, void *stream)
{
    (void)stream;
    while (n && words[n - 1] == with)
        n--;
    *end = n;
}

const struct content_ops content_host = { stamp, check, sum, compare, fill, extent };
