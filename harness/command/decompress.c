/* narrows decompress - a stream back to fp32 values, or onto those of another file. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/commands.h"
#include "harness/command/line/command_line.h"
#include "harness/command/line/tensor_options.h"
#include "harness/status.h"
#include "harness/tensor/codec_choice.h"
#include "harness/tensor/codec_table.h"
#include "harness/tensor/npy.h"
#include "harness/tensor/tensor_file.h"
#include "kernels/codec/stream.h"

struct arguments {
    const char *in, *out, *onto, *impl;
    struct tensors_options tensors; /* of 'onto' */
};

static const struct argp_option options[] = {
    { "onto", 'a', "FILE", 0, "add to the tensor of this file instead of to none", 0 },
    { "impl", 'i', "NAME", 0, "this implementation, e.g. scalar (default: $NARROWS_IMPL, or the best here)", 0 },
    { 0 }
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &a->tensors; return 0;
    case 'a': a->onto = text; return 0;
    case 'i': a->impl = text; return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            argp_usage(state);
        *(state->arg_num ? &a->out : &a->in) = text;
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num < 2)
            argp_usage(state);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = { { &tensor_options_argp, 0, "How the file of --onto is read:", 1 },
                                              { 0 } };

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .children = children,
    .args_doc = "IN OUT",
    .doc = "Decompress the stream IN into OUT: an array of fp32 where its name ends in .npy, in the shape of --onto's, "
           "else raw fp32 values, as numpy.fromfile(OUT, '<f4') reads them; '-' is standard input or output. "
           "A stream that is damaged, cut off or not one of ours is refused, and OUT stays as it was.",
};

/* The values to add to, or as many as the stream has. */
static int target(const struct arguments *a, const struct stream *s, struct tensors *onto, float **values)
{
    int rc;

    if (!a->onto) {
        *values = tensor_alloc(4 * s->n);
        return *values ? NW_OK : NW_ENOMEM;
    }
    rc = tensors_read_one(onto, a->onto, &a->tensors, stderr);
    if (!rc && onto->list->n != s->n)
        rc = status_error(NW_EINPUT, "%s: expected %zu values, as many as %s holds, got %zu\n", a->onto, s->n, a->in,
                          onto->list->n);
    if (!rc)
        *values = onto->list->values;
    return rc;
}

static int write_values(const char *path, const struct tensors *onto, const float *values, size_t n)
{
    size_t length = strlen(path);

    if (length < 4 || strcmp(path + length - 4, ".npy") != 0)
        return tensor_write(path, values, 4 * n);
    if (onto->n)
        return npy_write(path, values, onto->list->ndims, onto->list->dims, stderr);
    return npy_write(path, values, 1, &n, stderr);
}

static int decompress(const struct arguments *a, const struct stream *s, float *values)
{
    const struct codec_impl *row;
    int error = CODEC_OK, rc = codec_choice_row(s->codec, a->impl, &row);
    void *work = rc ? NULL : tensor_alloc(s->codec->work_size(s->n, &s->params));

    if (rc || !work)
        return rc ? rc : NW_ENOMEM;
    row->decompress(&row->impl, values, s->n, a->onto ? CODEC_ADD : CODEC_STORE, s->payload, s->nbytes, &s->params,
                    work, &error);
    free(work);
    if (!error)
        return NW_OK;
    return status_error(NW_EINPUT, "%s: %s: %s\n", a->in, s->codec->name, codec_error_text((enum codec_error)error));
}

int cmd_decompress(int argc, char **argv)
{
    struct arguments a = { .impl = getenv("NARROWS_IMPL") };
    struct tensors onto = { 0 };
    uint8_t *bytes = NULL;
    float *values = NULL;
    struct stream s = { 0 };
    enum codec_error error;
    size_t nbytes = 0;
    int rc;

    if (command_parse(&argp, argc, argv, &a))
        return NW_EINPUT;
    rc = tensor_read_bytes(a.in, &bytes, &nbytes);
    if (!rc && (error = stream_open_in(&s, codec_table(), bytes, nbytes)))
        rc = status_error(NW_EINPUT, "%s: %s\n", a.in, codec_error_text(error));
    if (!rc)
        rc = target(&a, &s, &onto, &values);
    if (!rc)
        rc = decompress(&a, &s, values);
    if (!rc)
        rc = write_values(a.out, &onto, values, s.n);
    if (!rc)
        fprintf(stderr, "%zu values from %zu bytes of %s\n", s.n, nbytes, s.codec->name);
    free(bytes);
    if (!a.onto)
        free(values);
    tensors_free(&onto);
    return rc;
}
