#include "harness/command/line/tensor_options.h"

#include <stdio.h>

enum { KEY_RAW = 256, KEY_ROUND, KEY_TENSOR };

static const struct argp_option options[] = {
    { "raw", KEY_RAW, 0, 0, "the file is raw fp32, little-endian, as numpy's tofile() writes it (so is any *.f32)", 0 },
    { "round", KEY_ROUND, 0, 0, "round float64 values to fp32, which are refused else", 0 },
    { "tensor", KEY_TENSOR, "NAME", 0, "the tensor of this name, of a file with several", 0 },
    { 0 }
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct tensors_options *o = state->input;

    switch (key) {
    case KEY_RAW: o->raw = true; return 0;
    case KEY_ROUND: o->round = true; return 0;
    case KEY_TENSOR: o->only = text; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp tensor_options_argp = { .options = options, .parser = parse };

void tensor_options_say(const char *path, const struct tensor *t)
{
    if (t->nans || t->infinities)
        fprintf(stderr, "%s: %zu of %zu values are NaN, %zu infinite\n", path, t->nans, t->n, t->infinities);
    if (t->overflows)
        fprintf(stderr, "%s: %zu of them are finite as float64 and beyond fp32\n", path, t->overflows);
}
