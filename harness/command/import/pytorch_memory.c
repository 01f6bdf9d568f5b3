/* pytorch_memory.c - narrows import pytorch-memory: what PyTorch's allocator did, as buffers to be placed. */
#include <argp.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/buffers/csv.h"
#include "harness/command/import/import.h"
#include "harness/command/line/command_line.h"
#include "harness/import/snapshot/snapshot.h"
#include "harness/status.h"
#include "harness/text/whole_file.h"

#define MOST_B ((int64_t)4 << 30)
enum { ID = 24 };

struct arguments {
    const char *file, *output;
    int device; /* -1: the one with the most events */
};

static const struct argp_option options[] = {
    { "device", 'd', "N", 0, "whose memory (default: the device with the most events)", 0 },
    { "output", 'o', "FILE", 0, "where to write the buffers, '-' for standard output (the default)", 0 },
    { 0 }
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case 'd': a->device = command_number("--device", text, 0, 1 << 16); return 0;
    case 'o': a->output = text; return 0;
    case ARGP_KEY_ARG:
        if (a->file)
            argp_error(state, "expected one SNAPSHOT, got '%s' as well", text);
        a->file = text;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "which SNAPSHOT? A file of torch.cuda.memory._dump_snapshot()"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "SNAPSHOT",
    .doc =
        "Read a snapshot of PyTorch's CUDA allocator (pickle or JSON), taken with its history, and write the buffers "
        "that lived while it was recorded, with their lifetimes, their sizes as requested, and the offsets that they "
        "really had, as CSV for 'narrows place'.\v"
        "Time counts allocations and frees. What was there before the history lives from 0 on, what is alive at its "
        "end until the end. Pickles are read as plain data: one that would make objects or call functions is refused. "
        "'-' is standard input. Examples:\n"
        "  narrows import pytorch-memory snapshot.pickle -o buffers.csv\n"
        "  narrows place buffers.csv; narrows place --check buffers.csv",
};

/* Ids are numbers in the order of the list. */
static int write_buffers(const struct arguments *a, const struct snapshot *s)
{
    const char **ids = malloc(s->n * sizeof(*ids));
    char(*texts)[ID] = malloc(s->n * sizeof(*texts));
    int rc = ids && texts ? NW_OK : NW_ENOMEM;

    for (size_t i = 0; i < s->n && !rc; i++) {
        snprintf(texts[i], sizeof(texts[i]), "b%zu", i);
        ids[i] = texts[i];
    }
    if (!rc)
        rc = buffers_csv_write(a->output ? a->output : "-", s->list, ids, s->n, true, stderr);
    free(texts);
    free(ids);
    return rc;
}

static void report(const struct snapshot *s)
{
    fprintf(stderr, "device %d: %zu buffers of %zu allocations and frees, in %" PRId64 " bytes of segments\n",
            s->device, s->n, s->nevents, s->reserved);
    if (s->nbefore)
        fprintf(stderr, "%zu were there before the history began\n", s->nbefore);
    if (s->nafter)
        fprintf(stderr, "%zu are alive at its end\n", s->nafter);
    if (s->nlost)
        fprintf(stderr, "%zu end where another begins at their address: their free was not seen\n", s->nlost);
    if (s->ndevices > 1)
        fprintf(stderr, "%zu devices have events: --device N takes another\n", s->ndevices);
}

int import_pytorch_memory(int argc, char **argv)
{
    struct arguments a = { .device = -1 };
    struct snapshot s = { 0 };
    char *bytes = NULL;
    size_t size = 0;
    int rc;

    if (command_parse(&argp, argc, argv, &a))
        return NW_EINPUT;
    rc = whole_file_take(a.file, MOST_B, &bytes, &size, stderr);
    rc = rc ? rc : snapshot_read(whole_file_name(a.file), bytes, size, a.device, &s, stderr);
    free(bytes);
    if (!rc) {
        report(&s);
        rc = write_buffers(&a, &s);
    }
    snapshot_free(&s);
    return rc;
}
