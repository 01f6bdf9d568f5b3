/* flows_fuzz.c - libFuzzer's entry to the reader of traffic: any bytes, without touching the disk. What is accepted is
 * written out plainly and must be read the same again. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/flows/file.h"
#include "harness/status.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds, const char *why)
{
    if (!holds) {
        fprintf(stderr, "flows: %s\n", why);
        abort();
    }
}

/* The text in memory of exactly its size. */
static int parse(const char *text, size_t size, struct flow_spec **list, size_t *n, char digest[FLOW_FILE_DIGEST + 1])
{
    char *copy = malloc(size ? size : 1), *said = NULL;
    size_t nsaid = 0;
    FILE *err = open_memstream(&said, &nsaid);
    int rc;

    check(copy && err, "no memory");
    memcpy(copy, text, size);
    rc = flow_file_parse("f.csv", copy, size, list, n, digest, err);
    check(!fclose(err), "no memory");
    check(rc == NW_OK || rc == NW_EINPUT, "neither read nor refused");
    check(!rc == !nsaid, "refused without a reason, or read with one");
    for (char *line = said; line && *line; line = strchr(line, '\n') + 1)
        check(!strncmp(line, "f.csv:", 6) && strchr(line, '\n'), "a reason without its place");
    free(said);
    free(copy);
    return rc;
}

static void check_again(const struct flow_spec *list, size_t n)
{
    char *text = NULL, digest[FLOW_FILE_DIGEST + 1];
    struct flow_spec *again = NULL;
    size_t size = 0, nagain = 0;
    FILE *f = open_memstream(&text, &size);

    check(f != NULL, "no memory");
    for (size_t i = 0; i < n; i++) {
        check(list[i].id >= 0 && list[i].bytes >= 0 && list[i].start_ps >= 0, "a number below zero");
        check(list[i].src.machine >= 0 && list[i].dst.machine >= 0 && list[i].delay_ps >= 0, "an end below zero");
        for (size_t k = 0; k < list[i].nafter; k++)
            check(list[i].after[k] < n, "waits for none of the flows");
    }
    flow_file_write(f, list, n);
    fclose(f);
    check(parse(text, size, &again, &nagain, digest) == NW_OK && nagain == n, "not read again");
    for (size_t i = 0; i < n; i++) {
        check(again[i].nafter == list[i].nafter &&
                  (!list[i].nafter || !memcmp(again[i].after, list[i].after, list[i].nafter * sizeof(*list[i].after))),
              "waits for others when read again");
        again[i].line = list[i].line;
        again[i].after = list[i].after;
        check(!memcmp(&again[i], &list[i], sizeof(list[i])), "read differently again");
    }
    free(again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct flow_spec *list = NULL;
    char digest[FLOW_FILE_DIGEST + 1];
    size_t n = 0;

    if (parse((const char *)data, size, &list, &n, digest) == NW_OK) {
        check(strlen(digest) == FLOW_FILE_DIGEST, "no digest");
        check_again(list, n);
    }
    free(list);
    return 0;
}
