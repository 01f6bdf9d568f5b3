/* onnx_fuzz.c - libFuzzer's entry to the reader of ONNX: any bytes, without touching the disk. What is accepted is
 * written as a model file, which must be read again and give the same counts. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/import/onnx/onnx.h"
#include "harness/scenario/scenario.h"
#include "harness/status.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds, const char *why)
{
    if (!holds) {
        fprintf(stderr, "onnx: %s\n", why);
        abort();
    }
}

static int parse(const uint8_t *data, size_t size, struct onnx_network **n)
{
    const struct onnx_options options = { .name = "m", .dims = { { "batch", 2 } }, .ndims = 1 };
    uint8_t *copy = malloc(size ? size : 1); /* of exactly its size */
    char *said = NULL;
    size_t nsaid = 0;
    FILE *err = open_memstream(&said, &nsaid);
    int rc;

    check(copy && err, "no memory");
    memcpy(copy, data, size);
    rc = onnx_read("f.onnx", copy, size, &options, err, n);
    check(!fclose(err), "no memory");
    check(rc == NW_OK || rc == NW_EINPUT, "neither read nor refused");
    check(rc ? nsaid > 0 : !nsaid, "refused without a reason, or read with one");
    check(!rc || !strncmp(said, "f.onnx: ", 8), "a reason without its file");
    free(said);
    free(copy);
    return rc;
}

static void check_file(const struct onnx_network *n)
{
    char *text = NULL, why[256], path[64];
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct model_spec *again = NULL;
    struct model m;

    check(out != NULL, "no memory");
    onnx_write(out, n);
    check(!fclose(out), "no memory");
    int held = memfd_create("model.yaml", 0);
    check(held >= 0 && write(held, text, size) == (ssize_t)size, "no memory");
    snprintf(path, sizeof(path), "/proc/self/fd/%d", held);
    check(!scenario_load_model(path, stderr, &again), "a model file that is not read");
    close(held);
    check(!model_infer(again, &m, why, sizeof(why)), "a model file that is not a model");
    check(m.weights + m.biases + m.table_values == onnx_model_parameters(n), "other parameters when read again");
    check(m.flops_forward == onnx_model(n)->flops_forward, "other FLOPs when read again");
    model_free(&m);
    scenario_free_model(again);
    free(text);
}

/* Writing and reading takes ten times as long as all else: the fuzzer does it for one input of sixteen, the replay for
 * all. */
static bool writes(const uint8_t *data, size_t size)
{
#ifdef FUZZ_REPLAY
    (void)data;
    return size > 0;
#else
    uint8_t sum = 0;

    for (size_t i = 0; i < size; i++)
        sum = (uint8_t)(31 * sum + data[i]);
    return sum % 16 == 0;
#endif
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct onnx_network *n = NULL;

    if (parse(data, size, &n) == NW_OK && writes(data, size))
        check_file(n);
    onnx_free(n);
    return 0;
}
