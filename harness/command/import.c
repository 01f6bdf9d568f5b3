/* narrows import - what other programs write, as files that narrows reads. Each kind is a row; the help is this
 * table. */
#include <stdio.h>
#include <string.h>

#include "harness/command/commands.h"
#include "harness/command/import/import.h"
#include "harness/count.h"
#include "harness/status.h"
#include "harness/text/suggest.h"

static const struct kind {
    const char *name, *arguments, *help;
    int (*run)(int argc, char **argv);
} kinds[] = {
    { "onnx", "FILE [-o MODEL.yaml]", "a network of PyTorch or another framework as a model file", import_onnx },
    { "kineto", "TRACE.json[.gz] [-m MODEL] [-o TIMES.yaml]", "a trace of PyTorch's profiler as times of layers",
      import_kineto },
    { "chakra", "FILE... [-o FLOWS.csv]", "Chakra execution traces, one a rank, as flows to play", import_chakra },
    { "nccl-tests", "FILE [-o TABLE.csv]", "what all_reduce_perf prints as a table of collectives", import_nccl_tests },
    { "pytorch-memory", "SNAPSHOT [-o BUFFERS.csv]", "PyTorch's memory snapshot as buffers for narrows place",
      import_pytorch_memory },
};

static void usage(FILE *to)
{
    fputs("Usage: narrows import KIND [ARGUMENT...]      narrows import KIND --help\n\n"
          "What other programs write, as files that narrows reads.\n\n",
          to);
    for (size_t i = 0; i < COUNT(kinds); i++)
        fprintf(to, "  %-14s %-43s %s\n", kinds[i].name, kinds[i].arguments, kinds[i].help);
}

static int unknown(const char *name)
{
    struct suggest near = { .given = name };

    for (size_t i = 0; i < COUNT(kinds); i++)
        suggest_offer(&near, kinds[i].name);
    fprintf(stderr, "narrows import: expected a kind of file, got '%s'", name);
    if (suggest_result(&near))
        fprintf(stderr, "; did you mean '%s'?", suggest_result(&near));
    fputs("\nTry 'narrows import --help'.\n", stderr);
    return NW_EINPUT;
}

int cmd_import(int argc, char **argv)
{
    char name[48];

    if (argc < 2) {
        usage(stderr);
        return NW_EINPUT;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "-?")) {
        usage(stdout);
        return NW_OK;
    }
    for (size_t i = 0; i < COUNT(kinds); i++) {
        if (strcmp(argv[1], kinds[i].name) != 0)
            continue;
        snprintf(name, sizeof(name), "narrows import %s", kinds[i].name);
        argv[1] = name; /* so that a usage line reads "narrows import onnx ..." */
        return kinds[i].run(argc - 1, argv + 1);
    }
    return unknown(argv[1]);
}
