/* buffers_fuzz.c - libFuzzer's entry to the reader of buffers: any bytes, without touching the disk. What is accepted
 * is placed by every method, checked, and read the same again after it was written. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/buffers/csv.h"
#include "harness/status.h"
#include "model/placement/placement.h"
#include "model/status.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds, const char *why)
{
    if (!holds) {
        fprintf(stderr, "buffers: %s\n", why);
        abort();
    }
}

/* The text in memory of exactly its size. */
static int parse(const char *text, size_t size, struct buffers_csv *out)
{
    char *copy = malloc(size ? size : 1), *said = NULL;
    size_t nsaid = 0;
    FILE *err = open_memstream(&said, &nsaid);
    int rc;

    check(copy && err, "no memory");
    memcpy(copy, text, size);
    rc = buffers_csv_parse("b.csv", copy, size, out, err);
    check(!fclose(err), "no memory");
    check(rc == NW_OK || rc == NW_EINPUT, "neither read nor refused");
    check(!rc == !nsaid, "refused without a reason, or read with one");
    for (char *line = said; line && *line; line = strchr(line, '\n') + 1)
        check(!strncmp(line, "b.csv:", 6) && strchr(line, '\n'), "a reason without its place");
    free(said);
    free(copy);
    return rc;
}

static void check_again(const struct buffers_csv *csv)
{
    char *text = NULL;
    size_t size = 0;
    struct buffers_csv again;
    FILE *f = open_memstream(&text, &size);

    check(f != NULL, "no memory");
    buffers_csv_print(f, csv->list, csv->ids, csv->n, true);
    fclose(f);
    check(parse(text, size, &again) == NW_OK && again.n == csv->n && again.placed, "not read again");
    for (size_t i = 0; i < csv->n; i++) {
        const struct buffer *a = &csv->list[i], *b = &again.list[i];
        check(a->lower == b->lower && a->upper == b->upper && a->bytes == b->bytes && a->offset == b->offset &&
                  (a->alignment > 1 ? a->alignment : 1) == (b->alignment > 1 ? b->alignment : 1) &&
                  a->ngaps == b->ngaps && !strcmp(csv->ids[i], again.ids[i]),
              "read differently again");
        for (size_t g = 0; g < a->ngaps; g++) {
            const struct buffer_gap *x = &a->gaps[g], *y = &b->gaps[g];
            bool no_window = x->from == x->to && y->from == y->to;
            check(x->lower == y->lower && x->upper == y->upper && (no_window || (x->from == y->from && x->to == y->to)),
                  "another gap");
        }
    }
    buffers_csv_free(&again);
    free(text);
}

static void check_placements(struct buffers_csv *csv)
{
    for (int m = 0; m < PLACEMENT_METHODS; m++) {
        struct placement_options o = { .method = (enum placement_method)m, .alignment = 1, .budget = 200 };
        struct placement p;
        int rc = placement_make(csv->list, csv->n, &o, &p);
        size_t i, j;

        check(rc == E_OK || rc == E_RANGE, "not placed");
        check(rc || placement_valid(csv->list, csv->n, 1, &i, &j), "placed over each other");
        check(rc || p.height >= p.floor, "below the floor");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buffers_csv csv = { 0 };

    if (parse((const char *)data, size, &csv) == NW_OK) {
        check_again(&csv);
        check_placements(&csv);
    }
    buffers_csv_free(&csv);
    return 0;
}
