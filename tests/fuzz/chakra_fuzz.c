/* chakra_fuzz.c - libFuzzer's entry to the reader of Chakra traces: a byte for the number of ranks (1 to 3), two for
 * the size of each trace but the last, then the traces. What is accepted must be flows that can run in their order. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/import/chakra/chakra.h"
#include "harness/status.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds, const char *why)
{
    if (!holds) {
        fprintf(stderr, "chakra: %s\n", why);
        abort();
    }
}

/* A trace in memory of exactly its size. */
static int read_one(struct chakra *c, const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    int rc;

    check(copy, "no memory");
    memcpy(copy, data, size);
    rc = chakra_read(c, "f.et", copy, size);
    free(copy);
    return rc;
}

static int read_ranks(struct chakra *c, const uint8_t *data, size_t size)
{
    size_t ranks = size ? 1 + data[0] % 3 : 1, at = size ? 1 : 0;
    int rc = NW_OK;

    for (size_t i = 0; !rc && i < ranks; i++) {
        size_t n = size - at;
        if (i + 1 < ranks && n >= 2) {
            size_t wanted = data[at] + 256U * data[at + 1];
            at += 2;
            n = wanted < size - at ? wanted : size - at;
        }
        rc = read_one(c, data + at, n);
        at += n;
    }
    return rc;
}

static void check_flows(const struct flow_spec *list, size_t n)
{
    check(n > 0, "no flows");
    for (size_t i = 0; i < n; i++) {
        check(list[i].bytes >= 0 && list[i].delay_ps >= 0 && list[i].src.machine >= 0 && list[i].src.machine < 3 &&
                  list[i].dst.machine >= 0 && list[i].dst.machine < 3,
              "a number that is none");
        for (size_t k = 0; k < list[i].nafter; k++)
            check(list[i].after[k] < i, "a flow that waits for a later one");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *said = NULL;
    size_t nsaid = 0, n = 0;
    const struct flow_spec *list = NULL;
    FILE *err = open_memstream(&said, &nsaid);
    struct chakra *c = chakra_new(err);
    int rc;

    check(c && err, "no memory");
    rc = read_ranks(c, data, size);
    rc = rc ? rc : chakra_lower(c, 0, &list, &n);
    check(!fclose(err), "no memory");
    check(rc == NW_OK || rc == NW_EINPUT, "neither read nor refused");
    check(!rc == !nsaid, "refused without a reason, or read with one");
    check(!rc || !strncmp(said, "f.et: ", 6), "a reason without its file");
    if (!rc)
        check_flows(list, n);
    chakra_free(c);
    free(said);
    return 0;
}
