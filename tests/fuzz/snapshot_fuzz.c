/* snapshot_fuzz.c - libFuzzer's entry to the reader of PyTorch's memory snapshots: any bytes, as pickle or as JSON,
 * without touching the disk. What is accepted are buffers within what the header says. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/import/snapshot/snapshot.h"
#include "harness/status.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds, const char *why)
{
    if (!holds) {
        fprintf(stderr, "snapshot: %s\n", why);
        abort();
    }
}

static void check_buffers(const struct snapshot *s)
{
    check(s->n && s->nevents + 1 >= 1 && s->ndevices, "a count that is none");
    for (size_t i = 0; i < s->n; i++) {
        const struct buffer *b = &s->list[i];

        check(b->lower >= 0 && b->lower < b->upper && b->upper <= (int64_t)s->nevents + 1, "a lifetime that is none");
        check(b->bytes > 0 && b->offset >= 0 && b->offset + b->bytes <= s->reserved, "a place that is none");
        check(!i || s->list[i - 1].lower <= b->lower, "buffers out of order");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy = malloc(size ? size : 1), *said = NULL;
    struct snapshot s = { 0 };
    size_t nsaid = 0;
    FILE *err = open_memstream(&said, &nsaid);
    int rc;

    check(copy && err, "no memory");
    memcpy(copy, data, size);
    rc = snapshot_read("f.pickle", copy, size, -1, &s, err);
    fclose(err);
    check(rc == NW_OK || rc == NW_EINPUT, "neither read nor refused");
    check(!rc == !nsaid, "refused without a reason, or read with one");
    check(!nsaid || !strncmp(said, "f.pickle: ", 10), "a reason without its file");
    if (!rc)
        check_buffers(&s);
    snapshot_free(&s);
    free(said);
    free(copy);
    return 0;
}
