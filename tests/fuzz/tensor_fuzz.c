/* tensor_fuzz.c - libFuzzer's entry to the readers of tensors, one format a target: any bytes, without touching the
 * disk, and what no fuzzer finds by itself put right after a first byte that asks for it. What is read is checked, and
 * read again by its name. FUZZ_FORMAT is npy, npz or safetensors. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/tensor/tensors.h"
#include "kernels/codec/codec.h"
#include "tests/tensor/files.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds, const char *why)
{
    if (!holds) {
        fprintf(stderr, "tensors: %s\n", why);
        abort();
    }
}

/* The first byte says what comes: as it is, or behind a right magic, lengths and checksums. */
static void build(struct bytes *b, const uint8_t *data, size_t size)
{
    static const char names[3][8] = { "a.npy", "b.npy", "c" };
    const uint8_t *rest = data + 1;
    size_t n = size - 1, half = n > 1 ? rest[0] * (n - 1) / 255 : n;

    if (!(data[0] & 1)) {
        bytes_add(b, rest, n);
    } else if (!strcmp(FUZZ_FORMAT, "npy")) {
        npy_begin(b, 1 + (data[0] >> 1) % 3, (const char *)rest + (n > 1), half);
        bytes_add(b, rest + (n > 1) + half, n - (n > 1) - half);
    } else if (!strcmp(FUZZ_FORMAT, "safetensors")) {
        safetensors_begin(b, (const char *)rest + (n > 1), half);
        bytes_add(b, rest + (n > 1) + half, n - (n > 1) - half);
    } else {
        const struct member list[] = {
            { .name = names[(data[0] >> 1) % 3], .bytes = rest + (n > 1), .n = half },
            { .name = names[(data[0] >> 3) % 3], .bytes = rest + (n > 1) + half, .n = n - (n > 1) - half },
        };
        zip_write(b, list, 2);
    }
}

/* One stream for all messages: to open it takes longer than to read most files. */
static int parse(struct tensors *t, const uint8_t *bytes, size_t size, const struct tensors_options *o)
{
    static char *said;
    static size_t most;
    static FILE *err;
    size_t n;
    int rc;

    if (!err)
        err = open_memstream(&said, &most);
    check(err != NULL, "no memory");
    rewind(err);
    rc = tensors_parse(t, "t." FUZZ_FORMAT, bytes, size, o, err);
    n = (size_t)ftell(err);
    check(!fflush(err), "no memory");
    check(rc == NW_OK || rc == NW_EINPUT, "neither read nor refused");
    check(n || !rc, "refused without a reason");
    check(!n || !rc == (t->left_out && !o->only), "read with a reason");
    check(!n || !strncmp(said, "t." FUZZ_FORMAT ": ", sizeof("t." FUZZ_FORMAT)), "a reason without its file");
    check(!n || memchr(said, '\n', n) == said + n - 1, "not one line");
    check(!rc || (!t->n && !t->list), "an error left tensors behind");
    return rc;
}

static void check_tensor(const struct tensor *t, size_t size)
{
    size_t product = 1, nans = 0, infinities = 0;

    check(t->ndims <= TENSOR_MOST_DIMS, "too many dimensions");
    for (size_t i = 0; i < t->ndims; i++)
        product = t->dims[i] && product > CODEC_MAX_VALUES / t->dims[i] ? 0 : product * t->dims[i];
    for (size_t i = 0; i < t->ndims; i++)
        product = t->dims[i] ? product : 0;
    check(product == t->n, "another shape than values");
    check(t->n <= size * 1032, "more values than bytes");
    check(t->values && (uintptr_t)t->values % CODEC_ALIGN == 0, "values off their boundary");
    for (size_t i = 0; i < t->n; i++) {
        nans += isnan(t->values[i]) != 0;
        infinities += isinf(t->values[i]) != 0;
    }
    check(nans == t->nans && infinities == t->infinities && t->overflows <= infinities, "counted wrongly");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tensors_options o = { 0 };
    struct tensors all, one;
    struct bytes b = { 0 };
    uint8_t *exact;

    if (!size)
        return 0;
    build(&b, data, size);
    exact = malloc(b.n ? b.n : 1); /* so that a read past its end is seen */
    check(exact != NULL, "no memory");
    if (b.n)
        memcpy(exact, b.at, b.n);
    o.round = !(data[0] & 0x40);
    o.list = data[0] & 0x80;
    if (parse(&all, exact, b.n, &o) == NW_OK) {
        check(all.n > 0, "read nothing");
        for (size_t i = 0; i < all.n && !o.list; i++)
            check_tensor(&all.list[i], b.n);
        o.only = all.list[all.n - 1].name;
        check(parse(&one, exact, b.n, &o) == NW_OK && one.n == 1 && one.list->n == all.list[all.n - 1].n,
              "not found again by its name");
        check(o.list || !one.list->n ||
                  !memcmp(one.list->values, all.list[all.n - 1].values, sizeof(float) * one.list->n),
              "read differently again");
        tensors_free(&one);
        tensors_free(&all);
    }
    free(exact);
    free(b.at);
    return 0;
}
